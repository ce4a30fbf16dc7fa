//! What one transaction was promised, where transactions of several levels share a database.
//!
//! The four promises are Adya's PL-1, PL-2, PL-2.99 and PL-3, each stronger than the one
//! before: a transaction that was promised one of them was promised all weaker ones.

/// The level of one transaction, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Promise {
    /// PL-1: its reads may be dirty.
    ReadUncommitted,
    /// PL-2: what it reads was committed.
    ReadCommitted,
    /// PL-2.99: and the items it read do not change until it commits.
    RepeatableRead,
    /// PL-3: and neither do the ranges.
    Serializable,
}

impl Promise {
    /// All promises, weakest first.
    pub const ALL: [Self; 4] =
        [Self::ReadUncommitted, Self::ReadCommitted, Self::RepeatableRead, Self::Serializable];

    /// The name of the level.
    pub fn name(self) -> &'static str {
        match self {
            Self::ReadUncommitted => "read-uncommitted",
            Self::ReadCommitted => "read-committed",
            Self::RepeatableRead => "repeatable-read",
            Self::Serializable => "serializable",
        }
    }
}
