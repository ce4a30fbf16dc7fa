//! One client's connection: transactions, one after the other.

use crate::DatabaseError;

/// A range of keys `[lo, hi)`; a missing bound is no bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// The first key that is in it.
    pub lo: Option<i64>,
    /// The first key that is not in it any more.
    pub hi: Option<i64>,
}

/// What an iterator returned before it was closed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Iterated {
    /// Keys and values, in the order in which they came.
    pub items: Vec<(i64, i64)>,
    /// Whether the range was exhausted.
    pub end: bool,
}

/// What a database tells about a transaction that has just committed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Committed {
    /// A logical time, if commits have one that goes up in the order in which they took effect.
    pub stamp: Option<i64>,
    /// How the database names the transaction, if it can later say in which order such names
    /// committed ([`crate::Database::commit_order`]).
    pub tag: Option<String>,
}

/// A client's connection.
///
/// After [`DatabaseError::Refused`] the transaction is over and [`Connection::begin`] may be called at
/// once; after [`DatabaseError::Lost`] the connection is of no use any more. Operations a database
/// does not offer answer [`DatabaseError::Unsupported`].
pub trait Connection: Send {
    /// Begins a transaction.
    ///
    /// # Errors
    /// As above.
    fn begin(&mut self) -> Result<(), DatabaseError>;

    /// The value of a key; with `lock`, others cannot change it until this transaction has ended.
    ///
    /// # Errors
    /// As above.
    fn get(&mut self, key: i64, lock: bool) -> Result<Option<i64>, DatabaseError>;

    /// Writes a key, whether it was there or not.
    ///
    /// # Errors
    /// As above.
    fn put(&mut self, key: i64, value: i64) -> Result<(), DatabaseError>;

    /// Deletes a key; says how many rows that removed, if the database does.
    ///
    /// # Errors
    /// As above.
    fn delete(&mut self, key: i64) -> Result<Option<u64>, DatabaseError> {
        let _ = key;
        Err(DatabaseError::Unsupported("delete".into()))
    }

    /// All keys of a range with their values, exactly as the database returned them.
    ///
    /// # Errors
    /// As above.
    fn scan(&mut self, range: Range) -> Result<Vec<(i64, i64)>, DatabaseError> {
        let _ = range;
        Err(DatabaseError::Unsupported("scan".into()))
    }

    /// The first keys of a range, at most `most` of them, through an iterator or a cursor.
    ///
    /// # Errors
    /// As above.
    fn iterate(&mut self, range: Range, most: usize) -> Result<Iterated, DatabaseError> {
        let _ = (range, most);
        Err(DatabaseError::Unsupported("iterate".into()))
    }

    /// Appends to a list.
    ///
    /// # Errors
    /// As above.
    fn append(&mut self, key: i64, element: i64) -> Result<(), DatabaseError> {
        let _ = (key, element);
        Err(DatabaseError::Unsupported("append".into()))
    }

    /// All elements of a list; none if there is no such list.
    ///
    /// # Errors
    /// As above.
    fn list(&mut self, key: i64) -> Result<Vec<i64>, DatabaseError> {
        let _ = key;
        Err(DatabaseError::Unsupported("list".into()))
    }

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
    fn abort(&mut self) -> Result<(), DatabaseError>;
}
