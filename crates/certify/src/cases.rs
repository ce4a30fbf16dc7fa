//! A reject in the light of operations that may or may not have taken effect.
//!
//! ```text
//!   case: fates ──► resolved history ──► its refutation holds, on these grounds
//!                          │ an operation that is not listed is among the grounds
//!                          ├──► it took effect ──► …
//!                          └──► it did not     ──► …
//! ```
//!
//! An operation that the grounds do not depend on changes nothing, so one resolved history
//! speaks for both of its fates. All cases together cover every choice.

use std::collections::{BTreeMap, BTreeSet};

use tristan_history::{History, OpRef};
use tristan_spec::Level;
use tristan_verdict::{Case, Refutation};

use crate::dpll::{self, Lit, Problem};
use crate::error::CertifyError;
use crate::fates::{self, Fates};
use crate::reject;

/// How many resolved histories one refutation is verified in.
const MOST_RESOLVED: usize = 64;

/// How far the solver may go to see that the cases cover everything.
const STEPS: u64 = 1_000_000;

/// Checks the refutation of a reject.
pub(crate) fn check(
    history: &History,
    level: &Level,
    drift: i64,
    refutation: &Refutation,
) -> Result<(), CertifyError> {
    let open = fates::that_matter(history);
    let mut hearing = Hearing { history, level, drift, open: &open, resolved: 0 };
    if refutation.cases.is_empty() {
        return hearing.hear(refutation, &Fates::new());
    }
    if refutation.bad.is_some()
        || !refutation.conflicts.is_empty()
        || !refutation.choices.is_empty()
        || !refutation.facts.is_empty()
    {
        return Err(CertifyError::Shape("has both cases and a proof of its own"));
    }
    let mut covered = Vec::new();
    for (number, Case { fates, refutation }) in refutation.cases.iter().enumerate() {
        let in_case = |problem| CertifyError::Case { case: number, problem: Box::new(problem) };
        if !refutation.cases.is_empty() {
            return Err(in_case(CertifyError::Shape("has nested cases")));
        }
        let fates = fates::read(history, fates).map_err(in_case)?;
        hearing.resolved = 0;
        hearing.hear(refutation, &fates).map_err(in_case)?;
        covered.push(fates);
    }
    core_is_the_union(refutation)?;
    match cover_everything(&open, &covered) {
        true => Ok(()),
        false => Err(CertifyError::Uncovered),
    }
}

fn core_is_the_union(refutation: &Refutation) -> Result<(), CertifyError> {
    let cores = refutation.cases.iter().flat_map(|case| &case.refutation.core);
    let union: BTreeSet<u32> = cores.copied().collect();
    match refutation.core.iter().eq(&union) {
        true => Ok(()),
        false => Err(CertifyError::Core {
            problem: "is not the union of the cores of its cases".to_owned(),
        }),
    }
}

/// Whether every choice agrees with one of the cases.
fn cover_everything(open: &[OpRef], cases: &[Fates]) -> bool {
    let mut problem = Problem::default();
    let mut variables: BTreeMap<OpRef, Lit> = BTreeMap::new();
    for fates in cases {
        let mut differs = Vec::new();
        for (&at, &effect) in fates {
            let took_effect = *variables.entry(at).or_insert_with(|| problem.variable());
            differs.push(if effect { took_effect.not() } else { took_effect });
        }
        problem.clause(differs);
    }
    for (at, took_effect) in &variables {
        // Any other may be taken to have had no effect.
        if open.binary_search(at).is_err() {
            problem.clause(vec![took_effect.not()]);
        }
    }
    problem.solve(STEPS) == dpll::Outcome::Unsatisfiable
}

struct Hearing<'h> {
    history: &'h History,
    level: &'h Level,
    drift: i64,
    /// The operations whose effect can matter.
    open: &'h [OpRef],
    /// How many resolved histories were looked at.
    resolved: usize,
}

impl Hearing<'_> {
    /// Checks the refutation in every resolved history that agrees with `fates`.
    fn hear(&mut self, refutation: &Refutation, fates: &Fates) -> Result<(), CertifyError> {
        self.resolved += 1;
        if self.resolved > MOST_RESOLVED {
            return Err(CertifyError::TooManyFates { most: MOST_RESOLVED });
        }
        let resolved = fates::resolve(self.history, fates);
        let grounds = reject::check(&resolved, self.level, self.drift, refutation)?;
        let listed = |at: &OpRef| fates.contains_key(at);
        let open = self.open.iter().copied().filter(|at| !listed(at));
        let at_stake: Vec<OpRef> = open.filter(|&at| grounds.depend_on(self.history, at)).collect();
        // In the history above all of these had no effect.
        let mut fates = fates.clone();
        for at in at_stake {
            fates.insert(at, true);
            self.hear(refutation, &fates)?;
            fates.insert(at, false);
        }
        Ok(())
    }
}
