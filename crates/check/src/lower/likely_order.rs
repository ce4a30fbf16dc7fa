//! A likely order of the transactions: by time if times are known, else as the trace lists them
//! or, if it lists one session after the other, by progress within the session.
//!
//! Units are numbered in this order. It is only a guess, but it serves twice: versions are first
//! guessed in it, and what happened close together lies close together in memory.

use tristan_history::{History, TxnId};

/// All transactions, the likely first ones first.
pub(crate) fn likely_order(history: &History) -> Vec<TxnId> {
    let time = |txn: TxnId| {
        let record = history.txn(txn);
        record.ended_by().or_else(|| record.ended_from()).or(record.begin.call)
    };
    let times: Option<Vec<i64>> = history.txn_ids().map(time).collect();
    let mut order: Vec<TxnId> = history.txn_ids().collect();
    if let Some(times) = times {
        order.sort_by_key(|txn| times[txn.index()]);
    } else if grouped_by_session(history) {
        let progress = session_progress(history);
        order.sort_by_key(|txn| progress[txn.index()]);
    }
    order
}

fn grouped_by_session(history: &History) -> bool {
    let session = |txn: TxnId| history.txn(txn).session;
    let changes = history.txn_ids().zip(history.txn_ids().skip(1));
    changes.filter(|&(a, b)| session(a) != session(b)).count() < 2 * history.sessions.len()
}

/// How much of its session comes before each transaction, in parts of 2^40.
fn session_progress(history: &History) -> Vec<i64> {
    let mut progress = vec![0; history.txns.len()];
    for session in &history.sessions {
        for (at, txn) in session.txns.iter().enumerate() {
            progress[txn.index()] = (at as i64 + 1) * (1 << 40) / session.txns.len() as i64;
        }
    }
    progress
}
