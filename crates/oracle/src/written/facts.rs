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
    /// For each key, who reads whose version.
    pub(super) wr: Vec<Matrix>,
    /// For each key, which reads see whose version.
    pub(super) rd: Vec<Matrix>,
    /// Whose reads they are.
    pub(super) of: Matrix,
    /// The order of reads in each transaction.
    pub(super) po: Matrix,
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
        let reads: Vec<SourcedRead> =
            explained.reads.iter().map(|read| SourcedRead { txn: read.txn + 1, ..*read }).collect();
        let per_key = |matrix: &dyn Fn(usize) -> Matrix| -> Vec<Matrix> {
            (0..scene.writers.len()).map(matrix).collect()
        };
        Self {
            txns,
            writers: scene.writers.iter().map(|&set| writes(set).collect()).collect(),
            so: order(&scene.so),
            rt: order(&scene.rt),
            cc: order(&scene.cc),
            bc: order(&scene.bc),
            wr: per_key(&|key| {
                Matrix::of(txns, txns, |from, to| {
                    let fits = |read: &SourcedRead| read.key == key && read.txn == to;
                    reads.iter().any(|read| fits(read) && Self::source(read) == from)
                })
            }),
            rd: per_key(&|key| {
                Matrix::of(txns, reads.len(), |from, to| {
                    reads[to].key == key && Self::source(&reads[to]) == from
                })
            }),
            of: Matrix::of(reads.len(), txns, |from, to| reads[from].txn == to),
            po: Matrix::of(reads.len(), reads.len(), |from, to| {
                reads[from].txn == reads[to].txn && reads[from].op < reads[to].op
            }),
            promised: [&[Promise::Serializable], promised].concat(),
            reads,
        }
    }

    /// Where a read came from.
    fn source(read: &SourcedRead) -> usize {
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
