//! mysql_async with a recorder in between.

use mysql_async::prelude::{FromRow, FromValue, Queryable};
use mysql_async::{Conn, Error, Params};
use tristan_history::Datum;

use super::Value;
use crate::DatabaseError;
use crate::databases::mysql_failures;
use tristan_recorder::{Answer, CallId, Request, SessionLog};

/// A connection whose transactions are recorded.
///
/// ```no_run
/// # async fn example(conn: mysql_async::Conn, recorder: tristan_record::Recorder)
/// # -> Result<(), mysql_async::Error> {
/// use tristan_record::clients::RecordedMysql;
/// use tristan_recorder::Request;
///
/// let mut client = RecordedMysql::new(conn, recorder.session("alice"));
/// client.begin("START TRANSACTION").await?;
/// let held: Option<i64> = client.get(7, "SELECT balance FROM accounts WHERE id = ?", (7,)).await?;
/// let new = held.unwrap_or(0) + 1;
/// let update = "UPDATE accounts SET balance = ? WHERE id = ?";
/// client.write(&Request::update(7, new), update, (new, 7)).await?;
/// client.commit().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct RecordedMysql {
    conn: Conn,
    log: SessionLog,
    /// Whether there was a conflict, so that the transaction must not commit any more.
    ended: bool,
}

impl RecordedMysql {
    /// Records what a connection does into a session of a trace.
    pub fn new(conn: Conn, log: SessionLog) -> Self {
        Self { conn, log, ended: false }
    }

    /// The connection, for whatever need not be recorded.
    pub fn conn(&mut self) -> &mut Conn {
        &mut self.conn
    }

    /// Begins a transaction.
    ///
    /// # Errors
    /// As mysql_async says.
    pub async fn begin(&mut self, statement: &str) -> Result<(), Error> {
        self.ended = false;
        let call = self.log.call(&Request::Begin(None));
        let begun = self.conn.query_drop(statement).await;
        self.tell(call, begun, |()| Answer::Done)
    }

    /// Reads a key: the value is in the first column of the only row.
    ///
    /// # Errors
    /// As mysql_async says.
    pub async fn get<V: Value + FromValue + Send + 'static>(
        &mut self,
        key: impl Into<Datum>,
        statement: &str,
        parameters: impl Into<Params> + Send,
    ) -> Result<Option<V>, Error> {
        let call = self.log.call(&Request::Get { key: key.into(), lock: false });
        let value = self.conn.exec_first(statement, parameters.into()).await;
        self.tell(call, value, |value: &Option<V>| Answer::Value(value.as_ref().map(Value::datum)))
    }

    /// Reads a range of keys `[lo, hi)`: keys are in the first column, values in the second.
    ///
    /// # Errors
    /// As mysql_async says.
    pub async fn scan<K, V>(
        &mut self,
        (lo, hi): (Option<Datum>, Option<Datum>),
        statement: &str,
        parameters: impl Into<Params> + Send,
    ) -> Result<Vec<(K, V)>, Error>
    where
        K: Value,
        V: Value,
        (K, V): FromRow + Send + 'static,
    {
        let call = self.log.call(&Request::Scan { lo, hi, lock: false });
        let items = self.conn.exec(statement, parameters.into()).await;
        self.tell(call, items, |items: &Vec<(K, V)>| {
            Answer::Items(items.iter().map(|(key, value)| (key.datum(), value.datum())).collect())
        })
    }

    /// Writes: [`Request::put`], [`Request::update`], [`Request::insert`] or [`Request::delete`].
    /// Says how many rows that were.
    ///
    /// # Errors
    /// As mysql_async says.
    pub async fn write(
        &mut self,
        request: &Request,
        statement: &str,
        parameters: impl Into<Params> + Send,
    ) -> Result<u64, Error> {
        let call = self.log.call(request);
        let done = self.conn.exec_drop(statement, parameters.into()).await;
        let rows = done.map(|()| self.conn.affected_rows());
        self.tell(call, rows, |&rows| request.written(rows))
    }

    /// Commits. After a conflict it rolls back instead: a part of the transaction may be gone.
    ///
    /// # Errors
    /// As mysql_async says.
    pub async fn commit(&mut self) -> Result<(), Error> {
        if self.ended {
            return self.rollback().await;
        }
        let call = self.log.call(&Request::Commit);
        let committed = self.conn.query_drop("COMMIT").await;
        let answer = match &committed {
            Ok(()) => Answer::Done,
            Err(error) => Answer::of_failed_commit(mysql_failures::of_commit(error)),
        };
        self.log.answer(call, &answer);
        committed
    }

    /// Rolls back.
    ///
    /// # Errors
    /// As mysql_async says.
    pub async fn rollback(&mut self) -> Result<(), Error> {
        let call = self.log.call(&Request::Abort);
        let ended = self.conn.query_drop("ROLLBACK").await;
        self.tell(call, ended, |()| Answer::Done)
    }

    /// Writes down the answer; one that got lost is not written down.
    fn tell<T>(
        &mut self,
        call: CallId,
        result: Result<T, Error>,
        answer: impl FnOnce(&T) -> Answer,
    ) -> Result<T, Error> {
        match &result {
            Ok(value) => self.log.answer(call, &answer(value)),
            Err(error) => match mysql_failures::of_statement(error) {
                DatabaseError::Refused(text) => {
                    self.ended = true;
                    self.log.answer(call, &Answer::Failed(text));
                }
                DatabaseError::Failed(text) => self.log.answer(call, &Answer::Failed(text)),
                DatabaseError::Lost(_) | DatabaseError::Unsupported(_) => {}
            },
        }
        result
    }
}
