//! The trace of some transactions of a larger one.
//!
//! If a transaction is left out, so are its operations, and so is what the others saw of it. A read
//! that is kept says the same as before if every one of its possible sources is kept (or is the
//! initial state); otherwise it says nothing any more, because it may have come from outside. For a
//! read that has no possible source, the transactions that ever wrote what it saw count instead.
//!
//! A list read shows the order of the transactions that are kept, and loses the elements of the others.
//! If an element of the very transaction that is left out of a core is in it, it says nothing: what it
//! read can have been that transaction's version.
//!
//! So a core is right if the trace of the core alone is rejected, and no transaction of it can be left
//! out if the trace of the others is accepted.

use tristan_history::{
    Datum, History, HistoryBuilder, Items, Observed, Op, OpKind, OpStatus, Range, Txn, TxnId,
    ValueId,
};
use tristan_verdict::Source;

use crate::reading::{Look, Reading, Seen};

/// A core, perhaps without one of its transactions.
pub struct Part<'a> {
    reading: &'a Reading<'a>,
    kept: Vec<u32>,
    without: Option<u32>,
}

impl<'a> Part<'a> {
    /// All of a core.
    pub fn core(reading: &'a Reading<'a>, core: &[u32]) -> Self {
        Self { reading, kept: core.to_vec(), without: None }
    }

    /// A core without a transaction.
    pub fn without(reading: &'a Reading<'a>, core: &[u32], txn: u32) -> Self {
        let kept = core.iter().copied().filter(|&other| other != txn).collect();
        Self { reading, kept, without: Some(txn) }
    }

    /// The trace of it alone.
    pub fn trace(&self) -> History {
        let history = self.reading.history;
        let mut builder = HistoryBuilder::default();
        builder.history_mut().header = history.header.clone();
        builder.history_mut().keys = history.keys.clone();
        builder.history_mut().values = history.values.clone();
        for id in history.txn_ids().filter(|id| self.kept.contains(&id.0)) {
            let txn = history.txn(id);
            let session = builder.session(history.sessions[txn.session.index()].name.clone());
            builder.add_txn(Txn { session, ..txn.clone() });
            for (at, op) in (0..).zip(history.ops_of(id)) {
                for kind in self.said(id, at, op) {
                    builder.push_op(Op { kind, ..op.clone() });
                }
            }
        }
        builder.finish()
    }

    /// Whether a scan would have to be split: then one operation becomes several, which some levels
    /// tell apart.
    pub fn splits_scans(&self) -> bool {
        self.reading.reads.iter().any(|seen| {
            let kind = &self.reading.history.ops_of(seen.txn)[seen.op as usize].kind;
            let scan = matches!(kind, OpKind::Scan { .. } | OpKind::Iterate { .. });
            scan && self.kept.contains(&seen.txn.0) && self.comes_from_outside(seen)
        })
    }

    fn is_outside(&self, txn: TxnId) -> bool {
        !self.kept.contains(&txn.0)
    }

    fn comes_from_outside(&self, seen: &Seen) -> bool {
        if matches!(seen.look, Look::List(_)) {
            let mut appenders = self.reading.appenders(seen).into_iter();
            return appenders.any(|txn| Some(txn.0) == self.without);
        }
        let sources = self.reading.candidates(seen);
        if sources.is_empty() {
            return self.reading.ever_wrote(seen).into_iter().any(|txn| self.is_outside(txn));
        }
        sources.into_iter().any(|source| match source {
            Source::Txn(txn) => self.is_outside(TxnId(txn)),
            Source::Initial => false,
        })
    }

    /// What is left of an operation.
    fn said(&self, txn: TxnId, at: u32, op: &Op) -> Vec<OpKind> {
        let reads = self.reading.reads.iter().filter(|seen| (seen.txn, seen.op) == (txn, at));
        let (lost, left): (Vec<&Seen>, Vec<&Seen>) =
            reads.partition(|seen| self.comes_from_outside(seen));
        match op.kind.clone() {
            OpKind::ReadList { key, elements: Some(elements) } if lost.is_empty() => {
                let kept = |element: &ValueId| {
                    self.reading.appender(key, *element).is_some_and(|txn| !self.is_outside(txn))
                };
                let elements = elements.iter().copied().filter(kept).collect();
                vec![OpKind::ReadList { key, elements: Some(elements) }]
            }
            kind if lost.is_empty() || op.status != OpStatus::Done => vec![kind],
            OpKind::Get { key, locking, .. } => {
                vec![OpKind::Get { key, seen: Observed::Unknown, locking }]
            }
            OpKind::PutIf { rows: Some(0), .. } | OpKind::Delete { rows: Some(0), .. } => {
                Vec::new()
            }
            OpKind::ReadModifyWrite { key, value, .. } | OpKind::PutIf { key, value, .. } => {
                vec![OpKind::Put { key, value }]
            }
            OpKind::Delete { key, .. } => vec![OpKind::Delete { key, rows: None }],
            OpKind::ReadList { key, .. } => vec![OpKind::ReadList { key, elements: None }],
            OpKind::Scan { .. } | OpKind::Iterate { .. } => {
                left.into_iter().map(|seen| scan_of_one(self.reading.history, seen)).collect()
            }
            other => vec![other],
        }
    }
}

/// A scan of a range that contains one key.
fn scan_of_one(history: &History, seen: &Seen) -> OpKind {
    let lo = history.key(seen.key).clone();
    let hi = Datum::from(format!("{lo}\0").as_str());
    let items: Items = match seen.look {
        Look::Value(value) => vec![(seen.key, value)].into(),
        _ => Items::default(),
    };
    let range = Box::new(Range { lo: Some(lo), hi: Some(hi), reverse: false });
    OpKind::Scan { range, items: Some(items), locking: false }
}
