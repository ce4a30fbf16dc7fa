//! The parts of a transaction that are transactions of their own to InnoDB.
//!
//! ```text
//!   BEGIN   SAVEPOINT s   SELECT …   ROLLBACK TO s   UPDATE …   COMMIT
//!                         └── undone ──┘             └─ committed ──┘
//! ```
//!
//! MariaDB and MySQL tell InnoDB of a transaction with its first statement. A savepoint that was set before that is
//! unknown to it, so `ROLLBACK TO` ends everything: locks are given back, and the next plain query takes a new
//! snapshot. What is undone so is judged as an aborted transaction is whose reads count, and what follows as a
//! transaction that begins there.

use crate::model::{Control, Outcome, Txn};

/// A transaction, or a part of one.
#[derive(Debug)]
pub(crate) struct Part {
    /// Calls that are in other parts do nothing, so that each call keeps its number.
    pub(crate) txn: Txn,
    /// Whether it leaves nothing behind.
    pub(crate) undone: bool,
}

/// A transaction in its parts, in their order; in one, unless it may be split.
pub(crate) fn parts(txn: Txn, splits: bool) -> Vec<Part> {
    let ends = if splits { beginnings(&txn) } else { Vec::new() };
    let mut parts = Vec::with_capacity(ends.len() + 1);
    let mut first = 0;
    for end in ends {
        let mut part = only(&txn, first, end);
        let call = &txn.calls[end];
        (part.commit, part.end, part.outcome) = (call.begin, call.end, Outcome::Aborted);
        parts.push(Part { txn: part, undone: true });
        first = end;
    }
    let undone = txn.outcome == Outcome::Aborted;
    let last = if first == 0 { txn } else { only(&txn, first, txn.calls.len()) };
    parts.push(Part { txn: last, undone });
    parts
}

/// The calls that go back to a savepoint before all statements.
fn beginnings(txn: &Txn) -> Vec<usize> {
    let runs = |control: &Control| matches!(control, Control::Statement | Control::Unclear);
    let Some(first) = txn.calls.iter().position(|call| runs(&call.control)) else {
        return Vec::new();
    };
    let early = |name: &String| {
        txn.calls[..first].iter().any(|call| call.control == Control::Savepoint(name.clone()))
    };
    // A savepoint of the same name that was set later is another one.
    let later = |name: &String, end: usize| {
        txn.calls[first..end].iter().any(|call| call.control == Control::Savepoint(name.clone()))
    };
    let goes_back = |&end: &usize| match &txn.calls[end].control {
        Control::RollbackTo(name) => early(name) && !later(name, end),
        _ => false,
    };
    (first..txn.calls.len()).filter(goes_back).collect()
}

/// A transaction with some of its calls, and savepoints before all of them.
fn only(txn: &Txn, first: usize, end: usize) -> Txn {
    let mut part = txn.clone();
    for (place, call) in part.calls.iter_mut().enumerate() {
        let runs = matches!(call.control, Control::Statement | Control::Unclear);
        let inside = (first..end).contains(&place);
        if !inside && (runs || place >= end || matches!(call.control, Control::RollbackTo(_))) {
            call.control = Control::Other;
        }
    }
    if first > 0 {
        part.begin = txn.calls[first].begin;
    }
    part
}
