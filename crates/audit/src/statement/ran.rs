//! What carrying out a statement gives.

use std::fmt;

use tristan_sql::Session;

use crate::world::{Key, Row};

/// A change of one row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change {
    pub(crate) key: Key,
    pub(crate) old: Option<Row>,
    pub(crate) new: Option<Row>,
}

/// What carrying out a statement gave.
#[derive(Clone, Debug)]
pub(crate) struct Ran {
    /// Whether that is what was observed.
    pub(crate) explains: bool,
    pub(crate) changes: Vec<Change>,
    /// How many rows it inserted, also those of which no change is kept.
    pub(crate) inserted: u64,
    /// What the session remembers afterwards.
    pub(crate) session: Session,
}

/// Why a statement cannot be carried out here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnsupportedError(pub(crate) String);

impl fmt::Display for UnsupportedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
