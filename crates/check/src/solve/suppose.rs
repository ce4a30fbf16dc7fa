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
//! A complete proof of a contradiction would take longer than everything else here, so only its first
//! steps are looked at; if they name no supposition, half as many are made. A witness is one whatever
//! was supposed on the way. Without one, nothing is concluded.

use rustc_hash::{FxHashMap, FxHashSet};

use super::assignment::Assignment;
use super::choices::Decided;
use super::conflict::{Conflict, Literal};
use super::context::Context;
use super::derivation::Saturated;
use super::guess::{Guesser, Placed};
use super::learn::{learn_within, test};
use super::proof::Proof;
use super::saturate;
use crate::budget::{Budget, Stop};
use crate::ir::{Ir, ReadId, Source};

/// How many contradictions end the search.
const CONTRADICTIONS: usize = 128;

/// The share of all suppositions that is made at once: those that come first in the order are the more
/// likely ones.
const SHARE: usize = 4;

/// How many steps of proofs are looked at for suppositions.
const STEPS: usize = 64;

/// How many tests are made when there is nothing left to suppose.
const TESTS: usize = 256;

/// A source of a read.
type Supposition = (ReadId, Source);

/// A witness, if suppositions lead to one.
///
/// # Errors
/// If the budget is used up.
pub(super) fn witness(
    context: &Context<'_>,
    saturated: &Saturated,
    budget: &Budget,
) -> Result<Option<Assignment>, Stop> {
    let mut search = Search::from(saturated);
    let mut is_new = true;
    loop {
        budget.check()?;
        let now = Context { saturated: Some(&search.known), ..*context };
        let guesser = Guesser::new(&now);
        if let Ok(witness) = test(&now, &guesser, &Decided::default()) {
            return Ok(Some(witness));
        }
        let supposed = search.likely(&guesser.placed());
        tracing::debug!(
            likely = supposed.len(),
            contradictions = search.contradictions,
            "sources are supposed"
        );
        if supposed.is_empty() {
            return if is_new { Ok(None) } else { learn_within(&now, TESTS, budget) };
        }
        is_new = false;
        if !search.suppose(context, supposed, budget)? {
            return Ok(None);
        }
    }
}

/// What was supposed so far.
struct Search {
    /// What follows from all suppositions.
    known: Saturated,
    /// Suppositions that contradictions rest on.
    given_up: FxHashSet<Supposition>,
    contradictions: usize,
    /// How many suppositions are made at once, at most.
    at_once: usize,
}

impl From<&Saturated> for Search {
    fn from(saturated: &Saturated) -> Self {
        let known = saturated.clone();
        Self { known, given_up: FxHashSet::default(), contradictions: 0, at_once: usize::MAX }
    }
}

impl Search {
    /// What open reads may come from: the versions that were current, or else, if these are impossible
    /// everywhere, the nearest ones.
    fn likely(&self, open: &[Placed]) -> Vec<Supposition> {
        let current = self.left(open, |placed| placed.current);
        if current.is_empty() { self.left(open, |placed| placed.nearest) } else { current }
    }

    fn left(&self, open: &[Placed], shown: impl Fn(&Placed) -> Option<Source>) -> Vec<Supposition> {
        let supposition = |placed: &Placed| Some((placed.read, shown(placed)?));
        let is_left = |one: &Supposition| !self.given_up.contains(one);
        open.iter().filter_map(supposition).filter(is_left).collect()
    }

    /// Supposes the first of these that lead to no contradiction. Returns false if it is not worth
    /// going on.
    ///
    /// # Errors
    /// If the budget is used up.
    fn suppose(
        &mut self,
        context: &Context<'_>,
        mut supposed: Vec<Supposition>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        supposed.truncate(self.at_once.min(supposed.len().div_ceil(SHARE)));
        while !supposed.is_empty() {
            let next = saturate::suppose(context, self.known.clone(), &supposed, budget)?;
            if next.contradictions.is_empty() {
                self.known = next;
                self.at_once = self.at_once.saturating_mul(2);
                return Ok(true);
            }
            self.contradictions += 1;
            if self.contradictions == CONTRADICTIONS {
                return Ok(false);
            }
            let blamed = blamed(context.ir, next, &supposed);
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
fn blamed(ir: &Ir, mut known: Saturated, supposed: &[Supposition]) -> FxHashSet<Supposition> {
    let places: FxHashMap<Supposition, usize> =
        supposed.iter().enumerate().map(|(place, &one)| (one, place)).collect();
    let last = |conflict: &Conflict| {
        let named = conflict.literals.iter().filter_map(|literal| match *literal {
            Literal::Reads(read, source) => places.get(&(read, source)),
            Literal::Before(..) => None,
        });
        named.max().map(|&place| supposed[place])
    };
    let contradictions = std::mem::take(&mut known.contradictions);
    let mut proof = Proof::of(ir, &known, contradictions);
    loop {
        let blamed: FxHashSet<Supposition> = proof.conflicts().iter().filter_map(last).collect();
        if !blamed.is_empty() || proof.conflicts().len() > STEPS || !proof.deepen() {
            return blamed;
        }
    }
}

#[cfg(test)]
mod tests {
    use tristan_generate::Rng;
    use tristan_ground::Threads;
    use tristan_oracle::random::{self, RandomShape};
    use tristan_spec::Catalog;

    use super::*;
    use crate::asg::Asg;
    use crate::automaton::Automaton;
    use crate::lower::lower;
    use crate::options::Options;
    use crate::sat::Batsat;
    use crate::solve::graph::Graph;
    use crate::solve::refine::{Helped, refine};
    use crate::solve::solution::Solution;
    use crate::solve::versions::Versions;

    #[test]
    fn what_is_supposed_never_contradicts_a_refutation() {
        let (mut rng, budget, threads) = (Rng::new(419), Budget::default(), Threads::new(1));
        let names = ["serializable", "snapshot-isolation", "prefix", "strong-session-serializable"];
        let levels = names.map(|name| Catalog::default().find(name).expect(name));
        let (mut found, mut missed) = (0, 0);
        for round in 0..200 {
            let history = random::history(&mut rng, RandomShape::default());
            let asg = Asg::build(&history, threads);
            for level in &levels {
                let ir = &lower(&asg, level, &Options::default());
                let automaton = &Automaton::compile(&ir.formula);
                let (known, versions) = (&Graph::known(ir, automaton), &Versions::new(ir));
                let context = Context { ir, automaton, known, versions, saturated: None, threads };
                let saturated = saturate::saturate(&context, &budget).expect("there is no limit");
                if !saturated.contradictions.is_empty() {
                    continue;
                }
                let supposed = witness(&context, &saturated, &budget).expect("there is no limit");
                let context = Context { saturated: Some(&saturated), ..context };
                let solution = refine::<Batsat>(&context, Helped::default(), &budget, &|_| ());
                let accepted = matches!(solution, Ok(Solution::Witness(_)));
                assert!(accepted || supposed.is_none(), "round {round}, {}", level.name);
                found += usize::from(supposed.is_some());
                missed += usize::from(accepted && supposed.is_none());
            }
        }
        assert!(found > 200 && missed < found / 10, "{found} found, {missed} missed");
    }
}
