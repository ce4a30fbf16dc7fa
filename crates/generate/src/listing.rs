//! The order in which transactions are listed.

use std::mem;

use super::Rng;
use tristan_history::{History, KeyId, Op, OpKind, OpStatus, TxnId};

/// The same history with its transactions listed session by session, so that their order in
/// the trace says nothing about the order in which they ran.
pub fn listed_by_session(history: &History) -> History {
    into_listed_by_session(history.clone())
}

/// The same for a history that is no longer needed as it is, with less memory.
pub fn into_listed_by_session(history: History) -> History {
    let order = history.sessions.iter().flat_map(|session| session.txns.iter().copied()).collect();
    listed(history, order)
}

/// The same history with sessions interleaved at random: nothing changes but the numbers of
/// transactions.
pub fn listed_at_random(history: &History, seed: u64) -> History {
    let mut rng = Rng::new(seed);
    let mut left: Vec<&[TxnId]> = history.sessions.iter().map(|one| one.txns.as_slice()).collect();
    let mut order = Vec::with_capacity(history.txns.len());
    left.retain(|txns| !txns.is_empty());
    while !left.is_empty() {
        let chosen = rng.below(left.len() as u64) as usize;
        if let Some((first, rest)) = left[chosen].split_first() {
            order.push(*first);
            left[chosen] = rest;
        }
        left.retain(|txns| !txns.is_empty());
    }
    listed(history.clone(), order)
}

/// The transactions in another order, which keeps that of every session.
fn listed(mut history: History, order: Vec<TxnId>) -> History {
    for session in &mut history.sessions {
        session.txns.clear();
    }
    let mut txns = Vec::with_capacity(history.txns.len());
    let mut ops = Vec::with_capacity(history.ops.len());
    for old in order {
        let mut txn = history.txn(old).clone();
        let first = txn.first_op as usize;
        txn.first_op = u32::try_from(ops.len()).expect("no more operations than before");
        history.sessions[txn.session.index()].txns.push(TxnId::new(txns.len()));
        ops.extend(history.ops[first..first + txn.op_count as usize].iter_mut().map(moved));
        txns.push(txn);
    }
    History { txns, ops, ..history }
}

/// An operation that is never looked up in its old place.
fn moved(op: &mut Op) -> Op {
    let kind = OpKind::Delete { key: KeyId::new(0), rows: None };
    mem::replace(op, Op { kind, status: OpStatus::Done, line: 0 })
}
