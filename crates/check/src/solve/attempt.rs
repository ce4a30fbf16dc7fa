//! An attempt: a witness, if little work leads to one.
//!
//! Saturation and refinement, as in [`super::solve`]; but refinement ends after a number of tests,
//! whatever it has found. The number does not depend on time, so the same problem always has the same
//! outcome. Without a witness, nothing is concluded.

use tristan_ground::Threads;

use super::assignment::Assignment;
use super::context::Context;
use super::graph::Graph;
use super::refine::{Helped, TESTS_BEFORE_SUPPOSING, refine_within};
use super::saturate;
use super::serial;
use super::solution::Solution;
use super::versions::Versions;
use crate::automaton::Automaton;
use crate::budget::{Budget, Limits, Stop};
use crate::ir::Ir;
use crate::observer::Observer;
use crate::options::{Pass, Passes};
use crate::sat::Batsat;

/// How many tests are made; after the last one, sources are supposed once.
const TESTS: usize = TESTS_BEFORE_SUPPOSING;

/// A witness, if little work leads to one.
///
/// # Errors
/// If the budget is used up.
pub(crate) fn attempt(
    ir: &Ir,
    passes: &Passes,
    threads: Threads,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Option<Assignment>, Stop> {
    // What the attempt announces to allocate is free again when it ends.
    let budget = &budget.within(&Limits::default());
    observer.stage("saturate");
    let (automaton, versions) = (&Automaton::compile(&ir.formula), &Versions::new(ir));
    let known = &Graph::known(ir, automaton);
    let threads = threads.worth(ir.reads.len());
    let context = Context { ir, automaton, known, versions, saturated: None, threads };
    let saturated = saturate::saturate(&context, budget)?;
    if !saturated.contradictions.is_empty() {
        return Ok(None);
    }
    observer.stage("guess");
    let context = Context { saturated: Some(&saturated), ..context };
    if passes.has(Pass::Serial)
        && let Some(witness) = serial::replayed(&context, budget)?
    {
        return Ok(Some(witness));
    }
    let progress = |conflicts: u64| observer.progress(&budget.progress(conflicts, 0));
    let helped = Helped { supposing: passes.has(Pass::Suppose), localising: false };
    let found = refine_within::<Batsat>(&context, helped, TESTS, budget, &progress)?;
    Ok(match found {
        Some(Solution::Witness(witness)) => Some(witness),
        Some(Solution::Refuted(_)) | None => None,
    })
}
