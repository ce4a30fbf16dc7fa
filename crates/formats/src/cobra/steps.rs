//! A transaction as reads and writes of single keys, which is all that a log can say.
//!
//! | operation | steps |
//! |---|---|
//! | `get` | a read, if its result is known |
//! | `put`, `delete` | a write |
//! | `rmw` | a read and a write |
//! | a write with a condition, or with a row count that shows that the key was absent | a read of an absent key, and the write if it happened |
//! | range read | a read per item returned |
//!
//! Writes that were rolled back to a savepoint are left out, and so are reads that saw them.

use crate::rollback::{Access, Accesses};
use tristan_history::{
    History, KeyId, Observed, Op, OpKind, OpRef, OpStatus, Presence, TxnId, ValueId,
};

/// One read or write of one key. No value stands for an absent key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Read { key: KeyId, seen: Option<ValueId>, op: OpRef },
    Write { key: KeyId, value: Option<ValueId> },
}

impl Access for Step {
    fn key(&self) -> KeyId {
        match self {
            Self::Read { key, .. } | Self::Write { key, .. } => *key,
        }
    }

    fn is_write(&self) -> bool {
        matches!(self, Self::Write { .. })
    }
}

/// The steps of a transaction.
pub(super) fn of(history: &History, txn: TxnId) -> Vec<Step> {
    let mut walk = Walk::default();
    for (number, op) in history.ops_of(txn).iter().enumerate() {
        walk.op(OpRef { txn, op: number as u32 }, op);
        walk.steps.follow(op);
    }
    walk.steps.left
}

/// Whether an operation says that a key was there, and not with which value.
pub(super) fn shows_presence(kind: &OpKind) -> bool {
    match kind {
        OpKind::Delete { rows: Some(rows), .. } => *rows > 0,
        OpKind::PutIf { when: Presence::Present, rows: Some(rows), .. } => *rows > 0,
        OpKind::PutIf { when: Presence::Absent, rows: Some(rows), .. } => *rows == 0,
        _ => false,
    }
}

#[derive(Default)]
struct Walk<'a> {
    steps: Accesses<'a, Step>,
}

impl Walk<'_> {
    fn op(&mut self, place: OpRef, op: &Op) {
        let done = op.status == OpStatus::Done;
        if op.status == OpStatus::Failed {
            return;
        }
        match &op.kind {
            OpKind::Get { key, seen, .. } => self.read(place, *key, *seen, done),
            OpKind::Put { key, value } => self.write(*key, Some(*value)),
            OpKind::PutIf { key, value, when, rows } => {
                let written = *rows != Some(0);
                if rows.is_some() && written == (*when == Presence::Absent) {
                    self.read(place, *key, Observed::Absent, done);
                }
                if written {
                    self.write(*key, Some(*value));
                }
            }
            OpKind::Delete { key, rows: Some(0) } => {
                self.read(place, *key, Observed::Absent, done);
            }
            OpKind::Delete { key, .. } => self.write(*key, None),
            OpKind::ReadModifyWrite { key, seen, value } => {
                self.read(place, *key, *seen, done);
                self.write(*key, Some(*value));
            }
            OpKind::Scan { items, .. } | OpKind::Iterate { items, .. } => {
                for (key, value) in items.iter().flatten() {
                    self.read(place, *key, Observed::Value(*value), done);
                }
            }
            OpKind::Savepoint { .. }
            | OpKind::RollbackTo { .. }
            | OpKind::Append { .. }
            | OpKind::ReadList { .. } => {}
        }
    }

    fn read(&mut self, op: OpRef, key: KeyId, seen: Observed, done: bool) {
        let seen = match seen {
            Observed::Value(value) if done => Some(value),
            Observed::Absent if done => None,
            _ => return,
        };
        self.steps.left.push(Step::Read { key, seen, op });
    }

    fn write(&mut self, key: KeyId, value: Option<ValueId>) {
        self.steps.left.push(Step::Write { key, value });
    }
}
