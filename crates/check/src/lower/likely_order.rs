//! A likely order of the transactions: by time if times are known, else as the trace lists them
//! or, if it lists one session after the other, by progress within the session.
//!
//! Units are numbered in this order. It is only a guess, but it serves twice: versions are first
//! guessed in it, and what happened close together lies close together in memory.

use tristan_history::{History, TxnId};

use crate::threads::Threads;

/// All transactions, the likely first ones first.
pub(crate) fn likely_order(history: &History, threads: Threads) -> Vec<TxnId> {
    let time = |txn: TxnId| {
        let record = history.txn(txn);
        record.ended_by().or_else(|| record.ended_from()).or(record.begin().call)
    };
    let times: Option<Vec<i64>> = history.txn_ids().map(time).collect();
    match times {
        Some(times) => sorted_by(&times, threads),
        None if grouped_by_session(history) => sorted_by(&session_progress(history), threads),
        None => history.txn_ids().collect(),
    }
}

/// The transactions by a number that each of them has, then as the trace lists them.
fn sorted_by(numbers: &[i64], threads: Threads) -> Vec<TxnId> {
    let mut order: Vec<(i64, TxnId)> =
        numbers.iter().enumerate().map(|(txn, &number)| (number, TxnId::new(txn))).collect();
    threads.sort(&mut order);
    order.into_iter().map(|(_, txn)| txn).collect()
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
