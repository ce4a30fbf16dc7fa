//! Of one operation, a part of what it says.

use std::collections::BTreeSet;

use crate::{Datum, History, Items, KeyId, Op, OpKind, OpStatus, Range};

/// A part of what an operation says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aspect {
    /// All of it.
    Whole,
    /// What it wrote, and not what it saw.
    Write,
    /// Of a range read: what it saw of this key.
    Key(KeyId),
}

/// What is left of an operation: a range read becomes one for every key that is kept.
pub(super) fn part(history: &History, op: &Op, aspects: &BTreeSet<Aspect>) -> Vec<Op> {
    if aspects.contains(&Aspect::Whole) {
        return vec![op.clone()];
    }
    let of_key = |aspect: &Aspect| match aspect {
        Aspect::Key(key) => Some(Op { kind: narrowed(history, &op.kind, *key), ..op.clone() }),
        Aspect::Write => Some(Op { kind: write_of(op), ..op.clone() }),
        Aspect::Whole => None,
    };
    aspects.iter().filter_map(of_key).collect()
}

/// The same operation as one that saw nothing. One whose effect is open stays as it is.
fn write_of(op: &Op) -> OpKind {
    match op.kind {
        _ if op.status != OpStatus::Done => op.kind.clone(),
        OpKind::PutIf { key, value, rows: Some(1..), .. }
        | OpKind::ReadModifyWrite { key, value, .. } => OpKind::Put { key, value },
        OpKind::Delete { key, rows: Some(1..) } => OpKind::Delete { key, rows: None },
        _ => op.kind.clone(),
    }
}

/// A range read, cut down to one key.
fn narrowed(history: &History, kind: &OpKind, key: KeyId) -> OpKind {
    let cut = |range: &Range, items: &Option<Items>| {
        let range = Box::new(key_range(history, key, range.reverse));
        let order = history.header.key_order;
        let inside = |item: &&(KeyId, _)| range.contains(order, history.key(item.0));
        let items = items.as_ref().map(|items| items.iter().filter(inside).copied().collect());
        (range, items)
    };
    match kind {
        OpKind::Scan { range, items, locking } => {
            let (range, items) = cut(range, items);
            OpKind::Scan { range, items, locking: *locking }
        }
        OpKind::Iterate { range, items, .. } => {
            let (range, items) = cut(range, items);
            OpKind::Iterate { range, items, reached_end: true }
        }
        other => other.clone(),
    }
}

/// A range with this key, and no other key of the history unless the order takes the two as alike.
pub fn key_range(history: &History, key: KeyId, reverse: bool) -> Range {
    let order = history.header.key_order;
    let name = history.key(key);
    let range = |hi: Option<Datum>| Range { lo: Some(name.clone()), hi, reverse };
    let mut ends = match name {
        Datum::Int(number) => vec![Datum::Int(number + 1)],
        Datum::Text(text) => {
            ["!", "\0"].map(|end| Datum::from(format!("{text}{end}").as_str())).into()
        }
        Datum::Bytes(bytes) => vec![Datum::from(&[bytes, &[0][..]].concat()[..])],
        Datum::Json(_) => Vec::new(),
    };
    let last = ends.pop();
    let others = |range: &Range| {
        let mut keys = (0..history.keys.len()).map(KeyId::new);
        keys.any(|other| other != key && range.contains(order, history.key(other)))
    };
    let mut short = ends.into_iter().map(|end| range(Some(end)));
    short.find(|range| !others(range)).unwrap_or_else(|| range(last))
}
