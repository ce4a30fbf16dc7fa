//! The rows of one table, with their versions.

use std::collections::BTreeMap;

use super::chain::{Chain, Version};
use super::index::Index;
use crate::world::{Position, Row, RowId, Values};

#[derive(Debug, Default)]
pub(crate) struct TableRows {
    rows: BTreeMap<RowId, Chain>,
    indexes: Vec<Index>,
}

impl TableRows {
    /// The versions of a row.
    pub(crate) fn chain(&self, id: RowId) -> Option<&Chain> {
        self.rows.get(&id)
    }

    /// All rows that some kept state has, in the order of their numbers.
    pub(crate) fn chains(&self) -> impl Iterator<Item = (RowId, &Chain)> {
        self.rows.iter().map(|(&id, chain)| (id, chain))
    }

    /// Makes sure that rows can be found by these columns.
    pub(crate) fn index(&mut self, columns: &[usize]) {
        if self.indexes.iter().any(|index| index.columns == columns) {
            return;
        }
        let mut index = Index::new(columns);
        for (&id, chain) in &self.rows {
            for row in chain.versions().iter().filter_map(|version| version.row.as_ref()) {
                index.add(id, row);
            }
        }
        self.indexes.push(index);
    }

    /// The rows that have these values in some version, in the order of their numbers. Returns `None`
    /// if there is no index on these columns.
    pub(crate) fn find(&self, columns: &[usize], values: &Values) -> Option<Vec<RowId>> {
        let index = self.indexes.iter().find(|index| index.columns == columns)?;
        let mut ids: Vec<RowId> = index.find(values).collect();
        ids.sort_unstable();
        Some(ids)
    }

    /// A new version of a row.
    pub(crate) fn put(
        &mut self,
        id: RowId,
        since: Position,
        row: Option<Row>,
        writer: u32,
        horizon: Position,
    ) {
        if let Some(row) = &row {
            for index in &mut self.indexes {
                index.add(id, row);
            }
        }
        let chain = self.rows.entry(id).or_default();
        let old = chain.put(Version { since, row, writer }, horizon);
        for row in old.iter().filter_map(|version| version.row.as_ref()) {
            for index in &mut self.indexes {
                index.remove(id, row);
            }
        }
    }

    /// Forgets a row that no state from the horizon on has.
    pub(crate) fn remove_if_gone(&mut self, id: RowId, horizon: Position) {
        if !self.rows.get(&id).is_some_and(|chain| chain.is_gone(horizon)) {
            return;
        }
        let Some(chain) = self.rows.remove(&id) else { return };
        for row in chain.versions().iter().filter_map(|version| version.row.as_ref()) {
            for index in &mut self.indexes {
                index.remove(id, row);
            }
        }
    }
}
