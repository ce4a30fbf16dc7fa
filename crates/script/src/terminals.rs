//! The terminal of each transaction. A session keeps its terminal while that is free; otherwise a
//! transaction gets the first terminal in which none is running, so that few terminals are enough.

use std::collections::{BTreeMap, BTreeSet};

use tristan_history::{History, SessionId, TxnId};

use crate::schedule::Step;

/// Terminals of transactions, counted from 1.
pub(crate) struct Terminals {
    places: BTreeMap<TxnId, usize>,
    /// How many there are.
    pub(crate) count: usize,
}

impl Terminals {
    pub(crate) fn of(history: &History, schedule: &[Step]) -> Self {
        let mut terminals = Self { places: BTreeMap::new(), count: 0 };
        let mut usual: BTreeMap<SessionId, usize> = BTreeMap::new();
        let mut busy: BTreeSet<usize> = BTreeSet::new();
        for step in schedule {
            match *step {
                Step::Begin(txn) => {
                    let session = history.txn(txn).session;
                    let known = usual.get(&session).copied().filter(|place| !busy.contains(place));
                    let place = known.or_else(|| (1..).find(|place| !busy.contains(place)));
                    let place = place.unwrap_or(1);
                    usual.insert(session, place);
                    busy.insert(place);
                    terminals.places.insert(txn, place);
                    terminals.count = terminals.count.max(place);
                }
                Step::End(txn) => {
                    busy.remove(&terminals.of_txn(txn));
                }
                Step::Op(..) => {}
            }
        }
        terminals
    }

    pub(crate) fn of_txn(&self, txn: TxnId) -> usize {
        self.places.get(&txn).copied().unwrap_or(1)
    }
}
