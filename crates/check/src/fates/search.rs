//! The search for fates that a level accepts.
//!
//! In: the verdict on the likeliest resolved history. Out: the verdict on the trace. Every reject
//! excludes the fates that its refutation depends on, a SAT solver proposes fates that are not excluded
//! yet, and the level is checked again. If none are left, the refutations are the cases of one.

use tristan_history::History;
use tristan_verdict::{Answer, Fate, UnknownReason, Verdict};

use super::cases::{self, Found};
use super::dependence::depends;
use super::proposals::Proposals;
use crate::budget::{Budget, reason};
use crate::explain;
use crate::resolution::Resolution;
use crate::sat::Batsat;

/// So many resolved histories are checked at the most.
const MOST_ROUNDS: usize = 4096;

/// The verdict on a trace. `judge` is asked about the likeliest resolved history (`None`), and if that is
/// rejected about others, within the budget.
///
/// # Errors
/// Those of `judge`.
pub(crate) fn settled<E>(
    trace: &History,
    resolution: &Resolution<'_>,
    budget: &Budget,
    mut judge: impl FnMut(Option<&History>) -> Result<Verdict, E>,
) -> Result<Verdict, E> {
    let first = judge(None)?;
    let verdict = match resolution.open.is_empty() {
        true => first,
        false => search(trace, resolution, budget, first, judge)?,
    };
    Ok(retold(trace, resolution, verdict))
}

/// Tells a verdict on a resolved history as one on the trace.
pub(crate) fn retold(trace: &History, resolution: &Resolution<'_>, verdict: Verdict) -> Verdict {
    match resolution.count {
        0 => verdict,
        count => explain::retold(trace, verdict, count),
    }
}

/// Finds fates with which the level accepts, or shows that there are none.
fn search<E>(
    trace: &History,
    resolution: &Resolution<'_>,
    budget: &Budget,
    first: Verdict,
    mut judge: impl FnMut(Option<&History>) -> Result<Verdict, E>,
) -> Result<Verdict, E> {
    let mut proposals = Proposals::<Batsat>::new(&resolution.guess);
    let mut found: Vec<Found> = Vec::new();
    let mut unclear = None;
    let (mut effects, mut verdict) = (resolution.guess.clone(), first);
    for round in 1.. {
        let concerned = match &mut verdict.answer {
            Answer::Accept { witness } => {
                witness.effects = resolution.fates(&effects).filter(|fate| fate.effect).collect();
                return Ok(verdict);
            }
            Answer::Reject { refutation, .. } => depends(trace, &resolution.open, refutation),
            Answer::Unknown { reason: UnknownReason::Unsupported { .. }, .. } => {
                vec![true; effects.len()]
            }
            Answer::Unknown { .. } => return Ok(verdict),
        };
        proposals.exclude(&effects, &concerned);
        let fates: Vec<Fate> = resolution
            .fates(&effects)
            .zip(&concerned)
            .filter_map(|(fate, concerned)| concerned.then_some(fate))
            .collect();
        match verdict.answer {
            Answer::Reject { .. } => found.push(Found { fates, verdict }),
            _ => unclear = unclear.or(Some(verdict)),
        }
        let Some(next) = proposals.next() else { break };
        if round == MOST_ROUNDS {
            let open = resolution.open.len();
            return Ok(cases::too_many(found, unclear, open));
        }
        if let Err(stop) = budget.check() {
            let reason = reason(&budget.account(stop));
            return Ok(cases::undecided(found, unclear, reason));
        }
        verdict = judge(Some(&resolution.resolved(trace, &next)))?;
        effects = next;
    }
    Ok(match unclear {
        Some(unclear) => unclear,
        None => cases::joined(trace, found),
    })
}
