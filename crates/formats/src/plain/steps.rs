//! Operations as plain reads and writes.

use crate::rollback::{Access, Accesses};
use tristan_history::{History, KeyId, Observed, Op, OpKind, OpStatus, TxnId};

/// A plain read or write. To write [`Observed::Absent`] is to delete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Read(KeyId, Observed),
    Write(KeyId, Observed),
    FailedRead(KeyId),
    FailedWrite(KeyId, Observed),
}

impl Access for Step {
    fn key(&self) -> KeyId {
        match self {
            Self::Read(key, _)
            | Self::Write(key, _)
            | Self::FailedRead(key)
            | Self::FailedWrite(key, _) => *key,
        }
    }

    fn is_write(&self) -> bool {
        matches!(self, Self::Write(..))
    }
}

/// What a transaction did, without what it rolled back.
pub(super) fn of_txn(history: &History, id: TxnId) -> Vec<Step> {
    followed(history, id).left
}

/// How many reads and writes a transaction rolled back.
pub(super) fn undone(history: &History, id: TxnId) -> usize {
    followed(history, id).undone
}

fn followed(history: &History, id: TxnId) -> Accesses<'_, Step> {
    let mut steps = Accesses::default();
    for op in history.ops_of(id) {
        steps.left.extend(of_op(op).into_iter().flatten());
        steps.follow(op);
    }
    steps
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
