//! Range reads: what a scan or an iterator says about every key of its range.
//!
//! A key that was returned was read with that value, every other key that the range read has come
//! past was read absent. An iterator that stopped early has come as far as the last key it
//! returned; of the keys that have no order with that key, it has come past those that it returned.

use tristan_history::{History, KeyId, Op, OpKind, OpStatus, Range, ValueId};
use tristan_verdict::BadKind;

use super::{ReadKind, Seen, Universe};

/// What all range reads of a trace are read against.
#[derive(Debug)]
pub(super) struct RangeContext {
    universe: Universe,
    /// Per key, whether it is used as a list.
    is_list: Vec<bool>,
}

/// Reads ranges, one after the other.
#[derive(Debug)]
pub(super) struct Ranges<'a> {
    context: &'a RangeContext,
    /// Per key, the range read that returned it last, and what.
    returned: Vec<(u32, ValueId)>,
    /// How many range reads there were.
    count: u32,
}

/// What is wrong with a range read.
pub(super) enum RangeError {
    /// No database returns that.
    Result(KeyId, BadKind),
    /// It cannot be interpreted.
    CoversList,
}

/// A range read with a result.
struct RangeRead<'a> {
    range: &'a Range,
    items: &'a [(KeyId, ValueId)],
    /// For iterators: whether the end was reached.
    iterates: Option<bool>,
}

impl RangeContext {
    /// Prepares to read the ranges of a trace; `None` if there are none.
    pub(super) fn of(history: &History) -> Option<Self> {
        history.ops.iter().any(|op| known(op).is_some()).then(|| {
            let mut is_list = vec![false; history.keys.len()];
            for op in &history.ops {
                if let OpKind::Append { key, .. } | OpKind::ReadList { key, .. } = op.kind {
                    is_list[key.index()] = true;
                }
            }
            Self { universe: Universe::of(history), is_list }
        })
    }
}

impl<'a> Ranges<'a> {
    /// Nothing was read yet.
    pub(super) fn on(context: &'a RangeContext) -> Self {
        Self { context, returned: vec![(0, ValueId(0)); context.is_list.len()], count: 0 }
    }

    /// Calls `found` for every key the operation says something about, if it reads a range.
    /// Results that are wrong in themselves are told to `wrong` instead.
    pub(super) fn read(
        &mut self,
        history: &History,
        op: &Op,
        wrong: impl FnOnce(RangeError),
        mut found: impl FnMut(KeyId, Seen, ReadKind),
    ) {
        let Some(read) = known(op) else { return };
        let positions = self.context.universe.positions(history, read.range);
        self.count += 1;
        if let Some((key, kind)) = self.note(&read, &positions) {
            return wrong(RangeError::Result(key, kind));
        }
        let RangeContext { universe, is_list } = self.context;
        let (covered, at_stop) = self.covered(&read, positions);
        let value_of = |key: KeyId| match self.returned[key.index()] {
            (count, value) if count == self.count => Some(value),
            _ => None,
        };
        let passed =
            |key: &KeyId| value_of(*key).is_some() || !at_stop.contains(&universe.position(*key));
        let keys = || universe.keys(covered.clone()).iter().copied().filter(passed);
        if keys().any(|key| is_list[key.index()]) {
            wrong(RangeError::CoversList);
        }
        for key in keys().filter(|key| !is_list[key.index()]) {
            match value_of(key) {
                Some(value) => found(key, Seen::Value(value), ReadKind::Item),
                None => found(key, Seen::Absent, ReadKind::Predicate),
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
            let position = self.context.universe.position(key);
            if !positions.contains(&position) {
                return Some((key, BadKind::OutsideRange));
            }
            let slot = &mut self.returned[key.index()];
            if slot.0 == self.count {
                return Some((key, BadKind::RepeatedKey));
            }
            *slot = (self.count, value);
            if read.iterates.is_some() {
                let place = self.context.universe.alike(position).start;
                let turned = match read.range.reverse {
                    false => last.is_some_and(|last| last > place),
                    true => last.is_some_and(|last| last < place),
                };
                if turned {
                    return Some((key, BadKind::OutOfOrder));
                }
                last = Some(place);
            }
        }
        None
    }

    /// How far the range read has come, and the places in it at which it stopped: of these keys it
    /// has come past those that it returned.
    fn covered(
        &self,
        read: &RangeRead<'_>,
        positions: std::ops::Range<u32>,
    ) -> (std::ops::Range<u32>, std::ops::Range<u32>) {
        if read.iterates != Some(false) {
            return (positions, 0..0);
        }
        let Some(&(last, _)) = read.items.last() else {
            return (positions.start..positions.start, 0..0);
        };
        let stop = self.context.universe.alike(self.context.universe.position(last));
        match read.range.reverse {
            true => (stop.start..positions.end, stop),
            false => (positions.start..stop.end, stop),
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
