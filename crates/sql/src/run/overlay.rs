//! What a run changed and its caller has not stored yet.
//!
//! Layer `run`; knows effects only.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::outcome::Effect;
use crate::rows::{Found, RowId, TableId};
use crate::value::Row;

/// Effects, and what tables look like with them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Overlay {
    effects: Vec<Effect>,
    tables: FxHashMap<TableId, Changes>,
}

/// Rows of one table that are different now; `None` stands for a row that is gone.
#[derive(Debug, Clone, Default)]
struct Changes {
    truncated: bool,
    rows: BTreeMap<RowId, Option<Row>>,
}

impl Overlay {
    pub(crate) fn is_empty(&self) -> bool {
        self.effects.is_empty()
    }

    /// How many effects there are.
    pub(crate) fn len(&self) -> usize {
        self.effects.len()
    }

    /// One of the effects, in their order.
    pub(crate) fn effect(&self, place: usize) -> Option<&Effect> {
        self.effects.get(place)
    }

    /// Whether a row was changed.
    pub(crate) fn has(&self, table: TableId, id: RowId) -> bool {
        self.tables.get(&table).is_some_and(|changes| changes.rows.contains_key(&id))
    }

    /// Adds an effect.
    pub(crate) fn record(&mut self, effect: Effect) {
        let changes = self.tables.entry(effect.table()).or_default();
        match &effect {
            Effect::Insert { id, row, .. } => drop(changes.rows.insert(*id, Some(row.clone()))),
            Effect::Update { id, new, .. } => drop(changes.rows.insert(*id, Some(new.clone()))),
            Effect::Delete { id, .. } => drop(changes.rows.insert(*id, None)),
            Effect::Truncate { .. } => {
                changes.truncated = true;
                changes.rows.clear();
            }
        }
        self.effects.push(effect);
    }

    /// Adds the effects of a later statement.
    pub(crate) fn absorb(&mut self, later: Self) {
        for effect in later.effects {
            self.record(effect);
        }
    }

    /// Changes rows that were read from the tables to what they are now, and adds new ones that are
    /// wanted.
    pub(crate) fn show(&self, table: TableId, rows: &mut Found, wanted: &dyn Fn(&Row) -> bool) {
        let Some(changes) = self.tables.get(&table) else { return };
        rows.retain(|(id, _)| !changes.truncated && !changes.rows.contains_key(id));
        let new = changes.rows.iter().filter_map(|(id, row)| Some((*id, row.clone()?)));
        rows.extend(new.filter(|(_, row)| wanted(row)));
    }

    /// The row as it is now, if it was changed at all.
    pub(crate) fn changed(&self, table: TableId, id: RowId) -> Option<Option<&Row>> {
        Some(self.tables.get(&table)?.rows.get(&id)?.as_ref())
    }

    /// Whether the same rows are there in the end, whatever numbers new ones have.
    pub(crate) fn leaves_the_same(&self, other: &Self) -> bool {
        let part = |changes: &Changes| -> (Vec<(RowId, Option<Row>)>, Vec<Row>) {
            let old = changes.rows.iter().filter(|(id, _)| id.as_new().is_none());
            let old = old.map(|(id, row)| (*id, row.clone())).collect();
            let new = changes.rows.iter().filter(|(id, _)| id.as_new().is_some());
            (old, new.filter_map(|(_, row)| row.clone()).collect())
        };
        let same = |table: &TableId| {
            let empty = Changes::default();
            let mine = self.tables.get(table).unwrap_or(&empty);
            let theirs = other.tables.get(table).unwrap_or(&empty);
            let ((old, new), (their_old, mut their_new)) = (part(mine), part(theirs));
            let counterpart = |row: &Row| {
                let place = their_new.iter().position(|one| one == row);
                place.map(|place| their_new.swap_remove(place)).is_some()
            };
            mine.truncated == theirs.truncated
                && old == their_old
                && new.iter().all(counterpart)
                && new.len() == part(theirs).1.len()
        };
        self.tables.keys().chain(other.tables.keys()).all(same)
    }

    pub(crate) fn into_effects(self) -> Vec<Effect> {
        self.effects
    }
}
