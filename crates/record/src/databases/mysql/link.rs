//! A connection that is asked one thing at a time, outside of transactions.

use std::time::Duration;

use mysql_async::prelude::{FromRow, Queryable};
use mysql_async::{Conn, Opts, Row, Statement};

use super::super::server::Waiting;
use super::failures;
use crate::Failure;

/// A connection and the thread's way to wait for its answers.
pub(super) struct Link {
    // Before what it runs on, because they are dropped in this order.
    pub(super) server: Conn,
    pub(super) waiting: Waiting,
}

impl Link {
    pub(super) fn open(options: &Opts, patience: Duration) -> Result<Self, Failure> {
        let waiting = Waiting::new(patience)?;
        let server = waiting.until(Conn::new(options.clone()))?;
        Ok(Self { server: server.map_err(|error| failures::of_connecting(&error))?, waiting })
    }

    /// The rows that a statement returns.
    pub(super) fn rows<T: FromRow>(&mut self, statement: &str) -> Result<Vec<T>, Failure> {
        let answer = self.waiting.until(self.server.query::<Row, _>(statement))?;
        shaped(answer.map_err(|error| failures::of_statement(&error))?)
    }

    /// Carries out one statement.
    pub(super) fn script(&mut self, statement: &str) -> Result<(), Failure> {
        let answer = self.waiting.until(self.server.query_drop(statement))?;
        answer.map_err(|error| failures::of_statement(&error))
    }

    /// Prepares a statement.
    pub(super) fn prepare(&mut self, statement: &str) -> Result<Statement, Failure> {
        let answer = self.waiting.until(self.server.prep(statement))?;
        answer.map_err(|error| failures::of_statement(&error))
    }
}

/// Rows in the shape that the question calls for.
pub(super) fn shaped<T: FromRow>(rows: Vec<Row>) -> Result<Vec<T>, Failure> {
    let odd = || Failure::Lost("the server answered with rows of another shape".into());
    rows.into_iter().map(|row| T::from_row_opt(row).map_err(|_| odd())).collect()
}
