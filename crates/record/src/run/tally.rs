//! What has happened so far, as all threads see it.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts that go up while a workload runs.
#[derive(Debug, Default)]
pub struct Tally {
    committed: AtomicU64,
    refused: AtomicU64,
    unknown: AtomicU64,
    given_up: AtomicU64,
    operations: AtomicU64,
}

/// The counts at some moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Transactions that committed.
    pub committed: u64,
    /// Transactions that the database refused; most of them were tried again.
    pub refused: u64,
    /// Transactions of unknown outcome.
    pub unknown: u64,
    /// Transactions that were refused too often.
    pub given_up: u64,
    /// Operations or statements that the database was asked for, without begins and commits.
    pub operations: u64,
}

impl Tally {
    /// A copy of the counts at this moment.
    pub fn now(&self) -> Count {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Count {
            committed: count(&self.committed),
            refused: count(&self.refused),
            unknown: count(&self.unknown),
            given_up: count(&self.given_up),
            operations: count(&self.operations),
        }
    }

    pub(crate) fn committed(&self) {
        self.committed.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn refused(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn unknown(&self) {
        self.unknown.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn operation(&self) {
        self.operations.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn given_up(&self) {
        self.given_up.fetch_add(1, Ordering::Relaxed);
    }
}
