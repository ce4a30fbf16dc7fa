//! Rows of a state that a statement does not see.

use super::row::{Row, TableId, Values, pick};

/// Rows of a state that a statement does not see, by the values of their keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hidden(Vec<HiddenRows>);

/// Those of one table.
#[derive(Clone, Debug)]
struct HiddenRows {
    table: TableId,
    key: Vec<usize>,
    values: Vec<Values>,
}

impl Hidden {
    /// Hides the rows of a table that have these values in a key.
    pub(crate) fn hide(&mut self, table: TableId, key: &[usize], values: Values) {
        match self.0.iter_mut().find(|rows| rows.table == table) {
            Some(rows) => rows.values.push(values),
            None => self.0.push(HiddenRows { table, key: key.to_vec(), values: vec![values] }),
        }
    }

    /// Whether no row is hidden.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a row is one of them.
    pub(crate) fn has(&self, table: TableId, row: &Row) -> bool {
        self.0
            .iter()
            .filter(|rows| rows.table == table)
            .any(|rows| pick(row, &rows.key).is_some_and(|values| rows.values.contains(&values)))
    }
}
