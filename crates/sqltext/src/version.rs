//! Comments that a server executes: `/*! … */`, `/*!50001 … */`, `/*M!100100 … */`.
//!
//! A number is the oldest version that executes what follows. MariaDB leaves out what needs MySQL 5.7 or
//! later, because it does not have those features. Which exact version a server has is not known here,
//! so a number between the oldest supported version and the newest is unclear.

use crate::dialect::Dialect;

/// What becomes of the text in such a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conditional {
    Executed,
    Skipped,
    Unclear,
}

/// How a comment begins that may be executed: the length of its beginning, and what becomes of the rest.
pub(crate) fn conditional(rest: &str, dialect: Dialect) -> Option<(usize, Conditional)> {
    let marks = match dialect {
        Dialect::MySql => ["/*!", "/*!"],
        Dialect::MariaDb => ["/*!", "/*M!"],
        Dialect::PostgreSql | Dialect::Sqlite => return None,
    };
    let mark = marks.into_iter().find(|mark| rest.starts_with(mark))?;
    let behind = &rest[mark.len()..];
    let digits = behind.bytes().take(6).take_while(u8::is_ascii_digit).count();
    // Fewer than five digits are no version but a part of the statement.
    let Some(version) = (digits >= 5).then(|| behind[..digits].parse().ok()).flatten() else {
        return Some((mark.len(), Conditional::Executed));
    };
    let shared = mark == "/*!";
    Some((mark.len() + digits, executed(version, dialect, shared)))
}

/// Whether servers of a dialect execute what needs a version; `shared` if MySQL and MariaDB both look.
fn executed(version: u32, dialect: Dialect, shared: bool) -> Conditional {
    match (dialect, version) {
        (Dialect::MariaDb, 50_700..=99_999) if shared => Conditional::Skipped,
        (Dialect::MariaDb, 0..=100_600) => Conditional::Executed,
        (Dialect::MariaDb, _) => Conditional::Unclear,
        (_, 0..=80_000) => Conditional::Executed,
        (_, 100_000..) => Conditional::Skipped,
        _ => Conditional::Unclear,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_say_who_executes_a_comment() {
        use Conditional::{Executed, Skipped, Unclear};
        for (text, mysql, maria) in [
            ("/*! x", Some((3, Executed)), Some((3, Executed))),
            ("/*!1 x", Some((3, Executed)), Some((3, Executed))),
            ("/*!50001x", Some((8, Executed)), Some((8, Executed))),
            ("/*!50701x", Some((8, Executed)), Some((8, Skipped))),
            ("/*!80100x", Some((8, Unclear)), Some((8, Skipped))),
            ("/*!100100x", Some((9, Skipped)), Some((9, Executed))),
            ("/*!999999x", Some((9, Skipped)), Some((9, Unclear))),
            ("/*M!50701x", None, Some((9, Executed))),
            ("/* x", None, None),
        ] {
            assert_eq!(conditional(text, Dialect::MySql), mysql, "{text}");
            assert_eq!(conditional(text, Dialect::MariaDb), maria, "{text}");
            assert_eq!(conditional(text, Dialect::PostgreSql), None, "{text}");
        }
    }
}
