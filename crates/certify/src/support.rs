//! Which transactions of unknown outcome must have taken effect, given that others did.
//!
//! A read with a single possible source makes that source take effect if the reader did; a
//! list makes all its writers take effect.

use tristan_history::{Outcome, TxnId};
use tristan_verdict::Source;

use crate::operations::Seen;
use crate::reading::{Read, Reading};

/// Transactions that took effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Effective {
    marks: Vec<bool>,
}

impl Effective {
    /// Those that took effect in every execution that explains the trace.
    pub(crate) fn certain(reading: &Reading<'_>) -> Self {
        let txns = &reading.history.txns;
        let mut effective = Self { marks: vec![false; txns.len()] };
        let any_unknown = txns.iter().any(|txn| txn.outcome == Outcome::Unknown);
        for txn in reading.history.txn_ids() {
            if reading.history.txn(txn).outcome == Outcome::Committed {
                if any_unknown {
                    effective.add(reading, txn);
                } else {
                    effective.marks[txn.index()] = true;
                }
            }
        }
        effective
    }

    /// Whether the transaction is one of them.
    pub(crate) fn contains(&self, txn: TxnId) -> bool {
        self.marks.get(txn.index()).copied().unwrap_or(false)
    }

    /// Adds a transaction and those that it could not have done without. Returns the new ones.
    pub(crate) fn add(&mut self, reading: &Reading<'_>, txn: TxnId) -> Vec<TxnId> {
        let mut added = Vec::new();
        let mut open = vec![txn];
        while let Some(txn) = open.pop() {
            if std::mem::replace(&mut self.marks[txn.index()], true) {
                continue;
            }
            added.push(txn);
            for read in reading.reads_of(txn) {
                open.extend(needed(reading, read));
            }
        }
        added
    }

    /// Takes back what [`Effective::add`] added.
    pub(crate) fn remove(&mut self, added: &[TxnId]) {
        for txn in added {
            self.marks[txn.index()] = false;
        }
    }
}

/// The transactions that took effect if this read did.
pub(crate) fn needed(reading: &Reading<'_>, read: &Read) -> Vec<TxnId> {
    if reading.is_dirty(read.txn) {
        return Vec::new();
    }
    if let Seen::List(_) = read.seen {
        return reading.list_writers(read).unwrap_or_default();
    }
    match reading.only_source(read) {
        Some(Source::Txn(writer)) => vec![TxnId(writer)],
        _ => Vec::new(),
    }
}
