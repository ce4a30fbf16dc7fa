//! A rollback needs a savepoint to go back to.

use crate::error::{ContentError, short};
use tristan_history::{Datum, History, OpKind, OpStatus, TxnId};

/// Complains about the first rollback that succeeded although its savepoint cannot have been
/// there.
pub(crate) fn check(history: &History) -> Result<(), (u32, ContentError)> {
    history.txn_ids().try_for_each(|txn| check_txn(history, txn))
}

/// A savepoint of a transaction.
struct Mark<'a> {
    name: &'a Datum,
    line: u32,
    /// The line of the rollback that undid it.
    undone: Option<u32>,
}

fn check_txn(history: &History, txn: TxnId) -> Result<(), (u32, ContentError)> {
    let mut marks: Vec<Mark<'_>> = Vec::new();
    for op in history.ops_of(txn) {
        match (&op.kind, op.status) {
            (OpKind::Savepoint { name }, OpStatus::Done | OpStatus::Pending) => {
                marks.push(Mark { name, line: op.line, undone: None });
            }
            (OpKind::RollbackTo { name }, OpStatus::Done) => {
                let alive = |mark: &Mark<'_>| *mark.name == **name && mark.undone.is_none();
                let Some(place) = marks.iter().rposition(alive) else {
                    return Err((op.line, missing(history, txn, name, &marks)));
                };
                let later = marks[place + 1..].iter_mut();
                later.for_each(|mark| mark.undone = mark.undone.or(Some(op.line)));
            }
            _ => {}
        }
    }
    Ok(())
}

fn missing(history: &History, txn: TxnId, name: &Datum, marks: &[Mark<'_>]) -> ContentError {
    let found = format!("rollback to savepoint {}", short(name));
    let gone = marks.iter().rev().find(|mark| mark.name == name);
    match gone.and_then(|mark| Some((mark.line, mark.undone?))) {
        Some((set, undone)) => ContentError::new(
            format!("{found}, set on line {set} and undone on line {undone}"),
            "a savepoint that is still there",
        ),
        None => {
            let txn = history.label(txn);
            ContentError::new(
                found,
                format!("a savepoint of this name in transaction {txn} before"),
            )
        }
    }
}
