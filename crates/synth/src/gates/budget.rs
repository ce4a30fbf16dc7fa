//! How long a search may go on: the budget of the command, and how many conflicts one question may
//! cost.

use std::time::Duration;

use tristan_ground as ground;

/// What a search may use.
#[derive(Clone, Debug, Default)]
pub struct SearchLimits {
    /// Wall-clock time of this search.
    pub time: Option<Duration>,
    /// Conflicts within the SAT solver, of each question on its own. Unlike time, this ends a
    /// search at the same place in every run.
    pub conflicts: Option<u64>,
    /// The budget of the work that the search is part of; the search ends with it at the latest.
    pub within: ground::Budget,
}

/// A limit that was hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchLimitError {
    /// No time left.
    #[error("the time limit was reached")]
    Time,
    /// No memory left.
    #[error("the memory limit was reached")]
    Memory,
    /// More conflicts than allowed.
    #[error("the limit on conflicts was reached")]
    Conflicts,
}

impl From<ground::Stop> for SearchLimitError {
    fn from(stop: ground::Stop) -> Self {
        match stop {
            ground::Stop::Time | ground::Stop::Cancelled => Self::Time,
            ground::Stop::Memory => Self::Memory,
        }
    }
}

/// What is left of the limits.
#[derive(Clone, Debug, Default)]
pub struct SearchBudget {
    whole: ground::Budget,
    conflicts: Option<u64>,
}

impl SearchBudget {
    /// A budget that starts now.
    pub fn start(limits: &SearchLimits) -> Self {
        let own = ground::Limits { time: limits.time, memory: None };
        Self { whole: limits.within.within(&own), conflicts: limits.conflicts }
    }

    /// Whether the search may go on.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn check(&self) -> Result<(), SearchLimitError> {
        Ok(self.whole.check()?)
    }

    /// A stage that lasts as long as what is returned.
    pub(crate) fn scope(&self, stage: &'static str) -> ground::Scope {
        self.whole.scope(stage)
    }

    /// So many candidates were tried.
    pub(crate) fn tried(&self, candidates: usize) {
        self.whole.progress(candidates as u64, 0);
    }

    /// How many conflicts one question may cost.
    pub fn conflicts(&self) -> Option<u64> {
        self.conflicts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_without_limits_never_ends() {
        assert_eq!(SearchBudget::default().check(), Ok(()));
        let limits = SearchLimits { time: Some(Duration::MAX), ..SearchLimits::default() };
        assert_eq!(SearchBudget::start(&limits).check(), Ok(()));
    }

    #[test]
    fn time_runs_out() {
        let limits = SearchLimits { time: Some(Duration::ZERO), ..SearchLimits::default() };
        assert_eq!(SearchBudget::start(&limits).check(), Err(SearchLimitError::Time));
    }
}
