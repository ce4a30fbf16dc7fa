//! Solving: cheap things first.
//!
//! ```text
//!   Ir ──► saturate ──► (serial) ──► guess ──► test ──► witness
//!             │ ▲         ▲         │
//!             ▼ └ suppose └─ refine ┘ (SAT learns from cycles)
//!        refutation ◄──────────┘
//! ```
//!
//! The problem is NP-complete in general and close to linear on real traces: saturation decides
//! nearly every pair of versions, a topological order guesses the rest, and what is left are a
//! few small strongly connected components.

pub(crate) mod assignment;
pub(crate) mod attempt;
mod choices;
mod clauses;
mod clocks;
pub(crate) mod conflict;
mod context;
mod cycles;
mod derivation;
mod exclusions;
mod flat_lists;
pub(crate) mod graph;
mod guess;
mod intervals;
mod jumps;
mod learn;
mod localise;
pub(crate) mod order;
pub(crate) mod paths;
mod proof;
mod queue;
mod rank_bounds;
mod readers;
mod refine;
mod saturate;
mod saturated;
mod scc;
mod schedule;
pub(crate) mod serial;
mod solution;
mod steps;
mod suppose;
mod suspects;
mod total;
pub(crate) mod total_graph;
#[cfg(test)]
mod trials;
mod versions;
mod weak;
mod widen;
mod window;
mod writers;

use tristan_ground::{Silent, Threads};
use tristan_spec::Rel;

use context::Context;
use graph::Graph;
use refine::Helped;
use versions::Versions;

pub(crate) use solution::Solution;

use crate::automaton::Automaton;
use crate::budget::{Budget, Limits, Stop};
use crate::ir::{Ir, Read};
use crate::observer::Observer;
use crate::options::{Pass, Passes};
use crate::sat::Batsat;

/// Decides whether some assignment meets the formula of the IR.
///
/// # Errors
/// If the budget is used up.
pub(crate) fn solve(
    ir: &Ir,
    passes: &Passes,
    threads: Threads,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Solution, Stop> {
    // What one search announces to allocate is free again when it ends.
    let budget = &budget.within(&Limits::default());
    budget.check()?;
    let (units, reads, orders) = (ir.units.len(), ir.reads.len(), ir.orders.len());
    tracing::debug!(units, reads, orders, known = ir.edges.len(), "a problem to solve");
    let automaton = Automaton::compile(&ir.formula);
    let versions = Versions::new(ir);
    let threads = threads.worth(ir.reads.len());
    if passes.has(Pass::Saturate) && automaton.returns().is_some() {
        observer.stage("saturate");
        if let Some(witness) = weak::witness(ir, &automaton, &versions, threads, budget)? {
            return Ok(Solution::Witness(witness));
        }
    }
    let links = ir.units.len() * automaton.states() + 2 * ir.reads.len() + ir.edges.len();
    budget.reserve(64 * links as u64)?;
    let known = Graph::known(ir, &automaton);
    budget.check()?;
    let context = Context {
        ir,
        automaton: &automaton,
        known: &known,
        versions: &versions,
        saturated: None,
        threads,
    };
    if passes.has(Pass::Guess) && promising(&context) {
        observer.stage("guess");
        if let Some(witness) = learn::first_guess(&context) {
            return Ok(Solution::Witness(witness));
        }
    }
    budget.check()?;
    // Parts of a refuted problem are solved on their own.
    let in_window = |window: &Ir| {
        let passes = Passes::only(&[Pass::Saturate, Pass::Guess]);
        solve(window, &passes, Threads::new(1), budget, &Silent)
    };
    let mut saturated = None;
    if passes.has(Pass::Saturate) {
        observer.stage("saturate");
        let result = saturate::saturate(&context, budget)?;
        tracing::debug!(contradiction = !result.contradictions.is_empty(), "saturated");
        if let Some(conflict) = result.contradictions.first().cloned() {
            let conflicts = window::refutation(ir, &result, vec![conflict], &in_window)?;
            return Ok(Solution::Refuted(conflicts));
        }
        saturated = Some(result);
    }
    observer.stage("guess");
    let progress = |conflicts: u64| observer.progress(&budget.progress(conflicts, 0));
    let context = Context { saturated: saturated.as_ref(), ..context };
    if passes.has(Pass::Serial)
        && let Some(witness) = serial::replayed(&context, budget)?
    {
        return Ok(Solution::Witness(witness));
    }
    let helped =
        Helped { supposing: passes.has(Pass::Suppose), localising: passes.has(Pass::Localise) };
    let solution = refine::refine::<Batsat>(&context, helped, budget, &progress)?;
    Ok(match (solution, &saturated) {
        (Solution::Refuted(core), Some(saturated)) => {
            Solution::Refuted(window::refutation(ir, saturated, core, &in_window)?)
        }
        (solution, _) => solution,
    })
}

/// Whether the first guess is probably a witness, though nothing was derived: the order of
/// versions hardly matters, or nearly every version was made from the one before.
fn promising(context: &Context<'_>) -> bool {
    let Context { ir, automaton, versions, .. } = context;
    if automaton.missing().next().is_none() {
        return true;
    }
    let rewrites =
        |read: &&Read| ir.orders[read.order.index()].writers.binary_search(&read.unit).is_ok();
    let made_from_last = ir.reads.iter().filter(rewrites).count();
    let listed = ir.edges.iter().filter(|edge| edge.rel == Rel::Ww).count();
    let written_once = ir.orders.iter().filter(|order| order.writers.len() == 1).count();
    10 * (made_from_last + listed + written_once) >= 9 * versions.count()
}
