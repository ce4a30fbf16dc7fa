//! What a transaction writes: on its way, and once it has taken effect.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

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
}

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
    pub(crate) fn put(&mut self, write: Write) -> Option<Option<Row>> {
        match self.writes.entry(write.key) {
            Entry::Occupied(mut old) => Some(std::mem::replace(&mut old.get_mut().row, write.row)),
            Entry::Vacant(place) => {
                place.insert(write);
                None
            }
        }
    }

    /// Undoes that.
    pub(crate) fn restore(&mut self, key: Key, before: Option<Option<Row>>) {
        match before {
            None => {
                self.writes.remove(&key);
            }
            Some(row) => {
                if let Some(write) = self.writes.get_mut(&key) {
                    write.row = row;
                }
            }
        }
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
