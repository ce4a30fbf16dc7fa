//! How much is left to do for the clients of a run, who share the work.

use std::sync::atomic::{AtomicU64, Ordering};

/// How many transactions are still to be begun so that enough commit.
pub(super) struct Left {
    commits: AtomicU64,
    /// How many plans that came to nothing may be replaced by others.
    spare: AtomicU64,
}

impl Left {
    /// So many are to commit, and as many may be replaced.
    pub(super) fn new(txns: u64) -> Self {
        Self { commits: AtomicU64::new(txns), spare: AtomicU64::new(txns) }
    }

    /// Claims one; false if there is none left.
    pub(super) fn take(&self) -> bool {
        take_one(&self.commits)
    }

    /// Returns a claim whose transaction did not commit, so that another one replaces it. Does nothing once
    /// the replacements are used up.
    pub(super) fn give_back(&self) {
        if take_one(&self.spare) {
            self.commits.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn take_one(counter: &AtomicU64) -> bool {
    let less = |left: u64| left.checked_sub(1);
    counter.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
}
