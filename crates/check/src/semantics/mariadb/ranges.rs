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
//!
//! Where the order ignores case, no bound separates keys that differ in case only. If one of these is
//! an own key, or the iterator stopped at one, the others that were returned are read one by one in the
//! snapshot, and nothing is said about those that were not.

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
        let get = |key: KeyId| {
            let kind = OpKind::Get { key, seen: result.seen(key), locking: false };
            Op { kind, ..op.clone() }
        };
        self.current.extend(own.iter().filter_map(|&place| self.universe.at(place)).map(get));
        let cuts = self.cuts(&result, &own);
        let beside = cuts.iter().cloned().flatten().filter(|place| !own.contains(place));
        let beside = beside.filter_map(|place| self.universe.at(place));
        let returned = beside.filter(|&key| result.seen(key) != Observed::Absent);
        self.snapshot.extend(returned.map(get));
        let starts = std::iter::once(covered.start).chain(cuts.iter().map(|cut| cut.end));
        let ends = cuts.iter().map(|cut| cut.start).chain([covered.end]);
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
        let from = |&place: &u32| self.universe.alike(place).start;
        let ascends = result.iterates.is_none() || found.is_sorted_by_key(from);
        let outside = found.iter().any(|place| !places.contains(place));
        found.sort_unstable();
        outside || !ascends || !found.is_sorted_by(|one, next| one < next)
    }

    /// The places around own keys and around the key at which an iterator stopped that no bound can
    /// separate from these, ascending.
    fn cuts(&self, result: &RangeRead<'_>, own: &[u32]) -> Vec<Places<u32>> {
        let stop = result.items.last().filter(|_| result.iterates == Some(false));
        let stop = stop.map(|last| self.universe.alike(self.universe.position(last.0)));
        let mut cuts: Vec<Places<u32>> =
            own.iter().map(|&place| self.universe.alike(place)).collect();
        cuts.extend(stop.filter(|stop| stop.len() > 1));
        cuts.sort_unstable_by_key(|cut| cut.start);
        cuts.dedup();
        cuts
    }

    /// How far it has come.
    fn covered(&self, result: &RangeRead<'_>, places: &Places<u32>) -> Places<u32> {
        if result.iterates != Some(false) {
            return places.clone();
        }
        let stop = result.items.last().map(|last| self.universe.position(last.0));
        match stop.map(|last| self.universe.alike(last)) {
            None => places.start..places.start,
            Some(stop) if result.range.reverse => stop.start..places.end,
            Some(stop) => places.start..stop.end,
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
