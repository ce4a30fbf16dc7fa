//! Guess, test and learn: one step of refinement, and all steps for a small problem.

use super::assignment::{Assignment, Places};
use super::choices::Decided;
use super::clauses::Clauses;
use super::conflict::Conflict;
use super::context::Context;
use super::guess::Guesser;
use super::total;
use crate::budget::{Budget, Stop};
use crate::sat::Batsat;

/// The first guess, if it is a witness.
pub(crate) fn first_guess(context: &Context<'_>) -> Option<Assignment> {
    test(context, &Guesser::new(context), &Decided::default()).ok()
}

/// Guesses what is not decided and tests it: a witness, or what is wrong with it.
pub(super) fn test(
    context: &Context<'_>,
    guesser: &Guesser<'_>,
    decided: &Decided,
) -> Result<Assignment, Vec<Conflict>> {
    let (mut assignment, position) = guesser.guess(decided)?;
    let conflicts = total::conflicts(context, &assignment, position.as_deref());
    if !conflicts.is_empty() {
        return Err(conflicts);
    }
    let states = context.automaton.states();
    assignment.places = position.map(|position| Places { states, position });
    Ok(assignment)
}

/// A witness, if so many tests lead to one.
///
/// # Errors
/// If the budget is used up.
pub(super) fn learn_within(
    context: &Context<'_>,
    tests: usize,
    budget: &Budget,
) -> Result<Option<Assignment>, Stop> {
    let guesser = Guesser::new(context);
    let mut clauses = Clauses::<Batsat>::new(context, budget);
    for _ in 0..tests {
        budget.check()?;
        match test(context, &guesser, &clauses.decided()) {
            Ok(witness) => return Ok(Some(witness)),
            Err(conflicts) => clauses.learn(conflicts),
        };
        if clauses.refuted()?.is_some() {
            break;
        }
    }
    Ok(None)
}

/// Every conflict that is learnt on the way to a witness or a refutation.
///
/// # Errors
/// If the budget is used up.
pub(crate) fn learn_all(context: &Context<'_>, budget: &Budget) -> Result<Vec<Conflict>, Stop> {
    let guesser = Guesser::new(context);
    let mut clauses = Clauses::<Batsat>::new(context, budget);
    while let Err(conflicts) = test(context, &guesser, &clauses.decided()) {
        budget.check()?;
        clauses.learn(conflicts);
        if clauses.refuted()?.is_some() {
            break;
        }
    }
    Ok(clauses.conflicts)
}
