//! Operations that may or may not have taken effect, and the history for one choice of them.
//!
//! ```text
//!   trace ── indeterminate operations ──┬── no operation can have seen it: it took no effect
//!                                       └── took effect? ──► resolved history (done / failed)
//! ```
//!
//! A write that no observation fits may be left out: its transaction then has one write less, so
//! own reads demand no more than before, every version that some read fits is still there, every
//! dependency that remains was there before, and levels hold on fewer dependencies.

use std::borrow::Cow;
use std::collections::BTreeMap;

use tristan_history::{
    History, KeyId, Observed, Op, OpKind, OpRef, OpStatus, Presence, TxnId, ValueId,
};
use tristan_verdict::Fate;

use crate::error::CertifyError;
use crate::operations::{Cell, Seen, point};
use crate::ranges::RangeResult;

/// The choices that are made: by operation, whether it took effect.
pub(crate) type Fates = BTreeMap<OpRef, bool>;

/// Whether the operation may or may not have taken effect.
pub(crate) fn is_indeterminate(operation: &Op) -> bool {
    match (&operation.kind, operation.status) {
        (_, OpStatus::Failed) => false,
        (OpKind::PutIf { rows, .. }, OpStatus::Done) => rows.is_none(),
        (_, OpStatus::Done) => false,
        (kind, OpStatus::Pending) => matches!(
            kind,
            OpKind::Put { .. }
                | OpKind::PutIf { .. }
                | OpKind::Delete { .. }
                | OpKind::ReadModifyWrite { .. }
                | OpKind::Append { .. }
                | OpKind::Savepoint { .. }
                | OpKind::RollbackTo { .. }
        ),
    }
}

/// Every indeterminate operation, by transaction.
fn indeterminate(history: &History) -> Vec<OpRef> {
    let mut found = Vec::new();
    for txn in history.txn_ids() {
        let numbered = (0u32..).zip(history.ops_of(txn));
        let open = numbered.filter(|(_, operation)| is_indeterminate(operation));
        found.extend(open.map(|(op, _)| OpRef { txn, op }));
    }
    found
}

/// The indeterminate operations whose effect can matter: savepoints, rollbacks, and writes that
/// some operation can have observed.
pub(crate) fn that_matter(history: &History) -> Vec<OpRef> {
    let mut open = indeterminate(history);
    if open.is_empty() {
        return open;
    }
    let mut writes: BTreeMap<KeyId, Vec<(OpRef, Written)>> = BTreeMap::new();
    for &at in &open {
        if let Some((key, written)) = written(&history.op(at).kind) {
            writes.entry(key).or_default().push((at, written));
        }
    }
    for operation in history.ops.iter().filter(|operation| operation.status == OpStatus::Done) {
        match operation.kind.key() {
            Some(key) => {
                if let Some(writes) = writes.get_mut(&key) {
                    writes.retain(|(_, written)| !shows(&operation.kind, *written));
                }
            }
            None => {
                let Some(result) = RangeResult::of(history, operation) else { continue };
                for (&key, writes) in &mut writes {
                    let seen = result.sees(history, key);
                    writes.retain(|&(_, written)| !seen.is_some_and(|seen| fits(seen, written)));
                }
            }
        }
    }
    let mut unseen: Vec<OpRef> = writes.into_values().flatten().map(|(at, _)| at).collect();
    unseen.sort_unstable();
    open.retain(|at| unseen.binary_search(at).is_err());
    open
}

/// What a write leaves behind.
#[derive(Clone, Copy)]
enum Written {
    Cell(Cell),
    Element(ValueId),
}

fn written(kind: &OpKind) -> Option<(KeyId, Written)> {
    match *kind {
        OpKind::Put { key, value }
        | OpKind::PutIf { key, value, .. }
        | OpKind::ReadModifyWrite { key, value, .. } => {
            Some((key, Written::Cell(Cell::Value(value))))
        }
        OpKind::Delete { key, .. } => Some((key, Written::Cell(Cell::Absent))),
        OpKind::Append { key, element } => Some((key, Written::Element(element))),
        _ => None,
    }
}

/// Whether what an operation on the same key returned fits the write.
fn shows(kind: &OpKind, written: Written) -> bool {
    let seen = match kind {
        OpKind::Get { seen, .. } | OpKind::ReadModifyWrite { seen, .. } => point(*seen),
        OpKind::PutIf { when, rows, .. } => {
            rows.map(|rows| presence((rows > 0) == (*when == Presence::Present)))
        }
        OpKind::Delete { rows, .. } => rows.map(|rows| presence(rows > 0)),
        OpKind::ReadList { elements: Some(elements), .. } => {
            return matches!(written, Written::Element(element) if elements.contains(&element));
        }
        _ => None,
    };
    seen.is_some_and(|seen| fits(seen, written))
}

fn fits(seen: Seen, written: Written) -> bool {
    matches!(written, Written::Cell(cell) if seen.fits(cell))
}

fn presence(is_there: bool) -> Seen {
    if is_there { Seen::Present } else { Seen::Absent }
}

/// The keys whose versions depend on whether the operation took effect.
pub(crate) fn keys_at_stake(history: &History, at: OpRef) -> Vec<KeyId> {
    match written(&history.op(at).kind) {
        Some((key, _)) => vec![key],
        None => {
            let operations = history.ops_of(at.txn).iter();
            operations.filter_map(|op| Some(written(&op.kind)?.0)).collect()
        }
    }
}

/// Reads the fates of a verdict.
///
/// # Errors
/// If one is not about an indeterminate operation, or there are two for one operation.
pub(crate) fn read(history: &History, fates: &[Fate]) -> Result<Fates, CertifyError> {
    let mut read = Fates::new();
    for &Fate { txn, op, effect } in fates {
        let Some(found) = history.txns.get(txn as usize) else {
            return Err(CertifyError::NoSuchTxn { txn });
        };
        if op >= found.op_count {
            return Err(CertifyError::NoSuchOp { txn, op });
        }
        let at = OpRef { txn: TxnId(txn), op };
        let wrong = |problem| Err(CertifyError::Fate { txn, op, problem });
        if !is_indeterminate(history.op(at)) {
            return wrong("the trace shows whether it took effect");
        }
        if read.insert(at, effect).is_some() {
            return wrong("it is listed twice");
        }
    }
    Ok(read)
}

/// The history in which the indeterminate operations with the fate `true` are done and all others
/// failed. Transactions and operations keep their numbers.
pub(crate) fn resolve<'h>(history: &'h History, fates: &Fates) -> Cow<'h, History> {
    let open = indeterminate(history);
    if open.is_empty() {
        return Cow::Borrowed(history);
    }
    let mut resolved = history.clone();
    for at in open {
        let place = (history.txn(at.txn).first_op + at.op) as usize;
        let operation = &mut resolved.ops[place];
        if fates.get(&at) == Some(&true) {
            operation.status = OpStatus::Done;
            took_effect(&mut operation.kind);
        } else {
            operation.status = OpStatus::Failed;
        }
    }
    Cow::Owned(resolved)
}

/// What an indeterminate operation that took effect amounts to: it says nothing of what it saw.
fn took_effect(kind: &mut OpKind) {
    match kind {
        OpKind::PutIf { key, value, .. } => *kind = OpKind::Put { key: *key, value: *value },
        OpKind::ReadModifyWrite { seen, .. } => *seen = Observed::Unknown,
        OpKind::Delete { rows, .. } => *rows = None,
        _ => {}
    }
}
