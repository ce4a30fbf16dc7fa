//! Suppose: sources for ambiguous reads, many at a time, each time with all that follows from them.
//!
//! Where values repeat, thousands of reads have several possible sources, and refinement rules out one
//! combination at a time. Here an order of what is derived tells which version was current when each
//! open read took place. Reads for which that version is a possible source are supposed to come from
//! it. Saturation derives what follows: sources of other reads are ruled out, and the order changes
//! until it fits them, too.
//!
//! ```text
//!   derived ──► guess and test ──► a witness
//!      ▲               │ conflicts
//!      │               ▼
//!      └─ saturate ◄─ suppose what the order shows, from its start
//!             │
//!             └─► contradiction: suppositions that it rests on are given up
//! ```
//!
//! Clocks are kept from one attempt to the next ([`Ongoing`]): an attempt costs what it changes.
//! A read whose current version was given up is supposed to come from the nearest version that was
//! not, until it has none left.
//!
//! A complete proof of a contradiction would take longer than everything else here, so only its first
//! steps are looked at; if they name no supposition, half as many are made. A witness is one whatever
//! was supposed on the way. Without one, nothing is concluded.

use rustc_hash::{FxHashMap, FxHashSet};

use super::assignment::Assignment;
use super::choices::Decided;
use super::conflict::{Conflict, Literal};
use super::context::Context;
use super::guess::{Guesser, Placed};
use super::learn::{learn_within, test};
use super::proof::Proof;
use super::saturate::Ongoing;
use super::saturated::Saturated;
use crate::budget::{Budget, Stop};
use crate::ir::{Ir, ReadId, Source};

/// The share of all suppositions that is made at once: those that come first in the order are the more
/// likely ones.
const SHARE: usize = 4;

/// So many suppositions are made at once even if they are more than that share.
const LEAST: usize = 64;

/// How many steps of proofs are looked at for suppositions.
const STEPS: usize = 64;

/// How many tests are made when there is nothing left to suppose.
const TESTS: usize = 256;

/// A source of a read.
type Supposition = (ReadId, Source);

/// A witness, if suppositions lead to one before they have led to `contradictions` contradictions.
///
/// # Errors
/// If the budget is used up.
pub(super) fn witness(
    context: &Context<'_>,
    saturated: &Saturated,
    contradictions: usize,
    budget: &Budget,
) -> Result<Option<Assignment>, Stop> {
    let mut search = Search::from(context, saturated, contradictions, budget)?;
    if !search.ongoing.known().contradictions.is_empty() {
        return Ok(None);
    }
    let mut is_new = true;
    loop {
        budget.check()?;
        let now = Context { saturated: Some(search.ongoing.known()), ..*context };
        let guesser = Guesser::new(&now);
        if let Ok(witness) = test(&now, &guesser, &Decided::default()) {
            return Ok(Some(witness));
        }
        let supposed = search.likely(&guesser);
        tracing::debug!(
            likely = supposed.len(),
            contradictions = search.contradictions,
            "sources are supposed"
        );
        if supposed.is_empty() {
            return if is_new { Ok(None) } else { learn_within(&now, TESTS, budget) };
        }
        is_new = false;
        if !search.suppose(context.ir, supposed, budget)? {
            return Ok(None);
        }
    }
}

/// What was supposed so far.
struct Search<'a> {
    /// What follows from all suppositions.
    ongoing: Ongoing<'a>,
    /// Suppositions that contradictions rest on.
    given_up: FxHashSet<Supposition>,
    contradictions: usize,
    /// The search ends after this many contradictions.
    most: usize,
    /// How many suppositions are made at once, at most.
    at_once: usize,
}

impl<'a> Search<'a> {
    fn from(
        context: &Context<'a>,
        known: &Saturated,
        most: usize,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let mut ongoing = Ongoing::resume(context, known.clone());
        ongoing.suppose(&[], budget)?;
        let given_up = FxHashSet::default();
        Ok(Self { ongoing, given_up, contradictions: 0, most, at_once: usize::MAX })
    }

    /// What open reads may come from: the versions that were current, or else, if these are impossible
    /// everywhere, the nearest ones.
    fn likely(&self, guesser: &Guesser<'_>) -> Vec<Supposition> {
        let open = guesser.placed(|read, source| self.given_up.contains(&(read, source)));
        let shown = |shown: fn(&Placed) -> Option<Source>| -> Vec<Supposition> {
            open.iter().filter_map(|placed| Some((placed.read, shown(placed)?))).collect()
        };
        let current = shown(|placed| placed.current);
        if current.is_empty() { shown(|placed| placed.nearest) } else { current }
    }

    /// Supposes the first of these that lead to no contradiction. Returns false if it is not worth
    /// going on.
    ///
    /// # Errors
    /// If the budget is used up.
    fn suppose(
        &mut self,
        ir: &Ir,
        mut supposed: Vec<Supposition>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        supposed.truncate(self.at_once.min(LEAST.max(supposed.len().div_ceil(SHARE))));
        while !supposed.is_empty() {
            let mut next = self.ongoing.clone();
            next.suppose(&supposed, budget)?;
            if next.known().contradictions.is_empty() {
                self.ongoing = next;
                self.at_once = self.at_once.saturating_mul(2);
                return Ok(true);
            }
            self.contradictions += 1;
            if self.contradictions >= self.most {
                return Ok(false);
            }
            let blamed = blamed(ir, next.known(), &supposed);
            if blamed.is_empty() && supposed.len() > 1 {
                supposed.truncate(supposed.len() / 2);
                self.at_once = supposed.len();
            } else {
                let given_up = |one: &Supposition| blamed.is_empty() || blamed.contains(one);
                self.given_up.extend(supposed.iter().copied().filter(given_up));
                supposed.retain(|one| !given_up(one));
            }
        }
        Ok(true)
    }
}

/// Suppositions that contradictions rest on: of each contradiction, the last one that its cycle, or
/// else the first steps of its proof, names.
fn blamed(ir: &Ir, known: &Saturated, supposed: &[Supposition]) -> FxHashSet<Supposition> {
    let places: FxHashMap<Supposition, usize> =
        supposed.iter().enumerate().map(|(place, &one)| (one, place)).collect();
    let last = |conflict: &Conflict| {
        let named = conflict.literals.iter().filter_map(|literal| match *literal {
            Literal::Reads(read, source) => places.get(&(read, source)),
            Literal::Before(..) => None,
        });
        named.max().map(|&place| supposed[place])
    };
    let mut proof = Proof::hasty(ir, known, known.contradictions.clone());
    loop {
        let blamed: FxHashSet<Supposition> = proof.conflicts().iter().filter_map(last).collect();
        if !blamed.is_empty() || proof.conflicts().len() > STEPS || !proof.deepen() {
            return blamed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::Batsat;
    use crate::solve::refine::{Helped, refine};
    use crate::solve::saturate;
    use crate::solve::solution::Solution;
    use crate::solve::trials::each_problem;

    #[test]
    fn what_is_supposed_never_contradicts_a_refutation() {
        let budget = Budget::default();
        let levels =
            ["serializable", "snapshot-isolation", "prefix", "strong-session-serializable"];
        let (mut found, mut missed) = (0, 0);
        each_problem(419, &levels, |context, which| {
            let saturated = saturate::saturate(context, &budget).expect("there is no limit");
            if !saturated.contradictions.is_empty() {
                return;
            }
            let supposed = witness(context, &saturated, 128, &budget).expect("there is no limit");
            let context = Context { saturated: Some(&saturated), ..*context };
            let solution = refine::<Batsat>(&context, Helped::default(), &budget, &|_| ());
            let accepted = matches!(solution, Ok(Solution::Witness(_)));
            assert!(accepted || supposed.is_none(), "{which}");
            found += usize::from(supposed.is_some());
            missed += usize::from(accepted && supposed.is_none());
        });
        assert!(found > 200 && missed < found / 10, "{found} found, {missed} missed");
    }
}
