//! What a database has to offer to be recorded.

use crate::dialect::Dialect;
use crate::snapshot::Snapshot;
use crate::statements::Statements;
use crate::{Connection, DatabaseError};

/// An isolation level as a database names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatabaseLevel {
    /// How one asks for it, as in `repeatable-read`.
    pub name: &'static str,
    /// The level that it promises, by the name that `tristan check` knows. If the vendor's own
    /// documentation promises less than its name says, it is the documentation that counts.
    pub claims: &'static str,
}

/// What transactions can do besides reading and writing single keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offers {
    /// Keys can be deleted.
    pub deletes: bool,
    /// Ranges of keys can be read.
    pub ranges: bool,
    /// Lists can be appended to and read.
    pub lists: bool,
    /// Reads can lock what they read.
    pub locks: bool,
}

/// A database with one table of keys and values, and one of keys and lists. Keys, values and
/// elements are whole numbers.
pub trait Database: Send + Sync {
    /// Its name and version, as in `PostgreSQL 15.18`.
    fn describe(&self) -> String;

    /// Its levels; the first is its default.
    fn levels(&self) -> &'static [DatabaseLevel];

    /// What its transactions can do.
    fn offers(&self) -> Offers;

    /// Makes the tables anew, with these keys and values in them.
    ///
    /// # Errors
    /// If the database does not do it.
    fn prepare(&self, initial: &[(i64, i64)]) -> Result<(), DatabaseError>;

    /// Opens a connection whose transactions run at a level of [`Database::levels`].
    ///
    /// # Errors
    /// If the database cannot be reached.
    fn connect(&self, level: DatabaseLevel) -> Result<Box<dyn Connection>, DatabaseError>;

    /// How the statements of applications look here; `None` if it does not run any.
    fn dialect(&self) -> Option<Dialect> {
        None
    }

    /// The collation of the tables of applications, by the name it has there; `None` if it is not known.
    fn collation(&self) -> Option<String> {
        None
    }

    /// Everything that is in the database now.
    ///
    /// # Errors
    /// If the database does not tell.
    fn snapshot(&self) -> Result<Snapshot, DatabaseError> {
        Err(DatabaseError::Unsupported("snapshots".into()))
    }

    /// Makes a place of our own for the tables of applications anew, and carries out statements there.
    ///
    /// # Errors
    /// If the database does not do it.
    fn furnish(&self, statements: &[String]) -> Result<(), DatabaseError> {
        let _ = statements;
        Err(DatabaseError::Unsupported("statements".into()))
    }

    /// Opens a connection for statements in that place, whose transactions run at a level of
    /// [`Database::levels`].
    ///
    /// # Errors
    /// If the database cannot be reached.
    fn converse(&self, level: DatabaseLevel) -> Result<Box<dyn Statements>, DatabaseError> {
        let _ = level;
        Err(DatabaseError::Unsupported("statements".into()))
    }

    /// The order in which transactions committed, by their tags ([`Committed::tag`]), as far as the
    /// database tells. It need not be the order of all their effects, only of versions of a key.
    /// Asked once, when all sessions have ended.
    ///
    /// [`Committed::tag`]: crate::connection::Committed::tag
    ///
    /// # Errors
    /// If the database cannot be reached.
    fn commit_order(&self, tags: &[String]) -> Result<Vec<String>, DatabaseError> {
        let _ = tags;
        Ok(Vec::new())
    }
}
