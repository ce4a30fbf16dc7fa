//! Random hints that every native form can say.

use tristan_generate::Rng;
use tristan_history::{History, KeyId, Observed, Op, OpKind, OpRef, OpStatus, SourceHint, TxnId};

/// Hints on all sources of an operation that can have some, or none.
pub fn sources(history: &History, op: OpRef, rng: &mut Rng) -> Vec<SourceHint> {
    let Op { kind, status, .. } = history.op(op);
    if *status != OpStatus::Done || rng.percent(50) {
        return Vec::new();
    }
    let mut anyone = || match rng.below(history.txns.len() as u64 + 1) as usize {
        0 => None,
        number => Some(TxnId::new(number - 1)),
    };
    let mut hint = |key: KeyId| SourceHint { op, key, from: anyone(), line: 0 };
    match kind {
        OpKind::Get { key, seen, .. } | OpKind::ReadModifyWrite { key, seen, .. } => {
            (*seen != Observed::Unknown).then(|| hint(*key)).into_iter().collect()
        }
        OpKind::Scan { items: Some(items), .. } | OpKind::Iterate { items: Some(items), .. } => {
            let mut hints: Vec<SourceHint> = items.iter().map(|item| hint(item.0)).collect();
            let missing = deleted(history).into_iter();
            let missing = missing.filter(|(_, key)| items.iter().all(|item| item.0 != *key));
            hints.extend(missing.map(|(txn, key)| SourceHint {
                op,
                key,
                from: Some(txn),
                line: 0,
            }));
            hints
        }
        _ => Vec::new(),
    }
}

/// Who deletes what.
fn deleted(history: &History) -> Vec<(TxnId, KeyId)> {
    let all = history.txn_ids().flat_map(|txn| history.ops_of(txn).iter().map(move |op| (txn, op)));
    let deletes = all.filter_map(|(txn, op)| match op.kind {
        OpKind::Delete { key, .. } => Some((txn, key)),
        _ => None,
    });
    deletes.collect()
}
