//! The smallest trace that still fails.
//!
//! ```text
//!   trace ──► check ──► core ──► core and whoever wrote what it read
//!                                       │ leave something out, check again
//!                                       ▼
//!                                 smallest trace with the same anomaly
//! ```
//!
//! Leaving something out must not make up a new mistake: a read of a value whose writer is gone
//! would be one. So what remains has to be rejected for the same kind of anomaly, or at least, if
//! that was a cycle, because of cycles only. In the end no single transaction and no single operation
//! can be left out any more.

mod compact;
mod tidy;

use std::time::Instant;

use rustc_hash::FxHashSet;
use tristan_history::excerpt::{Kept, excerpt};
use tristan_history::formats::{self, WriteForm};
use tristan_history::{History, KeyId, Observed, Op, OpKind, TxnId, ValueId};
use tristan_spec::Level;
use tristan_verdict::{Answer, Refutation, Rule, Verdict};

use crate::budget::Limits;
use crate::pipeline::{Options, Silent, check};

/// A trace made smaller.
#[derive(Debug)]
pub struct Shrunk {
    /// What is left, with notes that say where in the whole trace it was.
    pub history: History,
    /// The verdict on it.
    pub verdict: Verdict,
    /// Whether everything was tried: then no transaction and no operation can be left out. If not,
    /// time was up.
    pub finished: bool,
}

impl Shrunk {
    /// What is left, as a file of one line per operation.
    pub fn trace(&self) -> String {
        let mut trace = Vec::new();
        formats::write(&self.history, WriteForm::Compact, &mut trace)
            .expect("writing to memory does not fail");
        String::from_utf8(trace).expect("a trace is made of text")
    }
}

/// Makes a rejected trace smaller; `None` if the verdict is no rejection, or if there was no time
/// for a single try. Stops in time, with what it has by then.
pub fn shrink(
    history: &History,
    level: &Level,
    options: &Options,
    verdict: &Verdict,
    until: Option<Instant>,
) -> Option<Shrunk> {
    let Answer::Reject { anomaly, refutation } = &verdict.answer else { return None };
    let history = &options.interpretation.apply(history);
    // A part of a trace may have nothing to judge; whether the level accepts it is still the question.
    let options =
        Options { interpretation: Default::default(), withhold_vacuous: false, ..options.clone() };
    let wanted = Wanted::Class(&anomaly.class);
    let mut shrinking = Shrinking { history, level, options, wanted, until };
    let core: Vec<TxnId> = refutation.core.iter().map(|&id| TxnId(id)).collect();
    let mut best = shrinking.start(&core, is_cyclic(refutation))?;
    while shrinking.round(&mut best) {}
    let finished = !shrinking.is_over();
    let (history, verdict) = shrinking.tidied(best);
    Some(Shrunk { history: tidy::with_places(history), verdict, finished })
}

struct Shrinking<'a> {
    history: &'a History,
    level: &'a Level,
    options: Options,
    wanted: Wanted<'a>,
    until: Option<Instant>,
}

/// How what is left has to fail.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    /// With an anomaly of this class.
    Class(&'a str),
    /// Because of cycles, and not because of what a single read returned.
    Cycles,
}

/// Whether cycles refute, and neither a single read nor two that cannot both be of the start: leaving
/// out writers makes such reads.
fn is_cyclic(refutation: &Refutation) -> bool {
    let clashes = |rule: &Rule| matches!(rule, Rule::InitialClash | Rule::NoSource(..));
    refutation
        .each_case()
        .all(|case| case.bad.is_none() && !case.conflicts.iter().any(|one| clashes(&one.rule)))
}

/// The smallest part so far, and why it fails.
struct Best {
    kept: Vec<Kept>,
    verdict: Verdict,
}

impl Best {
    /// Transactions and operations.
    fn size(&self) -> usize {
        self.kept.len() + self.kept.iter().map(|kept| kept.ops.len()).sum::<usize>()
    }
}

impl Shrinking<'_> {
    /// Something that fails: the core with its writers, if need be with another cycle than the
    /// whole trace was rejected for, or else all there is.
    fn start(&mut self, core: &[TxnId], cyclic: bool) -> Option<Best> {
        let kept = with_writers(self.history, core);
        if let Some(best) = self.attempt(kept.clone()) {
            return Some(best);
        }
        if cyclic {
            let class = std::mem::replace(&mut self.wanted, Wanted::Cycles);
            if let Some(best) = self.attempt(kept) {
                return Some(best);
            }
            self.wanted = class;
        }
        self.attempt(self.history.txn_ids().map(|txn| Kept::whole(self.history, txn)).collect())
    }

    /// Leaves out what it can; whether that was anything.
    fn round(&self, best: &mut Best) -> bool {
        let before = best.size();
        self.leave_out_txns(best);
        self.leave_out_ops(best);
        best.size() < before && !self.is_over()
    }

    fn attempt(&self, kept: Vec<Kept>) -> Option<Best> {
        let verdict = self.fails(&excerpt(self.history, &kept))?;
        Some(Best { kept, verdict })
    }

    /// The verdict on a part, if it fails as it should.
    fn fails(&self, part: &History) -> Option<Verdict> {
        let options = Options { limits: self.limits(), ..self.options.clone() };
        let verdict = check(part, self.level, &options, &Silent).verdict;
        let Answer::Reject { anomaly, refutation } = &verdict.answer else { return None };
        let fits = match self.wanted {
            Wanted::Class(class) => anomaly.class == class,
            Wanted::Cycles => is_cyclic(refutation),
        };
        fits.then_some(verdict)
    }

    /// No check may take longer than what is left of the time.
    fn limits(&self) -> Limits {
        let left = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        let time = [left, self.options.limits.time].into_iter().flatten().min();
        Limits { time, ..self.options.limits }
    }

    fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
            || self.options.within.check().is_err()
    }

    /// Leaves out as many transactions as it can: halves first, then quarters, and so on.
    fn leave_out_txns(&self, best: &mut Best) {
        let mut size = best.kept.len() / 2;
        while size > 0 {
            let mut start = 0;
            while start < best.kept.len() && !self.is_over() {
                let end = (start + size).min(best.kept.len());
                let rest = best.kept[..start].iter().chain(&best.kept[end..]).cloned();
                match self.attempt(rest.collect()) {
                    Some(smaller) => *best = smaller,
                    None => start = end,
                }
            }
            size /= 2;
        }
    }

    /// Leaves out operations, one at a time, the last one first.
    fn leave_out_ops(&self, best: &mut Best) {
        for at in 0..best.kept.len() {
            for number in (0..best.kept[at].ops.len()).rev() {
                if self.is_over() {
                    return;
                }
                let mut rest = best.kept.clone();
                rest[at].ops.remove(number);
                if let Some(smaller) = self.attempt(rest) {
                    *best = smaller;
                }
            }
        }
    }

    /// What is left, without keys that nobody speaks of; unless it needs them to fail.
    fn tidied(&self, best: Best) -> (History, Verdict) {
        let history = excerpt(self.history, &best.kept);
        let tidied = compact::compact(&tidy::without_other_keys(history.clone()));
        match self.fails(&tidied) {
            Some(verdict) => (tidied, verdict),
            None => (history, best.verdict),
        }
    }
}

/// The core, and of all others the writes that it can have read.
fn with_writers(history: &History, core: &[TxnId]) -> Vec<Kept> {
    let mut seen: FxHashSet<(KeyId, ValueId)> = FxHashSet::default();
    for op in core.iter().flat_map(|&txn| history.ops_of(txn)) {
        each_seen(op, |key, value| {
            seen.insert((key, value));
        });
    }
    let mut kept: Vec<Kept> = core.iter().map(|&txn| Kept::whole(history, txn)).collect();
    let wanted = |op: &Op| match op.kind {
        OpKind::Put { key, value }
        | OpKind::PutIf { key, value, .. }
        | OpKind::Append { key, element: value }
        | OpKind::ReadModifyWrite { key, value, .. } => seen.contains(&(key, value)),
        _ => false,
    };
    for txn in history.txn_ids().filter(|txn| !core.contains(txn)) {
        let writer = Kept::some(history, txn, wanted);
        if !writer.ops.is_empty() {
            kept.push(writer);
        }
    }
    kept
}

/// Calls `found` with whatever an operation has read.
fn each_seen(op: &Op, mut found: impl FnMut(KeyId, ValueId)) {
    match &op.kind {
        OpKind::Get { key, seen: Observed::Value(value), .. }
        | OpKind::ReadModifyWrite { key, seen: Observed::Value(value), .. } => found(*key, *value),
        OpKind::ReadList { key, elements: Some(elements) } => {
            elements.iter().for_each(|element| found(*key, *element));
        }
        OpKind::Scan { items: Some(items), .. } | OpKind::Iterate { items: Some(items), .. } => {
            items.iter().for_each(|(key, value)| found(*key, *value));
        }
        _ => {}
    }
}
