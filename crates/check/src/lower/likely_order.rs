//! A likely order of the transactions: by time if times are known, else as the trace lists them
//! or, if it lists one session after the other, by progress within the session, corrected by who
//! read from whom.
//!
//! Units are numbered in this order. It is only a guess, but it serves twice: versions are first
//! guessed in it, and what happened close together lies close together in memory.

use tristan_ground::Threads;
use tristan_history::{History, TxnId};
use tristan_spec::Level;

use super::alignment;
use crate::asg::Asg;
use crate::automaton::Automaton;

/// Estimates are told apart down to this part of a transaction.
const PARTS: f64 = 1024.0;

/// How many sessions may have been open at a time, if not all; one is as the trace lists them.
const AT_ONCE: [usize; 5] = [1, 8, 24, 64, 192];

/// How much trouble a likely order is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    /// Every anti-dependency counts: the better the order, the sooner a witness is found.
    High,
    /// The order of versions hardly matters.
    Low,
}

impl Precision {
    /// What a level asks for.
    pub(crate) fn needed(level: &Level) -> Self {
        let automaton = Automaton::compile(&level.formula);
        match automaton.missing().all(|arc| arc.jump) {
            true => Self::Low,
            false => Self::High,
        }
    }
}

/// All transactions, the likely first ones first.
pub(crate) fn likely_order(asg: &Asg<'_>, precision: Precision) -> Vec<TxnId> {
    let (history, threads) = (asg.history, asg.threads);
    let time = |txn: TxnId| {
        let record = history.txn(txn);
        record.ended_by().or_else(|| record.ended_from()).or(record.begin().call)
    };
    let times: Option<Vec<i64>> = history.txn_ids().map(time).collect();
    match times {
        Some(times) => sorted_by(&times, threads),
        None if grouped_by_session(history) => {
            let few = AT_ONCE.into_iter().filter(|&few| few < history.sessions.len());
            let rough = few.map(|few| taking_turns(history, few));
            let best = alignment::best(asg, rough.chain([session_progress(history)]));
            let when = match precision {
                Precision::High => alignment::align(asg, best),
                Precision::Low => best,
            };
            let parts: Vec<i64> = when.into_iter().map(|when| (when * PARTS) as i64).collect();
            sorted_by(&parts, threads)
        }
        None => history.txn_ids().collect(),
    }
}

/// Whether neither times, nor the order in which the trace lists the transactions, nor the progress of
/// sessions predicts the order.
pub(crate) fn is_doubtful(asg: &Asg<'_>) -> bool {
    let history = asg.history;
    let timed = |txn: TxnId| {
        let record = history.txn(txn);
        record.ended_by().or_else(|| record.ended_from()).or(record.begin().call).is_some()
    };
    if history.txn_ids().all(timed) {
        return false;
    }
    let rough = AT_ONCE.into_iter().filter(|&few| few < history.sessions.len());
    let listed = (0..history.txns.len()).map(|at| at as f64).collect();
    let rough = rough.map(|few| taking_turns(history, few));
    alignment::are_doubtful(asg, rough.chain([session_progress(history), listed]))
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

/// When each transaction ran, in transactions, if sessions were opened as they are listed, so many
/// at a time.
fn taking_turns(history: &History, at_once: usize) -> Vec<f64> {
    let mut when = vec![0.0; history.txns.len()];
    for session in &history.sessions {
        let opened = session.txns.first().map_or(0.0, |first| first.index() as f64);
        for (at, txn) in session.txns.iter().enumerate() {
            when[txn.index()] = opened + (at * at_once) as f64;
        }
    }
    when
}

/// When each transaction ran, in transactions, if sessions proceed evenly from start to end.
fn session_progress(history: &History) -> Vec<f64> {
    let mut progress = vec![0.0; history.txns.len()];
    for session in &history.sessions {
        let gap = history.txns.len() as f64 / session.txns.len().max(1) as f64;
        for (at, txn) in session.txns.iter().enumerate() {
            progress[txn.index()] = (at as f64 + 0.5) * gap;
        }
    }
    progress
}
