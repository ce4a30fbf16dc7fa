//! Range reads: which keys one has seen, and what can be wrong with its result as such.
//!
//! ```text
//!   universe   a   b   c   d   e   f   g        every key of the trace, in key order
//!   range          [b ─────────────── g)
//!   returned       b       d
//!   a scan saw     b   c̸   d   e̸   f̸            c̸: not there, a predicate read
//!   an iterator    b   c̸   d                    that stopped after d
//! ```
//!
//! The universe is sorted once; what a range read has seen is a slice of it.

use std::cmp::Ordering;

use tristan_history::{
    Datum, History, Initial, KeyId, KeyOrder, Op, OpKind, OpStatus, Range, ValueId,
};
use tristan_verdict::BadKind;

use crate::operations::Seen;
use crate::order;

/// Every key that the trace mentions in an operation, in a result or in the initial state, in
/// key order. What only hints mention is not part of it.
pub(crate) struct Universe {
    keys: Vec<KeyId>,
}

impl Universe {
    /// Collects the keys.
    pub(crate) fn new(history: &History) -> Self {
        let mut mentioned = vec![false; history.keys.len()];
        for operation in &history.ops {
            if let Some(key) = operation.kind.key() {
                mentioned[key.index()] = true;
            }
            for (key, _) in items(&operation.kind).unwrap_or_default() {
                mentioned[key.index()] = true;
            }
        }
        if let Initial::Given(start) = &history.header.initial {
            for key in start.keys() {
                mentioned[key.index()] = true;
            }
        }
        let numbers = (0u32..).zip(&mentioned).filter(|(_, mentioned)| **mentioned);
        let mut keys: Vec<KeyId> = numbers.map(|(number, _)| KeyId(number)).collect();
        let order = history.header.key_order;
        keys.sort_by(|&a, &b| order::compare(order, history.key(a), history.key(b)));
        Self { keys }
    }

    /// The keys that a range read with this result has seen or missed, ascending by number.
    ///
    /// An iterator that stopped has passed every key before the last one it returned. A key that is
    /// alike to the last one may come after it, so the iterator has seen it only if it returned it.
    pub(crate) fn seen_by(&self, history: &History, result: &RangeResult<'_>) -> Vec<KeyId> {
        let compare =
            |key: KeyId, bound: &Datum| order::compare(result.order, history.key(key), bound);
        let from = |bound: &Datum| self.keys.partition_point(|&key| compare(key, bound).is_lt());
        let past = |bound: &Datum| self.keys.partition_point(|&key| compare(key, bound).is_le());
        let mut first = result.range.lo.as_ref().map_or(0, from);
        let mut end = result.range.hi.as_ref().map_or(self.keys.len(), from);
        let mut returned = Vec::new();
        if !result.complete {
            let Some(&(last, _)) = result.items.last() else { return returned };
            returned.extend(result.items.iter().map(|&(key, _)| key));
            returned.retain(|&key| compare(key, history.key(last)).is_eq());
            returned.retain(|&key| !result.is_outside(history.key(key)));
            match result.range.reverse {
                false => end = end.min(from(history.key(last))),
                true => first = first.max(past(history.key(last))),
            }
        }
        let mut keys = self.keys.get(first..end).unwrap_or_default().to_vec();
        keys.append(&mut returned);
        keys.sort_unstable();
        keys.dedup();
        keys
    }
}

fn items(kind: &OpKind) -> Option<&[(KeyId, ValueId)]> {
    match kind {
        OpKind::Scan { items, .. } | OpKind::Iterate { items, .. } => items.as_deref(),
        _ => None,
    }
}

/// Whether the operation reads a range.
pub(crate) fn reads_range(kind: &OpKind) -> bool {
    matches!(kind, OpKind::Scan { .. } | OpKind::Iterate { .. })
}

/// What a range read returned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RangeResult<'h> {
    range: &'h Range,
    order: KeyOrder,
    items: &'h [(KeyId, ValueId)],
    /// Whether it went through the whole range.
    complete: bool,
    /// Whether the order of the items means something.
    ordered: bool,
}

impl<'h> RangeResult<'h> {
    /// The result of the operation, if it is a range read and its result is known.
    pub(crate) fn of(history: &'h History, operation: &'h Op) -> Option<Self> {
        let items = items(&operation.kind).filter(|_| operation.status == OpStatus::Done)?;
        let order = history.header.key_order;
        match &operation.kind {
            OpKind::Scan { range, .. } => {
                Some(Self { range, order, items, complete: true, ordered: false })
            }
            OpKind::Iterate { range, reached_end, .. } => {
                Some(Self { range, order, items, complete: *reached_end, ordered: true })
            }
            _ => None,
        }
    }

    /// What was returned, by key; of a key that was returned twice the first value.
    pub(crate) fn by_key(&self) -> Vec<(KeyId, ValueId)> {
        let mut items = self.items.to_vec();
        items.sort_by_key(|&(key, _)| key);
        items.dedup_by_key(|&mut (key, _)| key);
        items
    }

    /// What the result says of a key that the trace mentions; `None` if it says nothing.
    pub(crate) fn sees(&self, history: &History, key: KeyId) -> Option<Seen> {
        if let Some(&(_, value)) = self.items.iter().find(|&&(returned, _)| returned == key) {
            return Some(Seen::Value(value));
        }
        let passed = || {
            let last = self.items.last().map(|&(last, _)| history.key(last));
            last.is_some_and(|last| self.direction(history.key(key), last).is_lt())
        };
        let covered = !self.is_outside(history.key(key)) && (self.complete || passed());
        covered.then_some(Seen::Absent)
    }

    /// Whether the result is wrong, whatever was in the database.
    pub(crate) fn is_faulty(&self, history: &History) -> bool {
        let inverted = |pair: &[(KeyId, ValueId)]| {
            self.ordered && self.direction(history.key(pair[0].0), history.key(pair[1].0)).is_gt()
        };
        self.by_key().len() < self.items.len()
            || self.items.windows(2).any(inverted)
            || self.items.iter().any(|&(key, _)| self.is_outside(history.key(key)))
    }

    /// Whether the result is wrong in this way, because of this key.
    pub(crate) fn has_fault(&self, history: &History, kind: BadKind, key: &Datum) -> bool {
        let returned = || self.items.iter().map(|&(key, _)| history.key(key));
        let places = || returned().enumerate().filter(|&(_, found)| found == key);
        match kind {
            BadKind::OutsideRange => places().any(|(_, found)| self.is_outside(found)),
            BadKind::RepeatedKey => places().count() > 1,
            BadKind::OutOfOrder => {
                let after = |place| returned().take(place).any(|e| self.direction(e, key).is_gt());
                let before = |place| returned().skip(place).any(|e| self.direction(key, e).is_gt());
                self.ordered && places().any(|(place, _)| after(place) || before(place))
            }
            _ => false,
        }
    }

    fn is_outside(&self, key: &Datum) -> bool {
        !order::contains(self.order, self.range, key)
    }

    /// How two keys follow each other on the way through the range.
    fn direction(&self, one: &Datum, other: &Datum) -> Ordering {
        let ascending = order::compare(self.order, one, other);
        if self.range.reverse { ascending.reverse() } else { ascending }
    }
}
