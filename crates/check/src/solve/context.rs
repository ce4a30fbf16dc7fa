//! What the parts of the solver share about one problem.

use tristan_ground::Threads;

use super::graph::Graph;
use super::saturated::Saturated;
use super::versions::Versions;
use crate::automaton::Automaton;
use crate::ir::Ir;

/// The problem, and what is known about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    /// The constraint problem to be solved.
    pub(crate) ir: &'a Ir,
    /// What it forbids.
    pub(crate) automaton: &'a Automaton,
    /// What holds whatever is chosen.
    pub(crate) known: &'a Graph,
    /// The numbers of its versions.
    pub(crate) versions: &'a Versions,
    /// What saturation derived.
    pub(crate) saturated: Option<&'a Saturated>,
    /// How many threads may work on it.
    pub(crate) threads: Threads,
}

impl<'a> Context<'a> {
    /// What was derived, or else what is known.
    pub(super) fn derived(&self) -> &'a Graph {
        self.saturated.map_or(self.known, |saturated| &saturated.graph)
    }
}
