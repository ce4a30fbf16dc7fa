//! Clients on a store, with everything they do written down.

use tristan_store::{Commit, Interval, Items, Level, NoFaults, Store, Transaction};

use super::number;
use tristan_history::{
    Datum, History, HistoryBuilder, Observed, Op, OpKind, OpStatus, Outcome, Range, SessionId,
    Span, Times, Txn, TxnId, ValueId,
};

/// A store and the record of what happened on it.
#[derive(Debug)]
pub(super) struct Stage {
    store: Store<ValueId, NoFaults>,
    /// The level of all transactions.
    level: Level,
    builder: HistoryBuilder,
    /// The time, if it is recorded. It moves with every event.
    clock: Option<i64>,
}

/// A transaction of a client.
#[derive(Debug)]
pub(super) struct Act {
    session: SessionId,
    begin: Span,
    running: Transaction<ValueId>,
    ops: Vec<OpKind>,
}

impl Stage {
    pub(super) fn new(
        store: Store<ValueId, NoFaults>,
        level: Level,
        builder: HistoryBuilder,
        clock: Option<i64>,
    ) -> Self {
        Self { store, level, builder, clock }
    }

    pub(super) fn finish(self) -> History {
        self.builder.finish()
    }

    pub(super) fn session(&mut self, name: Datum) -> SessionId {
        self.builder.session(name)
    }

    pub(super) fn begin(&mut self, session: SessionId) -> Act {
        let call = self.tick();
        let running = self.store.begin(self.level);
        Act { session, begin: Span { call, ret: self.tick() }, running, ops: Vec::new() }
    }

    pub(super) fn get(&mut self, act: &mut Act, key: i64) {
        let seen = self.store.get(&mut act.running, key);
        let seen = seen.map_or(Observed::Absent, Observed::Value);
        act.ops.push(OpKind::Get { key: self.builder.key(key), seen, locking: false });
    }

    /// Reads a key and writes what it held plus an amount.
    pub(super) fn add(&mut self, act: &mut Act, key: i64, amount: i64) {
        let held = self.store.get(&mut act.running, key);
        let held = held.and_then(|value| number(&self.builder.history_mut().value(value)));
        self.get(act, key);
        self.put(act, key, held.unwrap_or(0) + amount);
    }

    pub(super) fn put(&mut self, act: &mut Act, key: i64, value: i64) {
        let value = self.builder.value(value);
        self.store.put(&mut act.running, key, Some(value));
        act.ops.push(OpKind::Put { key: self.builder.key(key), value });
    }

    pub(super) fn delete(&mut self, act: &mut Act, key: i64) {
        self.store.put(&mut act.running, key, None);
        act.ops.push(OpKind::Delete { key: self.builder.key(key), rows: None });
    }

    pub(super) fn append(&mut self, act: &mut Act, key: i64, element: i64) {
        let element = self.builder.value(element);
        self.store.append(&mut act.running, key, element);
        act.ops.push(OpKind::Append { key: self.builder.key(key), element });
    }

    pub(super) fn read_list(&mut self, act: &mut Act, key: i64) {
        let elements = Some(self.store.list(&mut act.running, key).into());
        act.ops.push(OpKind::ReadList { key: self.builder.key(key), elements });
    }

    pub(super) fn scan(&mut self, act: &mut Act, interval: Interval) {
        let items = self.store.scan(&mut act.running, interval);
        let items = Some(self.named(items));
        act.ops.push(OpKind::Scan { range: range(interval), items, locking: false });
    }

    pub(super) fn iterate(&mut self, act: &mut Act, interval: Interval, most: usize) {
        let (items, reached_end) = self.store.iterate(&mut act.running, interval, most);
        let items = Some(self.named(items));
        act.ops.push(OpKind::Iterate { range: range(interval), items, reached_end });
    }

    /// Tries to commit and writes the transaction down. If the store refuses, that is left to the
    /// caller.
    pub(super) fn commit(&mut self, act: Act) -> Result<TxnId, Ended> {
        self.commit_as(act, Outcome::Committed)
    }

    /// The same; a transaction that commits is written down with this outcome.
    pub(super) fn commit_as(&mut self, act: Act, outcome: Outcome) -> Result<TxnId, Ended> {
        let call = self.tick();
        let committed = self.store.commit(act.running);
        let end = Span { call, ret: self.tick() };
        let ended = Ended { session: act.session, begin: act.begin, end, ops: act.ops };
        match committed {
            Commit::Done(_) => Ok(self.record(ended, outcome)),
            Commit::Refused | Commit::Unknown => Err(ended),
        }
    }

    /// Writes down a transaction that ended.
    pub(super) fn record(&mut self, ended: Ended, outcome: Outcome) -> TxnId {
        let Ended { session, begin, end, ops } = ended;
        let times = Times { begin, end }.kept();
        let id = self.builder.add_txn(Txn { times, ..Txn::new(session, outcome) });
        for kind in ops {
            self.builder.push_op(Op { kind, status: OpStatus::Done, line: 0 });
        }
        id
    }

    /// The numbers that a transaction wrote or appended.
    pub(super) fn written(&mut self, ended: &Ended) -> Vec<i64> {
        let history = self.builder.history_mut();
        let written = ended.ops.iter().filter_map(|op| match op {
            OpKind::Put { value, .. } | OpKind::Append { element: value, .. } => Some(*value),
            _ => None,
        });
        written.filter_map(|value| number(&history.value(value))).collect()
    }

    fn named(&mut self, items: Items<ValueId>) -> tristan_history::Items {
        items.into_iter().map(|(key, value)| (self.builder.key(key), value)).collect()
    }

    fn tick(&mut self) -> Option<i64> {
        self.clock.as_mut().map(|now| {
            *now += 1;
            *now
        })
    }
}

/// A transaction that ended and is not written down yet.
#[derive(Debug)]
pub(super) struct Ended {
    session: SessionId,
    begin: Span,
    end: Span,
    ops: Vec<OpKind>,
}

fn range(interval: Interval) -> Box<Range> {
    Box::new(Range {
        lo: interval.lo.map(Datum::from),
        hi: interval.hi.map(Datum::from),
        reverse: false,
    })
}
