//! Strengthen: decide a level without sessions by assuming more.
//!
//! Session order usually holds, prunes nearly everything and gives clocks their chains. First all
//! of it is assumed; if that is refuted, only that the *writers* of a session committed in order,
//! which holds even where reads are stale. An accept under an assumption is an accept; a
//! refutation that does not use it is one; otherwise the edges it blames are dropped and the rest
//! is tried again.

use tristan_spec::{Constraint, Expr, Formula, Level, ReadRule, Rel};

use super::assumptions::{assume_sessions, blamed, with_sessions};
use crate::asg::Asg;
use crate::budget::Stop;
use crate::decision::{Decision, solved};
use crate::ir::Ir;
use crate::ir::restrict::restrict;
use crate::lower::{lower_within, read_dependency, session_order, uses_clock};
use crate::observer::Observer;
use crate::options::{Options, Pass};
use crate::passes::succession;
use crate::solve::conflict::units_of;

/// How often blamed edges are dropped: from all session edges, from those between writers.
const ROUNDS: [usize; 2] = [3, 10];

/// The decision, if assumptions lead to one; `None` if the level must be decided without.
///
/// # Errors
/// If the budget is used up.
pub(crate) fn strengthened(
    asg: &Asg<'_>,
    level: &Level,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Option<Decision>, Stop> {
    let Some(formula) = with_sessions(level, options) else {
        return with_succession(asg, level, options, observer);
    };
    let lowered = |formula: Formula, options: &Options| {
        lower_within(asg, &Level { formula, ..level.clone() }, options, &options.within)
    };
    if options.passes.has(Pass::Merge) && level.reads == ReadRule::Committed {
        let mut ir = lowered(formula.clone(), options)?;
        assume_sessions(&mut ir);
        succession::assume(&mut ir);
        let decision = merged_attempt(asg, ir, level, &|ir| solved(ir, options, observer))?;
        if decision.is_some() {
            return Ok(decision);
        }
    }
    let unmerged = &options.without(Pass::Merge);
    let solve = |ir: Ir| solved(ir, unmerged, observer);
    let mut ir = lowered(formula, unmerged)?;
    assume_sessions(&mut ir);
    let decision = attempt(ir, level, ROUNDS[0], &solve)?;
    if decision.is_some() {
        return Ok(decision);
    }
    let mut ir = lowered(with_commit_order(&level.formula), unmerged)?;
    session_order::among_writers(&mut ir);
    attempt(ir, level, ROUNDS[1], &solve)
}

/// The decision if sessions follow each other, where there are many of them and they count anyway.
fn with_succession(
    asg: &Asg<'_>,
    level: &Level,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Option<Decision>, Stop> {
    let many = asg.history.sessions.len() > succession::FEW;
    if !many || !options.passes.has(Pass::Strengthen) || uses_clock(level) {
        return Ok(None);
    }
    let mut ir = lower_within(asg, level, options, &options.within)?;
    if !ir.uses(Rel::So) || ir.merged || !succession::assume(&mut ir) {
        return Ok(None);
    }
    attempt(ir, level, 1, &|ir| solved(ir, options, observer))
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
) -> Result<Option<Decision>, Stop> {
    match solve(ir)? {
        Decision::Refuted(mut ir, conflicts) => {
            ir.formula = level.formula.clone();
            if blamed(&ir, &conflicts).is_empty() {
                return Ok(Some(Decision::Refuted(ir, conflicts)));
            }
            let units = units_of(&ir, &conflicts);
            read_dependency::restore(asg, &units, &mut ir);
            let part = restrict(&ir, &units).ir;
            drop(ir);
            let decision = solve(part)?;
            Ok(Some(decision).filter(|decision| !matches!(decision, Decision::Accepted(..))))
        }
        // The witness of a merged problem needs the session order that it rests on.
        Decision::Accepted(mut ir, assignment) => {
            if !ir.merged {
                ir.formula = level.formula.clone();
            }
            Ok(Some(Decision::Accepted(ir, assignment)))
        }
        other => Ok(Some(other)),
    }
}

/// Solves a problem, and again without the assumed edges that a refutation blames.
fn attempt(
    mut ir: Ir,
    level: &Level,
    rounds: usize,
    solve: &dyn Fn(Ir) -> Result<Decision, Stop>,
) -> Result<Option<Decision>, Stop> {
    for _ in 0..rounds {
        match solve(ir)? {
            Decision::Refuted(mut refuted, conflicts) => {
                let blamed = blamed(&refuted, &conflicts);
                if blamed.is_empty() {
                    refuted.formula = level.formula.clone();
                    return Ok(Some(Decision::Refuted(refuted, conflicts)));
                }
                let mut index = 0;
                refuted.edges.retain(|_| {
                    index += 1;
                    !blamed.contains(&(index - 1))
                });
                ir = refuted;
            }
            Decision::Accepted(mut accepted, assignment) => {
                accepted.formula = level.formula.clone();
                return Ok(Some(Decision::Accepted(accepted, assignment)));
            }
            other => return Ok(Some(other)),
        }
    }
    Ok(None)
}
