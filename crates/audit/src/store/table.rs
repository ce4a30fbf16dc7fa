//! The rows of one table, with their versions.

use std::collections::BTreeMap;

use super::chain::{Chain, Version};
use super::index::Index;
use super::ordered::OrderedIndex;
use crate::world::{Position, Row, RowId, TableId, Values};

/// An index that would have helped.
#[derive(Clone, Debug)]
pub(crate) struct WantedIndex {
    pub(crate) table: TableId,
    pub(crate) columns: Vec<usize>,
    /// The column in whose order rows are wanted.
    pub(crate) by: Option<usize>,
}

#[derive(Debug, Default)]
pub(crate) struct TableRows {
    rows: BTreeMap<RowId, Chain>,
    indexes: Vec<Index>,
    ordered: Vec<OrderedIndex>,
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

    /// Makes sure that an index is there.
    pub(crate) fn make(&mut self, wanted: &WantedIndex) {
        match wanted.by {
            None => self.index(&wanted.columns),
            Some(by) => self.order(&wanted.columns, by),
        }
    }

    /// Makes sure that rows can be found by these columns.
    fn index(&mut self, columns: &[usize]) {
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
        Some(index.find(values).collect())
    }

    /// Makes sure that rows can be found by these columns in the order of another one.
    fn order(&mut self, columns: &[usize], by: usize) {
        if self.ordered(columns, by).is_some() {
            return;
        }
        let mut index = OrderedIndex::new(columns, by);
        for (&id, chain) in &self.rows {
            for row in chain.versions().iter().filter_map(|version| version.row.as_ref()) {
                index.add(id, row);
            }
        }
        self.ordered.push(index);
    }

    /// The index for that, if there is one.
    pub(crate) fn ordered(&self, columns: &[usize], by: usize) -> Option<&OrderedIndex> {
        self.ordered.iter().find(|index| index.by == by && index.columns == columns)
    }

    /// A version of a row is there.
    fn add(&mut self, id: RowId, row: &Row) {
        self.indexes.iter_mut().for_each(|index| index.add(id, row));
        self.ordered.iter_mut().for_each(|index| index.add(id, row));
    }

    /// A version of a row is forgotten.
    fn remove(&mut self, id: RowId, row: &Row) {
        self.indexes.iter_mut().for_each(|index| index.remove(id, row));
        self.ordered.iter_mut().for_each(|index| index.remove(id, row));
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
            self.add(id, row);
        }
        let chain = self.rows.entry(id).or_default();
        let old = chain.put(Version { since, row, writer }, horizon);
        for row in old.iter().filter_map(|version| version.row.as_ref()) {
            self.remove(id, row);
        }
    }

    /// Forgets a row that no state from the horizon on has.
    pub(crate) fn remove_if_gone(&mut self, id: RowId, horizon: Position) {
        if !self.rows.get(&id).is_some_and(|chain| chain.is_gone(horizon)) {
            return;
        }
        let Some(chain) = self.rows.remove(&id) else { return };
        for row in chain.versions().iter().filter_map(|version| version.row.as_ref()) {
            self.remove(id, row);
        }
    }
}
