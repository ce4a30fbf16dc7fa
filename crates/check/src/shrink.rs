//! The smallest trace that still fails.
//!
//! ```text
//!   trace ──► check ──► what the refutation speaks of          roots
//!                          │ and everything that rests on      closure
//!                          ▼
//!                       excerpt ──► the same sources? rejected? ──► leave out a root, try again
//!                          │           pinned       check
//!                          ▼
//!                       smallest excerpt, and its refutation in terms of the whole trace
//! ```
//!
//! # Why what it says is true of the whole trace
//!
//! Leaving out the writer of what is read would blame another transaction for it, or none. So nothing
//! is left out of an excerpt that can have provided what a read in it saw: what is left out are
//! *roots*, operations that are there for their own sake, and with them whatever only they needed
//! (`closure`). That this worked is checked for every excerpt anew: each of its reads must have
//! exactly the possible sources that it has in the whole trace (`pinned`).
//!
//! Then every refutation of the excerpt is one of the whole trace. Its choices list all candidates
//! of the whole. An edge that names a writer without a choice names the only candidate of the whole.
//! Session order and clocks order two transactions whoever else is there. A list shows the same
//! order. So the refutation, with the numbers that transactions and operations have in the whole
//! trace (`mapped`), can be certified against the whole trace. Callers that call a small trace
//! certified do this with [`Shrunk::whole`].
//!
//! In the end no root can be left out any more: of every transaction that remains, something takes
//! part in the anomaly, or it is a candidate for what another one has read.

mod closure;
mod mapped;
mod pinned;
mod roots;
mod tidy;

use std::cell::Cell;
use std::collections::BTreeSet;

use tristan_ground::Silent;
use tristan_history::excerpt::{Excerpt, Kept, excerpt};
use tristan_history::{History, TxnId};
use tristan_spec::{Level, Rel};
use tristan_verdict::{Answer, Refutation, Verdict};

use self::closure::{Root, Writes};
use crate::asg::Asg;
use crate::budget::{Budget, Limits};
use crate::explain;
use crate::options::Options;
use crate::pipeline::check;

/// A trace made smaller.
#[derive(Debug)]
pub struct Shrunk {
    /// What is left, with notes that say where in the whole trace it was.
    pub history: History,
    /// The verdict on it.
    pub verdict: Verdict,
    /// The same reasons as a verdict on the whole trace, with its transactions' numbers there: what
    /// a certifier has to check before the small trace may be called certified.
    pub whole: Verdict,
    /// Whether everything was tried: then no operation can be left out, except those that are there
    /// because they can have written what others read. If not, time was up.
    pub finished: bool,
}

/// Makes a rejected trace smaller; `None` if the verdict is no rejection, or if there was no time
/// for a single try. When `limits` are reached, returns what it has by then; each check on the way
/// has the limits of the options besides.
pub fn shrink(
    history: &History,
    level: &Level,
    options: &Options,
    verdict: &Verdict,
    limits: &Limits,
) -> Option<Shrunk> {
    let Answer::Reject { anomaly, refutation } = &verdict.answer else { return None };
    let history = &options.interpretation.apply(history);
    let budget = options.within.within(limits);
    let _shrinking = budget.scope("shrink");
    let asg = Asg::build_within(history, options.threads(), &budget).ok()?;
    // A part of a trace may have nothing to judge; whether the level accepts it is still the question.
    let options = Options {
        interpretation: Default::default(),
        withhold_vacuous: false,
        within: budget.clone(),
        ..options.clone()
    };
    let writes = Writes::of(history);
    let class = Some(anomaly.class.as_str());
    let narrow = !level.formula.constraints.iter().any(|one| one.expr().mentions(Rel::Vanishing));
    let taken = pinned::taken_effect(history);
    let taken = taken.as_ref().map(|history| Asg::build(history, options.threads()));
    let (asg, taken) = (&asg, taken.as_ref());
    let tried = Cell::new(0);
    let mut shrinking =
        Shrinking { history, asg, taken, writes, level, narrow, options, class, tried };
    let mut best = shrinking.start(refutation)?;
    while shrinking.round(&mut best) {}
    let finished = !shrinking.is_over();
    let whole = explain::carried_over(asg, verdict, &best.verdict, best.refutation);
    let history = tidy::with_places(best.excerpt);
    Some(Shrunk { history, verdict: best.verdict, whole, finished })
}

struct Shrinking<'a> {
    /// The whole trace.
    history: &'a History,
    asg: &'a Asg<'a>,
    /// The same if every operation took effect that may have, where there are any.
    taken: Option<&'a Asg<'a>>,
    writes: Writes<'a>,
    level: &'a Level,
    /// Whether a range read may become several of one key each: where it matters which of two
    /// operations came later, it may not.
    narrow: bool,
    options: Options,
    /// The class of anomaly that is wanted; any will do if it is `None`.
    class: Option<&'a str>,
    /// How many parts were checked.
    tried: Cell<u64>,
}

/// The smallest part so far, and why it fails.
struct Best {
    roots: BTreeSet<Root>,
    kept: Kept,
    excerpt: Excerpt,
    verdict: Verdict,
    /// The refutation in terms of the whole trace.
    refutation: Refutation,
}

impl Best {
    /// Transactions and operations.
    fn size(&self) -> usize {
        self.kept.len() + self.excerpt.history.ops.len()
    }
}

impl Shrinking<'_> {
    /// Something that fails: what the refutation speaks of, the core, or else all there is. With an
    /// anomaly of the same class, if there is one.
    fn start(&mut self, refutation: &Refutation) -> Option<Best> {
        let core = refutation.core.iter().map(|&txn| TxnId(txn));
        let starts = [
            roots::roots(self.history, refutation, self.narrow),
            roots::whole(self.history, core),
            roots::whole(self.history, self.history.txn_ids()),
        ];
        for roots in &starts {
            if let Some(best) = self.attempt(roots.clone()) {
                return Some(best);
            }
        }
        self.class = None;
        starts.into_iter().filter(|_| !self.is_over()).find_map(|roots| self.attempt(roots))
    }

    /// Leaves out what it can; whether that was anything.
    fn round(&self, best: &mut Best) -> bool {
        let before = best.size();
        self.focus(best);
        let txns: BTreeSet<TxnId> = best.roots.iter().map(|root| root.0).collect();
        self.leave_out(best, txns.into_iter().collect(), |root, txns: &[TxnId]| {
            txns.binary_search(&root.0).is_ok()
        });
        let mut single: Vec<Root> = best.roots.iter().copied().collect();
        single.reverse();
        self.leave_out(best, single, |root, roots: &[Root]| roots.contains(root));
        best.size() < before && !self.is_over()
    }

    /// Keeps nothing but what the refutation of the best speaks of.
    fn focus(&self, best: &mut Best) {
        let roots = roots::roots(self.history, &best.refutation, self.narrow);
        if let Some(smaller) = self.attempt(roots).filter(|found| found.size() < best.size()) {
            *best = smaller;
        }
    }

    /// The part with these roots, if it fails as it should.
    fn attempt(&self, roots: BTreeSet<Root>) -> Option<Best> {
        let kept = self.writes.closure(&roots);
        let excerpt = excerpt(self.history, &kept);
        if !pinned::is_pinned(self.asg, self.taken, &excerpt) {
            return None;
        }
        let verdict = self.fails(&excerpt.history)?;
        let Answer::Reject { refutation, .. } = &verdict.answer else { return None };
        let refutation = mapped::mapped(refutation, &excerpt.places);
        Some(Best { roots, kept, excerpt, verdict, refutation })
    }

    /// The verdict on a part, if it fails as it should.
    fn fails(&self, part: &History) -> Option<Verdict> {
        let verdict = check(part, self.level, &self.options, &Silent).verdict;
        self.tried.set(self.tried.get() + 1);
        self.budget().progress(self.tried.get(), 0);
        let Answer::Reject { anomaly, .. } = &verdict.answer else { return None };
        self.class.is_none_or(|class| anomaly.class == class).then_some(verdict)
    }

    /// What is left for the shrinking; every check lies within it.
    fn budget(&self) -> &Budget {
        &self.options.within
    }

    fn is_over(&self) -> bool {
        self.budget().check().is_err()
    }

    /// Leaves out as many of these as it can: halves first, then quarters, and so on. `concerns` says
    /// whether a root goes with some of them.
    fn leave_out<T>(
        &self,
        best: &mut Best,
        mut left: Vec<T>,
        concerns: impl Fn(&Root, &[T]) -> bool,
    ) {
        let mut size = left.len() / 2;
        while size > 0 {
            let mut start = 0;
            while start < left.len() && !self.is_over() {
                let end = (start + size).min(left.len());
                if self.without(best, |root| concerns(root, &left[start..end])) {
                    left.drain(start..end);
                } else {
                    start = end;
                }
            }
            size /= 2;
        }
    }

    /// Leaves some roots out, if what remains fails as it should.
    fn without(&self, best: &mut Best, left_out: impl Fn(&Root) -> bool) -> bool {
        let rest: BTreeSet<Root> =
            best.roots.iter().filter(|root| !left_out(root)).copied().collect();
        if rest.len() == best.roots.len() || rest.is_empty() {
            return false;
        }
        if self.writes.closure(&rest) == best.kept {
            best.roots = rest;
            return true;
        }
        let Some(smaller) = self.attempt(rest) else { return false };
        *best = smaller;
        true
    }
}
