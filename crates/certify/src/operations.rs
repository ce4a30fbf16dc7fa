//! What single operations say and do: the beginning of docs/semantics.md.

use tristan_history::{History, KeyId, Observed, OpKind, OpStatus, TxnId, ValueId};

/// What a version of a key holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cell {
    Absent,
    Value(ValueId),
    /// The list with this transaction's elements at its end.
    List,
}

/// What a read saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    Absent,
    Value(ValueId),
    /// Some value; a row count says no more.
    Present,
    /// The first elements of a list, up to this many; the rest is the reader's own.
    List(usize),
}

impl Seen {
    /// Whether one and the same version can have looked like this to both reads.
    pub(crate) fn compatible(self, other: Self) -> bool {
        match (self, other) {
            (Self::Present, Self::Value(_)) | (Self::Value(_), Self::Present) => true,
            _ => self == other,
        }
    }

    /// Whether this is what a version that holds `cell` looks like.
    pub(crate) fn fits(self, cell: Cell) -> bool {
        match (self, cell) {
            (Self::Absent, Cell::Absent) | (Self::Present, Cell::Value(_)) => true,
            (Self::Value(seen), Cell::Value(written)) => seen == written,
            _ => false,
        }
    }
}

/// One write operation, whatever became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Attempt {
    pub(crate) key: KeyId,
    pub(crate) cell: Cell,
    pub(crate) txn: TxnId,
    pub(crate) op: u32,
}

/// One append, whatever became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Append {
    pub(crate) txn: TxnId,
    pub(crate) key: KeyId,
    pub(crate) op: u32,
    pub(crate) element: ValueId,
}

/// What an operation saw and what it wrote, of the key it touches.
pub(crate) fn effects(kind: &OpKind, status: OpStatus) -> (Option<Seen>, Option<Cell>) {
    let (seen, written) = match kind {
        OpKind::Get { seen, .. } => (point(*seen), None),
        OpKind::Put { value, .. } => (None, Some(Cell::Value(*value))),
        OpKind::Delete { rows, .. } => match rows {
            _ if status == OpStatus::Pending => (None, Some(Cell::Absent)),
            None => (None, Some(Cell::Absent)),
            Some(0) => (Some(Seen::Absent), None),
            Some(_) => (Some(Seen::Present), Some(Cell::Absent)),
        },
        OpKind::ReadModifyWrite { seen, value, .. } => (point(*seen), Some(Cell::Value(*value))),
        OpKind::Append { .. } => (None, Some(Cell::List)),
        OpKind::ReadList { elements, .. } => {
            (elements.as_ref().map(|elements| Seen::List(elements.len())), None)
        }
        OpKind::Scan { .. } | OpKind::Iterate { .. } => (None, None),
    };
    match status {
        OpStatus::Done => (seen, written),
        OpStatus::Pending => (None, written),
        OpStatus::Failed => (None, None),
    }
}

fn point(seen: Observed) -> Option<Seen> {
    match seen {
        Observed::Unknown => None,
        Observed::Absent => Some(Seen::Absent),
        Observed::Value(value) => Some(Seen::Value(value)),
    }
}

/// Whether the result of the operation says something that this crate does not read.
pub(crate) fn uninterpreted(kind: &OpKind) -> bool {
    matches!(kind, OpKind::Scan { items: Some(_), .. } | OpKind::Iterate { items: Some(_), .. })
}

/// All appends, by transaction, key and operation, and which keys are used both as list and as
/// register or have an element twice.
pub(crate) fn lists_and_registers(history: &History) -> (Vec<Append>, Vec<bool>) {
    let mut appends = Vec::new();
    let mut lists = vec![false; history.keys.len()];
    let mut registers = vec![false; history.keys.len()];
    for txn in history.txn_ids() {
        for (op, operation) in (0u32..).zip(history.ops_of(txn)) {
            let Some(key) = operation.kind.key() else { continue };
            match &operation.kind {
                _ if operation.status == OpStatus::Failed => {}
                OpKind::Append { element, .. } => {
                    appends.push(Append { txn, key, op, element: *element });
                    lists[key.index()] = true;
                }
                OpKind::ReadList { .. } => lists[key.index()] = true,
                _ => registers[key.index()] = true,
            }
        }
    }
    appends.sort_unstable();
    let both = |(&list, &register): (&bool, &bool)| list && register;
    let mut unreadable: Vec<bool> = lists.iter().zip(&registers).map(both).collect();
    let mut elements: Vec<_> = appends.iter().map(|own| (own.key, own.element)).collect();
    elements.sort_unstable();
    for pair in elements.windows(2).filter(|pair| pair[0] == pair[1]) {
        unreadable[pair[0].0.index()] = true;
    }
    (appends, unreadable)
}

/// Every write of a register by an operation that did not fail, sorted.
pub(crate) fn attempts(history: &History) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    for txn in history.txn_ids() {
        for (op, operation) in (0u32..).zip(history.ops_of(txn)) {
            let (_, written) = effects(&operation.kind, operation.status);
            if let (Some(key), Some(cell)) = (operation.kind.key(), written) {
                attempts.push(Attempt { key, cell, txn, op });
            }
        }
    }
    attempts.sort_unstable();
    attempts
}
