//! Keys that were written with values that are not known.
//!
//! `UPDATE accounts SET balance = balance - 1 WHERE id = 7` says which key it writes, not which value.
//! That it wrote is in the trace. A value that is read later may be that one or one that another
//! statement wrote, so it is left out: the read is `unseen`. A key is obscured before the write is
//! passed on to the server, and a read looks when it is answered, so no read that can have seen the
//! write is in the trace with its value.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, RwLock};

use tristan_history::Datum;
use tristan_recorder::Answer;

use crate::counts::Counts;

/// Keys that were written with values that are not known, by any connection.
#[derive(Debug)]
pub(super) struct Obscured {
    keys: RwLock<BTreeSet<Datum>>,
    counts: Arc<Counts>,
}

impl Obscured {
    pub(super) fn new(counts: Arc<Counts>) -> Self {
        Self { keys: RwLock::default(), counts }
    }

    /// A key is about to be written. Returns whether that is the first time.
    pub(super) fn add(&self, key: &Datum) -> bool {
        let first = self.keys.write().unwrap_or_else(PoisonError::into_inner).insert(key.clone());
        if first {
            self.counts.obscured.fetch_add(1, Ordering::Relaxed);
        }
        first
    }

    /// Whether one of these keys is among them.
    pub(super) fn has<'k>(&self, keys: impl IntoIterator<Item = &'k Datum>) -> bool {
        let obscured = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        !obscured.is_empty() && keys.into_iter().any(|key| obscured.contains(key))
    }

    /// The answer of a read of one of them.
    pub(super) fn unseen(&self) -> Answer {
        self.counts.unseen.fetch_add(1, Ordering::Relaxed);
        Answer::Unseen
    }
}
