//! Range reads: what a scan or an iterator says about every key of its range.
//!
//! A key that was returned was read with that value, every other key that the range read has come
//! past was read absent. An iterator that stopped early has come as far as the last key it
//! returned.

use tristan_history::{KeyId, Op, OpKind, OpStatus, Range, ValueId};
use tristan_verdict::BadKind;

use super::{Asg, ReadKind, Seen, Universe};

/// Reads ranges, one after the other.
#[derive(Debug)]
pub(super) struct Ranges {
    universe: Universe,
    /// Per key, the range read that returned it last, and what.
    returned: Vec<(u32, ValueId)>,
    /// How many range reads there were.
    count: u32,
    /// Per key, whether it is used as a list.
    is_list: Vec<bool>,
}

/// A range read with a result.
struct RangeRead<'a> {
    range: &'a Range,
    items: &'a [(KeyId, ValueId)],
    /// For iterators: whether the end was reached.
    iterates: Option<bool>,
}

impl Ranges {
    /// Prepares to read the ranges of a trace; `None` if there are none.
    pub(super) fn of(asg: &Asg<'_>) -> Option<Self> {
        asg.history.ops.iter().any(|op| known(op).is_some()).then(|| {
            let keys = asg.history.keys.len();
            let mut is_list = vec![false; keys];
            for op in &asg.history.ops {
                if let OpKind::Append { key, .. } | OpKind::ReadList { key, .. } = op.kind {
                    is_list[key.index()] = true;
                }
            }
            let universe = Universe::of(asg.history);
            Self { universe, returned: vec![(0, ValueId(0)); keys], count: 0, is_list }
        })
    }

    /// Calls `found` for every key the operation says something about, if it reads a range.
    /// Results that are wrong in themselves are noted as violations instead.
    pub(super) fn read(
        &mut self,
        asg: &mut Asg<'_>,
        op: &Op,
        wrong: impl FnOnce(&mut Asg<'_>, KeyId, BadKind),
        mut found: impl FnMut(&mut Asg<'_>, KeyId, Seen, ReadKind),
    ) {
        let Some(read) = known(op) else { return };
        let positions = self.universe.positions(asg.history, read.range);
        self.count += 1;
        if let Some((key, kind)) = self.note(&read, &positions) {
            return wrong(asg, key, kind);
        }
        let keys = self.universe.keys(self.covered(&read, positions));
        if keys.iter().any(|key| self.is_list[key.index()]) {
            let what = "a range read that covers a list";
            asg.unsupported.push(format!("line {}: {what}", op.line));
        }
        for &key in keys.iter().filter(|key| !self.is_list[key.index()]) {
            match self.returned[key.index()] {
                (count, value) if count == self.count => {
                    found(asg, key, Seen::Value(value), ReadKind::Item);
                }
                _ => found(asg, key, Seen::Absent, ReadKind::Predicate),
            }
        }
    }

    /// Notes what was returned, or what is wrong with it.
    fn note(
        &mut self,
        read: &RangeRead<'_>,
        positions: &std::ops::Range<u32>,
    ) -> Option<(KeyId, BadKind)> {
        let mut last = None;
        for &(key, value) in read.items {
            let position = self.universe.position(key);
            if !positions.contains(&position) {
                return Some((key, BadKind::OutsideRange));
            }
            let slot = &mut self.returned[key.index()];
            if slot.0 == self.count {
                return Some((key, BadKind::RepeatedKey));
            }
            *slot = (self.count, value);
            let turned = last.is_some_and(|last| (last > position) != read.range.reverse);
            if turned && read.iterates.is_some() {
                return Some((key, BadKind::OutOfOrder));
            }
            last = Some(position);
        }
        None
    }

    /// How far the range read has come.
    fn covered(
        &self,
        read: &RangeRead<'_>,
        positions: std::ops::Range<u32>,
    ) -> std::ops::Range<u32> {
        if read.iterates != Some(false) {
            return positions;
        }
        match read.items.last() {
            None => positions.start..positions.start,
            Some(&(last, _)) if read.range.reverse => self.universe.position(last)..positions.end,
            Some(&(last, _)) => positions.start..self.universe.position(last) + 1,
        }
    }
}

/// The operation as a range read, if it is one and its result is known.
fn known(op: &Op) -> Option<RangeRead<'_>> {
    match &op.kind {
        _ if op.status != OpStatus::Done => None,
        OpKind::Scan { range, items: Some(items), .. } => {
            Some(RangeRead { range, items, iterates: None })
        }
        OpKind::Iterate { range, items: Some(items), reached_end } => {
            Some(RangeRead { range, items, iterates: Some(*reached_end) })
        }
        _ => None,
    }
}
