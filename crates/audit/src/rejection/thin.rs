//! Leaves out of a small log what is not needed for its mistake.
//!
//! ```text
//!   transactions  ████████████████     halves are tried first, then quarters, eighths, …,
//!   rows          ████████████████     of the transactions and of the rows in turn
//! ```
//!
//! Every try goes over what is left, so the large pieces are tried first.
//!
//! A transaction or a row is left out only if the rest is explained without the bad transaction and not explained with
//! it, and at the same statement, which then has no right answers but those it has in the whole log. So the small log is
//! wrong for the same reason, not because something is missing, and a database that carries it out gives an answer that
//! the verdict expects. Where the answer is wrong in every state, the rest need not be explained.

use std::collections::BTreeSet;

use super::expected::{Wrong, wrong};
use super::small::{Small, contents, without_schema};
use crate::error::Error;
use crate::explain::Effort;
use crate::load::Source;
use crate::options::AuditOptions;
use crate::passes::{End, Run, decide_soon, run_until};
use crate::search::Extent;
use crate::watched_budget::WatchedBudget;

/// How many logs are tried at most to find a smaller one.
const TRIES: usize = 2_000;

/// How many statements may be carried out for a part in any case.
const LEAST_RUNS: u64 = 500;

/// How many transactions before the bad one are looked at, from few to many.
const TAILS: [usize; 4] = [8, 32, 128, 512];

/// The smallest log found in which a transaction is still wrong.
pub(super) fn smallest(
    source: Source<'_>,
    options: &AuditOptions,
    bad: &Wrong,
    budget: &WatchedBudget<'_>,
) -> Result<Option<Small>, Error> {
    let Some(contents) = contents(source, options, bad.place.0)? else { return Ok(None) };
    let mut trial = Trial { options, bad: bad.clone(), budget, left: TRIES, most_runs: None };
    if bad.impossible
        && let Some(small) = contents.on_empty_tables(bad.place.0, options)
        && let Some(alone) = trial.alone(small)
    {
        return Ok(Some(trial.mentioned(alone)).filter(|small| trial.stands_alone(small)));
    }
    for tail in TAILS {
        if let Some(small) = contents.tail(tail, source, options, budget)? {
            let candidates = [small.with_named_rows(), small];
            if let Some(small) = candidates.into_iter().find(|small| trial.holds(small)) {
                return Ok(Some(trial.thinned(small)).filter(|small| trial.stands_alone(small)));
            }
        }
        if tail >= contents.transactions() {
            break;
        }
    }
    Ok(None)
}

/// Tries whether a smaller log is still wrong.
struct Trial<'a> {
    options: &'a AuditOptions,
    bad: Wrong,
    budget: &'a WatchedBudget<'a>,
    left: usize,
    /// How many statements may be carried out to try all orders of a part. Without some transactions, there may be far
    /// more of them.
    most_runs: Option<u64>,
}

impl Trial<'_> {
    /// Whether the bad transaction, and nothing else, is wrong.
    fn holds(&mut self, small: &Small) -> bool {
        self.tried(small) == Some(true)
    }

    /// The same, or `None` if nothing more is tried.
    fn tried(&mut self, small: &Small) -> Option<bool> {
        if self.left == 0 || self.budget.is_up() {
            return None;
        }
        self.left -= 1;
        let runs = self.runs(small, self.options);
        if let Some(runs) = runs {
            self.most_runs = Some(LEAST_RUNS + 2 * runs);
        }
        Some(runs.is_some())
    }

    /// Whether a small log shows its mistake on its own. Its blurred columns hold values that stand for unknown ones; a
    /// reader compares them, too.
    fn stands_alone(&self, small: &Small) -> bool {
        let compared = AuditOptions { blurred: BTreeSet::new(), ..self.options.clone() };
        self.options.blurred.is_empty() || self.runs(small, &compared).is_some()
    }

    /// What remains of a log without what its mistake does not need.
    fn thinned(&mut self, small: Small) -> Small {
        let alone = self.alone(small.clone());
        let mut small = self.mentioned(alone.unwrap_or(small));
        let mut pieces = 2;
        loop {
            let before = (small.txns.len(), small.rows.len());
            let txns = thin(&small.txns, pieces, |txns| {
                self.tried(&Small { txns: txns.to_vec(), ..small.clone() })
            });
            small.txns = txns;
            let rows = thin(&small.rows, pieces, |rows| {
                self.tried(&Small { rows: rows.to_vec(), ..small.clone() })
            });
            small.rows = rows;
            let after = (small.txns.len(), small.rows.len());
            match pieces >= before.0.max(before.1) {
                false => pieces *= 2,
                true if before == after => return self.mentioned(small),
                true => {}
            }
        }
    }

    /// The bad statement without any other, if its answer is wrong in every state and that is enough.
    fn alone(&mut self, small: Small) -> Option<Small> {
        let (txn, Some(call)) = self.bad.place else { return None };
        if !self.bad.impossible {
            return None;
        }
        self.bad.place = (txn, Some(0));
        let alone = small.only(txn, call);
        if self.holds(&alone) {
            return Some(alone);
        }
        self.bad.place = (txn, Some(call));
        None
    }

    /// The log without tables that no statement mentions, if that is enough.
    fn mentioned(&mut self, small: Small) -> Small {
        let mentioned = small.mentioned();
        if self.holds(&mentioned) { mentioned } else { small }
    }

    /// How many statements were carried out to see that the bad transaction, and nothing else, is wrong. Returns `None`
    /// if it was not seen.
    fn runs(&self, small: &Small, options: &AuditOptions) -> Option<u64> {
        let bad = self.bad.place.0;
        if !small.txns.iter().any(|txn| txn.number == bad) {
            return None;
        }
        let without = small.txns.iter().filter(|txn| txn.number != bad);
        let rest = Small { txns: without.cloned().collect(), ..small.clone() };
        if !self.bad.impossible && !self.is_explained(&rest, options) {
            return None;
        }
        let (wrong, runs) = self.mistake(small, options)?;
        self.bad.allows(&wrong).then_some(runs)
    }

    /// Whether the likely order explains a log.
    fn is_explained(&self, small: &Small, options: &AuditOptions) -> bool {
        let (options, budget) = (without_schema(options), self.budget.unwatched());
        let small = small.source();
        let extent = Extent::default();
        let pass = run_until(Source::Log(&small), &options, Effort::GREEDY, &budget, extent);
        pass.is_ok_and(|pass| matches!(pass.end, End::Explained))
    }

    /// What nothing explains, if that is soon found out, and how many statements were carried out last.
    fn mistake(&self, small: &Small, options: &AuditOptions) -> Option<(Wrong, u64)> {
        let (options, budget) = (without_schema(options), self.budget.unwatched());
        let small = small.source();
        let run = Run { source: Source::Log(&small), options: &options, budget: &budget };
        let (pass, effort) = match self.bad.impossible {
            true => (run.pass(Effort::GREEDY, Extent::default()).ok()?, Effort::GREEDY),
            false => decide_soon(&run, self.most_runs).ok()?,
        };
        match &pass.end {
            End::Unexplained(unexplained)
                if unexplained.impossible.is_some()
                    || effort.full && pass.search.notes.untried().is_none() =>
            {
                Some((wrong(&pass, unexplained), pass.search.notes.runs.get()))
            }
            _ => None,
        }
    }
}

/// Splits a list into so many pieces, and leaves out each without which something still holds, until that is not told
/// any more.
fn thin<T: Clone>(
    list: &[T],
    pieces: usize,
    mut holds: impl FnMut(&[T]) -> Option<bool>,
) -> Vec<T> {
    let mut list = list.to_vec();
    let piece = list.len().div_ceil(pieces).max(1);
    let mut at = 0;
    while at < list.len() {
        let mut shorter = list.clone();
        shorter.drain(at..(at + piece).min(list.len()));
        match holds(&shorter) {
            Some(true) => list = shorter,
            Some(false) => at += piece,
            None => break,
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::thin;

    #[test]
    fn leaves_out_whatever_is_not_needed() {
        let list: Vec<u32> = (0..100).collect();
        let needed = |list: &[u32]| Some(list.contains(&17) && list.contains(&93));
        let halves = thin(&list, 2, needed);
        assert_eq!(halves, list);
        let tenths = thin(&list, 10, needed);
        assert_eq!(tenths, (10..20).chain(90..100).collect::<Vec<_>>());
        assert_eq!(thin(&tenths, 20, needed), [17, 93]);
        let mut tries = 0;
        let tired = |_: &[u32]| {
            tries += 1;
            None
        };
        assert_eq!(thin(&list, 100, tired), list);
        assert_eq!(tries, 1);
    }
}
