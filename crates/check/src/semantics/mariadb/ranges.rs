//! Plain range reads: the current half reads the own keys, the snapshot the ranges between them.
//!
//! ```text
//!   scan [a, z) → b d f, after an own write of d      T snapshot   scan [a, d) → b
//!                                                                  scan [e, z) → f
//!                                                     T current    read d
//! ```
//!
//! `e` is the next key that the trace mentions. An iterator that stopped early is a scan of the
//! range that it has come past. A result that is wrong by itself is left whole, to be judged so.

use std::ops::Range as Places;

use tristan_history::{KeyId, Observed, Op, OpKind, OpStatus, Range, ValueId};

use super::Cutter;

/// A range read with a result.
struct RangeRead<'a> {
    range: &'a Range,
    items: &'a [(KeyId, ValueId)],
    /// For iterators: whether the end was reached.
    iterates: Option<bool>,
}

impl<'a> RangeRead<'a> {
    fn of(op: &'a Op) -> Option<Self> {
        match &op.kind {
            _ if op.status != OpStatus::Done => None,
            OpKind::Scan { range, items: Some(items), .. } => {
                Some(Self { range, items, iterates: None })
            }
            OpKind::Iterate { range, items: Some(items), reached_end } => {
                Some(Self { range, items, iterates: Some(*reached_end) })
            }
            _ => None,
        }
    }

    fn seen(&self, key: KeyId) -> Observed {
        let item = self.items.iter().find(|item| item.0 == key);
        item.map_or(Observed::Absent, |item| Observed::Value(item.1))
    }
}

impl Cutter<'_> {
    /// Cuts a plain range read.
    pub(super) fn cut_range(&mut self, op: &Op) {
        let Some(result) = RangeRead::of(op) else { return self.snapshot.push(op.clone()) };
        let places = self.universe.positions(self.history, result.range);
        if self.is_faulty(&result, &places) {
            return self.current.push(op.clone());
        }
        let covered = self.covered(&result, &places);
        let own = self.own_places(&result, &covered);
        if own.is_empty() {
            return self.snapshot.push(op.clone());
        }
        for key in own.iter().filter_map(|&place| self.universe.at(place)) {
            let kind = OpKind::Get { key, seen: result.seen(key), locking: false };
            self.current.push(Op { kind, ..op.clone() });
        }
        let starts = std::iter::once(covered.start).chain(own.iter().map(|place| place + 1));
        let ends = own.iter().copied().chain([covered.end]);
        for between in starts.zip(ends).map(|(start, end)| start..end) {
            if !between.is_empty() {
                let kind = self.part(&result, &places, &between);
                self.snapshot.push(Op { kind, ..op.clone() });
            }
        }
    }

    /// Whether it returned a key outside its range, twice or (an iterator) out of order.
    fn is_faulty(&self, result: &RangeRead<'_>, places: &Places<u32>) -> bool {
        let mut found: Vec<u32> =
            result.items.iter().map(|item| self.universe.position(item.0)).collect();
        if result.range.reverse {
            found.reverse();
        }
        if result.iterates.is_none() {
            found.sort_unstable();
        }
        let outside = found.iter().any(|place| !places.contains(place));
        outside || !found.is_sorted_by(|one, next| one < next)
    }

    /// How far it has come.
    fn covered(&self, result: &RangeRead<'_>, places: &Places<u32>) -> Places<u32> {
        if result.iterates != Some(false) {
            return places.clone();
        }
        match result.items.last().map(|last| self.universe.position(last.0)) {
            None => places.start..places.start,
            Some(last) if result.range.reverse => last..places.end,
            Some(last) => places.start..last + 1,
        }
    }

    /// Where the keys are of which it read an own write, ascending.
    fn own_places(&self, result: &RangeRead<'_>, covered: &Places<u32>) -> Vec<u32> {
        let read = |key: &&KeyId| self.own.is_read(**key, result.seen(**key));
        let within = |place: &u32| covered.contains(place);
        let keys = self.own.keys.iter().filter(read).map(|&key| self.universe.position(key));
        let mut own: Vec<u32> = keys.filter(within).collect();
        own.sort_unstable();
        own.dedup();
        own
    }

    /// A scan of a part of what was read, with the bounds of the whole where they are the same.
    fn part(&self, result: &RangeRead<'_>, places: &Places<u32>, part: &Places<u32>) -> OpKind {
        let bound = |place| self.universe.at(place).map(|key| self.history.key(key).clone());
        let Range { lo, hi, reverse } = result.range.clone();
        let range = Range {
            lo: if part.start == places.start { lo } else { bound(part.start) },
            hi: if part.end == places.end { hi } else { bound(part.end) },
            reverse,
        };
        let within = |item: &&(KeyId, ValueId)| part.contains(&self.universe.position(item.0));
        let items = Some(result.items.iter().filter(within).copied().collect());
        OpKind::Scan { range: Box::new(range), items, locking: false }
    }
}
