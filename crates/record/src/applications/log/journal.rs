//! A client's part of the log.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::SqlLog;
use super::line::{Line, ServerError};
use crate::DatabaseError;
use crate::statements::{Reply, Value};

/// Writes down one connection's statements.
#[derive(Debug)]
pub(in crate::applications) struct Journal {
    log: Arc<SqlLog>,
    connection: u64,
    txn: u64,
}

impl Journal {
    /// A new connection.
    pub(in crate::applications) fn open(log: Arc<SqlLog>) -> Self {
        let connection = log.connections.fetch_add(1, Ordering::Relaxed);
        log.write_now(Line { open: Some(connection), ..Line::default() });
        Self { log, connection, txn: 0 }
    }

    /// A transaction begins with this statement; answers with the number of the call.
    pub(in crate::applications) fn begin(&mut self, sql: &str) -> u64 {
        self.txn = self.log.txns.fetch_add(1, Ordering::Relaxed);
        let call = self.next_call();
        self.log.write_now(self.called(call, sql, &[]));
        call
    }

    /// A statement is about to be sent.
    pub(in crate::applications) fn call(&mut self, sql: &str, params: &[Value]) -> u64 {
        let call = self.next_call();
        let at = Some(self.log.now());
        self.log.write(&Line { at, ..self.called(call, sql, params) });
        call
    }

    /// A commit is about to be sent: everything up to here is written now.
    pub(in crate::applications) fn commit(&mut self) -> u64 {
        let call = self.call("COMMIT", &[]);
        self.log.flush();
        call
    }

    /// A statement was answered, or not.
    pub(in crate::applications) fn end(&mut self, call: u64, reply: &Result<Reply, DatabaseError>) {
        let mut line = self.ended(call);
        match reply {
            Ok(Reply::Rows(rows)) => line.rows = Some(rows),
            Ok(Reply::Affected(count)) => line.affected = Some(*count),
            Err(failure) => fail(&mut line, failure),
        }
        self.log.write(&line);
    }

    /// A statement that only concerns the transaction was answered, or not.
    pub(in crate::applications) fn done<T>(
        &mut self,
        call: u64,
        answer: &Result<T, DatabaseError>,
    ) {
        let mut line = self.ended(call);
        if let Err(failure) = answer {
            fail(&mut line, failure);
        }
        self.log.write(&line);
    }

    /// The transaction is over; answers with its number.
    pub(in crate::applications) fn finish(&mut self, outcome: &str, stamp: Option<i64>) -> u64 {
        let at = Some(self.log.now());
        let (finish, c) = (Some(self.txn), Some(self.connection));
        let stamp = stamp.and_then(|stamp| u64::try_from(stamp).ok());
        self.log.write(&Line { finish, c, outcome: Some(outcome), stamp, at, ..Line::default() });
        self.txn
    }

    /// The connection is over.
    pub(in crate::applications) fn close(&mut self, by: &str) {
        let (close, at) = (Some(self.connection), Some(self.log.now()));
        self.log.write(&Line { close, by: Some(by), at, ..Line::default() });
    }

    fn next_call(&self) -> u64 {
        self.log.calls.fetch_add(1, Ordering::Relaxed)
    }

    fn called<'a>(&self, call: u64, sql: &'a str, params: &'a [Value]) -> Line<'a> {
        let (c, txn) = (Some(self.connection), Some(self.txn));
        Line { call: Some(call), c, txn, sql: Some(sql), params, ..Line::default() }
    }

    fn ended(&self, call: u64) -> Line<'static> {
        let at = Some(self.log.now());
        Line { end: Some(call), txn: Some(self.txn), at, ..Line::default() }
    }
}

fn fail<'a>(line: &mut Line<'a>, failure: &'a DatabaseError) {
    match failure {
        DatabaseError::Refused(text)
        | DatabaseError::Failed(text)
        | DatabaseError::Unsupported(text) => {
            line.error = Some(ServerError::new(text));
        }
        DatabaseError::Lost(_) => line.lost = true,
    }
}
