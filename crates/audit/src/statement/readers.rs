//! The transactions that may look at given rows.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::reach::{Reach, Region};
use super::task::Task;
use crate::level::AuditLevel;
use crate::options::AuditOptions;
use crate::world::{TableId, Values};

type Columns = SmallVec<[usize; 2]>;

/// The transactions that may read a state that is long past, found by what they look at.
#[derive(Debug, Default)]
pub(crate) struct Readers {
    /// By table and fixed columns: the transactions, by the values of these columns.
    shapes: FxHashMap<(TableId, Columns), FxHashMap<Values, Vec<u32>>>,
    /// Transactions that may look at anything.
    everywhere: Vec<u32>,
    /// Transactions that see what was committed earlier on their connection, by connection.
    sessions: FxHashMap<u64, Vec<u32>>,
    count: u32,
}

impl Readers {
    /// Adds what may depend on old states in a transaction. At read committed that is each statement
    /// that writes: others may see every row in a state of its own. Where a transaction sees its own
    /// session, all of it depends on that.
    pub(crate) fn add(&mut self, task: &Task, options: &AuditOptions) {
        match options.level == AuditLevel::ReadCommitted && !options.sessions {
            true => task.writers().for_each(|reach| self.add_reach(reach)),
            false => self.add_reach(&task.reach),
        }
        if options.sessions {
            self.sessions.entry(task.txn.session).or_default().push(self.count);
        }
    }

    fn add_reach(&mut self, reach: &Reach) {
        self.count += 1;
        if reach.anything {
            self.everywhere.push(self.count);
            return;
        }
        for region in reach.reads.iter().chain(&reach.writes) {
            let (columns, values) = region.fixed.iter().cloned().unzip();
            let shape = self.shapes.entry((region.table, columns)).or_default();
            let who = shape.entry(values).or_default();
            if who.last() != Some(&self.count) {
                who.push(self.count);
            }
        }
    }

    /// Whether a reader depends on both of two transactions: it may look at what they write, or has to see
    /// them because they are of its session.
    pub(crate) fn see_both(&self, one: &Task, other: &Task) -> bool {
        let others = self.of(&other.reach, other.txn.session);
        self.of(&one.reach, one.txn.session)
            .iter()
            .any(|reader| others.binary_search(reader).is_ok())
    }

    /// The transactions that depend on what a transaction of a session writes.
    fn of(&self, writer: &Reach, session: u64) -> Vec<u32> {
        if writer.anything {
            return (1..=self.count).collect();
        }
        let mut found = self.everywhere.clone();
        found.extend(self.sessions.get(&session).into_iter().flatten());
        for region in &writer.writes {
            self.find(region, &mut found);
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    #[allow(clippy::iter_over_hash_type, reason = "what is found is sorted")]
    fn find(&self, region: &Region, found: &mut Vec<u32>) {
        for ((table, columns), shape) in &self.shapes {
            if *table != region.table {
                continue;
            }
            let value = |column: &usize| region.fixed.iter().find(|(own, _)| own == column);
            let values: Option<Values> =
                columns.iter().map(|column| Some(value(column)?.1.clone())).collect();
            if let Some(values) = values {
                found.extend(shape.get(&values).into_iter().flatten());
                continue;
            }
            for (values, who) in shape {
                let fits = columns
                    .iter()
                    .zip(values)
                    .all(|(column, held)| value(column).is_none_or(|(_, wanted)| wanted == held));
                if fits {
                    found.extend(who);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::reach::by_hand::{reach, region};
    use super::*;

    #[test]
    fn readers_are_found_by_what_they_look_at() {
        let writer = |key: i64| reach(&[], &[region(1, &[(0, key)])]);
        let both = |readers: &Readers, one: &Reach, other: &Reach| {
            let others = readers.of(other, 0);
            readers.of(one, 0).iter().any(|reader| others.contains(reader))
        };
        let mut readers = Readers::default();
        readers.add_reach(&reach(&[region(1, &[(0, 1)]), region(1, &[(0, 2)])], &[]));
        readers.add_reach(&reach(&[region(1, &[(0, 3)])], &[]));
        assert!(both(&readers, &writer(1), &writer(2)));
        assert!(!both(&readers, &writer(1), &writer(3)));
        readers.add_reach(&reach(&[region(1, &[])], &[]));
        assert!(both(&readers, &writer(1), &writer(3)));
    }
}
