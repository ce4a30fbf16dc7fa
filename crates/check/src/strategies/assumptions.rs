//! Session order as an assumption, and what rests on assumptions.

use tristan_spec::{Formula, Level, Rel};

use crate::ir::{Ir, Reason};
use crate::options::{Options, Pass};
use crate::solve::conflict::{Cause, Conflict};
use crate::solve::graph::Via;

/// The definition if sessions counted, where they can be assumed: a level that demands session
/// order of its own accord cannot do without it.
pub(super) fn with_sessions(level: &Level, options: &Options) -> Option<Formula> {
    let demanded = level.formula.constraints.iter().any(|one| one.expr().mentions(Rel::So));
    let usable = options.passes.has(Pass::Strengthen) && !demanded;
    level.with_sessions.clone().filter(|_| usable)
}

/// Makes session order an assumption.
pub(super) fn assume_sessions(ir: &mut Ir) {
    for edge in ir.edges.iter_mut().filter(|edge| edge.reason == Reason::Session) {
        edge.reason = Reason::Assumed;
    }
}

/// The assumed edges that conflicts use.
pub(super) fn blamed(ir: &Ir, conflicts: &[Conflict]) -> Vec<usize> {
    let cycles = conflicts.iter().filter_map(|conflict| match &conflict.cause {
        Cause::Cycle(cycle) => Some(cycle),
        _ => None,
    });
    let known = cycles.flatten().filter_map(|dep| match dep.via {
        Via::Known(index) => Some(index.index()),
        _ => None,
    });
    known.filter(|&index| ir.edges[index].reason == Reason::Assumed).collect()
}
