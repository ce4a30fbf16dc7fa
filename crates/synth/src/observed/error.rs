//! What the judge does not look at, and what is wrong with a read at every level.

use tristan_history::{OpRef, TxnId};

use crate::gates::SearchLimitError;

/// Why the judge says nothing about a history.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JudgeError {
    /// A limit was hit.
    #[error(transparent)]
    Limit(#[from] SearchLimitError),
    /// Too many transactions.
    #[error("{0} transactions may have committed; at most {MOST_TXNS} are supported here")]
    Transactions(usize),
    /// Too many transactions of unknown outcome.
    #[error("{0} transactions have an unknown outcome; at most {MOST_UNKNOWN} are supported here")]
    UnknownOutcomes(usize),
    /// Too many operations that may or may not have taken effect.
    #[error("{0} operations may or may not have taken effect, which is too many")]
    UnknownEffects(usize),
    /// An operation of a kind the judge does not know.
    #[error("{label} has {what}, which is not supported here")]
    Operation {
        /// The transaction, as people know it.
        label: String,
        /// The operation that is not supported.
        op: OpRef,
        /// The kind of operation, with an article.
        what: &'static str,
    },
    /// A dirty read at a level that speaks of reads.
    #[error("{label} has a dirty read, and the level refers to the results of reads")]
    DirtyRead {
        /// The transaction, as people know it.
        label: String,
    },
    /// A key read twice, at a level that speaks of the order of reads.
    #[error("{label} reads a key twice, and the level refers to the order of reads")]
    ReadTwice {
        /// The transaction, as people know it.
        label: String,
    },
    /// A transaction that was not promised anything, at a level that asks for it.
    #[error("the history does not state the level of {label}")]
    NotPromised {
        /// The transaction, as people know it.
        label: String,
    },
    /// More than one history would fit what was seen.
    #[error("{label} read a value whose writer is ambiguous")]
    Source {
        /// The transaction, as people know it.
        label: String,
    },
}

/// At most this many transactions are looked at.
pub const MOST_TXNS: usize = 12;

/// At most this many transactions of unknown outcome are looked at.
pub const MOST_UNKNOWN: usize = 8;

/// At most this many operations are looked at that may or may not have taken effect.
pub(super) const MOST_UNSURE: usize = 6;

/// A read that returned what it must not at any level that reads what was committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongRead {
    /// The read that no execution explains.
    pub op: OpRef,
    /// What is wrong with it.
    pub kind: WrongReadKind,
}

/// What is wrong with a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongReadKind {
    /// It missed the transaction's own last write.
    NotOwn,
    /// No transaction ever wrote what it saw.
    Unwritten,
    /// Only the transaction itself wrote what it saw, and only later.
    Future,
    /// No other transaction wrote what it saw, and other reads saw that the key started with something else.
    Start,
    /// It saw what this transaction wrote, which did not commit.
    Aborted(TxnId),
    /// It saw what this transaction wrote and then wrote over.
    Intermediate(TxnId),
}
