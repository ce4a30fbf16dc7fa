//! Vendor semantics: what a database's documentation says it does instead of what the level's
//! name promises.
//!
//! Each one rewrites the trace, before anything is checked, so that the level's definition can be
//! applied to what is left. A verdict under vendor semantics says so, and its certificate is about
//! the rewritten trace.

pub mod interpretation;
mod mariadb;

pub use interpretation::{Interpretation, OwnPolicy};

use tristan_history::History;

/// A known departure from the books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semantics {
    /// MariaDB and MySQL at REPEATABLE READ: plain reads see a snapshot, locking reads and writes
    /// see the latest committed state.
    MariadbRepeatableRead,
}

impl Semantics {
    /// All of them.
    pub const ALL: [Self; 1] = [Self::MariadbRepeatableRead];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::MariadbRepeatableRead => "mariadb-rr",
        }
    }

    /// The semantics of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|semantics| semantics.name() == name)
    }

    /// What is taken for granted, in one line.
    pub fn assumption(self) -> &'static str {
        match self {
            Self::MariadbRepeatableRead => {
                "mariadb-rr: the plain reads of a transaction are one half, its locking reads and \
                 writes another; each half happens at one moment"
            }
        }
    }

    /// The trace, rewritten.
    pub fn apply(self, history: &History) -> History {
        match self {
            Self::MariadbRepeatableRead => mariadb::split(history),
        }
    }
}
