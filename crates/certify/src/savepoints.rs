//! Savepoints: which writes a transaction took back itself.
//!
//! ```text
//!   put x 1 ── savepoint s ── put x 2 ── put y 2 ── rollback to s ── put y 3
//!                                └───────────┴───────────┘
//!                               both undone by the rollback
//! ```
//!
//! Between its write and its rollback an undone write is seen by the transaction's own reads;
//! it never becomes a version.

use std::collections::BTreeMap;

use tristan_history::{Datum, History, Op, OpKind, OpStatus, TxnId};

use crate::operations::effects;

/// For every operation of the trace, the rollback that undid what it wrote.
pub(crate) struct Undone {
    /// By place in [`History::ops`]: the number of the rollback within the transaction.
    by: Vec<Option<u32>>,
}

impl Undone {
    /// Follows the savepoints of every transaction.
    pub(crate) fn new(history: &History) -> Self {
        let mut undone = Self { by: vec![None; history.ops.len()] };
        for txn in history.txn_ids() {
            let first = history.txn(txn).first_op as usize;
            let ops = history.ops_of(txn);
            if ops.iter().any(|op| matches!(op.kind, OpKind::RollbackTo { .. })) {
                follow(ops, &mut undone.by[first..first + ops.len()]);
            }
        }
        undone
    }

    /// The rollback that undid what this operation wrote.
    pub(crate) fn by(&self, history: &History, txn: TxnId, op: u32) -> Option<u32> {
        self.by[(history.txn(txn).first_op + op) as usize]
    }
}

/// The savepoints that are there, oldest first.
#[derive(Default)]
struct Marks<'h> {
    /// Each with the number of writes that were not undone when it was set.
    stack: Vec<(&'h Datum, usize)>,
    /// How many there are of each name, so that a name that is not there costs no search.
    named: BTreeMap<&'h Datum, usize>,
}

impl<'h> Marks<'h> {
    fn set(&mut self, name: &'h Datum, writes: usize) {
        self.stack.push((name, writes));
        *self.named.entry(name).or_default() += 1;
    }

    /// Drops the marks after the last one of this name; returns how many writes were before it.
    fn go_back_to(&mut self, name: &Datum) -> Option<usize> {
        if self.named.get(name).is_none_or(|&count| count == 0) {
            return None;
        }
        while let Some(&(top, writes)) = self.stack.last() {
            if top == name {
                return Some(writes);
            }
            self.stack.pop();
            if let Some(count) = self.named.get_mut(top) {
                *count -= 1;
            }
        }
        None
    }
}

fn follow(ops: &[Op], undone: &mut [Option<u32>]) {
    let mut marks = Marks::default();
    let mut writes: Vec<usize> = Vec::new();
    for (op, operation) in ops.iter().enumerate() {
        match &operation.kind {
            OpKind::Savepoint { name } if operation.status == OpStatus::Done => {
                marks.set(name, writes.len());
            }
            OpKind::RollbackTo { name } if operation.status == OpStatus::Done => {
                let kept = marks.go_back_to(name).unwrap_or(writes.len());
                for write in writes.drain(kept..) {
                    undone[write] = Some(op as u32);
                }
            }
            kind if effects(kind, operation.status).1.is_some() => writes.push(op),
            _ => {}
        }
    }
}
