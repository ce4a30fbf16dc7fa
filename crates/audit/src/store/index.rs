//! Rows by the values of some columns, whichever version has them.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::world::{Row, RowId, Values, pick};

/// Which rows have, in some version that is kept, these values.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) columns: Vec<usize>,
    /// The rows in the order of their numbers, each with the number of its versions.
    rows: FxHashMap<Values, SmallVec<[(RowId, u32); 1]>>,
}

impl Index {
    pub(crate) fn new(columns: &[usize]) -> Self {
        Self { columns: columns.to_vec(), rows: FxHashMap::default() }
    }

    /// One more version of the row has these values.
    pub(crate) fn add(&mut self, id: RowId, row: &Row) {
        let Some(values) = pick(row, &self.columns) else { return };
        let ids = self.rows.entry(values).or_default();
        match ids.binary_search_by_key(&id, |&(other, _)| other) {
            Ok(place) => ids[place].1 += 1,
            Err(place) => ids.insert(place, (id, 1)),
        }
    }

    /// One version less has them.
    pub(crate) fn remove(&mut self, id: RowId, row: &Row) {
        let Some(values) = pick(row, &self.columns) else { return };
        let Some(ids) = self.rows.get_mut(&values) else { return };
        if let Ok(place) = ids.binary_search_by_key(&id, |&(other, _)| other) {
            ids[place].1 -= 1;
            if ids[place].1 == 0 {
                ids.remove(place);
            }
        }
        if ids.is_empty() {
            self.rows.remove(&values);
        }
    }

    /// The rows that may have them, in the order of their numbers.
    pub(crate) fn find(&self, values: &Values) -> impl Iterator<Item = RowId> {
        self.rows.get(values).into_iter().flatten().map(|&(id, _)| id)
    }
}
