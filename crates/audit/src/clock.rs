//! How much time there is, and who wants to know how far it has come.

use std::time::Duration;

use tristan_ground::{Budget, Limits, Progress, Silent, Stopped};

/// How much time and memory there is.
pub(crate) struct Clock<'a> {
    budget: Budget,
    watch: &'a dyn Progress,
}

impl<'a> Clock<'a> {
    pub(crate) fn new(millis: Option<u64>, watch: &'a dyn Progress, within: &Budget) -> Self {
        let limits = Limits { time: millis.map(Duration::from_millis), memory: None };
        Self { budget: within.within(&limits), watch }
    }

    /// The same budget, without anybody who watches.
    pub(crate) fn unwatched(&self) -> Clock<'static> {
        Clock { budget: self.budget.clone(), watch: &Silent }
    }

    /// What is left.
    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Something new begins.
    pub(crate) fn enter(&self, stage: &'static str) {
        self.budget.enter(stage);
        self.watch.stage(stage);
    }

    /// Whether a limit was reached; the clock is only looked at now and then.
    pub(crate) fn is_over(&self, count: u64) -> bool {
        if !count.is_multiple_of(64) {
            return self.budget.known().is_err();
        }
        self.watch.progress(count, 0);
        self.is_up()
    }

    /// Whether a limit was reached.
    pub(crate) fn is_up(&self) -> bool {
        self.budget.check().is_err()
    }

    /// Which limit was reached, and where.
    pub(crate) fn stopped(&self) -> Option<Stopped> {
        self.budget.stopped()
    }
}
