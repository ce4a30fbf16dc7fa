//! The history: dense vectors of transactions and operations, and what is known of the start.
//!
//! Operations of one transaction are contiguous in [`History::ops`]. `begin`, `commit` and
//! `abort` are not operations in the vector; they are the [`Txn`]'s spans and outcome.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::{Datum, Interner, Items, KeyId, OpRef, OwnWrites, Txn, TxnId, ValueId, Values};

/// Everything the clients saw.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// What the trace says about itself.
    pub header: Header,
    /// Keys, by [`KeyId`].
    pub keys: Interner,
    /// Values and list elements, by [`ValueId`].
    pub values: Values,
    /// Sessions, each with its transactions in issuing order.
    pub sessions: Vec<Session>,
    /// Transactions, in order of first appearance in the trace.
    pub txns: Vec<Txn>,
    /// Operations of all transactions, grouped by transaction.
    pub ops: Vec<Op>,
    /// Faults and remarks noted by the recorder: line and text.
    pub notes: Vec<(u32, String)>,
    /// Things the reader noticed and survived, e.g. a truncated last line.
    pub warnings: Vec<String>,
    /// What the recorder learnt from inside the database. Never taken for granted.
    pub hints: Hints,
}

/// What a recorder that looked inside the database says about the run: it makes checking faster and
/// changes no verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// Where reads came from.
    pub sources: Vec<SourceHint>,
    /// Orders of versions.
    pub orders: Vec<OrderHint>,
    /// Logical times of transactions.
    pub stamps: Vec<StampHint>,
}

/// A read came from this transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceHint {
    /// The reading operation.
    pub op: OpRef,
    /// The key it read.
    pub key: KeyId,
    /// The transaction it read from; `None` for the initial state.
    pub from: Option<TxnId>,
    /// The line of the trace that says so.
    pub line: u32,
}

/// These transactions installed their versions of a key in this order; others may lie between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderHint {
    /// The key whose versions are ordered.
    pub key: KeyId,
    /// The writers, earliest version first.
    pub writers: Vec<TxnId>,
    /// The line of the trace that says so.
    pub line: u32,
}

/// The logical times of a transaction, from one clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StampHint {
    /// The transaction that has these times.
    pub txn: TxnId,
    /// It reads what was committed up to this time.
    pub start: Option<i64>,
    /// Its writes are installed at this time.
    pub commit: Option<i64>,
    /// The line of the trace that says so.
    pub line: u32,
}

/// What the trace says about itself, before the first transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The state before the first transaction.
    pub initial: Initial,
    /// The database that was observed, as free text.
    pub database: Option<String>,
    /// The isolation level the database claimed, as free text.
    pub level: Option<String>,
    /// Assumptions the recorder vouches for (`unique-values`, `session-order`, …): shown in
    /// every verdict, verified where that is possible.
    pub assumptions: Vec<String>,
    /// Transactions left open when the trace ends never committed. Without this they may have.
    pub open_aborted: bool,
    /// What a read returns of a key that its own transaction has written.
    pub own_writes: OwnWrites,
    /// How keys are ordered, for range reads.
    pub key_order: KeyOrder,
    /// What the times of transactions are.
    pub clock: Clock,
}

/// What times are. Only times of a clock can be told by how far they are apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Clock {
    /// Nanoseconds of one clock, up to the drift between clients.
    #[default]
    Nanoseconds,
    /// The order of events, as numbers: which came first is known, how long it took is not. A clock
    /// drift means nothing here.
    Ordinal,
}

/// How keys are ordered. Integers come before texts and bytes, and are ordered by their value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KeyOrder {
    /// Texts (in UTF-8) and bytes by their bytes.
    #[default]
    Bytes,
    /// The same, with ASCII letters of texts taken as lower case. Texts that are then alike have no
    /// order among themselves.
    IgnoreCase,
}

impl KeyOrder {
    /// Compares two keys. Different keys may be equal in this order, see [`KeyOrder::IgnoreCase`].
    pub fn compare(self, a: &Datum, b: &Datum) -> Ordering {
        let is_bytes = |key: &Datum| matches!(key, Datum::Bytes(_));
        match (self, a, b) {
            (Self::Bytes, ..) | (_, Datum::Int(_), _) | (_, _, Datum::Int(_)) => a.cmp(b),
            (Self::IgnoreCase, ..) => {
                let kinds = || is_bytes(a).cmp(&is_bytes(b));
                lower_case(a).cmp(lower_case(b)).then_with(kinds)
            }
        }
    }
}

/// The bytes of a key, ASCII letters of texts as lower case.
fn lower_case(key: &Datum) -> impl Iterator<Item = u8> {
    let is_text = matches!(key, Datum::Text(_));
    let fold = move |byte: &u8| if is_text { byte.to_ascii_lowercase() } else { *byte };
    key.bytes().unwrap_or_default().iter().map(fold)
}

/// The state of the database before the first transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Initial {
    /// Every key is absent.
    #[default]
    Empty,
    /// Every key that is ever mentioned holds this value.
    Uniform(ValueId),
    /// The listed keys hold these values; every other key is absent.
    Given(BTreeMap<KeyId, ValueId>),
    /// The initial state is unknown: each key holds one unknown value, or is absent.
    Unknown,
}

/// A client connection that runs one transaction after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The name in the trace.
    pub name: Datum,
    /// Its transactions in issuing order.
    pub txns: Vec<TxnId>,
}

/// One operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    /// What was done and seen.
    pub kind: OpKind,
    /// Whether it returned.
    pub status: OpStatus,
    /// The line of the trace with its result (or its call, if it never returned).
    pub line: u32,
}

/// Whether an operation returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpStatus {
    /// It returned normally.
    Done,
    /// It was called and never returned: it may have taken effect, its result is unknown.
    Pending,
    /// It returned an error without ending the transaction: it had no effect, saw nothing.
    Failed,
}

/// What a point read saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Observed {
    /// The result is not in the trace.
    Unknown,
    /// The key was not there.
    Absent,
    /// The key held this value.
    Value(ValueId),
}

/// The key range `[lo, hi)`; `None` is unbounded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// First key included.
    pub lo: Option<Datum>,
    /// First key excluded.
    pub hi: Option<Datum>,
    /// Whether items are returned from high keys to low ones.
    pub reverse: bool,
}

impl<K: Into<Datum>> From<std::ops::Range<K>> for Range {
    fn from(range: std::ops::Range<K>) -> Self {
        Self { lo: Some(range.start.into()), hi: Some(range.end.into()), reverse: false }
    }
}

impl Range {
    /// The keys from `lo` up to and without `hi`.
    pub fn between(lo: impl Into<Datum>, hi: impl Into<Datum>) -> Self {
        Self { lo: Some(lo.into()), hi: Some(hi.into()), reverse: false }
    }

    /// The range of all keys.
    pub fn everything() -> Self {
        Self { lo: None, hi: None, reverse: false }
    }

    /// Whether a key lies within the bounds.
    pub fn contains(&self, order: KeyOrder, key: &Datum) -> bool {
        self.lo.as_ref().is_none_or(|lo| order.compare(lo, key).is_le())
            && self.hi.as_ref().is_none_or(|hi| order.compare(key, hi).is_lt())
    }
}

/// Whether a key is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Presence {
    /// The key has a value.
    Present,
    /// The key has no value: it was never written, or was deleted.
    Absent,
}

/// What an operation did and saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpKind {
    /// Point read. `locking` for `SELECT … FOR UPDATE` and its kin.
    Get {
        /// The key read.
        key: KeyId,
        /// What it held.
        seen: Observed,
        /// Whether the read takes a lock.
        locking: bool,
    },
    /// Upsert.
    Put {
        /// The key written.
        key: KeyId,
        /// The value written.
        value: ValueId,
    },
    /// A write that happens only if the key is there (`UPDATE`) or is not (`INSERT … ON CONFLICT
    /// DO NOTHING`). `rows` is the affected-row count, if known: 0 says that it did not happen.
    PutIf {
        /// The key written if the condition holds.
        key: KeyId,
        /// The value written.
        value: ValueId,
        /// When the write happens.
        when: Presence,
        /// How many rows were written.
        rows: Option<u32>,
    },
    /// Delete. `rows` is the affected-row count, if known.
    Delete {
        /// The key deleted.
        key: KeyId,
        /// How many rows were removed.
        rows: Option<u32>,
    },
    /// Atomic read-modify-write: one read, then one write, of the same key.
    ReadModifyWrite {
        /// The key read and then written.
        key: KeyId,
        /// What it held.
        seen: Observed,
        /// What it holds afterwards.
        value: ValueId,
    },
    /// Append an element to the list under the key.
    Append {
        /// The key whose list grows.
        key: KeyId,
        /// The element appended.
        element: ValueId,
    },
    /// Read the whole list under the key; `None` when the result is unknown.
    ReadList {
        /// The key whose list is read.
        key: KeyId,
        /// The elements, oldest first.
        elements: Option<Box<[ValueId]>>,
    },
    /// Read every key in a range; `None` when the result is unknown. A key may occur twice
    /// (some databases really do that).
    Scan {
        /// The range of keys scanned.
        range: Box<Range>,
        /// The items returned, in the order they were returned.
        items: Option<Items>,
        /// Whether the scan takes locks.
        locking: bool,
    },
    /// Step through a range and stop somewhere.
    Iterate {
        /// The range of keys that the iterator runs over.
        range: Box<Range>,
        /// The items returned, in the order they were returned.
        items: Option<Items>,
        /// Whether the iterator reported the end of the range.
        reached_end: bool,
    },
    /// Marks a place within the transaction; a later mark of the same name hides this one.
    Savepoint {
        /// The name of the place.
        name: Box<Datum>,
    },
    /// Undoes the writes since the last mark of this name, and all later marks.
    RollbackTo {
        /// The name of the place.
        name: Box<Datum>,
    },
}

impl OpKind {
    /// The single key this operation touches; `None` for range reads and savepoints.
    pub fn key(&self) -> Option<KeyId> {
        match self {
            Self::Get { key, .. }
            | Self::Put { key, .. }
            | Self::PutIf { key, .. }
            | Self::Delete { key, .. }
            | Self::ReadModifyWrite { key, .. }
            | Self::Append { key, .. }
            | Self::ReadList { key, .. } => Some(*key),
            Self::Scan { .. }
            | Self::Iterate { .. }
            | Self::Savepoint { .. }
            | Self::RollbackTo { .. } => None,
        }
    }

    /// The values of keys that this operation read, without lists and absent keys.
    pub fn values_read(&self) -> Vec<(KeyId, ValueId)> {
        match self {
            Self::Get { key, seen: Observed::Value(value), .. }
            | Self::ReadModifyWrite { key, seen: Observed::Value(value), .. } => {
                vec![(*key, *value)]
            }
            Self::Scan { items: Some(items), .. } | Self::Iterate { items: Some(items), .. } => {
                items.to_vec()
            }
            _ => Vec::new(),
        }
    }

    /// Whether what the operation saw, or whether it wrote, was not recorded.
    pub fn is_unseen(&self) -> bool {
        matches!(
            self,
            Self::Get { seen: Observed::Unknown, .. }
                | Self::ReadModifyWrite { seen: Observed::Unknown, .. }
                | Self::PutIf { rows: None, .. }
                | Self::ReadList { elements: None, .. }
                | Self::Scan { items: None, .. }
                | Self::Iterate { items: None, .. }
        )
    }
}

impl History {
    /// All transaction ids, in order.
    pub fn txn_ids(&self) -> impl Iterator<Item = TxnId> + use<> {
        (0..self.txns.len()).map(TxnId::new)
    }

    /// The transaction with this id.
    pub fn txn(&self, id: TxnId) -> &Txn {
        &self.txns[id.index()]
    }

    /// The operations of a transaction, in program order.
    pub fn ops_of(&self, id: TxnId) -> &[Op] {
        let txn = self.txn(id);
        &self.ops[txn.first_op as usize..(txn.first_op + txn.op_count) as usize]
    }

    /// One operation.
    pub fn op(&self, op: OpRef) -> &Op {
        &self.ops_of(op.txn)[op.op as usize]
    }

    /// The key as the client wrote it.
    pub fn key(&self, id: KeyId) -> &Datum {
        self.keys.get(id.0)
    }

    /// The value as the client wrote it.
    pub fn value(&self, id: ValueId) -> Cow<'_, Datum> {
        self.values.get(id.0)
    }

    /// What the key held at the start: `None` if that is unknown.
    pub fn initial_of(&self, key: KeyId) -> Option<Observed> {
        match &self.header.initial {
            Initial::Empty => Some(Observed::Absent),
            Initial::Uniform(value) => Some(Observed::Value(*value)),
            Initial::Given(map) => {
                Some(map.get(&key).map_or(Observed::Absent, |&value| Observed::Value(value)))
            }
            Initial::Unknown => None,
        }
    }

    /// The name people know the transaction by: the one in the trace, else `T` and its number
    /// counted from 1.
    pub fn label(&self, id: TxnId) -> String {
        match self.txn(id).name.as_deref() {
            Some(Datum::Int(number)) => format!("T{number}"),
            Some(name) => name.to_string(),
            None => format!("T{}", id.0 + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_matters_or_not() {
        let bytes = |bytes: &[u8]| Datum::from(bytes);
        let exact = ["B".into(), "a".into(), bytes(b"a"), "b".into(), bytes(b"b")];
        assert!(exact.is_sorted_by(|a, b| KeyOrder::Bytes.compare(a, b).is_lt()));
        let folded = [Datum::Int(9), bytes(b"A"), "a".into(), bytes(b"a"), "B".into(), "c".into()];
        assert!(folded.is_sorted_by(|a, b| KeyOrder::IgnoreCase.compare(a, b).is_lt()));
        assert!(KeyOrder::IgnoreCase.compare(&"C".into(), &"c".into()).is_eq());
    }

    #[test]
    fn bounds_ignore_case_if_the_order_does() {
        let within = |order, lo: &str, hi: &str, key: &str| {
            Range::between(lo, hi).contains(order, &key.into())
        };
        assert!(within(KeyOrder::IgnoreCase, "c", "d", "C"));
        assert!(within(KeyOrder::IgnoreCase, "C", "D", "c"));
        assert!(!within(KeyOrder::IgnoreCase, "c", "d", "D"));
        assert!(!within(KeyOrder::IgnoreCase, "C", "D", "d"));
        assert!(!within(KeyOrder::Bytes, "c", "d", "C"));
    }
}
