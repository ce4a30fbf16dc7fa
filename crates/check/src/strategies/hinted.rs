//! Hinted: look for a witness among those that agree with the hints of the trace.
//!
//! Hints leave little to choose, so this is fast. An accept under an assumption is an accept; a
//! refutation that does not use it is one. Otherwise the hints do not fit the trace, which is said,
//! and the level is decided without them.

use rustc_hash::FxHashSet;
use tristan_spec::Level;

use super::assumptions::{assume_sessions, blamed, with_sessions};
use crate::asg::Asg;
use crate::budget::Stop;
use crate::decision::{Decision, solved};
use crate::ir::{Ir, ReadId};
use crate::lower::hints::{self, Assumed, Narrowed};
use crate::lower::lower_within;
use crate::observer::Observer;
use crate::options::{Options, Pass};
use crate::solve::conflict::{Cause, Conflict};
use crate::solve::graph::Via;

/// What trying the hints has led to.
pub(crate) enum Hinted {
    /// A decision.
    Decided(Box<Decision>),
    /// None, because no witness agrees with what was assumed. If there is one all the same, this
    /// says which hints do not fit.
    Misfit(Option<String>),
}

/// Tries the hints; `None` if there are none.
///
/// # Errors
/// If the budget is used up.
pub(crate) fn hinted(
    asg: &Asg<'_>,
    level: &Level,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Option<Hinted>, Stop> {
    if asg.hints.is_empty() || !options.passes.has(Pass::Hints) {
        return Ok(None);
    }
    let mut ir = hinted_ir(asg, level, options)?;
    let assumed = hints::assume(asg, &mut ir);
    let decision = match solved(ir, options, observer)? {
        Decision::Accepted(mut ir, assignment) => {
            hints::restore(assumed, &mut ir);
            // The witness of a merged problem needs the session order that it rests on.
            if !ir.merged {
                ir.formula = level.formula.clone();
            }
            Decision::Accepted(ir, assignment)
        }
        Decision::Refuted(mut ir, conflicts) => {
            if rests_on_hints(&ir, &assumed.narrowed, &conflicts) {
                return Ok(Some(Hinted::Misfit(misfit(asg, &ir, &assumed, &conflicts))));
            }
            hints::restore(assumed, &mut ir);
            ir.formula = level.formula.clone();
            Decision::Refuted(ir, conflicts)
        }
        other => other,
    };
    Ok(Some(Hinted::Decided(Box::new(decision))))
}

/// The problem, with session order where it helps.
fn hinted_ir(asg: &Asg<'_>, level: &Level, options: &Options) -> Result<Ir, Stop> {
    let Some(formula) = with_sessions(level, options) else {
        return lower_within(asg, level, options, &options.within);
    };
    let level = &Level { formula, ..level.clone() };
    let mut ir = lower_within(asg, level, options, &options.within)?;
    assume_sessions(&mut ir);
    Ok(ir)
}

/// Whether a refutation may rest on an assumption. Cycles show what they use; other conflicts, and
/// the effect of transactions of unknown outcome, may use the source of any read.
fn rests_on_hints(ir: &Ir, narrowed: &[Narrowed], conflicts: &[Conflict]) -> bool {
    let all_cycles = conflicts.iter().all(|conflict| matches!(conflict.cause, Cause::Cycle(_)));
    let obvious = all_cycles && ir.units.iter().all(|unit| unit.sure);
    !blamed(ir, conflicts).is_empty()
        || !narrowed.is_empty() && (!obvious || !used(narrowed, conflicts).is_empty())
}

/// The reads decided by hints that conflicts use.
fn used(narrowed: &[Narrowed], conflicts: &[Conflict]) -> Vec<ReadId> {
    let decided: FxHashSet<ReadId> = narrowed.iter().map(|narrowed| narrowed.read).collect();
    let cycles = conflicts.iter().filter_map(|conflict| match &conflict.cause {
        Cause::Cycle(cycle) => Some(cycle),
        _ => None,
    });
    let reads = cycles.flatten().filter_map(|dep| match dep.via {
        Via::Wr(read) | Via::Rw(read) => Some(read),
        _ => None,
    });
    reads.filter(|read| decided.contains(read)).collect()
}

/// Which hints a refutation uses, in words; `None` if it blames session order alone.
fn misfit(asg: &Asg<'_>, ir: &Ir, assumed: &Assumed, conflicts: &[Conflict]) -> Option<String> {
    let mut lines: Vec<u32> =
        used(&assumed.narrowed, conflicts).into_iter().map(|read| line_of(asg, ir, read)).collect();
    lines.sort_unstable();
    lines.dedup();
    match &lines[..] {
        [] if blamed(ir, conflicts).iter().all(|&edge| edge < assumed.edges) => None,
        [] => Some("the orders or times given do not fit what was read".to_owned()),
        lines => {
            let lines: Vec<String> = lines.iter().take(4).map(ToString::to_string).collect();
            Some(format!("the sources given for reads on lines {} do not fit", lines.join(", ")))
        }
    }
}

/// The line of a read's operation.
fn line_of(asg: &Asg<'_>, ir: &Ir, read: ReadId) -> u32 {
    let read = &ir.reads[read.index()];
    let txn = ir.units[read.unit.index()].txn;
    asg.history.op(tristan_history::OpRef { txn, op: read.op }).line
}
