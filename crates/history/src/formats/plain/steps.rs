//! Operations as plain reads and writes.

use crate::{Datum, History, KeyId, Observed, Op, OpKind, OpStatus, TxnId};

/// A plain read or write. To write [`Observed::Absent`] is to delete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Read(KeyId, Observed),
    Write(KeyId, Observed),
    FailedRead(KeyId),
    FailedWrite(KeyId, Observed),
}

/// What a transaction did, without what it rolled back.
pub(super) fn of_txn(history: &History, id: TxnId) -> Vec<Step> {
    let ops = history.ops_of(id);
    let kept = ops.iter().zip(rolled_back(ops)).filter(|(_, undone)| !undone);
    kept.flat_map(|(op, _)| of_op(op)).flatten().collect()
}

/// Which operations lie between a savepoint and the rollback to it.
pub(super) fn rolled_back(ops: &[Op]) -> Vec<bool> {
    let mut undone = vec![false; ops.len()];
    let mut marks: Vec<(&Datum, usize)> = Vec::new();
    for (place, op) in ops.iter().enumerate() {
        match (&op.kind, op.status) {
            (OpKind::Savepoint { name }, OpStatus::Done) => marks.push((name, place)),
            (OpKind::RollbackTo { name }, OpStatus::Done) => {
                if let Some(mark) = marks.iter().rposition(|(mark, _)| *mark == &**name) {
                    marks.truncate(mark + 1);
                    undone[marks[mark].1 + 1..place].fill(true);
                }
            }
            _ => {}
        }
    }
    undone
}

fn of_op(op: &Op) -> [Option<Step>; 2] {
    match op.status {
        OpStatus::Failed => [failed(&op.kind), None],
        OpStatus::Done | OpStatus::Pending => [read(op), write(&op.kind)],
    }
}

fn failed(kind: &OpKind) -> Option<Step> {
    match *kind {
        OpKind::Get { key, .. } => Some(Step::FailedRead(key)),
        OpKind::Put { key, value } => Some(Step::FailedWrite(key, Observed::Value(value))),
        _ => None,
    }
}

fn read(op: &Op) -> Option<Step> {
    match op.kind {
        OpKind::Get { key, seen, .. } | OpKind::ReadModifyWrite { key, seen, .. } => {
            let known = op.status == OpStatus::Done && seen != Observed::Unknown;
            known.then_some(Step::Read(key, seen))
        }
        _ => None,
    }
}

fn write(kind: &OpKind) -> Option<Step> {
    match *kind {
        OpKind::PutIf { rows: Some(0), .. } | OpKind::Delete { rows: Some(0), .. } => None,
        OpKind::Put { key, value }
        | OpKind::PutIf { key, value, .. }
        | OpKind::ReadModifyWrite { key, value, .. } => {
            Some(Step::Write(key, Observed::Value(value)))
        }
        OpKind::Delete { key, .. } => Some(Step::Write(key, Observed::Absent)),
        _ => None,
    }
}
