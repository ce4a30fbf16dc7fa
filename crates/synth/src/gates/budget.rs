//! How long a search may go on. The only place where this crate looks at a clock.

use std::time::{Duration, Instant};

/// What a search may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Conflicts within the SAT solver, of each question on its own. Unlike time, this ends a
    /// search at the same place in every run.
    pub conflicts: Option<u64>,
}

/// A limit that was hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// No time left.
    #[error("the time given was not enough")]
    Time,
    /// More conflicts than allowed.
    #[error("the number of conflicts allowed was not enough")]
    Conflicts,
}

/// What is left of the limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    conflicts: Option<u64>,
}

impl Budget {
    /// A budget that starts now.
    pub fn start(limits: &Limits) -> Self {
        // A time too long to be added to the clock is no limit.
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        Self { deadline, conflicts: limits.conflicts }
    }

    /// Whether there is time left.
    ///
    /// # Errors
    /// [`Stop::Time`] if not.
    pub fn check(&self) -> Result<(), Stop> {
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stop::Time),
            _ => Ok(()),
        }
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
        assert_eq!(Budget::default().check(), Ok(()));
        let limits = Limits { time: Some(Duration::MAX), conflicts: None };
        assert_eq!(Budget::start(&limits).check(), Ok(()));
    }

    #[test]
    fn time_runs_out() {
        let limits = Limits { time: Some(Duration::ZERO), conflicts: None };
        assert_eq!(Budget::start(&limits).check(), Err(Stop::Time));
    }
}
