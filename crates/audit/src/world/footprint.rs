//! What a transaction looked at.

use std::collections::BTreeSet;

use smallvec::SmallVec;

use super::row::{Key, TableId, Values, pick};
use super::write::Write;

/// A table, some of its columns, and the values that were looked for in them.
type Lookup = (TableId, SmallVec<[usize; 2]>, Values);

/// What a transaction looked at and wrote.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footprint {
    /// Rows that were found by what was looked for, if the caller asks for them.
    pub(crate) rows: Option<BTreeSet<Key>>,
    /// What was looked for.
    pub(crate) lookups: SmallVec<[Lookup; 2]>,
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
        other.locked.into_iter().for_each(|key| self.lock(key));
    }

    /// Whether any of these writes could have changed what was seen.
    pub(crate) fn is_touched(&self, writes: &[Write]) -> bool {
        writes.iter().any(|write| {
            self.scans.contains(&write.key.0)
                || self.locked.contains(&write.key)
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
