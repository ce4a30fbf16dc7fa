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

use rustc_hash::FxHashSet;

use crate::{
    Datum, History, KeyId, Observed, Op, OpKind, OpRef, OpStatus, Presence, TxnId, ValueId,
};

/// One read or write of one key. No value stands for an absent key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Read { key: KeyId, seen: Option<ValueId>, op: OpRef },
    Write { key: KeyId, value: Option<ValueId> },
}

/// The steps of a transaction.
pub(super) fn of(history: &History, txn: TxnId) -> Vec<Step> {
    let mut walk = Walk::default();
    for (number, op) in history.ops_of(txn).iter().enumerate() {
        walk.op(OpRef { txn, op: number as u32 }, op);
    }
    walk.steps
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
    steps: Vec<Step>,
    /// Savepoints, with the number of steps before each.
    marks: Vec<(&'a Datum, usize)>,
}

impl<'a> Walk<'a> {
    fn op(&mut self, place: OpRef, op: &'a Op) {
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
            OpKind::Savepoint { name } if done => self.marks.push((name, self.steps.len())),
            OpKind::RollbackTo { name } if done => self.roll_back(name),
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
        self.steps.push(Step::Read { key, seen, op });
    }

    fn write(&mut self, key: KeyId, value: Option<ValueId>) {
        self.steps.push(Step::Write { key, value });
    }

    fn roll_back(&mut self, name: &Datum) {
        let Some(place) = self.marks.iter().rposition(|mark| mark.0 == name) else { return };
        self.marks.truncate(place + 1);
        let undone = self.steps.split_off(self.marks[place].1);
        let mut written = FxHashSet::default();
        self.steps.extend(undone.into_iter().filter(|step| match step {
            Step::Write { key, .. } => {
                written.insert(*key);
                false
            }
            Step::Read { key, .. } => !written.contains(key),
        }));
    }
}
