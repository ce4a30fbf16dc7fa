//! Which transactions of unknown outcome must have taken effect, given that others did.
//!
//! A read with a single possible source makes that source take effect if the reader did; a
//! list makes all its writers take effect.

use std::collections::BTreeMap;

use tristan_history::{KeyId, Outcome, TxnId};
use tristan_verdict::Source;

use crate::operations::Seen;
use crate::reading::{Read, Reading};

/// Transactions that took effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Effective {
    marks: Vec<bool>,
    /// Of those that took effect because of a read: the reader and the key.
    because: BTreeMap<TxnId, (TxnId, KeyId)>,
}

impl Effective {
    /// Those that took effect in every execution that explains the trace.
    pub(crate) fn certain(reading: &Reading<'_>) -> Self {
        let txns = &reading.history.txns;
        let mut effective = Self { marks: vec![false; txns.len()], because: BTreeMap::new() };
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

    /// The read that shows that the transaction took effect: its reader and key. `None` if it was
    /// added itself or did not take effect.
    pub(crate) fn because(&self, txn: TxnId) -> Option<(TxnId, KeyId)> {
        self.because.get(&txn).copied()
    }

    /// Adds a transaction and those that it could not have done without. Returns the new ones.
    pub(crate) fn add(&mut self, reading: &Reading<'_>, txn: TxnId) -> Vec<TxnId> {
        let mut added = Vec::new();
        let mut open = vec![(txn, None)];
        while let Some((txn, because)) = open.pop() {
            if std::mem::replace(&mut self.marks[txn.index()], true) {
                continue;
            }
            added.push(txn);
            if let Some(because) = because {
                self.because.insert(txn, because);
            }
            for read in reading.reads_of(txn) {
                let needed = needed(reading, read).into_iter();
                open.extend(needed.map(|writer| (writer, Some((txn, read.key)))));
            }
        }
        added
    }

    /// Takes back what [`Effective::add`] added.
    pub(crate) fn remove(&mut self, added: &[TxnId]) {
        for txn in added {
            self.marks[txn.index()] = false;
            self.because.remove(txn);
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
