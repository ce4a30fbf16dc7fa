//! Rows and states by name.

use smallvec::SmallVec;
use tristan_sql::Collation;

pub(crate) use tristan_sql::{Row, RowId, TableId, Value};

/// A row of a table.
pub(crate) type Key = (TableId, RowId);

/// How many commits came before: the name of a state.
pub(crate) type Position = u64;

/// The values of some columns.
pub(crate) type Values = SmallVec<[Value; 2]>;

/// The form of a value that equal values share. Values that are not equal may share it, too, so a row
/// that was found by it has to be checked again.
pub(crate) fn canonical(value: &Value) -> Value {
    value.canonical(Collation::General { padded: true })
}

/// The values of some columns of a row, in the form that equal values share. Returns `None` if the row
/// lacks one of the columns.
pub(crate) fn pick(row: &Row, columns: &[usize]) -> Option<Values> {
    columns.iter().map(|&column| row.get(column).map(canonical)).collect()
}

/// Whether a row has these values in some columns, or others with the same canonical form.
pub(crate) fn has_values(row: &Row, columns: &[usize], values: &[Value]) -> bool {
    pick(row, columns).is_some_and(|own| own.into_iter().eq(values.iter().map(canonical)))
}
