//! A transaction as a program: what its operations write, and which of these writes last.

use tristan_history::{Datum, KeyId, Observed, Op, OpKind, OpStatus};

/// What an operation surely writes, if it writes a register. In a resolved history every write is
/// sure.
pub(crate) fn written(op: &Op) -> Option<(KeyId, Observed)> {
    match op.kind {
        _ if op.status != OpStatus::Done => None,
        OpKind::PutIf { rows: Some(0) | None, .. } | OpKind::Delete { rows: Some(0), .. } => None,
        OpKind::Put { key, value }
        | OpKind::PutIf { key, value, .. }
        | OpKind::ReadModifyWrite { key, value, .. } => Some((key, Observed::Value(value))),
        OpKind::Delete { key, .. } => Some((key, Observed::Absent)),
        _ => None,
    }
}

/// Per operation, whether a rollback to a savepoint undoes it.
#[derive(Debug, Default)]
pub(crate) struct Undone {
    marks: Vec<bool>,
}

impl Undone {
    /// Looks at the rollbacks among these operations.
    pub(crate) fn find(ops: &[Op]) -> Self {
        if !ops.iter().any(|op| matches!(op.kind, OpKind::RollbackTo { .. })) {
            return Self::default();
        }
        let mut undone = Self { marks: vec![false; ops.len()] };
        let mut places: Vec<(&Datum, usize)> = Vec::new();
        for (at, op) in ops.iter().enumerate().filter(|(_, op)| op.status == OpStatus::Done) {
            match &op.kind {
                OpKind::Savepoint { name } => places.push((name, at)),
                OpKind::RollbackTo { name } => {
                    let place = places.iter().rposition(|(other, _)| **other == **name);
                    let Some(place) = place else { continue };
                    places.truncate(place + 1);
                    undone.marks[places[place].1..at].fill(true);
                }
                _ => {}
            }
        }
        undone
    }

    /// Whether the operation is undone.
    pub(crate) fn contains(&self, op: usize) -> bool {
        self.marks.get(op).copied().unwrap_or(false)
    }
}
