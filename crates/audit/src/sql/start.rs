//! Tables and rows that are there before the first transaction.
//!
//! Statements of the start are carried out one after the other, as by a single session; what they leave
//! behind is where the log begins.

use serde_json::Value as Json;
use tristan_sql::{Dialect, FirstChoice, Memory, Statement, Type};

use super::Sql;
use super::prepare::value;
use crate::machine::{Row, Value};
use crate::store::Key;

/// Numbers of rows from here on belong to transactions.
const MOST_ROWS: u64 = 1 << 24;

/// The database before the log.
#[derive(Debug)]
pub(super) struct Start {
    memory: Memory,
    choices: FirstChoice,
}

impl Start {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self { memory: Memory::new(dialect), choices: FirstChoice::default() }
    }

    /// Carries out one statement.
    fn run(&mut self, text: &str, params: &[Vec<Value>]) -> Result<(), String> {
        let statement = Statement::prepare(text, self.memory.catalog().dialect());
        let statement = statement.map_err(|error| error.to_string())?;
        if statement.is_definition() {
            let done = self.memory.define(&statement).map_err(|error| error.to_string())?;
            return done.map(drop).map_err(|failure| format!("{failure}: {text}"));
        }
        if statement.control().is_some() {
            return Ok(());
        }
        let types = vec![Type::Unknown; params.first().map_or(0, Vec::len)];
        let plan = statement.plan(self.memory.catalog(), &types);
        let plan = plan.map_err(|error| error.to_string())?;
        for params in params {
            let outcome = self.memory.try_out(&plan, params, &mut self.choices);
            let outcome = outcome.map_err(|error| error.to_string())?;
            outcome.answer.as_ref().map_err(|failure| format!("{failure}: {text}"))?;
            self.memory.keep(&outcome.effects);
        }
        Ok(())
    }
}

impl Sql {
    /// Carries out statements that make and fill tables.
    pub(crate) fn start(&mut self, text: &str) -> Result<(), String> {
        for part in split(text) {
            self.start.run(part, &[Vec::new()])?;
        }
        self.catalog = self.start.memory.catalog().clone();
        Ok(())
    }

    /// Rows of the start, given as values.
    pub(crate) fn load(
        &mut self,
        table: &str,
        columns: &[String],
        values: &[Vec<Json>],
    ) -> Result<(), String> {
        let found = self.catalog.table(table);
        let found = found
            .ok_or_else(|| format!("table {table} does not exist; define its schema first"))?;
        let width = if columns.is_empty() { found.columns().len() } else { columns.len() };
        if let Some(wrong) = values.iter().find(|row| row.len() != width) {
            return Err(format!("{} values for {width} columns of {table}", wrong.len()));
        }
        let names = match columns {
            [] => String::new(),
            some => format!(" ({})", some.join(", ")),
        };
        let marks: Vec<String> = (1..=width).map(|place| self.mark(place)).collect();
        let text = format!("INSERT INTO {table}{names} VALUES ({})", marks.join(", "));
        let rows: Vec<Vec<Value>> =
            values.iter().map(|row| row.iter().map(value).collect()).collect();
        self.start.run(&text, &rows)
    }

    /// The first transaction comes: everything that is there by now.
    pub(crate) fn begin(&mut self) -> Result<Vec<(Key, Row)>, String> {
        let start = std::mem::replace(&mut self.start, Start::new(self.catalog.dialect()));
        let mut rows = Vec::new();
        for table in self.catalog.tables() {
            let own = start.memory.rows(table.id());
            rows.extend(own.map(|(id, row)| ((table.id(), id), row.clone())));
        }
        match rows.iter().any(|((_, id), _)| id.0 >= MOST_ROWS) {
            true => Err(format!("more than {MOST_ROWS} initial rows")),
            false => Ok(rows),
        }
    }

    fn mark(&self, place: usize) -> String {
        match self.catalog.dialect() {
            Dialect::PostgreSql => format!("${place}"),
            _ => "?".to_owned(),
        }
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
    let statement = Statement::prepare(sql, super::dialect_of(dialect));
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
