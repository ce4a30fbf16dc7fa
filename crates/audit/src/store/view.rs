//! What a statement sees, and a record of what it looked at.

use std::collections::BTreeSet;

use tristan_sql::{First, Rows};

use super::states::Store;
use super::table::WantedIndex;
use crate::world::{
    At, Footprint, Hidden, Key, Own, Position, Row, RowId, TableId, Value, Values, World,
    canonical, pick,
};

/// The rows that a statement sees: committed ones, and those its transaction wrote.
#[derive(Debug)]
pub(crate) struct View<'a> {
    pub(crate) store: &'a Store,
    pub(crate) world: &'a World,
    pub(crate) at: &'a At,
    pub(crate) own: &'a Own,
    /// Committed rows that are not seen because of those.
    pub(crate) hidden: &'a Hidden,
    pub(crate) footprint: &'a mut Footprint,
    /// An index that is missing and would have helped.
    pub(crate) wanted: Option<WantedIndex>,
    /// The newest state.
    pub(crate) newest: Position,
}

impl View<'_> {
    fn visible(&self, key: Key) -> Option<&Row> {
        if let Some(write) = self.own.get(key) {
            return write.row.as_ref();
        }
        let row = self.store.row_of(self.world, key, self.at.state_of(key));
        row.filter(|row| !self.hidden.has(key.0, row))
    }

    /// A row as it is now, whatever the statement sees otherwise.
    fn newest_row(&self, key: Key) -> Option<&Row> {
        match self.own.get(key) {
            Some(write) => write.row.as_ref(),
            None => self.store.row_of(self.world, key, self.newest),
        }
    }

    /// The rows that have these values in some columns, as the statement sees them or as they are now.
    fn find(
        &mut self,
        table: TableId,
        columns: &[usize],
        values: &[Value],
        into: &mut Vec<(RowId, Row)>,
        newest: bool,
    ) {
        let values: Values = values.iter().map(canonical).collect();
        let first = into.len();
        let has = |row: &Row| pick(row, columns).is_some_and(|held| held == values);
        let state = match self.at {
            _ if newest => Some(self.newest),
            At::State(state) => Some(*state),
            At::Rows { state, rows, .. } => rows.is_empty().then_some(*state),
        };
        let found = self.store.table(table).and_then(|rows| rows.find(columns, &values));
        let elsewhere = self.elsewhere(table);
        match (found, state, self.store.table(table)) {
            // The usual case: what the index says is so, unless the row has several versions.
            (Some(ids), Some(state), Some(rows)) if elsewhere.is_empty() => {
                let seen = |id: RowId| {
                    let chain = rows.chain(id)?;
                    let row = chain.at(state)?;
                    (chain.versions().len() == 1 || has(row)).then(|| (id, row.clone()))
                };
                into.extend(ids.into_iter().filter_map(seen));
            }
            (found, ..) => {
                let ids = self.candidates(table, columns, found, elsewhere);
                let seen = |key: Key| match newest {
                    true => self.newest_row(key),
                    false => self.visible(key),
                };
                let rows = ids.into_iter().filter_map(|id| Some((id, seen((table, id))?.clone())));
                into.extend(rows.filter(|(_, row)| has(row)));
            }
        }
        if let Some(rows) = &mut self.footprint.rows {
            rows.extend(into[first..].iter().map(|(id, _)| (table, *id)));
        }
        self.note(table, columns, values);
    }

    /// Notes what was looked for.
    fn note(&mut self, table: TableId, columns: &[usize], values: Values) {
        self.footprint.lookups.insert(table, columns, values);
    }

    /// The first rows that have these values in some columns, by another column, and all that the store does not
    /// know. Says whether there are no more; `None` if there is no index.
    fn find_first(
        &self,
        table: TableId,
        columns: &[usize],
        values: &Values,
        first: First,
        into: &mut Vec<(RowId, Row)>,
    ) -> Option<bool> {
        let index = self.store.table(table)?.ordered(columns, first.column)?;
        let elsewhere = self.elsewhere(table);
        let has = |row: &Row| pick(row, columns).is_some_and(|held| held == *values);
        let (mut taken, mut last, mut is_all) = (0, None, true);
        for (number, id) in index.find(values, first.descending)? {
            if taken >= first.wanted && last != Some(number) {
                is_all = false;
                break;
            }
            let seen = self.visible((table, id)).filter(|_| !elsewhere.contains(&id));
            // A row may have been found by the number of another version.
            let is_number = |row: &&Row| row.get(first.column) == Some(&Value::Int(number));
            if let Some(row) = seen.filter(is_number).filter(|row| has(row)) {
                into.push((id, row.clone()));
                (taken, last) = (taken + 1, Some(number));
            }
        }
        let others = elsewhere.into_iter().filter_map(|id| Some((id, self.visible((table, id))?)));
        into.extend(others.filter(|(_, row)| has(row)).map(|(id, row)| (id, row.clone())));
        Some(is_all)
    }

    /// Rows of a table that the store does not know, or knows in another form.
    fn elsewhere(&self, table: TableId) -> BTreeSet<RowId> {
        let delta = self.world.delta.iter().flat_map(|commit| &commit.writes);
        let written = delta.filter(|write| write.key.0 == table).map(|write| write.key.1);
        written.chain(self.own.keys_of(table).map(|key| key.1)).collect()
    }

    /// All rows that may be among those that are looked for.
    fn candidates(
        &mut self,
        table: TableId,
        columns: &[usize],
        found: Option<Vec<RowId>>,
        mut ids: BTreeSet<RowId>,
    ) -> BTreeSet<RowId> {
        match found {
            Some(found) => ids.extend(found),
            None => {
                if self.store.indexed {
                    self.wanted = Some(WantedIndex { table, columns: columns.to_vec(), by: None });
                }
                let rows = self.store.table(table).into_iter().flat_map(|rows| rows.chains());
                ids.extend(rows.map(|(id, _)| id));
            }
        }
        ids
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
        self.find(table, columns, values, into, false);
    }

    fn lookup_first(
        &mut self,
        table: TableId,
        columns: &[usize],
        values: &[Value],
        first: First,
        into: &mut Vec<(RowId, Row)>,
    ) -> Option<bool> {
        let one_state = matches!(self.at, At::State(_))
            || matches!(self.at, At::Rows { rows, .. } if rows.is_empty());
        // Who asks for all rows that were found gets them from a lookup.
        if !one_state || self.footprint.rows.is_some() {
            return None;
        }
        let values: Values = values.iter().map(canonical).collect();
        let found = self.find_first(table, columns, &values, first, into);
        match found {
            Some(_) => self.note(table, columns, values),
            None if self.store.indexed => {
                let by = Some(first.column);
                self.wanted = Some(WantedIndex { table, columns: columns.to_vec(), by });
            }
            None => {}
        }
        found
    }

    fn holders(
        &mut self,
        table: TableId,
        columns: &[usize],
        values: &[Value],
        into: &mut Vec<(RowId, Row)>,
    ) {
        self.find(table, columns, values, into, true);
    }

    fn locked(&mut self, table: TableId, row: RowId) -> Option<Option<Row>> {
        let (newest, key) = (self.at.again()?, (table, row));
        let state = self.at.state_of(key);
        self.footprint.lock(key);
        if self.own.get(key).is_some() {
            return None;
        }
        let now = self.store.row_of(self.world, key, newest);
        (now != self.store.row_of(self.world, key, state)).then(|| now.cloned())
    }
}
