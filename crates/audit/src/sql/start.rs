//! Tables and rows that are there before the first transaction.
//!
//! Statements of the start are carried out one after the other, as by a single session; what they leave
//! behind is where the log begins.

use std::fmt;

use serde_json::Value as Json;
use tristan_sql::{Catalog, Collation, Dialect, FirstChoice, Memory, Numbers, ServerError, Type};

use super::dump::rows;
use super::json::value;
use super::refused::RefusedError;
use crate::world::{Key, Row, Value};

/// Numbers of rows from here on belong to transactions.
const MOST_ROWS: u64 = 1 << 24;

/// Why a statement of the start was not carried out.
pub(super) enum StartError {
    /// It is not supported.
    Unsupported(RefusedError),
    /// A server would not have carried it out either.
    Wrong(String),
}

impl StartError {
    fn of(failure: &ServerError, text: &str) -> Self {
        Self::Wrong(format!("{failure}: {text}"))
    }
}

impl From<tristan_sql::Error> for StartError {
    fn from(error: tristan_sql::Error) -> Self {
        Self::Unsupported(RefusedError::from(error))
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(refused) => refused.error.fmt(f),
            Self::Wrong(problem) => f.write_str(problem),
        }
    }
}

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
    pub(super) fn run(&mut self, text: &str, params: &[Vec<Value>]) -> Result<(), StartError> {
        let statement = self.memory.prepare(text)?;
        if statement.is_definition() {
            let done = self.memory.define(&statement)?;
            return done.map(drop).map_err(|failure| StartError::of(&failure, text));
        }
        if statement.is_quiet() {
            return Ok(());
        }
        let types = vec![Type::Unknown; params.first().map_or(0, Vec::len)];
        let plan = statement.plan(self.memory.catalog(), &types)?;
        for params in params {
            let outcome = self.memory.try_out(&plan, params, &mut self.choices)?;
            outcome.answer.as_ref().map_err(|failure| StartError::of(failure, text))?;
            if self.choices.take_opened() && !outcome.effects.is_empty() {
                let reason = "it stores a value that only the server knows".to_owned();
                return Err(StartError::Unsupported(RefusedError::because(reason)));
            }
            self.memory.keep(&outcome.effects);
        }
        Ok(())
    }

    /// How far sequences have come.
    pub(super) fn numbers(&self) -> &Numbers {
        self.choices.numbers()
    }

    /// The collation of the database is known.
    pub(super) fn collate(&mut self, collation: Collation) {
        self.memory.collate(collation);
    }

    /// The time zone of all sessions is UTC.
    pub(super) fn set_utc(&mut self) {
        self.memory.set_utc();
    }

    /// The tables and routines before the first transaction.
    pub(super) fn catalog(&self) -> &Catalog {
        self.memory.catalog()
    }

    /// Adds the rows of a dump. Returns the statement that does it, too.
    pub(super) fn copy(&mut self, target: &str, lines: &str) -> (String, Result<(), StartError>) {
        let rows: Vec<Vec<Value>> = rows(lines).collect();
        let width = rows.first().map_or(0, Vec::len);
        let marks: Vec<String> = (1..=width).map(|place| self.mark(place)).collect();
        let insert = format!("INSERT INTO {target} VALUES ({})", marks.join(", "));
        let done = match rows.iter().find(|row| row.len() != width) {
            _ if rows.is_empty() => Ok(()),
            Some(odd) => Err(StartError::Wrong(format!(
                "{} values for {width} columns: COPY {target} FROM stdin",
                odd.len()
            ))),
            None => self.store(&insert, &rows),
        };
        (insert, done)
    }

    /// Adds rows, given as values.
    pub(super) fn load(
        &mut self,
        table: &str,
        columns: &[String],
        values: &[Vec<Json>],
    ) -> Result<(), String> {
        let found = self.catalog().table(&unquoted(table));
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
        self.store(&text, &rows).map_err(|error| error.to_string())
    }

    /// Adds rows that were stored before, for which no trigger fires again.
    fn store(&mut self, text: &str, rows: &[Vec<Value>]) -> Result<(), StartError> {
        self.memory.set_silent(true);
        let done = self.run(text, rows);
        self.memory.set_silent(false);
        done
    }

    /// Everything that is there by now.
    pub(super) fn into_rows(self) -> Result<Vec<(Key, Row)>, String> {
        let mut rows = Vec::new();
        for table in self.catalog().tables() {
            let own = self.memory.rows(table.id());
            rows.extend(own.map(|(id, row)| ((table.id(), id), row.clone())));
        }
        match rows.iter().any(|((_, id), _)| id.0 >= MOST_ROWS) {
            true => Err(format!("more than {MOST_ROWS} initial rows")),
            false => Ok(rows),
        }
    }

    fn mark(&self, place: usize) -> String {
        match self.catalog().dialect() {
            Dialect::PostgreSql => format!("${place}"),
            _ => "?".to_owned(),
        }
    }
}

/// A name without the quotation marks that it has in SQL.
pub(super) fn unquoted(name: &str) -> String {
    name.replace(['"', '`'], "")
}
