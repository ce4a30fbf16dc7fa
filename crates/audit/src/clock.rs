//! How much time there is, and who wants to know how far it has come.

use std::time::{Duration, Instant};

/// Somebody who watches an audit.
pub trait Watch {
    /// Something new begins; a pass over the log, for example.
    fn stage(&self, name: &'static str);

    /// So many transactions were looked at.
    fn done(&self, transactions: u64);
}

/// Nobody.
pub(crate) struct Unwatched;

impl Watch for Unwatched {
    fn stage(&self, _: &'static str) {}

    fn done(&self, _: u64) {}
}

/// How much time there is.
pub(crate) struct Clock<'a> {
    end: Option<Instant>,
    watch: &'a dyn Watch,
}

impl<'a> Clock<'a> {
    pub(crate) fn new(millis: Option<u64>, watch: &'a dyn Watch) -> Self {
        let end = millis.map(|millis| Instant::now() + Duration::from_millis(millis));
        Self { end, watch }
    }

    /// Something new begins.
    pub(crate) fn enter(&self, stage: &'static str) {
        self.watch.stage(stage);
    }

    /// Whether time is up; the clock is only looked at now and then.
    pub(crate) fn is_over(&self, count: u64) -> bool {
        if !count.is_multiple_of(64) {
            return false;
        }
        self.watch.done(count);
        self.is_up()
    }

    /// Whether time is up.
    pub(crate) fn is_up(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }
}
