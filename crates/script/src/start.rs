//! What keys hold before the first transaction.

use std::collections::BTreeSet;

use tristan_history::{History, Initial, KeyId, Observed, OpKind, ValueId};

use crate::state::{Cell, State};

/// What keys hold at the start. If the trace does not say it, they hold what was read but never
/// written.
pub(crate) fn initial(history: &History) -> State {
    let touched: BTreeSet<KeyId> = history.ops.iter().flat_map(|op| touched(&op.kind)).collect();
    let mut state = State::new();
    if let Initial::Given(given) = &history.header.initial {
        state.extend(given.iter().map(|(key, value)| (*key, Cell::Value(*value))));
    }
    for key in touched {
        match history.initial_of(key) {
            Some(Observed::Value(value)) => drop(state.insert(key, Cell::Value(value))),
            Some(_) => {}
            None => state.extend(unwritten(history, key).map(|value| (key, Cell::Value(value)))),
        }
    }
    state
}

fn touched(kind: &OpKind) -> Vec<KeyId> {
    match kind {
        OpKind::Scan { items: Some(items), .. } | OpKind::Iterate { items: Some(items), .. } => {
            items.iter().map(|(key, _)| *key).collect()
        }
        other => other.key().into_iter().collect(),
    }
}

/// A value of a key that was read but never written.
fn unwritten(history: &History, wanted: KeyId) -> Option<ValueId> {
    let written = |value: ValueId| {
        history.ops.iter().any(|op| match op.kind {
            OpKind::Put { key, value: other }
            | OpKind::PutIf { key, value: other, .. }
            | OpKind::ReadModifyWrite { key, value: other, .. } => key == wanted && other == value,
            _ => false,
        })
    };
    let read = history.ops.iter().flat_map(|op| op.kind.values_read());
    read.filter(|(key, value)| *key == wanted && !written(*value)).map(|(_, value)| value).next()
}
