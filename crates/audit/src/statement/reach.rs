//! What a statement or a transaction may look at and write, in whatever state it is carried out.
//!
//! ```text
//!   UPDATE a SET x = x + 1 WHERE id = 7       reads   a with id = 7
//!                                             writes  a with id = 7
//! ```
//!
//! # What a reach promises
//!
//! A *region* is a table with values for some of its columns; a row version is in it if it has these
//! values. Let `Q` be a statement and `s` any state.
//!
//! 1. **Writes.** Every row that `Q` changes in `s` is in a region of `writes` before the change and
//!    after it, as far as it is there at all.
//! 2. **Reads.** What `Q` answers in `s`, which rows it changes there and to what, depends only on the
//!    rows of `s` that are in a region of `reads` or `writes`. Rows that a unique key has to be
//!    compared with are among them.
//! 3. **New rows** get numbers that depend on the transaction, not on the state.
//!
//! `tristan_sql` derives reaches from plans and says `anything` where it cannot. A transaction's reach is
//! the union of those of its statements. Regions may be too large: [`Region::meets`] compares values in a
//! form that unequal values may share, and only finds two regions apart if they fix one column
//! differently.
//!
//! **Lemma 1 (independence).** Let the reaches of `X` and `Y` not touch: neither [`sees`](Reach::sees) the
//! other. Then for every state `s`, `Y` answers and writes the same in `s` and in the state that `X` leaves
//! behind in `s`, and the other way round; and both orders lead to the same state.
//!
//! *Proof.* By 1, the rows that `X` changes are in `X`'s `writes`, before and after. No region of those
//! meets a region of `Y`'s `reads` or `writes`, so `s` and the state after `X` agree on all rows that `Y`
//! depends on, and by 2 `Y` does the same in both. The roles of `X` and `Y` can be exchanged. So each
//! writes the same rows in both orders, by 3 under the same numbers, and no row is written by both. ∎
//!
//! What a transaction *did* look at and write in one state ([`super::Traits`]) says nothing about others.

use smallvec::SmallVec;

use crate::world::{Row, TableId, Value, canonical};

/// The rows of a table that have these values in these columns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Region {
    pub(super) table: TableId,
    pub(super) fixed: SmallVec<[(usize, Value); 2]>,
}

/// What may be looked at and written.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Reach {
    /// Everything.
    pub(crate) anything: bool,
    /// What happens to a row depends on other rows, too.
    pub(crate) entangled: bool,
    pub(super) reads: Vec<Region>,
    pub(super) writes: Vec<Region>,
}

impl Region {
    fn of(region: &tristan_sql::Region) -> Self {
        let fixed = region.fixed.iter().map(|(column, value)| (*column, canonical(value)));
        Self { table: region.table, fixed: fixed.collect() }
    }

    /// Whether all of its rows are in another one.
    pub(super) fn is_inside(&self, other: &Self) -> bool {
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

/// Whether a row can be in one of some regions and in one of others.
pub(super) fn meet(some: &[Region], others: &[Region]) -> bool {
    some.iter().any(|one| others.iter().any(|other| one.meets(other)))
}

impl Reach {
    /// What a statement may look at and write, if it did not fail.
    pub(crate) fn of(reach: &tristan_sql::Reach) -> Self {
        Self {
            anything: reach.anything,
            entangled: reach.entangled,
            reads: reach.reads.iter().map(Region::of).collect(),
            writes: reach.writes.iter().map(Region::of).collect(),
        }
    }

    /// The same of one that failed: the server may have met the error where it need not have looked.
    pub(crate) fn of_failed(reach: &tristan_sql::Reach) -> Self {
        let mut failed = Self::of(reach);
        failed.entangled |= !reach.early.is_empty();
        let early: Vec<Region> = reach.early.iter().map(Region::of).collect();
        extend(&mut failed.reads, &early);
        failed
    }

    /// The reach of what looks at the rows of a region and at nothing else.
    pub(super) fn looking_at(region: &Region) -> Self {
        Self { reads: vec![region.clone()], ..Self::default() }
    }

    /// What of it is in a region.
    pub(super) fn within(&self, region: &Region) -> Self {
        let both = |own: &Region| {
            let mut both = own.clone();
            both.fixed.retain(|fixed| !region.fixed.contains(fixed));
            both.fixed.extend(region.fixed.iter().cloned());
            both
        };
        let inside = |all: &[Region]| {
            let mut inside = Vec::new();
            extend(
                &mut inside,
                &all.iter().filter(|own| own.meets(region)).map(both).collect::<Vec<_>>(),
            );
            inside
        };
        Self { reads: inside(&self.reads), writes: inside(&self.writes), ..Self::default() }
    }

    /// All that may be looked at or written, if that is not everything.
    pub(super) fn regions(&self) -> impl Iterator<Item = &Region> {
        self.reads.iter().chain(&self.writes)
    }

    /// Whether rows of a region may be looked at or written.
    pub(super) fn may_touch(&self, region: &Region) -> bool {
        self.anything || self.regions().any(|own| own.meets(region))
    }

    /// Whether a row may be looked at or written.
    pub(crate) fn may_touch_row(&self, table: TableId, row: &Row) -> bool {
        let fits = |(column, value): &(usize, Value)| {
            row.get(*column).is_none_or(|own| canonical(own) == *value)
        };
        self.anything || self.regions().any(|own| own.table == table && own.fixed.iter().all(fits))
    }

    /// Whether rows of a region may be written.
    pub(super) fn may_write_in(&self, region: &Region) -> bool {
        self.anything || self.writes.iter().any(|own| own.meets(region))
    }

    /// All that may be written, if that is not everything.
    pub(super) fn writes(&self) -> impl Iterator<Item = &Region> {
        self.writes.iter()
    }

    /// Whether everything that is looked at is in one table, and is looked at once.
    pub(crate) fn is_one_place(&self) -> bool {
        !self.anything && self.reads.len() == 1
    }

    /// Whether it looks at the rows of a table in one place only.
    pub(crate) fn looks_once_at(&self, table: TableId) -> bool {
        self.reads.iter().filter(|region| region.table == table).count() == 1
    }

    /// Adds what one more statement may do.
    pub(crate) fn add(&mut self, other: &Self) {
        self.anything |= other.anything;
        self.entangled |= other.entangled;
        extend(&mut self.reads, &other.reads);
        extend(&mut self.writes, &other.writes);
    }

    /// Whether it may change anything.
    pub(crate) fn may_write(&self) -> bool {
        self.anything || !self.writes.is_empty()
    }

    /// The tables that it may change; one may come several times.
    pub(crate) fn written(&self) -> impl Iterator<Item = TableId> {
        self.writes.iter().map(|region| region.table)
    }

    /// The tables that it may touch; one may come several times.
    pub(crate) fn tables(&self) -> impl Iterator<Item = TableId> {
        self.regions().map(|region| region.table)
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

/// Reaches that are written by hand.
#[cfg(test)]
pub(super) mod by_hand {
    use super::Reach;
    use crate::world::{TableId, Value};

    pub(crate) fn region(table: u32, fixed: &[(usize, i64)]) -> tristan_sql::Region {
        let fixed = fixed.iter().map(|&(column, value)| (column, Value::Int(value))).collect();
        tristan_sql::Region { table: TableId(table), fixed }
    }

    pub(crate) fn reach(reads: &[tristan_sql::Region], writes: &[tristan_sql::Region]) -> Reach {
        let (reads, writes) = (reads.to_vec(), writes.to_vec());
        Reach::of(&tristan_sql::Reach { reads, writes, ..tristan_sql::Reach::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::by_hand::{reach, region};

    #[test]
    fn rows_with_different_keys_do_not_touch() {
        let one = reach(&[region(1, &[(0, 1)])], &[region(1, &[(0, 1)])]);
        let two = reach(&[region(1, &[(0, 2)])], &[region(1, &[(0, 2)])]);
        let by_value = reach(&[region(1, &[(1, 5)])], &[]);
        assert!(!one.touches(&two));
        assert!(one.touches(&one));
        assert!(by_value.sees(&one) && !one.sees(&by_value));
    }
}
