//! What the proxy has seen so far, for its observers and for the summary at the end.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::transactions::Outcome;

/// Counts that go up while the proxy runs.
#[derive(Debug, Default)]
pub struct Counts {
    pub(crate) connections: AtomicU64,
    pub(crate) open: AtomicU64,
    pub(crate) statements: AtomicU64,
    pub(crate) committed: AtomicU64,
    pub(crate) aborted: AtomicU64,
    pub(crate) unknown: AtomicU64,
    pub(crate) unclear: AtomicU64,
    pub(crate) obscured: AtomicU64,
    pub(crate) unseen: AtomicU64,
    pub(crate) given_up: AtomicU64,
    trace_end: Mutex<Option<String>>,
}

/// The counts at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Connections that clients have made.
    pub connections: u64,
    /// Connections that are open.
    pub open: u64,
    /// Statements that clients have called.
    pub statements: u64,
    /// Transactions that committed.
    pub committed: u64,
    /// Transactions that were rolled back or failed.
    pub aborted: u64,
    /// Transactions whose outcome is not known, or is left to a later `COMMIT PREPARED`.
    pub unknown: u64,
    /// Statements on declared tables that the key-value trace cannot express, completely or in part.
    pub unclear: u64,
    /// Keys that were written with values that are not known.
    pub obscured: u64,
    /// Reads of these keys, whose results are not in the trace.
    pub unseen: u64,
    /// Connections that the proxy stopped recording, because it did not understand what was said.
    pub given_up: u64,
    /// Why the key-value trace ended before the proxy did; `None` if it did not.
    pub trace_end: Option<String>,
}

impl Counts {
    /// A copy of the counts at this moment.
    pub fn now(&self) -> Count {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Count {
            connections: read(&self.connections),
            open: read(&self.open),
            statements: read(&self.statements),
            committed: read(&self.committed),
            aborted: read(&self.aborted),
            unknown: read(&self.unknown),
            unclear: read(&self.unclear),
            obscured: read(&self.obscured),
            unseen: read(&self.unseen),
            given_up: read(&self.given_up),
            trace_end: self.trace_end.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }

    /// A transaction has ended.
    pub(crate) fn finished(&self, outcome: Outcome) {
        let count = match outcome {
            Outcome::Committed => &self.committed,
            Outcome::Aborted => &self.aborted,
            Outcome::Prepared | Outcome::Unknown => &self.unknown,
        };
        count.fetch_add(1, Ordering::Relaxed);
    }

    /// The key-value trace ends.
    pub(crate) fn trace_ended(&self, reason: &str) {
        let mut end = self.trace_end.lock().unwrap_or_else(PoisonError::into_inner);
        end.get_or_insert_with(|| reason.to_owned());
    }
}
