//! Strengthen: decide a level without sessions by assuming more.
//!
//! Session order usually holds, prunes nearly everything and gives clocks their chains. First all
//! of it is assumed; if that is refuted, only that the *writers* of a session committed in order,
//! which holds even where reads are stale. An accept under an assumption is an accept; a
//! refutation that does not use it is one; otherwise the edges it blames are dropped and the rest
//! is tried again.

use tristan_spec::{Constraint, Expr, Formula, Level, ReadRule, Rel};

use super::{Pass, succession};
use crate::asg::Asg;
use crate::budget::{Budget, Stop};
use crate::ir::restrict::restrict;
use crate::ir::{Ir, Reason};
use crate::lower::{lower_within, read_dependency, session_order, uses_clock};
use crate::pipeline::{Decision, Observer, Options, solved};
use crate::solve::conflict::{Cause, Conflict, units_of};
use crate::solve::graph::Via;

/// How often blamed edges are dropped: from all session edges, from those between writers.
const ROUNDS: [usize; 2] = [3, 10];

/// The decision, if assumptions lead to one; `None` if the level must be decided without.
pub(crate) fn strengthened(
    asg: &Asg<'_>,
    level: &Level,
    options: &Options,
    budget: &Budget,
    observer: &dyn Observer,
) -> Option<Result<Decision, Stop>> {
    let Some(formula) = with_sessions(level, options) else {
        return with_succession(asg, level, options, budget, observer);
    };
    let unmerged = Options { passes: options.passes.without(Pass::Merge), ..options.clone() };
    let try_with = |formula: Formula, options: &Options, rounds: usize, edit: &dyn Fn(&mut Ir)| {
        let level_with = Level { formula, ..level.clone() };
        let mut ir = match lower_within(asg, &level_with, options, budget) {
            Ok(ir) => ir,
            Err(stop) => return Some(Err(stop)),
        };
        edit(&mut ir);
        attempt(ir, level, rounds, &|ir| solved(ir, options, budget, observer))
    };
    let merged = options.passes.has(Pass::Merge) && level.reads == ReadRule::Committed;
    merged
        .then(|| {
            let level_with = Level { formula: formula.clone(), ..level.clone() };
            let mut ir = match lower_within(asg, &level_with, options, budget) {
                Ok(ir) => ir,
                Err(stop) => return Some(Err(stop)),
            };
            assume_sessions(&mut ir);
            succession::assume(&mut ir);
            merged_attempt(asg, ir, level, &|ir| solved(ir, options, budget, observer))
        })
        .flatten()
        .or_else(|| try_with(formula, &unmerged, ROUNDS[0], &assume_sessions))
        .or_else(|| {
            let among_writers = &session_order::among_writers;
            try_with(with_commit_order(&level.formula), &unmerged, ROUNDS[1], among_writers)
        })
}

/// The decision if sessions follow each other, where there are many of them and they count anyway.
fn with_succession(
    asg: &Asg<'_>,
    level: &Level,
    options: &Options,
    budget: &Budget,
    observer: &dyn Observer,
) -> Option<Result<Decision, Stop>> {
    let many = asg.history.sessions.len() > succession::FEW;
    if !many || !options.passes.has(Pass::Strengthen) || uses_clock(level) {
        return None;
    }
    let mut ir = match lower_within(asg, level, options, budget) {
        Ok(ir) => ir,
        Err(stop) => return Some(Err(stop)),
    };
    if !ir.uses(Rel::So) || ir.merged || !succession::assume(&mut ir) {
        return None;
    }
    attempt(ir, level, 1, &|ir| solved(ir, options, budget, observer))
}

/// The definition if sessions counted, where they can be assumed: a level that demands session
/// order of its own accord cannot do without it.
pub(super) fn with_sessions(level: &Level, options: &Options) -> Option<Formula> {
    let demanded = level.formula.constraints.iter().any(|one| one.expr().mentions(Rel::So));
    let usable = options.passes.has(Pass::Strengthen) && !demanded;
    level.with_sessions.clone().filter(|_| usable)
}

pub(super) fn assume_sessions(ir: &mut Ir) {
    for edge in ir.edges.iter_mut().filter(|edge| edge.reason == Reason::Session) {
        edge.reason = Reason::Assumed;
    }
}

/// The formula in which session order counts as an order of commits, and nothing else.
fn with_commit_order(formula: &Formula) -> Formula {
    let ordered = |constraint: &Constraint| match constraint {
        Constraint::Acyclic(expr) => {
            Constraint::Acyclic(Expr::Alt(vec![Expr::Rel(Rel::So), expr.clone()]))
        }
        other => other.clone(),
    };
    Formula { constraints: formula.constraints.iter().map(ordered).collect() }
}

/// What was merged rests on the whole session order, so no edge of it can be dropped. But what a
/// refutation speaks of may be refuted on its own, without any.
fn merged_attempt(
    asg: &Asg<'_>,
    ir: Ir,
    level: &Level,
    solve: &dyn Fn(Ir) -> Result<Decision, Stop>,
) -> Option<Result<Decision, Stop>> {
    match solve(ir) {
        Ok(Decision::Refuted(mut ir, conflicts)) => {
            ir.formula = level.formula.clone();
            if blamed(&ir, &conflicts).is_empty() {
                return Some(Ok(Decision::Refuted(ir, conflicts)));
            }
            let units = units_of(&ir, &conflicts);
            read_dependency::restore(asg, &units, &mut ir);
            let part = restrict(&ir, &units).ir;
            drop(ir);
            match solve(part) {
                Ok(Decision::Accepted(..)) => None,
                other => Some(other),
            }
        }
        // The witness of a merged problem needs the session order that it rests on.
        Ok(Decision::Accepted(mut ir, assignment)) => {
            if !ir.merged {
                ir.formula = level.formula.clone();
            }
            Some(Ok(Decision::Accepted(ir, assignment)))
        }
        other => Some(other),
    }
}

fn attempt(
    mut ir: Ir,
    level: &Level,
    rounds: usize,
    solve: &dyn Fn(Ir) -> Result<Decision, Stop>,
) -> Option<Result<Decision, Stop>> {
    for _ in 0..rounds {
        match solve(ir) {
            Ok(Decision::Refuted(mut refuted, conflicts)) => {
                let blamed = blamed(&refuted, &conflicts);
                if blamed.is_empty() {
                    refuted.formula = level.formula.clone();
                    return Some(Ok(Decision::Refuted(refuted, conflicts)));
                }
                let mut index = 0;
                refuted.edges.retain(|_| {
                    index += 1;
                    !blamed.contains(&(index - 1))
                });
                ir = refuted;
            }
            Ok(Decision::Accepted(mut accepted, assignment)) => {
                accepted.formula = level.formula.clone();
                return Some(Ok(Decision::Accepted(accepted, assignment)));
            }
            other => return Some(other),
        }
    }
    None
}

/// The assumed edges that conflicts use.
pub(super) fn blamed(ir: &Ir, conflicts: &[Conflict]) -> Vec<usize> {
    let cycles = conflicts.iter().filter_map(|conflict| match &conflict.cause {
        Cause::Cycle(cycle) => Some(cycle),
        _ => None,
    });
    let known = cycles.flatten().filter_map(|dep| match dep.via {
        Via::Known(index) => Some(index as usize),
        _ => None,
    });
    known.filter(|&index| ir.edges[index].reason == Reason::Assumed).collect()
}
