//! Which transactions count as committed.

use rustc_hash::FxHashMap;

use super::steps::{self, Step};
use tristan_history::{History, KeyId, Observed, Outcome, TxnId};

/// Committed transactions, and those of unknown outcome of which another transaction has read a write.
pub(super) fn committed(history: &History) -> Vec<bool> {
    let readers = match history.txns.iter().any(|txn| txn.outcome == Outcome::Unknown) {
        true => readers(history),
        false => FxHashMap::default(),
    };
    let committed = |id: TxnId| match history.txn(id).outcome {
        Outcome::Committed => true,
        Outcome::Aborted => false,
        Outcome::Unknown => was_read(history, id, &readers),
    };
    history.txn_ids().map(committed).collect()
}

/// The reads of each transaction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadBy {
    One(TxnId),
    Several,
}

fn readers(history: &History) -> FxHashMap<(KeyId, Observed), ReadBy> {
    let mut readers = FxHashMap::default();
    let alive = |id: &TxnId| history.txn(*id).outcome != Outcome::Aborted;
    for id in history.txn_ids().filter(alive) {
        for step in steps::of_txn(history, id) {
            let Step::Read(key, seen @ Observed::Value(_)) = step else { continue };
            let reader = readers.entry((key, seen)).or_insert(ReadBy::One(id));
            if *reader != ReadBy::One(id) {
                *reader = ReadBy::Several;
            }
        }
    }
    readers
}

fn was_read(history: &History, id: TxnId, readers: &FxHashMap<(KeyId, Observed), ReadBy>) -> bool {
    steps::of_txn(history, id).into_iter().any(|step| match step {
        Step::Write(key, value) => {
            readers.get(&(key, value)).is_some_and(|&reader| reader != ReadBy::One(id))
        }
        _ => false,
    })
}
