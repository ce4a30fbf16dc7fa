//! Everybody who may look at rows, found by the rows.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::reach::{Reach, Region};
use crate::world::{TableId, Values};

type Columns = SmallVec<[usize; 2]>;

/// Everybody who may see one of two writers without the other in a state that is long past, found by
/// what he looks at.
#[derive(Debug, Default)]
pub(crate) struct Readers {
    /// By table and the columns that are fixed: who, by the values of these columns.
    shapes: FxHashMap<(TableId, Columns), FxHashMap<Values, Vec<u32>>>,
    /// Those who may look at anything.
    everywhere: Vec<u32>,
    count: u32,
}

impl Readers {
    /// Adds one.
    pub(crate) fn add(&mut self, reach: &Reach) {
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

    /// Whether somebody may see what both of them write.
    pub(crate) fn see_both(&self, one: &Reach, other: &Reach) -> bool {
        let others = self.of(other);
        self.of(one).iter().any(|reader| others.binary_search(reader).is_ok())
    }

    /// Who may see what somebody writes.
    fn of(&self, writer: &Reach) -> Vec<u32> {
        if writer.anything {
            return (1..=self.count).collect();
        }
        let mut found = self.everywhere.clone();
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
        let mut readers = Readers::default();
        readers.add(&reach(&[region(1, &[(0, 1)]), region(1, &[(0, 2)])], &[]));
        readers.add(&reach(&[region(1, &[(0, 3)])], &[]));
        assert!(readers.see_both(&writer(1), &writer(2)));
        assert!(!readers.see_both(&writer(1), &writer(3)));
        readers.add(&reach(&[region(1, &[])], &[]));
        assert!(readers.see_both(&writer(1), &writer(3)));
    }
}
