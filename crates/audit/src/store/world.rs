//! What is different in one world.
//!
//! ```text
//!                      ┌─ T7 ─ T8      a world
//!   store: T1 … T6 ────┤
//!                      └─ T8 ─ T7      another one
//! ```
//!
//! Mostly there is one world, and it has nothing that the store has not. Where several orders, or
//! several things read, explain what was observed and lead to different states, there is a world for
//! each. Worlds that have become the same are one again, and what all of them begin with goes to the store.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Key, Moments, Position, Store};
use crate::explain::Explanation;
use crate::machine::{Row, RowId, TableId};
use crate::model::Time;
use crate::search::Turn;

/// A row that a transaction left behind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Write {
    /// Which row.
    pub(crate) key: Key,
    /// What it is now; nothing if it was deleted.
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

/// A way in which everything so far can have happened.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    /// Commits that the store does not have yet.
    pub(crate) delta: Vec<Arc<Commit>>,
    /// Transactions that are in already and are not over.
    pub(crate) placed: BTreeSet<u32>,
    /// Which states were read when, where the level says that nobody goes back.
    pub(crate) moments: Moments,
    /// How transactions are explained, as far as worlds differ.
    pub(crate) explained: Vec<Placed>,
}

/// A transaction that is explained.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) serial: u32,
    pub(crate) turn: Option<Turn>,
    pub(crate) explanation: Arc<Explanation>,
}

impl World {
    /// Its newest state.
    pub(crate) fn position(&self, store: &Store) -> Position {
        store.position() + self.delta.len() as Position
    }

    /// What a row is in a state.
    pub(crate) fn row<'a>(&'a self, store: &'a Store, key: Key, at: Position) -> Option<&'a Row> {
        match self.write(store, key, at) {
            Some((write, _)) => write.row.as_ref(),
            None => store.row(key, at),
        }
    }

    /// Who wrote a row that a state has.
    pub(crate) fn writer(&self, store: &Store, key: Key, at: Position) -> Option<u32> {
        match self.write(store, key, at) {
            Some((_, serial)) => Some(serial),
            None => store.writer(key, at),
        }
    }

    fn write(&self, store: &Store, key: Key, at: Position) -> Option<(&Write, u32)> {
        let own = usize::try_from(at.saturating_sub(store.position())).unwrap_or(usize::MAX);
        self.delta.iter().take(own).rev().find_map(|commit| {
            let write = commit.writes.iter().rev().find(|write| write.key == key)?;
            Some((write, commit.serial))
        })
    }
}

/// What a transaction has written so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Own {
    writes: BTreeMap<Key, Write>,
}

impl Own {
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
