//! When the trace may begin.
//!
//! What is in a table at the start is not known, so writes that cannot be told do no harm before the
//! trace begins, such as those that load a table. They do harm if their transaction is still open when
//! it begins, or if a transaction in the trace may read from before them: one reader would see the old
//! value and another the new one, and nothing in the trace tells them apart.
//!
//! ```text
//!   untold write ───────┤ finished
//!        A ──────────────────────────┤      not in the trace: it may read what was there before
//!                          B ────────────┤  in the trace
//! ```

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Counts what happens, so that it is known what came first.
#[derive(Debug, Default)]
pub(super) struct Beginning(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    now: u64,
    /// Whether an operation is in the trace.
    started: bool,
    /// Open transactions with a write that is not in the trace, as connection and number.
    untold: BTreeSet<(u64, u64)>,
    /// When the last of them ended.
    settled: u64,
}

impl Beginning {
    fn with<T>(&self, run: impl FnOnce(&mut State) -> T) -> T {
        run(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A transaction begins now; the number says when.
    pub(super) fn begin(&self) -> u64 {
        self.with(|state| {
            state.now += 1;
            state.now
        })
    }

    /// Whether operations of a transaction that began then may be in the trace. If so, it has begun.
    pub(super) fn admits(&self, begun: u64) -> bool {
        self.with(|state| {
            let admitted = state.untold.is_empty() && begun > state.settled;
            state.started |= admitted;
            admitted
        })
    }

    /// A transaction is about to write what will not be in the trace. False if that does harm, because
    /// the trace has begun.
    pub(super) fn untold(&self, txn: (u64, u64)) -> bool {
        self.with(|state| {
            if !state.started {
                state.untold.insert(txn);
            }
            !state.started
        })
    }

    /// A transaction has ended.
    pub(super) fn finished(&self, txn: (u64, u64)) {
        self.with(|state| {
            if state.untold.remove(&txn) {
                state.now += 1;
                state.settled = state.now;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transactions_that_overlap_an_untold_write_are_not_admitted() {
        let beginning = Beginning::default();
        let reader = beginning.begin();
        assert!(beginning.untold((1, 1)) && beginning.untold((1, 1)));
        assert!(!beginning.admits(reader));
        beginning.finished((1, 1));
        assert!(!beginning.admits(reader), "it may read from before");
        beginning.finished((2, 2));
        assert!(beginning.admits(beginning.begin()));
        assert!(!beginning.untold((3, 3)), "the trace has begun");
    }
}
