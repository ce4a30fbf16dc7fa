//! Rows, and the interface of whatever keeps them.
//!
//! Ground: knows values only. Everything above names a table by its [`TableId`] and a row by its
//! [`RowId`]; what a statement can see comes through [`Rows`], which the caller implements.

use crate::value::{Row, Value};

/// The number of a table in its catalog. A table that is dropped and made again has another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(pub u32);

/// The number of a row, given by the implementation of [`Rows`]. It stays the same while the row is
/// updated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowId(pub u64);

impl RowId {
    const NEW: u64 = 1 << 63;

    /// A row that was inserted by the same run, the how-many-th.
    pub fn new(number: u64) -> Self {
        Self(number | Self::NEW)
    }

    /// Which insertion of the same run it was, if it was one.
    pub fn as_new(self) -> Option<u64> {
        (self.0 & Self::NEW != 0).then_some(self.0 & !Self::NEW)
    }
}

/// Which rows of many come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct First {
    /// The column with whole numbers by which they are ordered.
    pub column: usize,
    /// Whether the largest number comes first.
    pub descending: bool,
    /// How many of them are wanted.
    pub wanted: usize,
}

/// Rows with their numbers.
pub(crate) type Found = Vec<(RowId, Row)>;

/// Rows of tables, as a statement may see them.
pub trait Rows {
    /// Adds all rows of a table to `into`.
    fn scan(&mut self, table: TableId, into: &mut Vec<(RowId, Row)>);

    /// Adds all rows of a table whose columns are equal to these values to `into`, as the canonical
    /// forms of both are ([`Value::canonical`] with the collation of the column). Others may come, too, as long as no row
    /// comes for two lists of values that are not equal: a range of numbers is looked up one number after the other.
    fn lookup(
        &mut self,
        table: TableId,
        columns: &[usize],
        values: &[Value],
        into: &mut Vec<(RowId, Row)>,
    );

    /// Adds rows that a lookup adds, too: at least the first ones by the whole numbers in one more column, as many
    /// as are wanted, and all others with the same number as the last of these. Returns whether there are
    /// no more, and `None` if rows are not kept in this order; then it adds nothing.
    fn lookup_first(
        &mut self,
        _table: TableId,
        _columns: &[usize],
        _values: &[Value],
        _first: First,
        _into: &mut Vec<(RowId, Row)>,
    ) -> Option<bool> {
        None
    }

    /// The same as a lookup, for rows that a new one must not share a key with: a database looks for them among
    /// the newest rows, whatever the statement sees otherwise.
    fn holders(
        &mut self,
        table: TableId,
        columns: &[usize],
        values: &[Value],
        into: &mut Vec<(RowId, Row)>,
    ) {
        self.lookup(table, columns, values, into);
    }

    /// A row that a statement has found, in its version at the moment when the statement locks it: the transaction
    /// that held the lock before may have changed the row. `None` stands for a row that is as it was found,
    /// `Some(None)` for one that is gone.
    fn locked(&mut self, _table: TableId, _row: RowId) -> Option<Option<Row>> {
        None
    }
}

/// No rows at all.
pub(crate) struct NoRows;

impl Rows for NoRows {
    fn scan(&mut self, _: TableId, _: &mut Vec<(RowId, Row)>) {}

    fn lookup(&mut self, _: TableId, _: &[usize], _: &[Value], _: &mut Vec<(RowId, Row)>) {}
}
