//! The text of statements: where one ends, and what kind it is.

use tristan_sql::{Dialect, Statement};

/// The dialect with this name; PostgreSQL if there is none.
pub(super) fn dialect_of(name: Option<&str>) -> Dialect {
    match name {
        Some("mysql") => Dialect::MySql,
        Some("mariadb") => Dialect::MariaDb,
        _ => Dialect::PostgreSql,
    }
}

/// Whether a statement makes or drops something, and changes no rows.
pub(crate) fn is_definition(sql: &str, dialect: Option<&str>) -> bool {
    let first = sql.trim_start().split(|letter: char| !letter.is_alphabetic()).next();
    if !["create", "drop", "alter"]
        .iter()
        .any(|word| first.is_some_and(|w| w.eq_ignore_ascii_case(word)))
    {
        return false;
    }
    let statement = Statement::prepare(sql, dialect_of(dialect));
    statement.is_ok_and(|statement| statement.is_definition())
}

/// The statements of a text, at its semicolons outside of quotes, comments and `$$`.
pub(crate) fn split(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < bytes.len() {
        let rest = &text[at..];
        let quoted =
            ["--", "/*", "$$", "'", "\"", "`"].iter().find(|open| rest.starts_with(**open));
        at += match quoted {
            Some(open) => {
                let close = match *open {
                    "--" => "\n",
                    "/*" => "*/",
                    other => other,
                };
                let inside = &rest[open.len()..];
                inside.find(close).map_or(rest.len(), |end| open.len() + end + close.len())
            }
            None if bytes[at] == b';' => {
                parts.push(&text[start..at]);
                start = at + 1;
                1
            }
            None => rest.chars().next().map_or(1, char::len_utf8),
        };
    }
    parts.push(&text[start..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_statements_outside_of_quotes() {
        let text = "create table a (x text); insert into a values (';''é'); -- x;y\n select 1;";
        let parts = split(text);
        assert_eq!(parts.len(), 3, "{parts:?}");
        assert_eq!(parts[1], "insert into a values (';''é')");
    }
}
