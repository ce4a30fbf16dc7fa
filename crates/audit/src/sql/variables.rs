//! The variables of a session (`@x`) that a statement of MySQL reads or fills.
//!
//! Transactions are tried in many orders, and a variable outlives the one that set it. So a variable has a known
//! value only within the transaction that fills it.

use tristan_sqltext::{Token, TokenKind};

/// A variable in a statement.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Variable {
    /// Its name, with the sign before it.
    pub(super) name: String,
    /// Whether it is given a value, and its own does not matter.
    pub(super) filled: bool,
}

/// The variables of a statement. Those that it fills are behind `SET` and its commas, or behind `INTO`. A
/// procedure may fill its arguments; whether it reads them, too, is known when it is called.
pub(super) fn variables(tokens: &[Token<'_>]) -> Vec<Variable> {
    let is = |wanted: &str| tokens.first().is_some_and(|token| is_word(token, wanted));
    let (sets, calls) = (is("set"), is("call"));
    let (mut target, mut into, mut depth) = (false, false, 0);
    let mut found = Vec::new();
    for token in tokens {
        match token.kind {
            TokenKind::Word(word) if word.starts_with('@') && !word.starts_with("@@") => {
                let filled = into || target || calls;
                found.push(Variable { name: word.to_lowercase(), filled });
                target = false;
            }
            TokenKind::Word(_) => {
                into = is_word(token, "into");
                target = is_word(token, "set") && sets;
            }
            TokenKind::Symbol(",") => target = sets && depth == 0,
            TokenKind::Symbol(symbol) => {
                depth += i32::from(symbol == "(") - i32::from(symbol == ")");
                into = false;
                target = false;
            }
            _ => (into, target) = (false, false),
        }
    }
    found
}

fn is_word(token: &Token<'_>, wanted: &str) -> bool {
    matches!(token.kind, TokenKind::Word(word) if word.eq_ignore_ascii_case(wanted))
}

#[cfg(test)]
mod tests {
    use tristan_sqltext::{Dialect, tokens};

    use super::*;

    #[test]
    fn tells_what_is_read_from_what_is_filled() {
        for (sql, expected) in [
            ("SET @a = 1, @b := @c + f(2, @d)", "+@a +@b -@c -@d"),
            ("SELECT x, @a FROM t WHERE y = @B", "-@a -@b"),
            ("SELECT x, y INTO @a, @b FROM t WHERE z = @c", "+@a +@b -@c"),
            ("CALL p(1, @a)", "+@a"),
            ("SELECT @@autocommit", ""),
            ("UPDATE t SET x = @a, y = @b", "-@a -@b"),
        ] {
            let found = variables(&tokens(sql, Dialect::MariaDb))
                .into_iter()
                .map(|one| format!("{}{}", if one.filled { '+' } else { '-' }, one.name));
            assert_eq!(found.collect::<Vec<_>>().join(" "), expected, "{sql}");
        }
    }
}
