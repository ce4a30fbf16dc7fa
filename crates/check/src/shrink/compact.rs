//! A history that knows no other keys and values than those it speaks of.
//!
//! An excerpt keeps the tables of the whole, so that ids stay the same while it gets smaller. In the
//! end its summary should count its own keys.

use std::collections::BTreeSet;

use tristan_history::{
    Header, History, HistoryBuilder, Initial, Items, KeyId, Observed, Op, OpKind, Txn, ValueId,
};

/// The same history with tables of its own; keys stay in the same order.
pub(super) fn compact(history: &History) -> History {
    let mut tables = Tables { history, builder: HistoryBuilder::default() };
    for key in keys(history) {
        tables.key(key);
    }
    for id in history.txn_ids() {
        let txn = history.txn(id);
        let name = history.sessions[txn.session.index()].name.clone();
        let session = tables.builder.session(name);
        tables.builder.add_txn(Txn { session, ..txn.clone() });
        for op in history.ops_of(id) {
            let kind = tables.kind(&op.kind);
            tables.builder.push_op(Op { kind, ..op.clone() });
        }
    }
    let initial = tables.initial(&history.header.initial);
    let header = Header { initial, ..history.header.clone() };
    tables.builder.history_mut().header = header;
    tables.builder.finish()
}

/// The keys that operations, results and the initial state speak of.
fn keys(history: &History) -> BTreeSet<KeyId> {
    let mut keys: BTreeSet<KeyId> = history.ops.iter().filter_map(|op| op.kind.key()).collect();
    for op in &history.ops {
        if let OpKind::Scan { items: Some(items), .. }
        | OpKind::Iterate { items: Some(items), .. } = &op.kind
        {
            keys.extend(items.iter().map(|(key, _)| *key));
        }
    }
    if let Initial::Given(given) = &history.header.initial {
        keys.extend(given.keys());
    }
    keys
}

/// Gives keys and values new numbers.
struct Tables<'h> {
    history: &'h History,
    builder: HistoryBuilder,
}

impl Tables<'_> {
    fn key(&mut self, key: KeyId) -> KeyId {
        self.builder.key(self.history.key(key).clone())
    }

    fn value(&mut self, value: ValueId) -> ValueId {
        self.builder.value(self.history.value(value).into_owned())
    }

    fn seen(&mut self, seen: Observed) -> Observed {
        match seen {
            Observed::Value(value) => Observed::Value(self.value(value)),
            other => other,
        }
    }

    fn items(&mut self, items: &mut Option<Items>) {
        if let Some(known) = items {
            *known =
                known.iter().map(|(key, value)| (self.key(*key), self.value(*value))).collect();
        }
    }

    fn initial(&mut self, initial: &Initial) -> Initial {
        match initial {
            Initial::Uniform(value) => Initial::Uniform(self.value(*value)),
            Initial::Given(given) => {
                let given = given.iter().map(|(key, value)| (self.key(*key), self.value(*value)));
                Initial::Given(given.collect())
            }
            other => other.clone(),
        }
    }

    fn kind(&mut self, kind: &OpKind) -> OpKind {
        let mut kind = kind.clone();
        match &mut kind {
            OpKind::Get { key, seen, .. } => {
                (*key, *seen) = (self.key(*key), self.seen(*seen));
            }
            OpKind::Put { key, value }
            | OpKind::PutIf { key, value, .. }
            | OpKind::Append { key, element: value } => {
                (*key, *value) = (self.key(*key), self.value(*value));
            }
            OpKind::ReadModifyWrite { key, seen, value } => {
                (*key, *seen, *value) = (self.key(*key), self.seen(*seen), self.value(*value));
            }
            OpKind::Delete { key, .. } => *key = self.key(*key),
            OpKind::ReadList { key, elements } => {
                *key = self.key(*key);
                let elements = elements.iter_mut().flat_map(|all| all.iter_mut());
                elements.for_each(|element| *element = self.value(*element));
            }
            OpKind::Scan { items, .. } | OpKind::Iterate { items, .. } => self.items(items),
            OpKind::Savepoint { .. } | OpKind::RollbackTo { .. } => {}
        }
        kind
    }
}
