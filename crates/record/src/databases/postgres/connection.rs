//! A session's transactions.

use std::future::Future;

use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row, SimpleQueryMessage, SimpleQueryRow, Statement};

use super::super::server::ends;
use super::failures;
use super::link::Link;
use crate::connection::{Committed, Connection, Iterated, Range};
use crate::{DatabaseError, DatabaseLevel};

/// What a session asks over and over, so that the server reads it only once.
struct Statements {
    get: Statement,
    get_locking: Statement,
    put: Write,
    delete: Write,
    scan: Statement,
    append: Write,
    list: Statement,
}

/// A statement that writes.
struct Write {
    plain: Statement,
    /// The same, and it returns the number of its transaction for each row. Returning something from
    /// every write of a transaction costs a fifth of the throughput, from the first one nothing that
    /// could be measured.
    telling: Option<Statement>,
}

impl Statements {
    fn prepare(link: &Link, hints: bool) -> Result<Self, DatabaseError> {
        let write = |statement: &str| {
            let telling = format!("{statement} RETURNING txid_current()");
            let telling = hints.then(|| link.prepare(&telling)).transpose()?;
            Ok(Write { plain: link.prepare(statement)?, telling })
        };
        Ok(Self {
            get: link.prepare("SELECT v FROM tristan_kv WHERE k = $1")?,
            get_locking: link.prepare("SELECT v FROM tristan_kv WHERE k = $1 FOR UPDATE")?,
            put: write(
                "INSERT INTO tristan_kv VALUES ($1, $2) ON CONFLICT (k) DO UPDATE SET v = EXCLUDED.v",
            )?,
            delete: write("DELETE FROM tristan_kv WHERE k = $1")?,
            scan: link
                .prepare("SELECT k, v FROM tristan_kv WHERE k BETWEEN $1 AND $2 ORDER BY k")?,
            append: write(
                "INSERT INTO tristan_list VALUES ($1, ARRAY[$2::bigint])
                 ON CONFLICT (k) DO UPDATE SET v = tristan_list.v || EXCLUDED.v",
            )?,
            list: link.prepare("SELECT v FROM tristan_list WHERE k = $1")?,
        })
    }
}

pub(super) struct PgConnection {
    link: Link,
    statements: Statements,
    begin: String,
    /// The transaction's number, from its first write on.
    number: Option<i64>,
}

impl PgConnection {
    pub(super) fn new(
        link: Link,
        level: DatabaseLevel,
        hints: bool,
    ) -> Result<Self, DatabaseError> {
        // Rows are found by their keys even where the table is so small that reading all of it
        // would be cheaper: at SERIALIZABLE, a transaction that reads a whole table locks all of it, and hardly
        // any two transactions would get along. And a transaction that waits for a lock gives up before the
        // client does, so that the transaction is over and not unknown.
        let wait = link.patience().as_millis() / 2;
        link.script(&format!("SET enable_seqscan = off; SET lock_timeout = {wait}"))?;
        let statements = Statements::prepare(&link, hints)?;
        let name = level.name.replace('-', " ");
        let begin = format!("BEGIN ISOLATION LEVEL {name}");
        Ok(Self { link, statements, begin, number: None })
    }

    /// Waits for the answer to a statement. After an error, the transaction is rolled back, so
    /// it is never one that has failed when it commits.
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

    fn rows(
        &self,
        statement: &Statement,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, DatabaseError> {
        self.until(self.link.client.query(statement, parameters))
    }

    /// Writes, and says how many rows that were.
    fn write(
        &mut self,
        statement: fn(&Statements) -> &Write,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<u64, DatabaseError> {
        let Write { plain, telling } = statement(&self.statements);
        let Some(telling) = telling.as_ref().filter(|_| self.number.is_none()) else {
            return self.until(self.link.client.execute(plain, parameters));
        };
        let rows = self.rows(telling, parameters)?;
        self.number = rows.first().map(|row| row.try_get(0).map_err(odd)).transpose()?;
        Ok(rows.len() as u64)
    }
}

impl Connection for PgConnection {
    fn begin(&mut self) -> Result<(), DatabaseError> {
        self.number = None;
        self.until(self.link.client.batch_execute(&self.begin))
    }

    fn get(&mut self, key: i64, lock: bool) -> Result<Option<i64>, DatabaseError> {
        let Statements { get, get_locking, .. } = &self.statements;
        let rows = self.rows(if lock { get_locking } else { get }, &[&key])?;
        rows.first().map(|row| row.try_get(0).map_err(odd)).transpose()
    }

    fn put(&mut self, key: i64, value: i64) -> Result<(), DatabaseError> {
        self.write(|statements| &statements.put, &[&key, &value]).map(drop)
    }

    fn delete(&mut self, key: i64) -> Result<Option<u64>, DatabaseError> {
        self.write(|statements| &statements.delete, &[&key]).map(Some)
    }

    fn scan(&mut self, range: Range) -> Result<Vec<(i64, i64)>, DatabaseError> {
        let (first, last) = ends(range);
        let rows = self.rows(&self.statements.scan, &[&first, &last])?;
        let pair = |row: &Row| Ok((row.try_get(0)?, row.try_get(1)?));
        rows.iter().map(pair).collect::<Result<_, Error>>().map_err(odd)
    }

    fn iterate(&mut self, range: Range, most: usize) -> Result<Iterated, DatabaseError> {
        let (first, last) = ends(range);
        let script = format!(
            "DECLARE tristan_cursor NO SCROLL CURSOR FOR SELECT k, v FROM tristan_kv
             WHERE k BETWEEN '{first}'::bigint AND '{last}'::bigint ORDER BY k;
             FETCH FORWARD {most} FROM tristan_cursor;
             CLOSE tristan_cursor"
        );
        let answers = self.until(self.link.client.simple_query(&script))?;
        let rows = answers.iter().filter_map(|answer| match answer {
            SimpleQueryMessage::Row(row) => Some(row),
            _ => None,
        });
        let items: Vec<(i64, i64)> =
            rows.map(pair_in_text).collect::<Result<_, DatabaseError>>()?;
        let end = items.len() < most;
        Ok(Iterated { items, end })
    }

    fn append(&mut self, key: i64, element: i64) -> Result<(), DatabaseError> {
        self.write(|statements| &statements.append, &[&key, &element]).map(drop)
    }

    fn list(&mut self, key: i64) -> Result<Vec<i64>, DatabaseError> {
        let rows = self.rows(&self.statements.list, &[&key])?;
        rows.first().map_or(Ok(Vec::new()), |row| row.try_get(0).map_err(odd))
    }

    fn commit(&mut self) -> Result<Committed, DatabaseError> {
        let answer = self.link.until(self.link.client.batch_execute("COMMIT"))?;
        answer.map_err(|error| failures::of_commit(&error))?;
        let tag = self.number.take().map(|number| number.to_string());
        Ok(Committed { stamp: None, tag })
    }

    fn abort(&mut self) -> Result<(), DatabaseError> {
        self.until(self.link.client.batch_execute("ROLLBACK"))
    }
}

fn pair_in_text(row: &SimpleQueryRow) -> Result<(i64, i64), DatabaseError> {
    let number = |column| {
        let text = row.try_get(column).map_err(odd)?.unwrap_or_default();
        text.parse().map_err(|_| DatabaseError::Lost(format!("found {text:?}, expected a number")))
    };
    Ok((number(0)?, number(1)?))
}

/// An answer that has another shape than the question calls for.
fn odd(error: Error) -> DatabaseError {
    DatabaseError::Lost(error.to_string())
}
