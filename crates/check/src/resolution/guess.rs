//! A first guess at the fates: an operation took effect if something that was observed has no
//! other explanation. A wrong guess costs a round of the search and changes no verdict.

use rustc_hash::FxHashSet;
use tristan_history::{History, KeyId, Observed, Op, OpKind, OpRef, OpStatus, Outcome, ValueId};

use super::is_indeterminate;

/// Whether each of these operations likely took effect.
pub(super) fn guess(history: &History, open: &[OpRef]) -> Vec<bool> {
    let known = known_contents(history, open);
    open.iter().map(|&at| is_likely(history, &known, at)).collect()
}

fn is_likely(history: &History, known: &FxHashSet<(KeyId, Observed)>, at: OpRef) -> bool {
    match &history.op(at).kind {
        OpKind::Append { .. } | OpKind::Savepoint { .. } => true,
        OpKind::RollbackTo { .. } => false,
        kind => content(kind).is_some_and(|(key, content)| {
            let initial = history.initial_of(key);
            let elsewhere =
                initial.is_none_or(|held| held == content) || known.contains(&(key, content));
            !elsewhere || is_read_back(history, at, key, content)
        }),
    }
}

/// What determinate writes of transactions that may have committed left in the keys of open writes.
fn known_contents(history: &History, open: &[OpRef]) -> FxHashSet<(KeyId, Observed)> {
    let keys: FxHashSet<KeyId> = open.iter().filter_map(|&at| history.op(at).kind.key()).collect();
    let live = |txn: &tristan_history::TxnId| history.txn(*txn).outcome != Outcome::Aborted;
    let ops = history.txn_ids().filter(live).flat_map(|txn| history.ops_of(txn));
    let determinate = ops.filter(|op| op.status == OpStatus::Done && !is_indeterminate(op));
    determinate.filter_map(|op| content(&op.kind)).filter(|(key, _)| keys.contains(key)).collect()
}

/// Whether the next read of the key in the same transaction saw this.
fn is_read_back(history: &History, at: OpRef, key: KeyId, content: Observed) -> bool {
    let later = &history.ops_of(at.txn)[at.op as usize + 1..];
    let of_key = |op: &&Op| op.status == OpStatus::Done && op.kind.key() == Some(key);
    match later.iter().find(of_key).map(|op| &op.kind) {
        Some(OpKind::Get { seen, .. } | OpKind::ReadModifyWrite { seen, .. }) => *seen == content,
        _ => false,
    }
}

/// What a register write writes, unless a row count says that it wrote nothing.
fn content(kind: &OpKind) -> Option<(KeyId, Observed)> {
    let value = |key: &KeyId, value: &ValueId| Some((*key, Observed::Value(*value)));
    match kind {
        OpKind::PutIf { rows: Some(0), .. } | OpKind::Delete { rows: Some(0), .. } => None,
        OpKind::Put { key, value: new }
        | OpKind::PutIf { key, value: new, .. }
        | OpKind::ReadModifyWrite { key, value: new, .. } => value(key, new),
        OpKind::Delete { key, .. } => Some((*key, Observed::Absent)),
        _ => None,
    }
}
