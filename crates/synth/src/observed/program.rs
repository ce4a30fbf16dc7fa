//! What each transaction read of others, and what it wrote.
//!
//! In: the operations of a transaction. Out: reads of what others wrote, and all writes in order.
//! Reads of own writes are checked here and disappear.

use tristan_history::{
    History, KeyId, Observed, Op, OpKind, OpRef, OpStatus, OwnWrites, TxnId, ValueId,
};

use super::error::{JudgeError, WrongRead, WrongReadKind};

/// What a key holds: a value or nothing.
pub(super) type Content = Option<ValueId>;

/// A read of what others wrote.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExternalRead {
    pub op: OpRef,
    pub key: KeyId,
    pub seen: Content,
}

/// What a transaction did.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    /// What it read of others.
    pub reads: Vec<ExternalRead>,
    /// What it wrote, in order.
    pub writes: Vec<(KeyId, Content)>,
    /// The first read that missed an own write.
    pub wrong: Option<WrongRead>,
}

impl Program {
    /// What the transaction did; `Err` if that is not for this judge.
    pub(super) fn of(history: &History, txn: TxnId) -> Result<Self, JudgeError> {
        let mut program = Self::default();
        for (at, op) in (0..).zip(history.ops_of(txn)) {
            let place = OpRef { txn, op: at };
            if op.status != OpStatus::Failed {
                program.step(history, place, op)?;
            }
        }
        Ok(program)
    }

    /// What it left in a key, if it wrote it.
    pub(super) fn last(&self, key: KeyId) -> Option<Content> {
        self.writes.iter().rfind(|(other, _)| *other == key).map(|(_, content)| *content)
    }

    /// Whether it ever wrote this to the key.
    pub(super) fn ever_wrote(&self, key: KeyId, content: Content) -> bool {
        self.writes.contains(&(key, content))
    }

    fn step(&mut self, history: &History, place: OpRef, op: &Op) -> Result<(), JudgeError> {
        let unknown = |what: &'static str| {
            let label = history.label(place.txn);
            Err(JudgeError::Operation { label, op: place, what })
        };
        let returned = op.status == OpStatus::Done;
        match &op.kind {
            OpKind::Get { key, seen, .. } if returned => self.read(history, place, *key, *seen),
            OpKind::Get { .. } => Ok(()),
            _ if !returned => unknown("an operation that never returned"),
            OpKind::Put { key, value } => {
                self.writes.push((*key, Some(*value)));
                Ok(())
            }
            OpKind::Delete { key, rows: None } => {
                self.writes.push((*key, None));
                Ok(())
            }
            OpKind::ReadModifyWrite { key, seen, value } => {
                self.read(history, place, *key, *seen)?;
                self.writes.push((*key, Some(*value)));
                Ok(())
            }
            OpKind::Delete { .. } => unknown("a count of deleted rows"),
            OpKind::PutIf { .. } => unknown("a conditional write"),
            OpKind::Append { .. } | OpKind::ReadList { .. } => unknown("a list"),
            OpKind::Scan { .. } => unknown("a range read"),
            OpKind::Iterate { .. } => unknown("an iterator"),
            OpKind::Savepoint { .. } | OpKind::RollbackTo { .. } => unknown("a savepoint"),
        }
    }

    fn read(
        &mut self,
        history: &History,
        op: OpRef,
        key: KeyId,
        seen: Observed,
    ) -> Result<(), JudgeError> {
        let seen = match seen {
            Observed::Unknown => return Ok(()),
            Observed::Absent => None,
            Observed::Value(value) => Some(value),
        };
        match self.last(key) {
            None => self.reads.push(ExternalRead { op, key, seen }),
            Some(_) if history.header.own_writes != OwnWrites::Must => {
                let label = history.label(op.txn);
                let what = "a read of a key it has written, where own writes may be missed";
                return Err(JudgeError::Operation { label, op, what });
            }
            Some(own) if own == seen => {}
            Some(_) => {
                let wrong = WrongRead { op, kind: WrongReadKind::NotOwn };
                self.wrong.get_or_insert(wrong);
            }
        }
        Ok(())
    }
}
