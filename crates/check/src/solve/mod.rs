//! Solving: cheap things first.
//!
//! ```text
//!   Ir ──► saturate ──► guess ──► test ──► witness
//!             │           ▲         │
//!             ▼           └─ refine ┘ (SAT learns from cycles)
//!        refutation ◄──────────┘
//! ```
//!
//! The problem is NP-complete in general and close to linear on real traces: saturation decides
//! nearly every pair of versions, a topological order guesses the rest, and what is left are a
//! few small knots.

pub mod assignment;
pub mod automaton;
mod choices;
pub mod clocks;
pub mod conflict;
pub mod cycles;
pub(crate) mod exclude;
pub mod graph;
pub mod guess;
pub mod jumps;
pub mod order;
pub mod paths;
pub mod proof;
pub(crate) mod propagate;
pub mod queue;
pub mod readers;
pub mod refine;
mod route;
pub mod saturate;
pub mod scc;
pub mod schedule;
mod sight;
mod steps;
mod stretches;
mod suspects;
pub mod total;
pub mod versions;
mod weak;
pub mod window;
pub mod writers;

use tristan_spec::Rel;

use assignment::Assignment;
use automaton::Automaton;
use conflict::Conflict;
use graph::Graph;
use refine::Refined;
use versions::Versions;

use crate::budget::{Budget, Limits, Stop};
use crate::ir::{Ir, Read};
use crate::passes::{Pass, Passes};
use crate::pipeline::Observer;
use crate::threads::Threads;

/// The answer of the solver.
#[derive(Debug)]
pub enum Solution {
    /// An assignment that meets the formula.
    Witness(Assignment),
    /// Conflicts that together exclude every assignment.
    Refuted(Vec<Conflict>),
}

/// Decides whether some assignment meets the formula of the IR.
///
/// # Errors
/// If the budget is used up.
pub fn solve(
    ir: &Ir,
    passes: &Passes,
    threads: Threads,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Solution, Stop> {
    // What one search announces to allocate is free again when it ends.
    let budget = &budget.within(&Limits::default());
    budget.check()?;
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
    let rules = refine::Rules {
        ir,
        automaton: &automaton,
        known: &known,
        versions: &versions,
        saturated: None,
        threads,
    };
    if passes.has(Pass::Guess) && promising(&rules) {
        observer.stage("guess");
        if let Some(witness) = refine::first_guess(&rules) {
            return Ok(Solution::Witness(witness));
        }
    }
    budget.check()?;
    let mut saturated = None;
    if passes.has(Pass::Saturate) {
        observer.stage("saturate");
        let result = saturate::saturate(&rules, budget)?;
        if let Some(conflict) = result.conflict.clone() {
            let conflicts = window::refutation(ir, &result, vec![conflict], budget)?;
            return Ok(Solution::Refuted(conflicts));
        }
        saturated = Some(result);
    }
    observer.stage("guess");
    let progress = |conflicts: u64| observer.progress(conflicts, 0);
    let rules = refine::Rules { saturated: saturated.as_ref(), ..rules };
    let refined = refine::refine(&rules, passes.has(Pass::Localise), budget, &progress)?;
    Ok(match (refined, &saturated) {
        (Refined::Witness(assignment), _) => Solution::Witness(assignment),
        (Refined::Refuted(core), None) => Solution::Refuted(core),
        (Refined::Refuted(core), Some(saturated)) => {
            Solution::Refuted(window::refutation(ir, saturated, core, budget)?)
        }
    })
}

/// Whether the first guess is probably a witness, though nothing was derived: the order of
/// versions hardly matters, or nearly every version was made from the one before.
fn promising(rules: &refine::Rules<'_>) -> bool {
    let refine::Rules { ir, automaton, versions, .. } = rules;
    if automaton.missing().next().is_none() {
        return true;
    }
    let rewrites =
        |read: &&Read| ir.orders[read.order as usize].writers.binary_search(&read.unit).is_ok();
    let made_from_last = ir.reads.iter().filter(rewrites).count();
    let listed = ir.edges.iter().filter(|edge| edge.rel == Rel::Ww).count();
    let written_once = ir.orders.iter().filter(|order| order.writers.len() == 1).count();
    10 * (made_from_last + listed + written_once) >= 9 * versions.count() as usize
}
