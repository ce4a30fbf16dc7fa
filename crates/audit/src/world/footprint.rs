//! What a transaction looked at.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::row::{Key, Row, TableId, Values, pick};
use super::write::Write;

/// What was looked for in some columns of a table.
#[derive(Clone, Debug)]
struct Lookup {
    table: TableId,
    columns: SmallVec<[usize; 2]>,
    values: ValueSet,
}

/// Values, each once. Most statements look for one, and joins for hundreds.
#[derive(Clone, Debug, Default)]
struct ValueSet {
    few: SmallVec<[Values; 1]>,
    many: FxHashSet<Values>,
}

impl ValueSet {
    /// How many are compared one by one.
    const FEW: usize = 8;

    fn insert(&mut self, values: Values) {
        if self.few.contains(&values) {
            return;
        }
        match self.few.len() < Self::FEW {
            true => self.few.push(values),
            false => drop(self.many.insert(values)),
        }
    }

    fn contains(&self, values: &Values) -> bool {
        self.few.contains(values) || self.many.contains(values)
    }
}

/// What was looked for, by table and columns. A statement looks in few of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lookups(SmallVec<[Lookup; 1]>);

impl Lookups {
    /// Adds values that were looked for in some columns of a table.
    pub(crate) fn insert(&mut self, table: TableId, columns: &[usize], values: Values) {
        let is_it = |known: &&mut Lookup| known.table == table && known.columns[..] == *columns;
        match self.0.iter_mut().find(is_it) {
            Some(known) => known.values.insert(values),
            None => {
                let mut lookup = Lookup {
                    table,
                    columns: SmallVec::from_slice(columns),
                    values: ValueSet::default(),
                };
                lookup.values.insert(values);
                self.0.push(lookup);
            }
        }
    }

    /// Whether some lookup would have found a row of this table.
    fn find(&self, table: TableId, row: &Row) -> bool {
        let mut of_table = self.0.iter().filter(|lookup| lookup.table == table);
        of_table.any(|lookup| {
            pick(row, &lookup.columns).is_some_and(|found| lookup.values.contains(&found))
        })
    }

    fn merge(&mut self, other: Self) {
        for Lookup { table, columns, values } in other.0 {
            let values = values.few.into_iter().chain(values.many);
            values.for_each(|values| self.insert(table, &columns, values));
        }
    }
}

/// What a transaction looked at and wrote.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footprint {
    /// Rows that were found by what was looked for, if the caller asks for them.
    pub(crate) rows: Option<BTreeSet<Key>>,
    /// What was looked for.
    pub(crate) lookups: Lookups,
    /// Tables that were read as a whole.
    pub(crate) scans: SmallVec<[TableId; 1]>,
    /// Rows that were locked, however they were found.
    pub(crate) locked: SmallVec<[Key; 2]>,
}

impl Footprint {
    /// Adds a row that was locked.
    pub(crate) fn lock(&mut self, key: Key) {
        if !self.locked.contains(&key) {
            self.locked.push(key);
        }
    }

    /// Adds what was looked at elsewhere.
    pub(crate) fn merge(&mut self, other: Self) {
        self.lookups.merge(other.lookups);
        for table in other.scans {
            if !self.scans.contains(&table) {
                self.scans.push(table);
            }
        }
        other.locked.into_iter().for_each(|key| self.lock(key));
    }

    /// Whether any of these writes could have changed what was seen.
    pub(crate) fn is_touched(&self, writes: &[Write]) -> bool {
        writes.iter().any(|write| {
            self.scans.contains(&write.key.0)
                || self.locked.contains(&write.key)
                || [&write.row, &write.before]
                    .into_iter()
                    .flatten()
                    .any(|row| self.lookups.find(write.key.0, row))
        })
    }
}
