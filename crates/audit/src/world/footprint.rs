//! What a transaction looked at.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::row::{Key, TableId, Values, pick};
use super::write::Write;

/// A table, some of its columns, and the values that were looked for in them.
pub(crate) type Lookup = (TableId, SmallVec<[usize; 2]>, Values);

/// What was looked for, each once. Most statements look for one thing, and joins for hundreds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lookups {
    few: SmallVec<[Lookup; 2]>,
    many: FxHashSet<Lookup>,
}

impl Lookups {
    /// How many are compared one by one.
    const FEW: usize = 8;

    pub(crate) fn insert(&mut self, lookup: Lookup) {
        if self.few.contains(&lookup) {
            return;
        }
        match self.few.len() < Self::FEW {
            true => self.few.push(lookup),
            false => drop(self.many.insert(lookup)),
        }
    }

    fn any(&self, is_it: impl Fn(&Lookup) -> bool) -> bool {
        self.few.iter().chain(&self.many).any(is_it)
    }

    fn merge(&mut self, other: Self) {
        other.few.into_iter().chain(other.many).for_each(|lookup| self.insert(lookup));
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
                || self.lookups.any(|(table, columns, values)| {
                    *table == write.key.0
                        && [&write.row, &write.before]
                            .into_iter()
                            .flatten()
                            .any(|row| pick(row, columns).is_some_and(|found| found == *values))
                })
        })
    }
}
