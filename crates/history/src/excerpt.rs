//! Part of a history: some of its transactions, and of these some operations.
//!
//! What is left out was not seen. So an excerpt is a weaker statement than the whole, as long as
//! whatever somebody in it has read is still written in it.

use crate::{History, HistoryBuilder, Op, Txn, TxnId};

/// What is kept of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Which transaction.
    pub txn: TxnId,
    /// Which of its operations, by number.
    pub ops: Vec<u32>,
}

impl Kept {
    /// All of a transaction.
    pub fn whole(history: &History, txn: TxnId) -> Self {
        Self { txn, ops: (0..history.txn(txn).op_count).collect() }
    }

    /// Some operations of a transaction.
    pub fn some(history: &History, txn: TxnId, keep: impl Fn(&Op) -> bool) -> Self {
        let ops = (0..).zip(history.ops_of(txn)).filter(|(_, op)| keep(op));
        Self { txn, ops: ops.map(|(number, _)| number).collect() }
    }
}

/// The history with nothing but these transactions and operations, in the order of the whole.
/// Hints and notes are left out; names stay, and unnamed transactions get the names that people
/// know them by.
pub fn excerpt(history: &History, kept: &[Kept]) -> History {
    let mut kept: Vec<&Kept> = kept.iter().collect();
    kept.sort_unstable_by_key(|kept| kept.txn);
    let mut builder = HistoryBuilder::default();
    for Kept { txn: id, ops } in kept {
        let original = history.txn(*id);
        let session = builder.session(history.sessions[original.session.index()].name.clone());
        let name = original.name.clone();
        let name = name.or_else(|| Some(Box::new(history.label(*id).as_str().into())));
        builder.add_txn(Txn { session, name, ..original.clone() });
        for &op in ops {
            builder.push_op(history.ops_of(*id)[op as usize].clone());
        }
    }
    let built = builder.history_mut();
    built.header = history.header.clone();
    built.keys = history.keys.clone();
    built.values = history.values.clone();
    builder.finish()
}
