//! What is in the database before the first transaction.

use crate::dialect::Dialect;
use crate::statements::Value;

/// How many rows are inserted, or written down, at once.
pub(super) const BATCH: usize = 500;

/// Tables, and the rows that they begin with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// All tables of the application, in the order in which they are created.
    pub tables: Vec<Table>,
}

/// A table of an application before the first transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The name of the table in SQL.
    pub name: &'static str,
    /// The statements that make it and its indexes.
    pub create: &'static [&'static str],
    /// The rows it starts with, each with a value for every column.
    pub rows: Vec<Vec<Value>>,
}

impl Start {
    /// The statements that make all tables and fill them.
    pub fn statements(&self, dialect: Dialect) -> Vec<String> {
        let made = self.tables.iter().flat_map(|table| table.create);
        let mut statements: Vec<String> = made.map(|sql| (*sql).to_owned()).collect();
        for table in &self.tables {
            for batch in table.rows.chunks(BATCH) {
                let rows: Vec<String> = batch.iter().map(|row| written(row, dialect)).collect();
                statements.push(format!("INSERT INTO {} VALUES {}", table.name, rows.join(", ")));
            }
        }
        statements
    }
}

/// A row as it stands behind VALUES.
fn written(row: &[Value], dialect: Dialect) -> String {
    let values: Vec<String> = row.iter().map(|value| literal(value, dialect)).collect();
    format!("({})", values.join(", "))
}

fn literal(value: &Value, dialect: Dialect) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Text(text) => dialect.literal(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_statements() {
        let rows = vec![vec![Value::Int(1), Value::from("it's \\"), Value::Null]];
        let create: &[&str] = &["CREATE TABLE t (a INT, b TEXT, c INT)"];
        let start = Start { tables: vec![Table { name: "t", create, rows }] };
        let postgres = start.statements(Dialect::Postgres);
        assert_eq!(postgres, [create[0], "INSERT INTO t VALUES (1, 'it''s \\', NULL)"]);
        assert!(start.statements(Dialect::Mysql)[1].contains("'it''s \\\\'"));
    }
}
