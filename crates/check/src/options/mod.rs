//! What the caller of a check may choose. Plain data: every stage may look at it, and it knows no
//! stage.

mod interpretation;
mod passes;

pub use interpretation::{Interpretation, OwnPolicy, Semantics};
pub use passes::{Pass, Passes, UnknownPassError};

use tristan_ground::Threads;

use crate::budget::{Budget, Limits};

/// What the caller may choose.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Clocks of different clients may differ by this much, in nanoseconds. If the times of the trace
    /// are the order of entries ([`tristan_history::Clock::Ordinal`]), no level that uses them can be
    /// judged with a drift.
    pub drift: i64,
    /// How long and how much, for one call.
    pub limits: Limits,
    /// The budget of the work that the call is part of; the call ends with it at the latest.
    pub within: Budget,
    /// Which passes run.
    pub passes: Passes,
    /// What to call the trace.
    pub trace_name: String,
    /// Whether the caller, not the trace, says how keys start.
    pub initial_given: bool,
    /// Whether to count what the problem leaves open.
    pub count: bool,
    /// How the trace is read, if not as it stands.
    pub interpretation: Interpretation,
    /// Whether the accept of a trace in which no violation could show is given as unknown. Set it
    /// to judge a database; leave it off to compare definitions.
    pub withhold_vacuous: bool,
    /// How many threads may work at once; 0 stands for as many as the machine runs at once. Their
    /// number changes no verdict.
    pub threads: usize,
}

impl Options {
    /// The same options with a budget that starts now.
    pub(crate) fn started(&self) -> Self {
        let within = self.within.within(&self.limits);
        Self { within, limits: Limits::default(), ..self.clone() }
    }

    /// The same options without one of the passes.
    pub(crate) fn without(&self, pass: Pass) -> Self {
        Self { passes: self.passes.without(pass), ..self.clone() }
    }

    /// The threads that may work.
    pub(crate) fn threads(&self) -> Threads {
        Threads::new(self.threads)
    }
}
