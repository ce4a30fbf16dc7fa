//! What is left of a trace, made fit for a file of its own: without keys that nobody speaks of, and
//! with a note on each transaction that says where it was.

use std::collections::{BTreeMap, BTreeSet};

use tristan_history::{History, Initial, KeyId, OpKind, Range, ValueId};

/// The history without the initial values of keys that no operation can have touched.
pub(super) fn without_other_keys(mut history: History) -> History {
    let Initial::Given(given) = &history.header.initial else { return history };
    let touched: BTreeSet<KeyId> = history.ops.iter().filter_map(|op| op.kind.key()).collect();
    let ranges: Vec<&Range> = history.ops.iter().filter_map(|op| range(&op.kind)).collect();
    let order = history.header.key_order;
    let is_needed = |key: &KeyId| {
        touched.contains(key) || ranges.iter().any(|range| range.contains(order, history.key(*key)))
    };
    let needed: BTreeMap<KeyId, ValueId> =
        given.iter().filter(|(key, _)| is_needed(key)).map(|(key, value)| (*key, *value)).collect();
    history.header.initial = Initial::Given(needed);
    history
}

fn range(kind: &OpKind) -> Option<&Range> {
    match kind {
        OpKind::Scan { range, .. } | OpKind::Iterate { range, .. } => Some(range),
        _ => None,
    }
}

/// The history with a note before each transaction: its lines in the whole trace.
pub(super) fn with_places(mut history: History) -> History {
    let note = |id| {
        let (first, last) = history.txn(id).lines;
        let place = match first == last {
            true => format!("line {first}"),
            false => format!("lines {first} to {last}"),
        };
        Some((first.checked_sub(1)?, format!("{} was on {place}", history.label(id))))
    };
    history.notes = history.txn_ids().filter_map(note).collect();
    history.notes.sort_by_key(|(line, _)| *line);
    history
}
