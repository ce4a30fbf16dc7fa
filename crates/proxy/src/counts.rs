//! What the proxy has seen so far, for whoever watches it.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts that go up while the proxy runs.
#[derive(Debug, Default)]
pub struct Counts {
    pub(crate) connections: AtomicU64,
    pub(crate) open: AtomicU64,
    pub(crate) statements: AtomicU64,
    pub(crate) unclear: AtomicU64,
}

/// The counts at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Connections that clients have made.
    pub connections: u64,
    /// Connections that are open.
    pub open: u64,
    /// Statements that clients have called.
    pub statements: u64,
    /// Statements on declared tables that the key-value trace cannot express.
    pub unclear: u64,
}

impl Counts {
    /// The counts now.
    pub fn now(&self) -> Count {
        Count {
            connections: self.connections.load(Ordering::Relaxed),
            open: self.open.load(Ordering::Relaxed),
            statements: self.statements.load(Ordering::Relaxed),
            unclear: self.unclear.load(Ordering::Relaxed),
        }
    }
}
