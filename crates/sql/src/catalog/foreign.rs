//! Foreign keys.
//!
//! Layer `catalog`. Whether a row refers to one that exists is not checked: a database refuses such rows, and an
//! error that says so is not judged. Only `INSERT IGNORE` looks, because it leaves such rows out. What is carried out
//! are the actions: `ON DELETE CASCADE` and its like.

use crate::rows::TableId;

/// Columns that refer to a row of another table, or of the same one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ForeignKey {
    pub(crate) name: String,
    pub(crate) columns: Vec<usize>,
    /// The table that is referred to.
    pub(crate) parent: TableId,
    /// Its columns, one for each of ours.
    pub(crate) referred: Vec<usize>,
    pub(crate) on_delete: Action,
    pub(crate) on_update: Action,
}

impl ForeignKey {
    /// Whether it changes rows.
    pub(crate) fn acts(&self) -> bool {
        self.on_delete.acts() || self.on_update.acts()
    }
}

/// What becomes of rows when the row that they refer to goes away or gets another key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// The change is refused.
    Refuse,
    Cascade,
    SetNull,
    SetDefault,
}

impl Action {
    pub(crate) fn acts(self) -> bool {
        self != Self::Refuse
    }
}
