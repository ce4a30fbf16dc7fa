//! Which operation wrote what a bad read returned.
//!
//! The transaction is in the verdict ([`Bad::writer`]); it may have written the key several times,
//! and what it wrote last is just what the read did not return. The operation is found by what was
//! read. Where the verdict does not say what that was, an operation is named only if it is the only
//! write of the key.

use tristan_history::Datum;
use tristan_verdict::{Bad, BadKind, Deed, Saw};

use crate::names::Names;

/// The transaction that wrote what a bad read returned, and the operation, if it is known.
pub(crate) fn origin(names: Names<'_>, bad: &Bad) -> Option<(u32, Option<u32>)> {
    let writer = bad.writer?;
    Some((writer, operation(names, bad, writer)))
}

/// The line of that operation.
pub(crate) fn line_of_origin(names: Names<'_>, bad: &Bad) -> Option<u32> {
    let (writer, op) = origin(names, bad)?;
    names.line(writer, op?)
}

fn operation(names: Names<'_>, bad: &Bad, writer: u32) -> Option<u32> {
    let seen = seen(names, bad);
    if seen.is_empty() {
        return names.only_write(writer, &bad.key);
    }
    let wrote: Vec<Wrote<'_>> = writes(names, writer, &bad.key);
    // The newest of what was read comes first; of several equal writes, the last.
    let mut matching = seen.iter().rev().flat_map(|saw| wrote.iter().rev().filter(|w| w.is(saw)));
    let too_late = |w: &&Wrote<'_>| bad.kind == BadKind::Future && w.op > bad.op;
    let undone = |w: &&Wrote<'_>| bad.kind == BadKind::Aborted && w.void;
    let told = matching.clone().find(|w| too_late(w) || undone(w));
    told.or_else(|| matching.next()).map(|w| w.op)
}

/// A write of one key.
struct Wrote<'v> {
    op: u32,
    /// `None` if it deleted the key.
    value: Option<&'v Datum>,
    void: bool,
}

impl Wrote<'_> {
    /// Whether it wrote what was seen.
    fn is(&self, saw: &Saw) -> bool {
        match saw {
            Saw::Absent => self.value.is_none(),
            Saw::Present => self.value.is_some(),
            Saw::Value(value) => self.value == Some(value),
            Saw::List(_) => false,
        }
    }
}

/// What the bad read saw of its key, value by value; a list is all its elements.
fn seen(names: Names<'_>, bad: &Bad) -> Vec<Saw> {
    let deed = names.op(bad.txn, bad.op).and_then(|card| card.deed.as_ref());
    match deed {
        Some(Deed::Read { saw, .. } | Deed::Write { saw, .. }) => match saw {
            Some(Saw::List(elements)) => elements.iter().cloned().map(Saw::Value).collect(),
            Some(saw) => vec![saw.clone()],
            None => Vec::new(),
        },
        Some(Deed::Range { items, more, .. }) => {
            let own = items.iter().filter(|(key, _)| *key == bad.key);
            let values: Vec<Saw> = own.map(|(_, value)| Saw::Value(value.clone())).collect();
            // A key that is not among all of the items was absent.
            if values.is_empty() && *more == 0 { vec![Saw::Absent] } else { values }
        }
        _ => Vec::new(),
    }
}

/// All writes of a key by a transaction, those without effect included.
fn writes<'v>(names: Names<'v>, txn: u32, key: &Datum) -> Vec<Wrote<'v>> {
    let ops = names.card(txn).map_or(&[][..], |card| &card.ops);
    let wrote = |(op, card): (u32, &'v tristan_verdict::OpCard)| match card.deed.as_ref()? {
        Deed::Write { key: own, value, void, .. } if own == key => {
            Some(Wrote { op, value: value.as_ref(), void: *void })
        }
        Deed::Append { key: own, value } if own == key => {
            Some(Wrote { op, value: Some(value), void: false })
        }
        _ => None,
    };
    (0..).zip(ops).filter_map(wrote).collect()
}
