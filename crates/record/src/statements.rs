//! Statements of any kind, with parameters, and answers whose values have types.
//!
//! A [`Connection`](crate::Connection) knows one table of keys and values. Applications
//! ([`crate::applications`]) speak SQL, and what they are told goes into a log as it was told: whole
//! numbers as numbers, decimal numbers and dates as the texts that the database writes.

use serde::{Serialize, Serializer};

use crate::DatabaseError;
use crate::connection::Committed;

/// A parameter, or a value of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// The SQL value NULL.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A text, or anything else that has one: decimal numbers, dates.
    Text(String),
}

impl Value {
    /// The whole number, if it is one.
    pub fn int(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(truth) => serializer.serialize_bool(*truth),
            Self::Int(number) => serializer.serialize_i64(*number),
            Self::Text(text) => serializer.serialize_str(text),
        }
    }
}

/// What a statement was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The rows that a query returned.
    Rows(Vec<Vec<Value>>),
    /// How many rows were changed, as the database counts them.
    Affected(u64),
}

/// A client's connection for statements.
///
/// Failures are those of a [`Connection`](crate::Connection): after [`DatabaseError::Refused`] the
/// transaction is over, after [`DatabaseError::Failed`] it goes on, after [`DatabaseError::Lost`] the connection
/// is of no use any more. What a server said begins with its code, as in `40001 could not …`.
pub trait Statements: Send {
    /// The statement that begins a transaction.
    fn opening(&self) -> &str;

    /// Begins a transaction.
    ///
    /// # Errors
    /// As above.
    fn begin(&mut self) -> Result<(), DatabaseError>;

    /// Carries out one statement.
    ///
    /// # Errors
    /// As above.
    fn run(&mut self, sql: &str, params: &[Value]) -> Result<Reply, DatabaseError>;

    /// Commits. [`DatabaseError::Refused`] promises that the transaction did not commit;
    /// [`DatabaseError::Lost`] promises nothing.
    ///
    /// # Errors
    /// As above.
    fn commit(&mut self) -> Result<Committed, DatabaseError>;

    /// Rolls back.
    ///
    /// # Errors
    /// As above.
    fn rollback(&mut self) -> Result<(), DatabaseError>;
}
