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
//! would be one. So what remains has to be rejected for the same kind of anomaly.

use std::time::Instant;

use rustc_hash::FxHashSet;
use tristan_history::excerpt::{Kept, excerpt};
use tristan_history::{History, KeyId, Observed, Op, OpKind, TxnId, ValueId};
use tristan_spec::Level;
use tristan_verdict::{Answer, Verdict};

use crate::pipeline::{Options, Silent, check};

/// A trace made smaller.
#[derive(Debug)]
pub struct Shrunk {
    /// What is left.
    pub history: History,
    /// The verdict on it.
    pub verdict: Verdict,
}

/// Makes a rejected trace smaller; `None` if the verdict is no rejection. Stops in time, with what
/// it has by then.
pub fn shrink(
    history: &History,
    level: &Level,
    options: &Options,
    verdict: &Verdict,
    until: Option<Instant>,
) -> Option<Shrunk> {
    let Answer::Reject { anomaly, refutation } = &verdict.answer else { return None };
    let history = &options.interpretation.apply(history);
    let options = Options { interpretation: Default::default(), ..options.clone() };
    let shrinking = Shrinking { history, level, options, class: &anomaly.class, until };
    let core: Vec<TxnId> = refutation.core.iter().map(|&id| TxnId(id)).collect();
    let mut kept = with_writers(history, &core);
    if shrinking.fails(&kept).is_none() {
        kept = history.txn_ids().map(|txn| Kept::whole(history, txn)).collect();
    }
    shrinking.leave_out_txns(&mut kept);
    shrinking.leave_out_ops(&mut kept);
    // Whoever wrote what is not read any more is not needed any more.
    shrinking.leave_out_txns(&mut kept);
    let verdict = shrinking.fails(&kept)?;
    Some(Shrunk { history: excerpt(history, &kept), verdict })
}

struct Shrinking<'a> {
    history: &'a History,
    level: &'a Level,
    options: Options,
    class: &'a str,
    until: Option<Instant>,
}

impl Shrinking<'_> {
    /// The verdict on what is kept, if it shows the same anomaly.
    fn fails(&self, kept: &[Kept]) -> Option<Verdict> {
        let part = excerpt(self.history, kept);
        let verdict = check(&part, self.level, &self.options, &Silent).verdict;
        let same = match &verdict.answer {
            Answer::Reject { anomaly, .. } => anomaly.class == self.class,
            _ => false,
        };
        same.then_some(verdict)
    }

    fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Leaves out as many transactions as it can: halves first, then quarters, and so on.
    fn leave_out_txns(&self, kept: &mut Vec<Kept>) {
        let mut size = kept.len() / 2;
        while size > 0 {
            let mut start = 0;
            while start < kept.len() && !self.is_over() {
                let end = (start + size).min(kept.len());
                let rest: Vec<Kept> = kept[..start].iter().chain(&kept[end..]).cloned().collect();
                match self.fails(&rest) {
                    Some(_) => *kept = rest,
                    None => start = end,
                }
            }
            size /= 2;
        }
    }

    /// Leaves out operations, one at a time, the last one first.
    fn leave_out_ops(&self, kept: &mut [Kept]) {
        for at in 0..kept.len() {
            for number in (0..kept[at].ops.len()).rev() {
                if self.is_over() {
                    return;
                }
                let op = kept[at].ops.remove(number);
                if self.fails(kept).is_none() {
                    kept[at].ops.insert(number, op);
                }
            }
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
