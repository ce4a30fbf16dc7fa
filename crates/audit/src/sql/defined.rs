//! What a transaction has defined so far, to take it back if it is rolled back.

use std::sync::Arc;

use tristan_sql::{Names, Table};

/// What the transaction that is being read has defined.
#[derive(Debug, Default)]
pub(super) struct Defined {
    /// What names meant when the transaction began; none if it has defined nothing.
    pub(super) before: Option<Names>,
    /// The savepoints, with what names meant there, if something was defined since.
    pub(super) savepoints: Vec<(String, Option<Names>)>,
    /// Tables that mean something else now: as they were, and as they are.
    pub(super) altered: Vec<(Arc<Table>, Arc<Table>)>,
    /// Whether a routine means something else now.
    pub(super) redefined: bool,
}

impl Defined {
    /// Whether the statement that is being read has altered a table.
    pub(super) fn is_altering(&self) -> bool {
        !self.altered.is_empty()
    }
}
