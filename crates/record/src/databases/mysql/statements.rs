//! A session's transactions of statements.

use std::collections::HashMap;

use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Error, Params, Row, Statement, Value as Raw};

use super::commits::Commits;
use super::link::Link;
use crate::connection::Committed;
use crate::statements::{Reply, Statements, Value};
use crate::{DatabaseError, DatabaseLevel};

/// The database that the tables of applications are in.
pub(super) const PLACE: &str = "tristan_sql";

pub(super) struct MyStatements {
    link: Link,
    commits: Commits,
    /// What was asked before, so that the server reads it only once.
    prepared: HashMap<String, Statement>,
}

impl MyStatements {
    pub(super) fn new(
        mut link: Link,
        level: DatabaseLevel,
        hints: bool,
    ) -> Result<Self, DatabaseError> {
        link.script(&format!("USE {PLACE}"))?;
        link.run_at(level)?;
        Ok(Self { link, commits: Commits::new(hints), prepared: HashMap::new() })
    }

    fn script(&mut self, statement: &str) -> Result<(), DatabaseError> {
        let answer = self.link.waiting.until(self.link.server.query_drop(statement))?;
        self.link.unless_refused(answer)
    }

    fn prepare(&mut self, sql: &str) -> Result<Statement, DatabaseError> {
        if let Some(statement) = self.prepared.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.link.prepare(sql)?;
        self.prepared.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

impl Statements for MyStatements {
    fn opening(&self) -> &str {
        "START TRANSACTION"
    }

    fn begin(&mut self) -> Result<(), DatabaseError> {
        self.script("START TRANSACTION")
    }

    fn run(&mut self, sql: &str, params: &[Value]) -> Result<Reply, DatabaseError> {
        let statement = self.prepare(sql)?;
        let params = Params::from(params.iter().map(raw).collect::<Vec<_>>());
        let Link { server, waiting } = &mut self.link;
        let answer = waiting.until(ask(server, &statement, params))?;
        match self.link.unless_refused(answer)? {
            (true, rows, _) => {
                rows.into_iter().map(values).collect::<Result<_, _>>().map(Reply::Rows)
            }
            (false, _, affected) => Ok(Reply::Affected(affected)),
        }
    }

    fn commit(&mut self) -> Result<Committed, DatabaseError> {
        self.commits.commit(&mut self.link)
    }

    fn rollback(&mut self) -> Result<(), DatabaseError> {
        self.script("ROLLBACK")
    }
}

/// Whether there are columns, the rows, and how many rows were changed.
async fn ask(
    server: &mut Conn,
    statement: &Statement,
    params: Params,
) -> Result<(bool, Vec<Row>, u64), Error> {
    let mut result = server.exec_iter(statement, params).await?;
    let answers = !result.columns_ref().is_empty();
    let rows: Vec<Row> = result.collect().await?;
    let affected = result.affected_rows();
    result.drop_result().await?;
    Ok((answers, rows, affected))
}

fn raw(value: &Value) -> Raw {
    match value {
        Value::Null => Raw::NULL,
        Value::Bool(truth) => Raw::Int(i64::from(*truth)),
        Value::Int(number) => Raw::Int(*number),
        Value::Text(text) => Raw::Bytes(text.as_bytes().to_vec()),
    }
}

fn values(row: Row) -> Result<Vec<Value>, DatabaseError> {
    row.unwrap().into_iter().map(value).collect()
}

fn value(raw: Raw) -> Result<Value, DatabaseError> {
    // An answer that cannot be read is as good as none.
    let odd = |what: &str| DatabaseError::Lost(format!("the server answered with {what}"));
    Ok(match raw {
        Raw::NULL => Value::Null,
        Raw::Int(number) => Value::Int(number),
        Raw::UInt(number) => Value::Int(i64::try_from(number).map_err(|_| odd("a large number"))?),
        Raw::Bytes(bytes) => {
            Value::Text(String::from_utf8(bytes).map_err(|_| odd("bytes that are not text"))?)
        }
        Raw::Date(year, month, day, 0, 0, 0, 0) => {
            Value::Text(format!("{year:04}-{month:02}-{day:02}"))
        }
        other => return Err(odd(&other.as_sql(true))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_types() {
        let told = [
            (Raw::NULL, Value::Null),
            (Raw::Int(-3), Value::Int(-3)),
            (Raw::Bytes(b"10.50".to_vec()), Value::from("10.50")),
            (Raw::Date(2026, 1, 2, 0, 0, 0, 0), Value::from("2026-01-02")),
        ];
        for (raw, expected) in told {
            assert_eq!(value(raw), Ok(expected));
        }
        assert!(value(Raw::UInt(u64::MAX)).is_err() && value(Raw::Bytes(vec![0xff])).is_err());
    }
}
