//! A session's transactions.

use mysql_async::prelude::{FromRow, Queryable};
use mysql_async::{Error, Params, Row, Statement};

use super::super::server::ends;
use super::failures;
use super::link::{Link, shaped};
use crate::connection::{Committed, Connection, Iterated, Range};
use crate::{Failure, Level};

/// What a session asks over and over, so that the server reads it only once.
struct Statements {
    get: Statement,
    get_locking: Statement,
    put: Statement,
    delete: Statement,
    scan: Statement,
    iterate: Statement,
    append: Statement,
    list: Statement,
}

impl Statements {
    fn prepare(link: &mut Link) -> Result<Self, Failure> {
        Ok(Self {
            get: link.prepare("SELECT v FROM tristan_kv WHERE k = ?")?,
            get_locking: link.prepare("SELECT v FROM tristan_kv WHERE k = ? FOR UPDATE")?,
            put: link.prepare(
                "INSERT INTO tristan_kv VALUES (?, ?) ON DUPLICATE KEY UPDATE v = VALUES(v)",
            )?,
            delete: link.prepare("DELETE FROM tristan_kv WHERE k = ?")?,
            scan: link.prepare("SELECT k, v FROM tristan_kv WHERE k BETWEEN ? AND ? ORDER BY k")?,
            // There are no cursors outside of stored procedures.
            iterate: link.prepare(
                "SELECT k, v FROM tristan_kv WHERE k BETWEEN ? AND ? ORDER BY k LIMIT ?",
            )?,
            append: link.prepare(
                "INSERT INTO tristan_list VALUES (?, ?)
                 ON DUPLICATE KEY UPDATE v = CONCAT(v, ',', VALUES(v))",
            )?,
            list: link.prepare("SELECT v FROM tristan_list WHERE k = ?")?,
        })
    }
}

pub(super) struct MyConnection {
    link: Link,
    statements: Statements,
    hints: bool,
    /// The number of the session's last transaction that has one.
    last_number: Option<i64>,
}

impl MyConnection {
    pub(super) fn new(mut link: Link, level: Level, hints: bool) -> Result<Self, Failure> {
        let name = level.name.replace('-', " ");
        link.script(&format!("SET SESSION TRANSACTION ISOLATION LEVEL {name}"))?;
        // Whoever waits for a lock gives up before the client does, so that the transaction is
        // over and not unknown.
        let wait = (link.waiting.patience.as_secs() / 2).max(1);
        link.script(&format!("SET SESSION innodb_lock_wait_timeout = {wait}"))?;
        let statements = Statements::prepare(&mut link)?;
        Ok(Self { link, statements, hints, last_number: None })
    }

    /// The rows that a statement returns.
    fn rows<T: FromRow>(
        &mut self,
        statement: fn(&Statements) -> &Statement,
        parameters: impl Into<Params> + Send,
    ) -> Result<Vec<T>, Failure> {
        let Link { server, waiting } = &mut self.link;
        let answer = waiting.until(server.exec(statement(&self.statements), parameters))?;
        shaped(self.unless_refused(answer)?)
    }

    /// Writes, and says how many rows the server counts for it.
    fn write(
        &mut self,
        statement: fn(&Statements) -> &Statement,
        parameters: impl Into<Params> + Send,
    ) -> Result<u64, Failure> {
        let Link { server, waiting } = &mut self.link;
        let answer = waiting.until(server.exec_drop(statement(&self.statements), parameters))?;
        self.unless_refused(answer)?;
        Ok(self.link.server.affected_rows())
    }

    fn script(&mut self, statement: &str) -> Result<(), Failure> {
        let answer = self.link.waiting.until(self.link.server.query_drop(statement))?;
        self.unless_refused(answer)
    }

    /// Rolls a transaction back that the server does not want.
    fn unless_refused<T>(&mut self, answer: Result<T, Error>) -> Result<T, Failure> {
        let failure = match answer {
            Ok(answer) => return Ok(answer),
            Err(error) => failures::of_statement(&error),
        };
        if matches!(failure, Failure::Refused(_)) {
            self.link.script("ROLLBACK").map_err(|error| Failure::Lost(error.to_string()))?;
        }
        Err(failure)
    }

    /// Commits and asks for the number of the last transaction, in one go. The first answer is the
    /// one to `COMMIT`; once it is there, the transaction has committed whatever becomes of the second.
    fn commit_with_number(&mut self) -> Result<Option<i64>, Failure> {
        let Link { server, waiting } = &mut self.link;
        let answers = async {
            let mut answers = server.query_iter("COMMIT; SELECT @@last_gtid").await?;
            let _ = answers.collect::<Row>().await;
            let number = answers.collect::<Row>().await;
            let _ = answers.drop_result().await;
            Ok(number)
        };
        let second = waiting.until(answers)?.map_err(|error| failures::of_commit(&error))?;
        let rows: Vec<(String,)> =
            second.ok().and_then(|rows| shaped(rows).ok()).unwrap_or_default();
        Ok(rows.first().and_then(|(text,)| sequence_number(text)))
    }

    fn commit_plainly(&mut self) -> Result<(), Failure> {
        let answer = self.link.waiting.until(self.link.server.query_drop("COMMIT"))?;
        answer.map_err(|error| failures::of_commit(&error))
    }
}

impl Connection for MyConnection {
    fn begin(&mut self) -> Result<(), Failure> {
        self.script("START TRANSACTION")
    }

    fn get(&mut self, key: i64, lock: bool) -> Result<Option<i64>, Failure> {
        let statement: fn(&Statements) -> &Statement =
            if lock { |all| &all.get_locking } else { |all| &all.get };
        let rows: Vec<(i64,)> = self.rows(statement, (key,))?;
        Ok(rows.first().map(|(value,)| *value))
    }

    fn put(&mut self, key: i64, value: i64) -> Result<(), Failure> {
        self.write(|all| &all.put, (key, value)).map(drop)
    }

    fn delete(&mut self, key: i64) -> Result<Option<u64>, Failure> {
        self.write(|all| &all.delete, (key,)).map(Some)
    }

    fn scan(&mut self, range: Range) -> Result<Vec<(i64, i64)>, Failure> {
        self.rows(|all| &all.scan, ends(range))
    }

    fn iterate(&mut self, range: Range, most: usize) -> Result<Iterated, Failure> {
        let (first, last) = ends(range);
        let items: Vec<_> = self.rows(|all| &all.iterate, (first, last, most as u64))?;
        let end = items.len() < most;
        Ok(Iterated { items, end })
    }

    fn append(&mut self, key: i64, element: i64) -> Result<(), Failure> {
        self.write(|all| &all.append, (key, element.to_string())).map(drop)
    }

    fn list(&mut self, key: i64) -> Result<Vec<i64>, Failure> {
        let rows: Vec<(String,)> = self.rows(|all| &all.list, (key,))?;
        rows.first().map_or(Ok(Vec::new()), |(text,)| elements(text))
    }

    fn commit(&mut self) -> Result<Committed, Failure> {
        if !self.hints {
            return self.commit_plainly().map(|()| Committed::default());
        }
        // A transaction that changed nothing has no number, and the last one is answered again.
        let number = self.commit_with_number()?;
        let stamp = number.filter(|_| number != self.last_number);
        self.last_number = number.or(self.last_number);
        Ok(Committed { stamp, tag: None })
    }

    fn abort(&mut self) -> Result<(), Failure> {
        self.script("ROLLBACK")
    }
}

/// The last part of a GTID, as in `0-1-270`.
fn sequence_number(gtid: &str) -> Option<i64> {
    gtid.rsplit_once('-').and_then(|(_, number)| number.parse().ok())
}

fn elements(text: &str) -> Result<Vec<i64>, Failure> {
    let odd = |_| Failure::Lost(format!("found the list {text:?}, expected numbers and commas"));
    text.split(',').map(str::parse).collect::<Result<_, _>>().map_err(odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_gtids() {
        assert_eq!(sequence_number("0-1-270"), Some(270));
        assert_eq!(sequence_number(""), None);
    }

    #[test]
    fn lists_are_read_from_text() {
        assert_eq!(elements("3,-1,3"), Ok(vec![3, -1, 3]));
        assert!(matches!(elements("3,,1"), Err(Failure::Lost(_))));
    }
}
