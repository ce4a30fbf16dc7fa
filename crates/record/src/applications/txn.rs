//! One transaction of an application while it runs.

use std::borrow::Cow;
use std::collections::HashMap;
use std::thread;
use std::time::Duration;

use super::log::Journal;
use crate::DatabaseError;
use crate::dialect::Dialect;
use crate::run::Tally;
use crate::statements::{Reply, Statements, Value};

/// Why a transaction does not go on to its commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TxnError {
    /// The application wants it undone.
    RollBack,
    /// The database did not do what it was asked.
    Database(DatabaseError),
}

/// How the texts of statements look in a dialect, by how they are written here.
#[derive(Debug, Default)]
pub(super) struct Texts {
    known: HashMap<&'static str, (String, Vec<usize>)>,
}

/// A transaction, as its plan sees it.
pub struct Txn<'a> {
    pub(super) connection: &'a mut dyn Statements,
    pub(super) journal: &'a mut Journal,
    pub(super) dialect: Dialect,
    pub(super) texts: &'a mut Texts,
    pub(super) think: Duration,
    pub(super) tally: &'a Tally,
}

impl Txn<'_> {
    /// How SQL looks here.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The rows that a query returns. Parameters are written `$1`, `$2` … whatever the dialect.
    ///
    /// # Errors
    /// If the database does not do it.
    pub fn rows(
        &mut self,
        sql: &'static str,
        params: &[Value],
    ) -> Result<Vec<Vec<Value>>, TxnError> {
        match self.run(sql, params)? {
            Reply::Rows(rows) => Ok(rows),
            Reply::Affected(_) => Ok(Vec::new()),
        }
    }

    /// The first row that a query returns.
    ///
    /// # Errors
    /// If the database does not do it.
    pub fn row(
        &mut self,
        sql: &'static str,
        params: &[Value],
    ) -> Result<Option<Vec<Value>>, TxnError> {
        Ok(self.rows(sql, params)?.into_iter().next())
    }

    /// Changes rows; says how many.
    ///
    /// # Errors
    /// If the database does not do it.
    pub fn change(&mut self, sql: &'static str, params: &[Value]) -> Result<u64, TxnError> {
        match self.run(sql, params)? {
            Reply::Affected(count) => Ok(count),
            Reply::Rows(rows) => Ok(rows.len() as u64),
        }
    }

    fn run(&mut self, sql: &'static str, params: &[Value]) -> Result<Reply, TxnError> {
        if !self.think.is_zero() {
            thread::sleep(self.think);
        }
        let (sql, params) = match self.dialect {
            Dialect::Mysql => self.texts.with_marks(sql, params),
            Dialect::Postgres | Dialect::Sqlite => (sql, Cow::Borrowed(params)),
        };
        self.tally.operation();
        let call = self.journal.call(sql, &params);
        let reply = self.connection.run(sql, &params);
        self.journal.end(call, &reply);
        reply.map_err(TxnError::Database)
    }
}

impl Texts {
    /// The text with `?` for each parameter, and the parameters in the order in which they stand there.
    fn with_marks<'t>(
        &'t mut self,
        sql: &'static str,
        params: &[Value],
    ) -> (&'t str, Cow<'static, [Value]>) {
        let (text, places) = self.known.entry(sql).or_insert_with(|| marked(sql));
        let params = places.iter().map(|&place| params.get(place).cloned().unwrap_or(Value::Null));
        (text, Cow::Owned(params.collect()))
    }
}

/// Replaces `$2` by `?`, and says which parameters these are, counted from 0.
fn marked(sql: &str) -> (String, Vec<usize>) {
    let (mut text, mut places) = (String::with_capacity(sql.len()), Vec::new());
    let mut parts = sql.split('$');
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let (number, rest) = part.split_at(end);
        places.push(number.parse::<usize>().map_or(0, |number| number.saturating_sub(1)));
        text.push('?');
        text.push_str(rest);
    }
    (text, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_marked_where_they_stand() {
        let (text, places) = marked("UPDATE t SET a = a - $2, b = $1 WHERE a > $2 AND c = $10");
        assert_eq!(text, "UPDATE t SET a = a - ?, b = ? WHERE a > ? AND c = ?");
        assert_eq!(places, [1, 0, 1, 9]);
        let mut texts = Texts::default();
        let (text, params) = texts.with_marks("$2 $1", &[Value::Int(7), Value::Int(8)]);
        assert_eq!((text, &*params), ("? ?", &[Value::Int(8), Value::Int(7)][..]));
    }
}
