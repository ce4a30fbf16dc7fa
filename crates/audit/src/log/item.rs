//! What a log consists of.

use serde_json::Value as Json;

use crate::model::Txn;

/// What a log consists of.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A table that is there from the start.
    Schema {
        /// `CREATE TABLE …` or another statement that makes something.
        sql: String,
        /// The line of the log that it stands on, from 1.
        line: u64,
    },
    /// Rows that are there from the start.
    Rows {
        /// The name of the table, as the log writes it.
        table: String,
        /// The columns that are given; all of them if there are none.
        columns: Vec<String>,
        /// The rows, each with one value per column.
        values: Vec<Vec<Json>>,
        /// The line of the log that they stand on, from 1.
        line: u64,
    },
    /// A transaction. They come in the order in which they began.
    Txn(Box<Txn>),
}

/// What the first line says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// `postgresql`, `mysql` or `mariadb`.
    pub dialect: Option<String>,
    /// The collation of the database, by the name it has there.
    pub collation: Option<String>,
    /// The time zone of all sessions.
    pub timezone: Option<String>,
    /// The level that the database was asked for.
    pub level: Option<String>,
    /// Whether lines of whole transactions come in the order of their begins.
    pub sorted: bool,
}
