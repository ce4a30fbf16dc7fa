//! What rollbacks to savepoints undid. Elle knows no savepoints, so writes that were undone must not be
//! printed, and neither must reads that saw them.

use rustc_hash::FxHashSet;

use crate::{Datum, KeyId, Op, OpKind, OpStatus};

/// Marks the operations of a transaction that only make sense with its savepoints.
pub(super) fn undone(ops: &[Op]) -> Vec<bool> {
    let mut undone = vec![false; ops.len()];
    let mut marks: Vec<(&Datum, usize)> = Vec::new();
    for (place, op) in ops.iter().enumerate().filter(|(_, op)| op.status == OpStatus::Done) {
        match &op.kind {
            OpKind::Savepoint { name } => marks.push((name, place)),
            OpKind::RollbackTo { name } => {
                let Some(mark) = marks.iter().rposition(|(known, _)| *known == &**name) else {
                    continue;
                };
                marks.truncate(mark + 1);
                undo(ops, marks[mark].1..place, &mut undone);
            }
            _ => {}
        }
    }
    undone
}

/// Marks the writes in a section of a transaction, and the reads that saw them.
fn undo(ops: &[Op], section: std::ops::Range<usize>, undone: &mut [bool]) {
    let mut written: FxHashSet<KeyId> = FxHashSet::default();
    for place in section {
        let kind = &ops[place].kind;
        undone[place] |= kind.key().is_some_and(|key| written.contains(&key));
        if let Some(key) = written_key(kind) {
            written.insert(key);
            undone[place] = true;
        }
    }
}

/// The key an operation may write.
pub(super) fn written_key(kind: &OpKind) -> Option<KeyId> {
    match kind {
        OpKind::Put { key, .. }
        | OpKind::PutIf { key, .. }
        | OpKind::Delete { key, .. }
        | OpKind::ReadModifyWrite { key, .. }
        | OpKind::Append { key, .. } => Some(*key),
        OpKind::Get { .. }
        | OpKind::ReadList { .. }
        | OpKind::Scan { .. }
        | OpKind::Iterate { .. }
        | OpKind::Savepoint { .. }
        | OpKind::RollbackTo { .. } => None,
    }
}
