//! What a range read says: one read for every key of the universe that it looked at.
//!
//! ```text
//!   universe                              a   b   c   d   e
//!   scan [b, e)                               b   c   d        all of the range
//!   iter [b, e), stopped at c                 b   c            up to the last key returned
//!   iter [b, e) in reverse, stopped at c          c   d        from the last key returned up
//! ```
//!
//! A key that was returned was read with its value; a key that was not was read absent, by a
//! *predicate read*. Keys that are level in the order may come in either order, so an iterator that
//! stopped at one of them may not have come to the others.

use std::cmp::Ordering;

use tristan_history::{History, Initial, KeyId, OpKind, Range, ValueId};

use crate::{
    key_order,
    register::{Read, Seen},
};

/// Every key the trace mentions: in an operation, in a result, in the initial state.
pub(crate) fn universe(history: &History) -> Vec<KeyId> {
    let mut keys: Vec<KeyId> = history.ops.iter().flat_map(|op| mentioned(&op.kind)).collect();
    if let Initial::Given(held) = &history.header.initial {
        keys.extend(held.keys());
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn mentioned(kind: &OpKind) -> Vec<KeyId> {
    match kind {
        OpKind::Scan { items: Some(items), .. } | OpKind::Iterate { items: Some(items), .. } => {
            items.iter().map(|&(key, _)| key).collect()
        }
        _ => kind.key().into_iter().collect(),
    }
}

/// A range read whose result is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RangeRead<'a> {
    history: &'a History,
    range: &'a Range,
    items: &'a [(KeyId, ValueId)],
    extent: Extent,
}

/// How a range was walked, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// A scan: all of it, in no particular order.
    Whole,
    /// An iterator that came to the end.
    ToTheEnd,
    /// An iterator that stopped at the last item it returned.
    ToTheLastItem,
}

impl<'a> RangeRead<'a> {
    /// The range read an operation makes, if it is one and its result is recorded.
    pub(crate) fn of(history: &'a History, kind: &'a OpKind) -> Option<Self> {
        let (range, items, extent) = match kind {
            OpKind::Scan { range, items, .. } => (range, items, Extent::Whole),
            OpKind::Iterate { range, items, reached_end: true } => (range, items, Extent::ToTheEnd),
            OpKind::Iterate { range, items, .. } => (range, items, Extent::ToTheLastItem),
            _ => return None,
        };
        Some(Self { history, range, items: items.as_deref()?, extent })
    }

    /// Whether the result is wrong whatever the database held: a key outside the range, a key
    /// returned twice, an iterator out of order.
    pub(crate) fn malformed(&self) -> bool {
        let outside = self.items.iter().any(|&(key, _)| !self.in_range(key));
        let mut keys: Vec<KeyId> = self.items.iter().map(|&(key, _)| key).collect();
        let disordered =
            self.extent != Extent::Whole && !keys.is_sorted_by(|&a, &b| !self.steps_on(b, a));
        keys.sort_unstable();
        let repeated = keys.windows(2).any(|pair| pair[0] == pair[1]);
        outside || repeated || disordered
    }

    /// The keys looked at.
    pub(crate) fn observed(&self, universe: &[KeyId]) -> Vec<KeyId> {
        universe.iter().copied().filter(|&key| self.in_range(key) && self.reached(key)).collect()
    }

    /// One read per key looked at, all of the operation at `op`.
    pub(crate) fn reads(&self, op: usize, universe: &[KeyId]) -> Vec<Read> {
        let value = |key: KeyId| self.items.iter().find(|item| item.0 == key).map(|item| item.1);
        let read = |key: KeyId| match value(key) {
            Some(value) => Read { op, key, seen: Seen::Value(value), predicate: false },
            None => Read { op, key, seen: Seen::Absent, predicate: true },
        };
        self.observed(universe).into_iter().map(read).collect()
    }

    fn in_range(&self, key: KeyId) -> bool {
        key_order::within(self.history.header.key_order, self.range, self.history.key(key))
    }

    /// Whether the walk came to this key before it stopped.
    fn reached(&self, key: KeyId) -> bool {
        match (self.extent, self.items.last()) {
            (Extent::Whole | Extent::ToTheEnd, _) => true,
            (Extent::ToTheLastItem, Some(&(last, _))) => {
                self.steps_on(key, last) || self.items.iter().any(|item| item.0 == key)
            }
            (Extent::ToTheLastItem, None) => false,
        }
    }

    /// Whether the second key surely comes after the first in the direction of the walk.
    fn steps_on(&self, first: KeyId, second: KeyId) -> bool {
        let direction = if self.range.reverse { Ordering::Greater } else { Ordering::Less };
        let [first, second] = [first, second].map(|key| self.history.key(key));
        key_order::compare(self.history.header.key_order, first, second) == direction
    }
}
