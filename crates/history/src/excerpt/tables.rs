//! Keys and values of an excerpt: only those it speaks of, in the order of the whole.

use std::collections::BTreeSet;

use crate::{History, HistoryBuilder, Initial, Items, KeyId, Observed, Op, OpKind, ValueId};

/// Gives keys and values new numbers.
pub(super) struct Tables<'h> {
    history: &'h History,
    pub(super) builder: HistoryBuilder,
}

impl<'h> Tables<'h> {
    /// Numbers the keys that operations, results and the initial state speak of.
    pub(super) fn of<'o>(
        history: &'h History,
        ops: impl Iterator<Item = &'o Op> + Clone,
        initial: &Initial,
    ) -> Self {
        let mut keys: BTreeSet<KeyId> = ops.clone().filter_map(|op| op.kind.key()).collect();
        for op in ops {
            if let OpKind::Scan { items: Some(items), .. }
            | OpKind::Iterate { items: Some(items), .. } = &op.kind
            {
                keys.extend(items.iter().map(|(key, _)| *key));
            }
        }
        if let Initial::Given(given) = initial {
            keys.extend(given.keys());
        }
        let mut tables = Self { history, builder: HistoryBuilder::default() };
        for key in keys {
            tables.key(key);
        }
        tables
    }

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

    pub(super) fn initial(&mut self, initial: &Initial) -> Initial {
        match initial {
            Initial::Uniform(value) => Initial::Uniform(self.value(*value)),
            Initial::Given(given) => {
                let given = given.iter().map(|(key, value)| (self.key(*key), self.value(*value)));
                Initial::Given(given.collect())
            }
            other => other.clone(),
        }
    }

    pub(super) fn kind(&mut self, kind: &OpKind) -> OpKind {
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
