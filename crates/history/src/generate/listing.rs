//! The order in which transactions are listed.

use super::Rng;
use crate::{History, TxnId};

/// The same history with its transactions listed session by session, so that their order in
/// the trace says nothing about the order in which they ran.
pub fn listed_by_session(history: &History) -> History {
    listed(history, history.sessions.iter().flat_map(|session| session.txns.iter().copied()))
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
    listed(history, order.into_iter())
}

/// The transactions in another order, which keeps that of every session.
fn listed(history: &History, order: impl Iterator<Item = TxnId>) -> History {
    let mut listed = History {
        header: history.header.clone(),
        keys: history.keys.clone(),
        values: history.values.clone(),
        sessions: history.sessions.clone(),
        ..History::default()
    };
    for session in &mut listed.sessions {
        session.txns.clear();
    }
    for old in order {
        let mut txn = history.txn(old).clone();
        txn.first_op = u32::try_from(listed.ops.len()).expect("no more operations than before");
        listed.sessions[txn.session.index()].txns.push(TxnId::new(listed.txns.len()));
        listed.ops.extend_from_slice(history.ops_of(old));
        listed.txns.push(txn);
    }
    listed
}
