//! The search for fates that a level accepts.
//!
//! In: the verdict on the likeliest resolved history. Out: the verdict on the trace. Every reject
//! excludes the fates that its refutation depends on, a SAT solver proposes fates that are not excluded
//! yet, and the level is checked again. If none are left, the refutations are the cases of one.

use batsat::interface::SolverInterface;
use batsat::{BasicSolver, Lit, Var, lbool};
use tristan_history::History;
use tristan_verdict::{Answer, Fate, UnknownReason, Verdict};

use super::Resolution;
use super::cases::{self, Found};
use super::dependence::depends;
use crate::budget::{Budget, reason};
use crate::explain;

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
    let mut proposals = Proposals::new(&resolution.guess);
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

/// Fates that no refutation excludes.
struct Proposals {
    solver: BasicSolver,
    variables: Vec<Var>,
}

impl Proposals {
    /// Nothing is excluded yet; fates stay as they are guessed unless something forces them.
    fn new(guess: &[bool]) -> Self {
        let mut solver = BasicSolver::default();
        let variable =
            |&effect: &bool| solver.new_var(if effect { lbool::TRUE } else { lbool::FALSE }, true);
        let variables = guess.iter().map(variable).collect();
        Self { solver, variables }
    }

    /// Excludes all fates that agree with these on the concerned operations.
    fn exclude(&mut self, effects: &[bool], concerned: &[bool]) {
        let all = self.variables.iter().zip(effects).zip(concerned);
        let literal =
            |((&variable, &effect), _): ((&Var, &bool), &bool)| Lit::new(variable, !effect);
        let mut clause: Vec<Lit> = all.filter(|(_, concerned)| **concerned).map(literal).collect();
        self.solver.add_clause_reuse(&mut clause);
    }

    /// Fates that are not excluded; `None` if all are.
    fn next(&mut self) -> Option<Vec<bool>> {
        if self.solver.solve_limited(&[]) != lbool::TRUE {
            return None;
        }
        let is_true = |&variable: &Var| self.solver.value_var(variable) == lbool::TRUE;
        Some(self.variables.iter().map(is_true).collect())
    }
}

/// Whether some cases cover every choice of fates.
pub(super) fn cover_everything<'f>(cases: impl Iterator<Item = &'f [Fate]>) -> bool {
    let mut solver = BasicSolver::default();
    let mut variables: std::collections::BTreeMap<(u32, u32), Var> = Default::default();
    for fates in cases {
        let mut clause = Vec::new();
        for fate in fates {
            let place = (fate.txn, fate.op);
            let variable = *variables.entry(place).or_insert_with(|| solver.new_var_default());
            clause.push(Lit::new(variable, !fate.effect));
        }
        solver.add_clause_reuse(&mut clause);
    }
    solver.solve_limited(&[]) != lbool::TRUE
}
