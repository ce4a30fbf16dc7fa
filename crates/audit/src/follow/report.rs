//! What there is to tell while a log is followed.

use serde::{Deserialize, Serialize};
use tristan_verdict::audit::AuditVerdict;

use crate::load::Counts;

/// What came of the transactions that were judged last.
#[derive(Clone, Debug)]
pub enum Followed {
    /// They are explained.
    Explained(FollowReport),
    /// Nothing explains them from the state that the log so far left behind. Another state might explain them, but
    /// it is too long ago to go back to. The verdict says *unknown*; the whole log in one piece may tell more.
    Doubtful(Box<AuditVerdict>),
    /// There is a verdict, and nothing more to follow.
    Over(Box<AuditVerdict>),
}

/// How far a log is judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct FollowReport {
    /// How many pieces the log was judged in.
    pub pieces: u64,
    /// How many transactions were judged.
    pub transactions: u64,
    /// How many of them committed.
    pub committed: u64,
    /// How many of them have an unknown outcome.
    pub unknown: u64,
    /// How many statements were judged.
    pub statements: u64,
    /// How many transactions have a statement that is not judged.
    pub partly: u64,
    /// How many transactions wait: they are open, or their piece is not complete.
    pub waiting: u64,
    /// How many rows the tables have.
    pub rows: u64,
    /// The last line that was read.
    pub line: u64,
    /// The time of the log, in nanoseconds, up to which it is judged.
    pub at: i64,
    /// Whether the state of the tables is the only one that explains the log so far.
    pub certain: bool,
}

impl FollowReport {
    /// Adds what the loader counted in a piece.
    pub(super) fn add(&mut self, counts: Counts) {
        self.statements += counts.statements;
        self.partly += counts.partly;
    }
}
