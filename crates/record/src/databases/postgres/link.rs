//! A connection that is asked one thing at a time, outside of transactions.

use std::future::Future;
use std::time::Duration;

use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, Error, NoTls, Row, SimpleQueryMessage, Statement};

use super::super::server::Waiting;
use super::failures;
use crate::DatabaseError;

/// A connection and the thread's way to wait for its answers.
pub(super) struct Link {
    // Before what it runs on, because they are dropped in this order.
    pub(super) client: Client,
    waiting: Waiting,
}

impl Link {
    pub(super) fn open(config: &Config, patience: Duration) -> Result<Self, DatabaseError> {
        let waiting = Waiting::new(patience)?;
        let (client, connection) = waiting
            .until(config.connect(NoTls))?
            .map_err(|error| failures::of_connecting(&error))?;
        // It does its work while a caller waits for an answer. How it ends shows in the answers.
        waiting.runtime.spawn(async move { drop(connection.await) });
        Ok(Self { client, waiting })
    }

    /// Waits for an answer: the server's, or none.
    pub(super) fn until<T>(
        &self,
        answer: impl Future<Output = Result<T, Error>>,
    ) -> Result<Result<T, Error>, DatabaseError> {
        self.waiting.until(answer)
    }

    pub(super) fn patience(&self) -> Duration {
        self.waiting.patience
    }

    /// The rows that a statement returns.
    pub(super) fn rows(
        &self,
        statement: &str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, DatabaseError> {
        self.plainly(self.client.query(statement, parameters))
    }

    /// Carries out several statements.
    pub(super) fn script(&self, statements: &str) -> Result<(), DatabaseError> {
        self.plainly(self.client.batch_execute(statements))
    }

    /// What the server answers to a plain query, with all values as texts.
    pub(super) fn answers(
        &self,
        statement: &str,
    ) -> Result<Vec<SimpleQueryMessage>, DatabaseError> {
        self.plainly(self.client.simple_query(statement))
    }

    /// Prepares a statement.
    pub(super) fn prepare(&self, statement: &str) -> Result<Statement, DatabaseError> {
        self.plainly(self.client.prepare(statement))
    }

    fn plainly<T>(
        &self,
        answer: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, DatabaseError> {
        self.until(answer)?.map_err(|error| failures::of_asking(&error))
    }
}
