//! tokio-postgres with a recorder in between.

use tokio_postgres::types::{FromSqlOwned, ToSql};
use tokio_postgres::{Client, Error, Row};
use tristan_history::Datum;

use super::Value;
use crate::DatabaseError;
use crate::databases::postgres_failures;
use tristan_recorder::{Answer, CallId, Request, SessionLog};

/// Parameters of a statement.
type Parameters<'a> = &'a [&'a (dyn ToSql + Sync)];

/// A client whose transactions are recorded.
///
/// ```no_run
/// # async fn example(client: tokio_postgres::Client, recorder: tristan_record::Recorder)
/// # -> Result<(), tokio_postgres::Error> {
/// use tristan_record::clients::RecordedPostgres;
/// use tristan_recorder::Request;
///
/// let mut client = RecordedPostgres::new(client, recorder.session("alice"));
/// client.begin("BEGIN ISOLATION LEVEL SERIALIZABLE").await?;
/// let held: Option<i64> =
///     client.get(7, "SELECT balance FROM accounts WHERE id = $1", &[&7i64]).await?;
/// let new = held.unwrap_or(0) + 1;
/// let update = "UPDATE accounts SET balance = $2 WHERE id = $1";
/// client.write(&Request::update(7, new), update, &[&7i64, &new]).await?;
/// client.commit().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct RecordedPostgres {
    client: Client,
    log: SessionLog,
    /// Whether a statement has failed, so that the transaction cannot commit any more.
    failed: bool,
}

impl RecordedPostgres {
    /// Records what a client does into a session of a trace.
    pub fn new(client: Client, log: SessionLog) -> Self {
        Self { client, log, failed: false }
    }

    /// The client, for whatever need not be recorded.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Begins a transaction.
    ///
    /// # Errors
    /// As tokio-postgres says.
    pub async fn begin(&mut self, statement: &str) -> Result<(), Error> {
        self.failed = false;
        let call = self.log.call(&Request::Begin(None));
        let begun = self.client.batch_execute(statement).await;
        self.tell(call, begun, |()| Answer::Done)
    }

    /// Reads a key: the value is in the first column of the only row.
    ///
    /// # Errors
    /// As tokio-postgres says.
    pub async fn get<V: Value + FromSqlOwned>(
        &mut self,
        key: impl Into<Datum>,
        statement: &str,
        parameters: Parameters<'_>,
    ) -> Result<Option<V>, Error> {
        let call = self.log.call(&Request::Get { key: key.into(), lock: false });
        let row = self.client.query_opt(statement, parameters).await;
        let value = row.and_then(|row| row.map(|row| row.try_get(0)).transpose());
        self.tell(call, value, |value: &Option<V>| Answer::Value(value.as_ref().map(Value::datum)))
    }

    /// Reads a range of keys `[lo, hi)`: keys are in the first column, values in the second.
    ///
    /// # Errors
    /// As tokio-postgres says.
    pub async fn scan<K: Value + FromSqlOwned, V: Value + FromSqlOwned>(
        &mut self,
        (lo, hi): (Option<Datum>, Option<Datum>),
        statement: &str,
        parameters: Parameters<'_>,
    ) -> Result<Vec<(K, V)>, Error> {
        let call = self.log.call(&Request::Scan { lo, hi, lock: false });
        let rows = self.client.query(statement, parameters).await;
        let pair = |row: &Row| Ok((row.try_get(0)?, row.try_get(1)?));
        let items = rows.and_then(|rows| rows.iter().map(pair).collect());
        self.tell(call, items, |items: &Vec<(K, V)>| {
            Answer::Items(items.iter().map(|(key, value)| (key.datum(), value.datum())).collect())
        })
    }

    /// Writes: [`Request::put`], [`Request::update`], [`Request::insert`] or [`Request::delete`].
    /// Says how many rows that were.
    ///
    /// # Errors
    /// As tokio-postgres says.
    pub async fn write(
        &mut self,
        request: &Request,
        statement: &str,
        parameters: Parameters<'_>,
    ) -> Result<u64, Error> {
        let call = self.log.call(request);
        let rows = self.client.execute(statement, parameters).await;
        self.tell(call, rows, |&rows| request.written(rows))
    }

    /// Commits. If a statement has failed, PostgreSQL rolls back instead.
    ///
    /// # Errors
    /// As tokio-postgres says.
    pub async fn commit(&mut self) -> Result<(), Error> {
        let request = if self.failed { Request::Abort } else { Request::Commit };
        let call = self.log.call(&request);
        let committed = self.client.batch_execute("COMMIT").await;
        let answer = match &committed {
            Ok(()) => Answer::Done,
            Err(error) => Answer::of_failed_commit(postgres_failures::of_commit(error)),
        };
        self.log.answer(call, &answer);
        committed
    }

    /// Rolls back.
    ///
    /// # Errors
    /// As tokio-postgres says.
    pub async fn rollback(&mut self) -> Result<(), Error> {
        let call = self.log.call(&Request::Abort);
        let ended = self.client.batch_execute("ROLLBACK").await;
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
            Err(error) => {
                self.failed = true;
                if let DatabaseError::Refused(text) = postgres_failures::of_statement(error) {
                    self.log.answer(call, &Answer::Failed(text));
                }
            }
        }
        result
    }
}
