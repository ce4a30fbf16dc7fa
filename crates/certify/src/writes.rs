//! Every write of the trace, whatever became of it, and how keys are used.

use tristan_history::{History, KeyId, OpKind, OpStatus, TxnId, ValueId};

use crate::operations::{Cell, effects};
use crate::savepoints::Undone;

/// One write operation, whatever became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Attempt {
    pub(crate) key: KeyId,
    pub(crate) cell: Cell,
    pub(crate) txn: TxnId,
    pub(crate) op: u32,
    /// Whether its own transaction took it back.
    pub(crate) undone: bool,
}

/// One append, whatever became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Append {
    pub(crate) txn: TxnId,
    pub(crate) key: KeyId,
    pub(crate) op: u32,
    pub(crate) element: ValueId,
    /// The rollback that took it back.
    pub(crate) undone: Option<u32>,
}

impl Append {
    /// Whether a read by the same transaction at this operation finds it in its own writes.
    pub(crate) fn is_own_write_at(&self, op: u32) -> bool {
        self.op < op && self.undone.is_none_or(|rollback| rollback > op)
    }
}

/// What keys are used for.
pub(crate) struct Usage {
    /// Every append, by transaction, key and operation.
    pub(crate) appends: Vec<Append>,
    lists: Vec<bool>,
    unreadable: Vec<bool>,
}

impl Usage {
    /// Looks at every operation that did not fail.
    pub(crate) fn new(history: &History, undone: &Undone) -> Self {
        let mut appends = Vec::new();
        let mut lists = vec![false; history.keys.len()];
        let mut registers = vec![false; history.keys.len()];
        for txn in history.txn_ids() {
            for (op, operation) in (0u32..).zip(history.ops_of(txn)) {
                let Some(key) = operation.kind.key() else { continue };
                match &operation.kind {
                    _ if operation.status == OpStatus::Failed => {}
                    OpKind::Append { element, .. } => {
                        let undone = undone.by(history, txn, op);
                        appends.push(Append { txn, key, op, element: *element, undone });
                        lists[key.index()] = true;
                    }
                    OpKind::ReadList { .. } => lists[key.index()] = true,
                    _ => registers[key.index()] = true,
                }
            }
        }
        let both = |(&list, &register): (&bool, &bool)| list && register;
        let mut unreadable: Vec<bool> = lists.iter().zip(&registers).map(both).collect();
        appends.sort_unstable_by_key(|own| (own.key, own.element));
        for pair in appends.windows(2) {
            if (pair[0].key, pair[0].element) == (pair[1].key, pair[1].element) {
                unreadable[pair[0].key.index()] = true;
            }
        }
        appends.sort_unstable_by_key(|own| (own.txn, own.key, own.op));
        Self { appends, lists, unreadable }
    }

    /// Whether the key is used as a list.
    pub(crate) fn is_list(&self, key: KeyId) -> bool {
        self.lists[key.index()]
    }

    /// Whether no reads of the key are interpreted: it is used both as a list and as a register,
    /// or has an element twice.
    pub(crate) fn is_unreadable(&self, key: KeyId) -> bool {
        self.unreadable[key.index()]
    }
}

/// Every write by an operation that did not fail, sorted.
pub(crate) fn attempts(history: &History, undone: &Undone) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    for txn in history.txn_ids() {
        for (op, operation) in (0u32..).zip(history.ops_of(txn)) {
            let (_, written) = effects(&operation.kind, operation.status);
            if let (Some(key), Some(cell)) = (operation.kind.key(), written) {
                let undone = undone.by(history, txn, op).is_some();
                attempts.push(Attempt { key, cell, txn, op, undone });
            }
        }
    }
    attempts.sort_unstable();
    attempts
}
