//! What a history says once it is known where every read came from.
//!
//! Transaction 0 wrote the initial state: it writes every key and comes before all others.

use tristan_history::{History, TxnId};
use tristan_spec::Promise;

use super::matrix::Matrix;
use crate::reading::{Explained, SourcedRead};
use crate::relations;

/// The history, as relations.
pub(super) struct Facts {
    /// How many transactions there are, the initial one included.
    pub(super) txns: usize,
    /// The writers of each key.
    pub(super) writers: Vec<Vec<bool>>,
    /// The reads of other transactions' versions, readers numbered like all transactions here.
    pub(super) reads: Vec<SourcedRead>,
    pub(super) so: Matrix,
    pub(super) rt: Matrix,
    pub(super) cc: Matrix,
    pub(super) bc: Matrix,
    /// What each transaction was promised; the initial one anything.
    pub(super) promised: Vec<Promise>,
}

impl Facts {
    pub(super) fn of(explained: &Explained<'_>, promised: &[Promise]) -> Self {
        let scene = explained.scene;
        let txns = scene.count + 1;
        let order = |given: &relations::Rel| {
            Matrix::of(txns, txns, |from, to| to > 0 && (from == 0 || given.has(from - 1, to - 1)))
        };
        let writes =
            |set: relations::Set| (0..txns).map(move |txn| txn == 0 || set >> (txn - 1) & 1 == 1);
        Self {
            txns,
            writers: scene.writers.iter().map(|&set| writes(set).collect()).collect(),
            reads: explained
                .reads
                .iter()
                .map(|read| SourcedRead { txn: read.txn + 1, ..*read })
                .collect(),
            so: order(&scene.so),
            rt: order(&scene.rt),
            cc: order(&scene.cc),
            bc: order(&scene.bc),
            promised: [&[Promise::Serializable], promised].concat(),
        }
    }

    /// Where a read came from.
    pub(super) fn source(read: &SourcedRead) -> usize {
        read.source.map_or(0, |txn| txn + 1)
    }
}

/// What each effective transaction was promised; the strongest promise if the trace says nothing,
/// which matters to levels only that ask.
pub(super) fn promises(history: &History, effective: &[TxnId]) -> Vec<Promise> {
    let promise = |&txn: &TxnId| {
        let level = history.txn(txn).level.as_deref();
        level.and_then(Promise::named).unwrap_or(Promise::Serializable)
    };
    effective.iter().map(promise).collect()
}
