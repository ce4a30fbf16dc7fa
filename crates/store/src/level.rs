//! What a transaction is promised.

/// What a transaction is promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// Serializable in commit order. Every transaction is validated, even if it only reads:
    /// everything it read is still true when it commits.
    CommitOrder,
    /// Strictly serializable. A transaction that only reads is never refused: its place in the
    /// serial order is its start.
    Serializable,
    /// Strong snapshot isolation: the first committer wins.
    Snapshot,
    /// Every read returns the newest committed value.
    ReadCommitted,
    /// A read returns what another transaction has written but not committed, if there is such a
    /// value.
    ReadUncommitted,
}

impl Level {
    /// Whether all reads of a transaction are of the state at its start.
    pub(crate) fn reads_snapshot(self) -> bool {
        match self {
            Self::CommitOrder | Self::Serializable | Self::Snapshot => true,
            Self::ReadCommitted | Self::ReadUncommitted => false,
        }
    }
}
