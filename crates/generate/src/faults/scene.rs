//! Two clients on a store that holds the final state of a history.

use std::collections::BTreeMap;

use tristan_history::{
    Datum, History, HistoryBuilder, Initial, OpKind, Outcome, SessionId, TxnId, ValueId,
};
use tristan_store::{Interval, Level, NoFaults, Store};

use crate::stage::{Act, Stage};
use crate::{Rng, above, number};

/// How many keys of the history the scene looks at, and how many new ones it has room for.
const ROOM: i64 = 20;

/// The level of the transactions of the scene.
const LEVEL: Level = Level::Snapshot;

/// The place where a fault happens.
pub(super) struct Scene {
    pub(super) stage: Stage,
    pub(super) rng: Rng,
    /// The last keys of the history and all new keys.
    pub(super) range: Interval,
    clients: [SessionId; 2],
    next_key: i64,
    next_value: i64,
}

/// One of the two clients.
#[derive(Clone, Copy)]
pub(super) enum Who {
    Alice,
    Bob,
}

impl Scene {
    /// The scene after the end of a history.
    pub(super) fn after(history: &History, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let first = above(history.keys.iter());
        let mut builder = HistoryBuilder::from(history.clone());
        let clients = two_sessions(&mut builder, &mut rng);
        let store = filled(final_state(history));
        Self {
            stage: Stage::new(store, LEVEL, builder, latest(history)),
            clients,
            range: Interval::between(first.saturating_sub(ROOM), first + ROOM),
            next_key: first,
            next_value: above(history.values.iter()),
            rng,
        }
    }

    pub(super) fn finish(self) -> History {
        self.stage.finish()
    }

    /// New keys, in ascending order.
    pub(super) fn keys<const N: usize>(&mut self) -> [i64; N] {
        std::array::from_fn(|_| {
            let key = self.next_key + self.rng.below(3) as i64;
            self.next_key = key + 1;
            key
        })
    }

    /// A value that no transaction wrote.
    pub(super) fn value(&mut self) -> i64 {
        self.next_value += 1;
        self.next_value - 1
    }

    /// One of the clients, at random.
    pub(super) fn anyone(&mut self) -> Who {
        if self.rng.percent(50) { Who::Alice } else { Who::Bob }
    }

    pub(super) fn begin(&mut self, who: Who) -> Act {
        self.stage.begin(self.clients[who as usize])
    }

    pub(super) fn commit(&mut self, act: Act) -> TxnId {
        self.stage.commit(act).expect("no two writers of a key overlap")
    }

    /// A whole transaction that writes.
    pub(super) fn write(&mut self, who: Who, pairs: &[(i64, i64)]) -> TxnId {
        let mut act = self.begin(who);
        for &(key, value) in pairs {
            self.stage.put(&mut act, key, value);
        }
        self.commit(act)
    }

    /// A whole transaction that reads keys and then writes them.
    pub(super) fn update(&mut self, who: Who, pairs: &[(i64, i64)]) -> TxnId {
        let mut act = self.begin(who);
        for &(key, _) in pairs {
            self.stage.get(&mut act, key);
        }
        for &(key, value) in pairs {
            self.stage.put(&mut act, key, value);
        }
        self.commit(act)
    }

    /// A whole transaction that looks at a key: by a read, a scan or an iterator.
    pub(super) fn look(&mut self, who: Who, key: i64) -> TxnId {
        let mut act = self.begin(who);
        match self.rng.below(3) {
            0 => self.stage.get(&mut act, key),
            1 => self.stage.scan(&mut act, self.range),
            _ => self.stage.iterate(&mut act, self.range, usize::MAX),
        }
        self.commit(act)
    }
}

/// The last recorded time.
fn latest(history: &History) -> Option<i64> {
    let spans = history.txns.iter().flat_map(|txn| [txn.begin(), txn.end()]);
    spans.flat_map(|span| [span.call, span.ret]).flatten().max()
}

/// Two different sessions, new ones if there are not enough.
fn two_sessions(builder: &mut HistoryBuilder, rng: &mut Rng) -> [SessionId; 2] {
    for name in 0.. {
        if builder.history_mut().sessions.len() >= 2 {
            break;
        }
        builder.session(Datum::Int(name));
    }
    let count = builder.history_mut().sessions.len() as u64;
    let first = rng.below(count);
    let second = (first + 1 + rng.below(count - 1)) % count;
    [first, second].map(|index| SessionId::new(index as usize))
}

/// What keys that are numbers hold after all committed transactions, in the order listed.
fn final_state(history: &History) -> BTreeMap<i64, Option<ValueId>> {
    let mut state = BTreeMap::new();
    let name = |key| number(history.key(key));
    if let Initial::Given(given) = &history.header.initial {
        state.extend(given.iter().filter_map(|(key, value)| Some((name(*key)?, Some(*value)))));
    }
    let committed = history.txn_ids().filter(|id| history.txn(*id).outcome == Outcome::Committed);
    for op in committed.flat_map(|id| history.ops_of(id)) {
        let (key, value) = match op.kind {
            OpKind::Put { key, value } | OpKind::ReadModifyWrite { key, value, .. } => {
                (key, Some(value))
            }
            OpKind::PutIf { key, value, rows, .. } if rows != Some(0) => (key, Some(value)),
            OpKind::Delete { key, .. } => (key, None),
            _ => continue,
        };
        state.extend(name(key).map(|key| (key, value)));
    }
    state
}

/// A store that holds a state.
fn filled(state: BTreeMap<i64, Option<ValueId>>) -> Store<ValueId, NoFaults> {
    let mut store = Store::new(NoFaults);
    let mut load = store.begin(LEVEL);
    for (key, value) in state {
        store.put(&mut load, key, value);
    }
    store.commit(load);
    store
}
