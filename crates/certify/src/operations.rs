//! What single operations say and do: the beginning of docs/semantics.md.

use tristan_history::{Observed, OpKind, OpStatus, Presence, ValueId};

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

/// What an operation of a resolved history saw and what it wrote, of the one key it touches. Range
/// reads touch many and are not read here.
pub(crate) fn effects(kind: &OpKind, status: OpStatus) -> (Option<Seen>, Option<Cell>) {
    if status != OpStatus::Done {
        return (None, None);
    }
    match kind {
        OpKind::Get { seen, .. } => (point(*seen), None),
        OpKind::Put { value, .. } => (None, Some(Cell::Value(*value))),
        OpKind::PutIf { value, when, rows, .. } => conditional(*rows, *when, Cell::Value(*value)),
        OpKind::Delete { rows, .. } => conditional(*rows, Presence::Present, Cell::Absent),
        OpKind::ReadModifyWrite { seen, value, .. } => (point(*seen), Some(Cell::Value(*value))),
        OpKind::Append { .. } => (None, Some(Cell::List)),
        OpKind::ReadList { elements, .. } => {
            (elements.as_ref().map(|elements| Seen::List(elements.len())), None)
        }
        OpKind::Scan { .. }
        | OpKind::Iterate { .. }
        | OpKind::Savepoint { .. }
        | OpKind::RollbackTo { .. } => (None, None),
    }
}

/// What a read of one key saw, if the trace says so.
pub(crate) fn point(seen: Observed) -> Option<Seen> {
    match seen {
        Observed::Unknown => None,
        Observed::Absent => Some(Seen::Absent),
        Observed::Value(value) => Some(Seen::Value(value)),
    }
}

/// A write that happens only if the key is there, or only if it is not: its row count tells
/// which of the two was seen.
fn conditional(rows: Option<u32>, when: Presence, cell: Cell) -> (Option<Seen>, Option<Cell>) {
    let (met, missed) = match when {
        Presence::Present => (Seen::Present, Seen::Absent),
        Presence::Absent => (Seen::Absent, Seen::Present),
    };
    match rows {
        None => (None, Some(cell)),
        Some(0) => (Some(missed), None),
        Some(_) => (Some(met), Some(cell)),
    }
}
