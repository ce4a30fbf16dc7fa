//! Leaves out transactions and operations as long as a history keeps its fault.

use tristan_history::{History, HistoryBuilder, Txn, TxnId};

/// A history with the fault of which nothing can be left out without losing the fault.
pub fn smallest(history: &History, faulty: &dyn Fn(&History) -> bool) -> History {
    let smaller = all_smaller(history).find(|smaller| faulty(smaller));
    smaller.map_or_else(|| history.clone(), |smaller| smallest(&smaller, faulty))
}

/// The histories with one transaction less, then those with one operation less.
fn all_smaller(history: &History) -> impl Iterator<Item = History> {
    let txns = history.txn_ids().map(|left_out| kept(history, &|txn, _| txn != left_out, left_out));
    let ops = history.txn_ids().flat_map(move |of| {
        let count = history.ops_of(of).len();
        (0..count).map(move |left_out| {
            let none = TxnId::new(history.txns.len());
            kept(history, &|txn, op| txn != of || op != left_out, none)
        })
    });
    txns.chain(ops)
}

/// The history without a transaction, and with some of its operations.
fn kept(history: &History, keep: &dyn Fn(TxnId, usize) -> bool, left_out: TxnId) -> History {
    let mut builder = HistoryBuilder::default();
    builder.history_mut().header = history.header.clone();
    builder.history_mut().keys = history.keys.clone();
    builder.history_mut().values = history.values.clone();
    for id in history.txn_ids().filter(|&id| id != left_out) {
        let txn = history.txn(id);
        let session = builder.session(history.sessions[txn.session.index()].name.clone());
        builder.add_txn(Txn { session, ..txn.clone() });
        let ops = history.ops_of(id).iter().enumerate();
        for (_, op) in ops.filter(|&(at, _)| keep(id, at)) {
            builder.push_op(op.clone());
        }
    }
    builder.finish()
}
