//! A session's transactions of statements.

use std::collections::HashMap;
use std::future::Future;

use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row, SimpleQueryMessage, Statement};

use super::failures;
use super::link::Link;
use crate::connection::Committed;
use crate::statements::{Reply, Statements, Value};
use crate::{DatabaseError, DatabaseLevel};

/// The schema that the tables of applications are in.
pub(super) const PLACE: &str = "tristan_sql";

/// Commits, and asks for the number of the transaction before, in one go.
const COMMIT_TELLING: &str = "SELECT txid_current_if_assigned(); COMMIT";

pub(super) struct PgStatements {
    link: Link,
    begin: String,
    hints: bool,
    /// What was asked before, so that the server reads it only once.
    prepared: HashMap<String, Statement>,
}

impl PgStatements {
    pub(super) fn new(
        link: Link,
        level: DatabaseLevel,
        hints: bool,
    ) -> Result<Self, DatabaseError> {
        // As for keys and values: small tables are not to be read whole, and a transaction that waits for a
        // lock gives up before the client does.
        let wait = link.patience().as_millis() / 2;
        link.script(&format!(
            "SET search_path = {PLACE}; SET enable_seqscan = off; SET lock_timeout = {wait}"
        ))?;
        let begin =
            format!("BEGIN ISOLATION LEVEL {}", level.name.replace('-', " ").to_uppercase());
        Ok(Self { link, begin, hints, prepared: HashMap::new() })
    }

    /// Waits for the answer to a statement. After an error, the transaction is rolled back.
    fn until<T>(&self, answer: impl Future<Output = Result<T, Error>>) -> Result<T, DatabaseError> {
        let error = match self.link.until(answer)? {
            Ok(answer) => return Ok(answer),
            Err(error) => error,
        };
        let failure = failures::of_statement(&error);
        if matches!(failure, DatabaseError::Refused(_)) {
            self.link.script("ROLLBACK").map_err(|error| DatabaseError::Lost(error.to_string()))?;
        }
        Err(failure)
    }

    fn prepare(&mut self, sql: &str) -> Result<Statement, DatabaseError> {
        if let Some(statement) = self.prepared.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.until(self.link.client.prepare(sql))?;
        self.prepared.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

impl Statements for PgStatements {
    fn opening(&self) -> &str {
        &self.begin
    }

    fn begin(&mut self) -> Result<(), DatabaseError> {
        self.until(self.link.client.batch_execute(&self.begin))
    }

    fn run(&mut self, sql: &str, params: &[Value]) -> Result<Reply, DatabaseError> {
        let statement = self.prepare(sql)?;
        let params: Vec<&(dyn ToSql + Sync)> = params.iter().map(|param| param as _).collect();
        if statement.columns().is_empty() {
            let affected = self.until(self.link.client.execute(&statement, &params))?;
            return Ok(Reply::Affected(affected));
        }
        let rows = self.until(self.link.client.query(&statement, &params))?;
        rows.iter().map(values).collect::<Result<_, _>>().map(Reply::Rows)
    }

    fn commit(&mut self) -> Result<Committed, DatabaseError> {
        let sql = if self.hints { COMMIT_TELLING } else { "COMMIT" };
        let answer = self.link.until(self.link.client.simple_query(sql))?;
        let messages = answer.map_err(|error| failures::of_commit(&error))?;
        let tag = messages.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        });
        Ok(Committed { stamp: None, tag })
    }

    fn rollback(&mut self) -> Result<(), DatabaseError> {
        self.until(self.link.client.batch_execute("ROLLBACK"))
    }
}

fn values(row: &Row) -> Result<Vec<Value>, DatabaseError> {
    // An answer that cannot be read is as good as none.
    let odd = |error: Error| DatabaseError::Lost(error.to_string());
    (0..row.len()).map(|column| row.try_get(column).map_err(odd)).collect()
}
