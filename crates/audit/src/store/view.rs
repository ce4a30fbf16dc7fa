//! What a statement sees, and a record of what it looked at.

use std::collections::BTreeSet;

use smallvec::SmallVec;

use super::index::{Values, pick};
use super::{Key, Own, Position, Store, World, Write};
use crate::machine::{Row, RowId, Rows, TableId, Value, canonical};

/// Which committed rows a statement sees.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum At {
    /// Those of one state.
    State(Position),
    /// Those of one state; but of the table that it changes only these rows, as they are in a newer
    /// state. So a database works that looks again when it has waited for a lock.
    Recheck { state: Position, newest: Position, table: TableId, rows: BTreeSet<RowId> },
    /// Each row as of a state of its own; those that are not listed as of one state.
    Rows { state: Position, rows: Vec<(Key, Position)> },
}

/// What a transaction looked at and wrote.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footprint {
    /// Rows that were found.
    pub(crate) rows: BTreeSet<Key>,
    /// What was looked for.
    pub(crate) lookups: SmallVec<[(TableId, SmallVec<[usize; 2]>, Values); 2]>,
    /// Tables that were read as a whole.
    pub(crate) scans: SmallVec<[TableId; 1]>,
}

impl Footprint {
    /// Adds what was looked at elsewhere.
    pub(crate) fn merge(&mut self, other: Self) {
        self.rows.extend(other.rows);
        for lookup in other.lookups {
            if !self.lookups.contains(&lookup) {
                self.lookups.push(lookup);
            }
        }
        for table in other.scans {
            if !self.scans.contains(&table) {
                self.scans.push(table);
            }
        }
    }

    /// Whether any of these writes could have changed what was seen.
    pub(crate) fn is_touched(&self, writes: &[Write]) -> bool {
        writes.iter().any(|write| {
            self.rows.contains(&write.key)
                || self.scans.contains(&write.key.0)
                || self.lookups.iter().any(|(table, columns, values)| {
                    *table == write.key.0
                        && [&write.row, &write.before]
                            .into_iter()
                            .flatten()
                            .any(|row| pick(row, columns).is_some_and(|found| found == *values))
                })
        })
    }
}

/// The rows that a statement sees: committed ones, and those its transaction wrote.
#[derive(Debug)]
pub(crate) struct View<'a> {
    pub(crate) store: &'a Store,
    pub(crate) world: &'a World,
    pub(crate) at: &'a At,
    pub(crate) own: &'a Own,
    pub(crate) footprint: &'a mut Footprint,
    /// An index that is missing and would have helped.
    pub(crate) wanted: Option<(TableId, Vec<usize>)>,
    /// The newest state.
    pub(crate) newest: Position,
}

impl View<'_> {
    fn visible(&self, key: Key) -> Option<&Row> {
        if let Some(write) = self.own.get(key) {
            return write.row.as_ref();
        }
        let state = match self.at {
            At::State(state) => *state,
            At::Recheck { state, newest, table, rows } => match key.0 == *table {
                true if rows.contains(&key.1) => *newest,
                true => return None,
                false => *state,
            },
            At::Rows { state, rows } => {
                rows.iter().find(|(other, _)| *other == key).map_or(*state, |&(_, state)| state)
            }
        };
        self.world.row(self.store, key, state)
    }

    /// A row as it is now, whatever the statement sees otherwise.
    fn newest_row(&self, key: Key) -> Option<&Row> {
        match self.own.get(key) {
            Some(write) => write.row.as_ref(),
            None => self.world.row(self.store, key, self.newest),
        }
    }

    /// The rows that have these values in some columns, as `seen` sees them.
    fn find(
        &mut self,
        table: TableId,
        columns: &[usize],
        values: &[Value],
        into: &mut Vec<(RowId, Row)>,
        seen: impl Fn(&Self, Key) -> Option<Row>,
    ) {
        let values: Values = values.iter().map(canonical).collect();
        for id in self.candidates(table, columns, &values) {
            let Some(row) = seen(self, (table, id)) else { continue };
            if pick(&row, columns).is_some_and(|held| held == values) {
                into.push((id, row));
                self.footprint.rows.insert((table, id));
            }
        }
        let lookup = (table, SmallVec::from_slice(columns), values);
        if !self.footprint.lookups.contains(&lookup) {
            self.footprint.lookups.push(lookup);
        }
    }

    /// Rows of a table that the store does not know, or knows in another form.
    fn elsewhere(&self, table: TableId) -> BTreeSet<RowId> {
        let delta = self.world.delta.iter().flat_map(|commit| &commit.writes);
        let written = delta.filter(|write| write.key.0 == table).map(|write| write.key.1);
        written.chain(self.own.keys_of(table).map(|key| key.1)).collect()
    }

    fn candidates(&mut self, table: TableId, columns: &[usize], values: &Values) -> Vec<RowId> {
        let mut elsewhere = self.elsewhere(table);
        let Some(rows) = self.store.table(table) else { return elsewhere.into_iter().collect() };
        match rows.find(columns, values) {
            Some(found) if elsewhere.is_empty() && found.len() < 2 => found,
            Some(found) => {
                elsewhere.extend(found);
                elsewhere.into_iter().collect()
            }
            None => {
                if self.store.indexed {
                    self.wanted = Some((table, columns.to_vec()));
                }
                elsewhere.extend(rows.chains().map(|(id, _)| id));
                elsewhere.into_iter().collect()
            }
        }
    }
}

impl Rows for View<'_> {
    fn scan(&mut self, table: TableId, into: &mut Vec<(RowId, Row)>) {
        if !self.footprint.scans.contains(&table) {
            self.footprint.scans.push(table);
        }
        let mut ids = self.elsewhere(table);
        if let Some(rows) = self.store.table(table) {
            ids.extend(rows.chains().map(|(id, _)| id));
        }
        into.extend(
            ids.into_iter().filter_map(|id| Some((id, self.visible((table, id))?.clone()))),
        );
    }

    fn lookup(
        &mut self,
        table: TableId,
        columns: &[usize],
        values: &[Value],
        into: &mut Vec<(RowId, Row)>,
    ) {
        self.find(table, columns, values, into, |view, key| view.visible(key).cloned());
    }

    fn holders(
        &mut self,
        table: TableId,
        columns: &[usize],
        values: &[Value],
        into: &mut Vec<(RowId, Row)>,
    ) {
        self.find(table, columns, values, into, |view, key| view.newest_row(key).cloned());
    }
}
