//! A connection that is asked one thing at a time, outside of transactions.

use std::time::Duration;

use mysql_async::prelude::{FromRow, Queryable};
use mysql_async::{Conn, Error, Opts, Row, Statement};

use super::super::server::Waiting;
use super::failures;
use crate::{DatabaseError, DatabaseLevel};

/// A connection and the thread's way to wait for its answers.
pub(super) struct Link {
    // Before what it runs on, because they are dropped in this order.
    pub(super) server: Conn,
    pub(super) waiting: Waiting,
}

impl Link {
    pub(super) fn open(options: &Opts, patience: Duration) -> Result<Self, DatabaseError> {
        let waiting = Waiting::new(patience)?;
        let server = waiting.until(Conn::new(options.clone()))?;
        Ok(Self { server: server.map_err(|error| failures::of_connecting(&error))?, waiting })
    }

    /// The rows that a statement returns.
    pub(super) fn rows<T: FromRow>(&mut self, statement: &str) -> Result<Vec<T>, DatabaseError> {
        let answer = self.waiting.until(self.server.query::<Row, _>(statement))?;
        shaped(answer.map_err(|error| failures::of_statement(&error))?)
    }

    /// Carries out one statement.
    pub(super) fn script(&mut self, statement: &str) -> Result<(), DatabaseError> {
        let answer = self.waiting.until(self.server.query_drop(statement))?;
        answer.map_err(|error| failures::of_statement(&error))
    }

    /// Lets transactions run at a level from now on. A transaction that waits for a lock gives up before the
    /// client does, so that the transaction is over and not unknown.
    pub(super) fn run_at(&mut self, level: DatabaseLevel) -> Result<(), DatabaseError> {
        let name = level.name.replace('-', " ");
        self.script(&format!("SET SESSION TRANSACTION ISOLATION LEVEL {name}"))?;
        let wait = (self.waiting.patience.as_secs() / 2).max(1);
        self.script(&format!("SET SESSION innodb_lock_wait_timeout = {wait}"))
    }

    /// Rolls a transaction back that the server does not want.
    pub(super) fn unless_refused<T>(
        &mut self,
        answer: Result<T, Error>,
    ) -> Result<T, DatabaseError> {
        let failure = match answer {
            Ok(answer) => return Ok(answer),
            Err(error) => failures::of_statement(&error),
        };
        if matches!(failure, DatabaseError::Refused(_)) {
            self.script("ROLLBACK").map_err(|error| DatabaseError::Lost(error.to_string()))?;
        }
        Err(failure)
    }

    /// Prepares a statement.
    pub(super) fn prepare(&mut self, statement: &str) -> Result<Statement, DatabaseError> {
        let answer = self.waiting.until(self.server.prep(statement))?;
        answer.map_err(|error| failures::of_statement(&error))
    }
}

/// Rows in the shape that the question calls for.
pub(super) fn shaped<T: FromRow>(rows: Vec<Row>) -> Result<Vec<T>, DatabaseError> {
    let odd = || DatabaseError::Lost("the server returned rows of an unexpected shape".into());
    rows.into_iter().map(|row| T::from_row_opt(row).map_err(|_| odd())).collect()
}
