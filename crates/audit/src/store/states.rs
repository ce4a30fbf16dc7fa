//! All committed states, by their numbers.

use std::collections::VecDeque;
use std::sync::Arc;

use super::table::TableRows;
use crate::model::Time;
use crate::world::{Commit, Key, Position, Row, TableId, World, Write};

/// The versions of all rows, as far as all worlds agree on them.
#[derive(Debug, Default)]
pub(crate) struct Store {
    tables: Vec<TableRows>,
    recent: VecDeque<Arc<Commit>>,
    /// The number of the first recent commit.
    first: Position,
    /// Rows that were deleted, with the state from which on they are gone.
    deleted: VecDeque<(Position, Key)>,
    horizon: Position,
    /// The transaction that made the oldest state that can still be read.
    pub(crate) oldest_writer: Option<u32>,
    pub(crate) indexed: bool,
}

impl Store {
    pub(crate) fn new(indexed: bool) -> Self {
        Self { indexed, ..Self::default() }
    }

    /// The number of the newest state.
    pub(crate) fn position(&self) -> Position {
        self.first + self.recent.len() as Position
    }

    /// The oldest state that can still be read.
    pub(crate) fn horizon(&self) -> Position {
        self.horizon
    }

    /// A row that is there from the start.
    pub(crate) fn load(&mut self, key: Key, row: Row) {
        self.table_mut(key.0).put(key.1, 0, Some(row), 0, 0);
    }

    /// The commit that leads from a state to the next one.
    pub(crate) fn commit_after(&self, position: Position) -> Option<&Arc<Commit>> {
        self.recent.get(usize::try_from(position.checked_sub(self.first)?).ok()?)
    }

    pub(crate) fn table(&self, table: TableId) -> Option<&TableRows> {
        self.tables.get(table.0 as usize)
    }

    pub(crate) fn table_mut(&mut self, table: TableId) -> &mut TableRows {
        let place = table.0 as usize;
        if place >= self.tables.len() {
            self.tables.resize_with(place + 1, TableRows::default);
        }
        &mut self.tables[place]
    }

    /// All rows of the newest state.
    pub(crate) fn newest(&self) -> Vec<(Key, Row)> {
        let newest = self.position();
        let mut rows = Vec::new();
        for (table, number) in self.tables.iter().zip(0u32..) {
            for (id, chain) in table.chains() {
                rows.extend(chain.at(newest).map(|row| ((TableId(number), id), row.clone())));
            }
        }
        rows
    }

    /// What a row is in a state.
    pub(crate) fn row(&self, key: Key, position: Position) -> Option<&Row> {
        self.table(key.0)?.chain(key.1)?.at(position)
    }

    /// The transaction that wrote the version of a row in a state.
    pub(crate) fn writer(&self, key: Key, position: Position) -> Option<u32> {
        self.table(key.0)?.chain(key.1)?.writer(position)
    }

    /// Adds a commit that all worlds agree on.
    pub(crate) fn commit(&mut self, commit: Arc<Commit>) {
        let since = self.position() + 1;
        let horizon = self.horizon;
        for write in &commit.writes {
            let (table, id) = write.key;
            self.table_mut(table).put(id, since, write.row.clone(), commit.serial, horizon);
            if write.row.is_none() {
                self.deleted.push_back((since, write.key));
            }
        }
        self.recent.push_back(commit);
    }

    /// Drops what only states before this one need.
    pub(crate) fn forget(&mut self, horizon: Position) {
        self.horizon = self.horizon.max(horizon.min(self.position()));
        while self.first < self.horizon
            && let Some(commit) = self.recent.pop_front()
        {
            self.first += 1;
            self.oldest_writer = Some(commit.serial);
        }
        while self.deleted.front().is_some_and(|&(since, _)| since <= self.horizon) {
            if let Some((_, (table, id))) = self.deleted.pop_front() {
                let horizon = self.horizon;
                self.table_mut(table).remove_if_gone(id, horizon);
            }
        }
    }

    /// The last state that all commits that were over before this moment are in, and nothing less
    /// will do; from the newest state of the given world downwards.
    pub(crate) fn first_after(&self, world: &World, moment: Time) -> Position {
        let mut position = self.position_of(world);
        while position > self.horizon {
            match self.commit_of(world, position - 1) {
                Some(commit) if commit.hi >= moment => position -= 1,
                _ => break,
            }
        }
        position
    }

    /// The newest state of a world.
    pub(crate) fn position_of(&self, world: &World) -> Position {
        self.position() + world.delta.len() as Position
    }

    /// What a row is in a state of a world.
    pub(crate) fn row_of<'a>(
        &'a self,
        world: &'a World,
        key: Key,
        at: Position,
    ) -> Option<&'a Row> {
        match self.write_of(world, key, at) {
            Some((write, _)) => write.row.as_ref(),
            None => self.row(key, at),
        }
    }

    /// The transaction that wrote the version of a row in a state of a world.
    pub(crate) fn writer_of(&self, world: &World, key: Key, at: Position) -> Option<u32> {
        match self.write_of(world, key, at) {
            Some((_, serial)) => Some(serial),
            None => self.writer(key, at),
        }
    }

    fn write_of<'a>(&self, world: &'a World, key: Key, at: Position) -> Option<(&'a Write, u32)> {
        let own = usize::try_from(at.saturating_sub(self.position())).unwrap_or(usize::MAX);
        world.delta.iter().take(own).rev().find_map(|commit| {
            let write = commit.writes.iter().rev().find(|write| write.key == key)?;
            Some((write, commit.serial))
        })
    }

    /// The commit that leads from a state of a world to the next one.
    pub(crate) fn commit_of<'a>(
        &'a self,
        world: &'a World,
        position: Position,
    ) -> Option<&'a Arc<Commit>> {
        match position.checked_sub(self.position()) {
            Some(place) => world.delta.get(usize::try_from(place).ok()?),
            None => self.commit_after(position),
        }
    }
}
