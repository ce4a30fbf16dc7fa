//! Everything that a database holds at one moment, as the start of a SQL log.
//!
//! A log shows what clients did; what they found there they did not write. So whoever records a log of a
//! database that is in use needs its tables and rows first:
//!
//! ```text
//!   {"schema":"CREATE TABLE …; …"}                          types, routines and tables
//!   {"rows":"public.t","columns":["id","name"],"values":…}  a batch of rows
//!   {"schema":"ALTER TABLE … FOREIGN KEY …; …"}             what is defined once the rows are there
//! ```
//!
//! All of it is read in one transaction, whose snapshot belongs to one moment. Definitions come in an order in
//! which they can be carried out: foreign keys and triggers after the rows, which they would check or change.

use std::io::{self, Write};

use serde::Serialize;

use crate::dialect::Dialect;

/// How many rows are on one line.
const BATCH: usize = 500;

/// What a database holds at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// The collation of the database, by the name that it has there.
    pub collation: Option<String>,
    /// The time zone of sessions that do not set one with a statement, if it is known.
    pub timezone: Option<String>,
    /// Statements that create what can be there before any row.
    pub before: Vec<String>,
    /// The rows of all tables.
    pub tables: Vec<TableRows>,
    /// Statements that create what is defined over rows.
    pub after: Vec<String>,
}

/// The rows of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRows {
    /// Its name, as it stands in SQL.
    pub name: String,
    /// The names of the columns, as they stand in SQL.
    pub columns: Vec<String>,
    /// A value for each of these columns.
    pub rows: Vec<Vec<Cell>>,
}

/// A value as the database writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// NULL.
    Null,
    /// Anything that has a text form.
    Text(String),
    /// Bytes that are no text.
    Bytes {
        /// Two digits for each byte.
        hex: String,
    },
}

#[derive(Serialize)]
struct SchemaLine<'a> {
    schema: &'a str,
}

#[derive(Serialize)]
struct RowsLine<'a> {
    rows: &'a str,
    columns: &'a [String],
    values: &'a [Vec<Cell>],
}

impl Snapshot {
    /// Writes the lines of a log that say all this.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        schema_line(&self.before, out)?;
        for TableRows { name, columns, rows } in &self.tables {
            for values in rows.chunks(BATCH) {
                line(&RowsLine { rows: name, columns, values }, out)?;
            }
        }
        schema_line(&self.after, out)
    }

    /// Statements that create all this, separated by semicolons.
    pub fn sql(&self, dialect: Dialect) -> String {
        let mut statements = self.before.clone();
        for TableRows { name, columns, rows } in &self.tables {
            for batch in rows.chunks(BATCH) {
                let rows: Vec<String> = batch.iter().map(|row| tuple(row, dialect)).collect();
                let (columns, rows) = (columns.join(", "), rows.join(", "));
                statements.push(format!("INSERT INTO {name} ({columns}) VALUES {rows}"));
            }
        }
        statements.extend_from_slice(&self.after);
        statements.join(";\n")
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.tables.iter().map(|table| table.rows.len()).sum()
    }
}

impl Cell {
    /// A text, or NULL.
    pub(crate) fn text(text: Option<&str>) -> Self {
        text.map_or(Self::Null, |text| Self::Text(text.to_owned()))
    }
}

/// A row as it stands behind VALUES.
fn tuple(row: &[Cell], dialect: Dialect) -> String {
    let values: Vec<String> = row
        .iter()
        .map(|cell| match cell {
            Cell::Null => "NULL".to_owned(),
            Cell::Text(text) => dialect.literal(text),
            Cell::Bytes { hex } => format!("X'{hex}'"),
        })
        .collect();
    format!("({})", values.join(", "))
}

fn schema_line(statements: &[String], out: &mut dyn Write) -> io::Result<()> {
    match statements {
        [] => Ok(()),
        some => line(&SchemaLine { schema: &some.join(";\n") }, out),
    }
}

fn line(content: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, content)?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_enclose_the_rows() {
        let row = vec![Cell::text(Some("1")), Cell::Null, Cell::Bytes { hex: "00ff".into() }];
        let columns = ["id", "a", "b"].map(str::to_owned).to_vec();
        let table = TableRows { name: "t".into(), columns, rows: vec![row; BATCH + 1] };
        let snapshot = Snapshot {
            before: vec!["CREATE TABLE t (…)".into(), "CREATE VIEW v AS …".into()],
            tables: vec![table],
            after: vec!["ALTER TABLE t …".into()],
            ..Snapshot::default()
        };
        let mut text = Vec::new();
        snapshot.write(&mut text).expect("memory");
        let text = String::from_utf8(text).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], r#"{"schema":"CREATE TABLE t (…);\nCREATE VIEW v AS …"}"#);
        let rows = r#"{"rows":"t","columns":["id","a","b"],"values":[["1",null,{"hex":"00ff"}]"#;
        assert!(lines[1].starts_with(rows) && lines[2].starts_with(rows), "{text}");
        assert_eq!(lines[3], r#"{"schema":"ALTER TABLE t …"}"#);
        assert_eq!((lines.len(), snapshot.rows()), (4, BATCH + 1));
        let sql = snapshot.sql(Dialect::Mysql);
        assert!(
            sql.contains(";\nINSERT INTO t (id, a, b) VALUES ('1', NULL, X'00ff'), ("),
            "{sql}"
        );
        assert!(sql.ends_with(";\nALTER TABLE t …"), "{sql}");
    }
}
