//! The text of statements: its dialect, and whether it defines something.

use tristan_sql::{Dialect, Statement};
use tristan_sqltext::split;

use super::dump::{Portion, portions};

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
    defines(sql, dialect_of(dialect))
}

/// Whether a statement changes what a table is that was there before.
pub(crate) fn alters(sql: &str, dialect: Option<&str>) -> bool {
    Statement::prepare(sql, dialect_of(dialect)).is_ok_and(|statement| statement.is_alteration())
}

pub(super) fn defines(sql: &str, dialect: Dialect) -> bool {
    Statement::prepare(sql, dialect).is_ok_and(|statement| statement.is_definition())
}

/// Those statements of a text that make or drop something.
pub(crate) fn definitions<'a>(text: &'a str, dialect: &str) -> impl Iterator<Item = &'a str> {
    let statements = portions(text).into_iter().filter_map(|portion| match portion {
        Portion::Statements(text) => Some(text),
        Portion::Data { .. } => None,
    });
    let parts = statements.flat_map(|text| split(text, dialect_of(Some(dialect)).text()));
    parts.map(|part| part.text).filter(move |part| is_definition(part, Some(dialect)))
}
