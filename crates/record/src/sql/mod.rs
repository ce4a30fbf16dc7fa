//! SQL databases as a person at a prompt sees them: statements go in as text, rows come out as
//! text. One file per database.
//!
//! ```text
//!   Url ──open──► SqlDatabase ──connect──► SqlClient ──execute──► StatementResult
//!                      │
//!                      └──watch──► LockWatch: who waits for whom?
//! ```
//!
//! The databases of [`crate::databases`] know one table of keys and values and record what
//! becomes of it. Here nothing is recorded and any statement will do: that is what it takes to
//! try an interleaving that is written down ([`crate::litmus`]).

#[cfg(feature = "mysql")]
mod mysql;
#[cfg(feature = "postgres")]
mod postgres;
mod scratch;
#[cfg(feature = "sqlite")]
mod sqlite;

use crate::databases::{OpenError, unknown_scheme};
use crate::{DatabaseError, DatabaseLevel, Url, UrlError};

pub use crate::dialect::Dialect;
pub use scratch::Scratch;

/// What a statement answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatementResult {
    /// How many columns the rows have; 0 if the statement is none that answers with rows.
    pub columns: usize,
    /// The rows, each value as text; `None` is NULL.
    pub rows: Vec<Vec<Option<String>>>,
    /// How many rows were inserted, changed or deleted, as far as the database tells.
    pub affected: u64,
}

/// One connection.
///
/// [`DatabaseError::Refused`] means that the transaction is over, [`DatabaseError::Failed`] that the statement
/// had no effect, [`DatabaseError::Unsupported`] that the database does not understand the statement.
pub trait SqlClient: Send {
    /// Carries out one statement and waits for the answer.
    ///
    /// # Errors
    /// As above.
    fn execute(&mut self, sql: &str) -> Result<StatementResult, DatabaseError>;

    /// The number by which a [`LockWatch`] knows this connection.
    fn id(&self) -> u64;
}

/// Reports which session waits for a lock, on a separate connection.
pub trait LockWatch {
    /// The connections that this one waits for; none if it does not wait. The list is empty if it
    /// waits and the database does not tell for whom.
    ///
    /// # Errors
    /// If the database does not answer.
    fn waits(&mut self, client: u64) -> Result<Option<Vec<u64>>, DatabaseError>;
}

/// An isolation level, and how a transaction of it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SqlLevel {
    /// Its name, and what it claims.
    pub level: DatabaseLevel,
    /// The statements that begin a transaction.
    pub begin: &'static [&'static str],
}

/// A database that speaks SQL.
///
/// A *place* is a schema, a database or a file of our own: nothing outside of it is touched.
pub trait SqlDatabase {
    /// Its name and version, as in `PostgreSQL 15.18`.
    fn describe(&self) -> String;

    /// How its SQL looks.
    fn dialect(&self) -> Dialect;

    /// Its levels, weakest first.
    fn levels(&self) -> &[SqlLevel];

    /// Makes a place, empty.
    ///
    /// # Errors
    /// If the database does not do it.
    fn create(&self, place: &str) -> Result<(), DatabaseError>;

    /// Removes a place with all that is in it, if it is there.
    ///
    /// # Errors
    /// If the database does not do it.
    fn remove(&self, place: &str) -> Result<(), DatabaseError>;

    /// Opens a connection whose tables are in a place.
    ///
    /// # Errors
    /// If the database cannot be reached.
    fn connect(&self, place: &str) -> Result<Box<dyn SqlClient>, DatabaseError>;

    /// A connection that reports which sessions wait for a lock; none if the database does not report it.
    ///
    /// # Errors
    /// If the database cannot be reached.
    fn watch(&self) -> Result<Option<Box<dyn LockWatch>>, DatabaseError>;
}

/// How long a server lets a statement wait before it gives up, in seconds.
const SERVER_PATIENCE: u64 = 30;

/// The schemes of addresses that this build can open.
const SCHEMES: &[&str] = &[
    #[cfg(feature = "postgres")]
    "postgres",
    #[cfg(feature = "mysql")]
    "mysql",
    #[cfg(feature = "mysql")]
    "mariadb",
    #[cfg(feature = "sqlite")]
    "sqlite",
];

/// Opens the database at an address.
///
/// # Errors
/// If the address makes no sense or the database cannot be reached.
pub fn open(url: &Url) -> Result<Box<dyn SqlDatabase>, OpenError> {
    match url.scheme.as_str() {
        #[cfg(feature = "postgres")]
        "postgres" | "postgresql" => Ok(Box::new(postgres::Postgres::open(url)?)),
        #[cfg(feature = "mysql")]
        "mysql" | "mariadb" => Ok(Box::new(mysql::Mysql::open(url)?)),
        #[cfg(feature = "sqlite")]
        "sqlite" => Ok(Box::new(sqlite::Sqlite::open(url)?)),
        _ => Err(UrlError::new(unknown_scheme(url), SCHEMES.join(", ")).into()),
    }
}
