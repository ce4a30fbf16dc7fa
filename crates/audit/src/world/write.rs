//! What a transaction writes: on its way, and once it has taken effect.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::row::{Key, Row, RowId, TableId};
use crate::model::Time;

/// A row that a transaction left behind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Write {
    /// Which row.
    pub(crate) key: Key,
    /// The row after the write; `None` if it was deleted.
    pub(crate) row: Option<Row>,
    /// What the transaction found there.
    pub(crate) before: Option<Row>,
    /// When the statement that first wrote it was over.
    pub(crate) known: Time,
}

impl Write {
    /// Whether the row is another one than before.
    fn changes(&self) -> bool {
        self.row != self.before
    }
}

/// What a transaction leaves behind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Commit {
    pub(crate) serial: u32,
    /// When it can have taken effect: not before.
    pub(crate) lo: Time,
    /// Not after.
    pub(crate) hi: Time,
    /// When its commit was asked for.
    pub(crate) asked: Time,
    pub(crate) stamp: Option<u64>,
    pub(crate) session: u64,
    pub(crate) writes: Vec<Write>,
}

/// What a transaction has written so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Own {
    writes: BTreeMap<Key, Write>,
    /// Those of them that every statement left as they were.
    unchanged: BTreeSet<Key>,
    /// What was written and written over again, in this order.
    past: Vec<(Key, Option<Row>)>,
}

/// What a transaction had written to a row before a statement: the row, and whether it was as before.
pub(crate) type Earlier = Option<(Option<Row>, bool)>;

impl Own {
    pub(crate) fn is_empty(&self) -> bool {
        self.writes.is_empty()
    }

    pub(crate) fn get(&self, key: Key) -> Option<&Write> {
        if self.writes.is_empty() { None } else { self.writes.get(&key) }
    }

    /// The rows of a table that it has written.
    pub(crate) fn keys_of(&self, table: TableId) -> impl Iterator<Item = Key> {
        let range = (table, RowId(0))..=(table, RowId(u64::MAX));
        self.writes.range(range).map(|(&key, _)| key)
    }

    /// Adds what a statement wrote; gives back what the transaction had written there before, if it had.
    pub(crate) fn put(&mut self, write: Write) -> Earlier {
        match self.writes.entry(write.key) {
            Entry::Occupied(mut old) => {
                let unchanged = self.unchanged.contains(&write.key);
                if write.changes() {
                    self.unchanged.remove(&write.key);
                }
                let row = std::mem::replace(&mut old.get_mut().row, write.row);
                self.past.push((write.key, row.clone()));
                Some((row, unchanged))
            }
            Entry::Vacant(place) => {
                if !write.changes() {
                    self.unchanged.insert(write.key);
                }
                place.insert(write);
                None
            }
        }
    }

    /// Undoes that.
    pub(crate) fn restore(&mut self, key: Key, before: Earlier) {
        self.unchanged.remove(&key);
        match before {
            None => {
                self.writes.remove(&key);
            }
            Some((row, unchanged)) => {
                self.past.pop();
                if let Some(write) = self.writes.get_mut(&key) {
                    write.row = row;
                }
                if unchanged {
                    self.unchanged.insert(key);
                }
            }
        }
    }

    /// The tables with rows that every statement left as they were.
    pub(crate) fn unchanged_tables(&self) -> impl Iterator<Item = TableId> {
        self.unchanged.iter().map(|key| key.0)
    }

    /// Everything that is another row than before.
    pub(crate) fn changed(&self) -> Self {
        let changed = self.writes.iter().filter(|(key, _)| !self.unchanged.contains(key));
        let writes = changed.map(|(&key, write)| (key, write.clone())).collect();
        let past = self.past.iter().filter(|(key, _)| !self.unchanged.contains(key));
        Self { writes, unchanged: BTreeSet::new(), past: past.cloned().collect() }
    }

    /// All rows that it has found, written over, or left in tables.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (TableId, &Row)> {
        let left = self.writes.values().map(|write| (write.key, &write.row));
        let found = self.writes.values().map(|write| (write.key, &write.before));
        let past = self.past.iter().map(|(key, row)| (*key, row));
        left.chain(found).chain(past).filter_map(|(key, row)| Some((key.0, row.as_ref()?)))
    }

    /// Whether a row was deleted and one like it inserted. `REPLACE` does so, and if the row is the same, InnoDB
    /// leaves it as it is.
    pub(crate) fn has_replaced_by_same(&self) -> bool {
        let gone = self.writes.values().filter(|write| write.row.is_none());
        gone.filter_map(|write| Some((write.key.0, write.before.as_ref()?))).any(|(table, old)| {
            self.writes.values().any(|write| {
                write.key.0 == table && write.before.is_none() && write.row.as_ref() == Some(old)
            })
        })
    }

    /// The same as [`Own::into_writes`] of a copy.
    pub(crate) fn to_writes(&self) -> Vec<Write> {
        let stays = |write: &&Write| write.row.is_some() || write.before.is_some();
        self.writes.values().filter(stays).cloned().collect()
    }

    /// Everything, in the order of keys, without rows that came and went.
    pub(crate) fn into_writes(self) -> Vec<Write> {
        let stays = |write: &Write| write.row.is_some() || write.before.is_some();
        self.writes.into_values().filter(stays).collect()
    }
}
