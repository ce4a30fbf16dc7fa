//! Refinement: guess, test, and let a SAT solver learn from every cycle.
//!
//! ```text
//!   decided by clauses ──► guess the rest ──► test ──► no conflict: a witness
//!          ▲                                   │
//!          └──────── learn (clauses) ◄─────────┴─► conflicts; when the clauses have no model,
//!                                                  their core is the refutation
//! ```

use super::clauses::Clauses;
use super::context::Context;
use super::guess::Guesser;
use super::learn::test;
use super::localise::localise;
use super::solution::Solution;
use super::suppose;
use crate::budget::{Budget, Stop};
use crate::sat::Sat;

/// How many tests are made before sources of ambiguous reads are supposed. Tests of the whole problem are
/// cheap and nearly always succeed in the end, if only after thousands of them; suppositions often fail. So
/// they are tried again only when the number of tests has doubled.
pub(super) const TESTS_BEFORE_SUPPOSING: usize = 1024;

/// An attempt at supposing ends after one contradiction per this many tests.
const TESTS_PER_CONTRADICTION: usize = 64;

/// How many tests of the whole come before its strongly connected components are solved on their
/// own. Most traces need fewer, and what the components teach makes the whole harder to guess.
const TESTS_BEFORE_LOCALISING: usize = 4096;

/// What helps where tests alone lead nowhere.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Helped {
    /// See [`super::suppose`].
    pub(super) supposing: bool,
    /// See [`super::localise`].
    pub(super) localising: bool,
}

/// Searches until there is a witness or a refutation.
///
/// # Errors
/// If the budget is used up.
pub(super) fn refine<S: Sat>(
    context: &Context<'_>,
    helped: Helped,
    budget: &Budget,
    progress: &dyn Fn(u64),
) -> Result<Solution, Stop> {
    loop {
        if let Some(solution) = refine_within::<S>(context, helped, usize::MAX, budget, progress)? {
            return Ok(solution);
        }
    }
}

/// The same, if so many tests are enough.
///
/// # Errors
/// If the budget is used up.
pub(super) fn refine_within<S: Sat>(
    context: &Context<'_>,
    helped: Helped,
    tests: usize,
    budget: &Budget,
    progress: &dyn Fn(u64),
) -> Result<Option<Solution>, Stop> {
    let guesser = Guesser::new(context);
    let mut clauses = Clauses::<S>::new(context, budget);
    for rounds in 1..=tests {
        budget.check()?;
        let mut conflicts = match test(context, &guesser, &clauses.decided()) {
            Ok(witness) => return Ok(Some(Solution::Witness(witness))),
            Err(conflicts) => conflicts,
        };
        if helped.supposing
            && rounds >= TESTS_BEFORE_SUPPOSING
            && rounds.is_power_of_two()
            && let Some(saturated) = context.saturated
            && let contradictions = rounds / TESTS_PER_CONTRADICTION
            && let Some(witness) = suppose::witness(context, saturated, contradictions, budget)?
        {
            return Ok(Some(Solution::Witness(witness)));
        }
        if helped.localising && rounds > TESTS_BEFORE_LOCALISING {
            let Context { ir, automaton, .. } = context;
            let local = localise(ir, automaton, &conflicts, budget)?;
            conflicts.extend(local);
        }
        tracing::debug!(
            round = rounds,
            conflicts = conflicts.len(),
            "the guess contradicts itself"
        );
        let news = clauses.learn(conflicts);
        debug_assert!(news, "a guess that contradicts a learnt clause");
        progress(clauses.conflicts.len() as u64);
        if let Some(core) = clauses.refuted()? {
            return Ok(Some(Solution::Refuted(core)));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::Batsat;
    use crate::sat::brute_force::BruteForce;
    use crate::solve::trials::each_problem;

    #[test]
    fn another_sat_solver_changes_no_answer() {
        let budget = Budget::default();
        let levels = ["serializable", "snapshot-isolation", "prefix", "read-atomic"];
        let mut refuted = 0;
        each_problem(181, &levels, |context, which| {
            let refutes = |solution: Result<Solution, Stop>| {
                matches!(solution.expect("there is no limit"), Solution::Refuted(_))
            };
            let fast = refutes(refine::<Batsat>(context, Helped::default(), &budget, &|_| ()));
            let slow = refutes(refine::<BruteForce>(context, Helped::default(), &budget, &|_| ()));
            assert_eq!(fast, slow, "{which}");
            refuted += usize::from(fast);
        });
        assert!(refuted > 50, "{refuted}");
    }
}
