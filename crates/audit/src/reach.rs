//! What a transaction may look at and write, in whatever state it is carried out.
//!
//! Two transactions whose reaches do not touch can change places anywhere, whatever came before. What
//! they *did* look at and write in one state ([`crate::task::Traits`]) says that of this state only.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::machine::{TableId, Value, canonical};

/// The rows of a table that have these values in these columns.
#[derive(Clone, Debug, PartialEq)]
struct Region {
    table: TableId,
    fixed: SmallVec<[(usize, Value); 2]>,
}

/// What may be looked at and written.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Reach {
    /// Everything.
    pub(crate) anything: bool,
    /// A table that is changed is looked at for other reasons, too.
    pub(crate) looks_twice: bool,
    reads: Vec<Region>,
    writes: Vec<Region>,
}

impl Region {
    fn of(region: &tristan_sql::Region) -> Self {
        let fixed = region.fixed.iter().map(|(column, value)| (*column, canonical(value)));
        Self { table: region.table, fixed: fixed.collect() }
    }

    /// Whether all of its rows are in another one.
    fn is_inside(&self, other: &Self) -> bool {
        self.table == other.table && other.fixed.iter().all(|fixed| self.fixed.contains(fixed))
    }

    /// Whether a row can be in both: no column is fixed to two values.
    fn meets(&self, other: &Self) -> bool {
        self.table == other.table
            && self.fixed.iter().all(|(column, value)| {
                other.fixed.iter().all(|(own, fixed)| own != column || fixed == value)
            })
    }
}

fn meet(some: &[Region], others: &[Region]) -> bool {
    some.iter().any(|one| others.iter().any(|other| one.meets(other)))
}

impl Reach {
    /// What a statement may look at and write.
    pub(crate) fn of(reach: &tristan_sql::Reach) -> Self {
        Self {
            anything: reach.anything,
            looks_twice: reach.looks_twice,
            reads: reach.reads.iter().map(Region::of).collect(),
            writes: reach.writes.iter().map(Region::of).collect(),
        }
    }

    /// Adds what one more statement may do.
    pub(crate) fn add(&mut self, other: &Self) {
        self.anything |= other.anything;
        self.looks_twice |= other.looks_twice;
        extend(&mut self.reads, &other.reads);
        extend(&mut self.writes, &other.writes);
    }

    /// Whether it may change anything.
    pub(crate) fn may_write(&self) -> bool {
        self.anything || !self.writes.is_empty()
    }

    /// Whether it looks at what the other one may write, or writes it, too.
    pub(crate) fn sees(&self, other: &Self) -> bool {
        if self.anything || other.anything {
            return self.anything && other.may_write() || other.anything && self.looks();
        }
        meet(&other.writes, &self.reads) || meet(&other.writes, &self.writes)
    }

    /// Whether one of them sees the other.
    pub(crate) fn touches(&self, other: &Self) -> bool {
        self.sees(other) || other.sees(self)
    }

    fn looks(&self) -> bool {
        self.anything || !self.reads.is_empty() || !self.writes.is_empty()
    }
}

fn extend(regions: &mut Vec<Region>, more: &[Region]) {
    for region in more {
        if !regions.contains(region) {
            regions.push(region.clone());
        }
    }
}

/// Rows that a mistake is about, and all that what is written there depends on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cone {
    /// No region is inside another one.
    regions: Vec<Region>,
}

impl Cone {
    /// The cone of a statement among all those that write; nothing if it is everything.
    pub(crate) fn of(statement: &Reach, writers: &[Reach]) -> Option<Self> {
        let mut cone = Self::default();
        cone.take(statement)?;
        let mut left: Vec<&Reach> = writers.iter().collect();
        loop {
            let before = left.len();
            let mut rest = Vec::with_capacity(before);
            for writer in left {
                match cone.is_written(writer) {
                    true => cone.take(writer)?,
                    false => rest.push(writer),
                }
            }
            if rest.len() == before {
                return Some(cone);
            }
            left = rest;
        }
    }

    fn take(&mut self, reach: &Reach) -> Option<()> {
        if reach.anything {
            return None;
        }
        for region in reach.reads.iter().chain(&reach.writes) {
            if !self.regions.iter().any(|known| region.is_inside(known)) {
                self.regions.retain(|known| !known.is_inside(region));
                self.regions.push(region.clone());
            }
        }
        Some(())
    }

    fn is_written(&self, reach: &Reach) -> bool {
        reach.anything || meet(&reach.writes, &self.regions)
    }

    /// Whether a statement matters: it writes there, or looks at nothing else, or at nothing at all.
    pub(crate) fn has(&self, reach: &Reach) -> bool {
        let inside = |region: &Region| self.regions.iter().any(|known| region.is_inside(known));
        self.is_written(reach) || !reach.may_write() && reach.reads.iter().all(inside)
    }
}

type Columns = SmallVec<[usize; 2]>;
type Values = SmallVec<[Value; 2]>;

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
    use super::*;

    fn region(table: u32, fixed: &[(usize, i64)]) -> tristan_sql::Region {
        let fixed = fixed.iter().map(|&(column, value)| (column, Value::Int(value))).collect();
        tristan_sql::Region { table: TableId(table), fixed }
    }

    fn reach(reads: &[tristan_sql::Region], writes: &[tristan_sql::Region]) -> Reach {
        let (reads, writes) = (reads.to_vec(), writes.to_vec());
        Reach::of(&tristan_sql::Reach { reads, writes, ..tristan_sql::Reach::default() })
    }

    #[test]
    fn rows_with_different_keys_do_not_touch() {
        let one = reach(&[region(1, &[(0, 1)])], &[region(1, &[(0, 1)])]);
        let two = reach(&[region(1, &[(0, 2)])], &[region(1, &[(0, 2)])]);
        let by_value = reach(&[region(1, &[(1, 5)])], &[]);
        assert!(!one.touches(&two));
        assert!(one.touches(&one));
        assert!(by_value.sees(&one) && !one.sees(&by_value));
    }

    #[test]
    fn a_cone_has_what_is_written_there_and_nothing_else() {
        let update = |key: i64| reach(&[region(1, &[(0, key)])], &[region(1, &[(0, key)])]);
        let copy = reach(&[region(2, &[(0, 7)])], &[region(1, &[(0, 1)])]);
        let writers = [update(1), update(2), copy];
        let cone = Cone::of(&reach(&[region(1, &[(0, 1)])], &[]), &writers).expect("a cone");
        assert!(cone.has(&update(1)) && !cone.has(&update(2)));
        assert!(cone.has(&reach(&[region(2, &[(0, 7), (1, 3)])], &[])), "it is copied from there");
        assert!(!cone.has(&reach(&[region(2, &[])], &[])), "it looks at more than that");
    }

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
