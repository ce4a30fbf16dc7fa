//! The budget of an audit, together with the observer of its progress.

use std::time::Duration;

use tristan_ground::{Budget, Limits, Progress, Silent, Stopped};

/// The time that an explanation may take even if the verdict was found at once.
const LEAST_FOR_EXPLAINING: Duration = Duration::from_secs(4);

/// What is left of the limits, and the observer to which the audit reports its progress.
pub(crate) struct WatchedBudget<'a> {
    budget: Budget,
    watch: &'a dyn Progress,
}

impl<'a> WatchedBudget<'a> {
    pub(crate) fn new(millis: Option<u64>, watch: &'a dyn Progress, within: &Budget) -> Self {
        let limits = Limits { time: millis.map(Duration::from_millis), memory: None };
        Self { budget: within.within(&limits), watch }
    }

    /// The same budget, without an observer.
    pub(crate) fn unwatched(&self) -> WatchedBudget<'static> {
        WatchedBudget { budget: self.budget.clone(), watch: &Silent }
    }

    /// What a good explanation of a verdict may take, without an observer: twice as long as it took to find the verdict,
    /// and at most half of the time that is left.
    pub(crate) fn for_explaining(&self) -> WatchedBudget<'static> {
        let most = (2 * self.budget.spent()).max(LEAST_FOR_EXPLAINING);
        let time = self.budget.left().map_or(most, |left| most.min(left / 2));
        let limits = Limits { time: Some(time), memory: None };
        WatchedBudget { budget: self.budget.within(&limits), watch: &Silent }
    }

    /// What is left.
    pub(crate) fn inner(&self) -> &Budget {
        &self.budget
    }

    /// Something new begins.
    pub(crate) fn enter(&self, stage: &'static str) {
        self.budget.enter(stage);
        self.watch.stage(stage);
    }

    /// Whether a limit was reached; the time is only checked for every 64th transaction.
    pub(crate) fn is_over(&self, count: u64) -> bool {
        if !count.is_multiple_of(64) {
            return self.budget.known().is_err();
        }
        self.watch.progress(&self.budget.progress(count, 0));
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
