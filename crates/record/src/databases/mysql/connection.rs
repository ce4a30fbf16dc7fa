//! A session's transactions.

use mysql_async::prelude::{FromRow, Queryable};
use mysql_async::{Params, Statement};

use super::super::server::ends;
use super::commits::Commits;
use super::link::{Link, shaped};
use crate::connection::{Committed, Connection, Iterated, Range};
use crate::{DatabaseError, DatabaseLevel};

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
    fn prepare(link: &mut Link) -> Result<Self, DatabaseError> {
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
    commits: Commits,
}

impl MyConnection {
    pub(super) fn new(
        mut link: Link,
        level: DatabaseLevel,
        hints: bool,
    ) -> Result<Self, DatabaseError> {
        link.run_at(level)?;
        let statements = Statements::prepare(&mut link)?;
        Ok(Self { link, statements, commits: Commits::new(hints) })
    }

    /// The rows that a statement returns.
    fn rows<T: FromRow>(
        &mut self,
        statement: fn(&Statements) -> &Statement,
        parameters: impl Into<Params> + Send,
    ) -> Result<Vec<T>, DatabaseError> {
        let Link { server, waiting } = &mut self.link;
        let answer = waiting.until(server.exec(statement(&self.statements), parameters))?;
        shaped(self.link.unless_refused(answer)?)
    }

    /// Writes, and says how many rows the server counts for it.
    fn write(
        &mut self,
        statement: fn(&Statements) -> &Statement,
        parameters: impl Into<Params> + Send,
    ) -> Result<u64, DatabaseError> {
        let Link { server, waiting } = &mut self.link;
        let answer = waiting.until(server.exec_drop(statement(&self.statements), parameters))?;
        self.link.unless_refused(answer)?;
        Ok(self.link.server.affected_rows())
    }

    fn script(&mut self, statement: &str) -> Result<(), DatabaseError> {
        let answer = self.link.waiting.until(self.link.server.query_drop(statement))?;
        self.link.unless_refused(answer)
    }
}

impl Connection for MyConnection {
    fn begin(&mut self) -> Result<(), DatabaseError> {
        self.script("START TRANSACTION")
    }

    fn get(&mut self, key: i64, lock: bool) -> Result<Option<i64>, DatabaseError> {
        let statement: fn(&Statements) -> &Statement =
            if lock { |all| &all.get_locking } else { |all| &all.get };
        let rows: Vec<(i64,)> = self.rows(statement, (key,))?;
        Ok(rows.first().map(|(value,)| *value))
    }

    fn put(&mut self, key: i64, value: i64) -> Result<(), DatabaseError> {
        self.write(|all| &all.put, (key, value)).map(drop)
    }

    fn delete(&mut self, key: i64) -> Result<Option<u64>, DatabaseError> {
        self.write(|all| &all.delete, (key,)).map(Some)
    }

    fn scan(&mut self, range: Range) -> Result<Vec<(i64, i64)>, DatabaseError> {
        self.rows(|all| &all.scan, ends(range))
    }

    fn iterate(&mut self, range: Range, most: usize) -> Result<Iterated, DatabaseError> {
        let (first, last) = ends(range);
        let items: Vec<_> = self.rows(|all| &all.iterate, (first, last, most as u64))?;
        let end = items.len() < most;
        Ok(Iterated { items, end })
    }

    fn append(&mut self, key: i64, element: i64) -> Result<(), DatabaseError> {
        self.write(|all| &all.append, (key, element.to_string())).map(drop)
    }

    fn list(&mut self, key: i64) -> Result<Vec<i64>, DatabaseError> {
        let rows: Vec<(String,)> = self.rows(|all| &all.list, (key,))?;
        rows.first().map_or(Ok(Vec::new()), |(text,)| elements(text))
    }

    fn commit(&mut self) -> Result<Committed, DatabaseError> {
        self.commits.commit(&mut self.link)
    }

    fn abort(&mut self) -> Result<(), DatabaseError> {
        self.script("ROLLBACK")
    }
}

fn elements(text: &str) -> Result<Vec<i64>, DatabaseError> {
    let odd =
        |_| DatabaseError::Lost(format!("found the list {text:?}, expected numbers and commas"));
    text.split(',').map(str::parse).collect::<Result<_, _>>().map_err(odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_from_text() {
        assert_eq!(elements("3,-1,3"), Ok(vec![3, -1, 3]));
        assert!(matches!(elements("3,,1"), Err(DatabaseError::Lost(_))));
    }
}
