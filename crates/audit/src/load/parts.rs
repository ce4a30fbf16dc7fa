//! The parts of a transaction that are transactions of their own to InnoDB.
//!
//! ```text
//!   BEGIN   SAVEPOINT s   SELECT …   ROLLBACK TO s   UPDATE …   COMMIT
//!                         └── undone ──┘             └─ committed ──┘
//! ```
//!
//! MariaDB and MySQL tell InnoDB of a transaction with the first statement that looks at one of its tables. A savepoint
//! that was set before that is unknown to it, so `ROLLBACK TO` ends everything: locks are given back, and the next
//! plain query takes a new snapshot. What is undone so is judged as an aborted transaction is whose reads count, and
//! what follows as a transaction that begins there.
//!
//! Whether InnoDB knew of a savepoint is not always clear, for example if the statement before it failed. Then the
//! transaction stays whole, and nothing is rejected because of its snapshot.

use crate::model::{Call, Control, Observed, Outcome, Txn};

/// A transaction, or a part of one.
#[derive(Debug)]
pub(crate) struct Part {
    /// Calls that are in other parts do nothing, so that each call keeps its number.
    pub(crate) txn: Txn,
    /// Whether it leaves nothing behind.
    pub(crate) undone: bool,
    /// Whether it may have had more than one snapshot.
    pub(crate) unsettled: bool,
}

/// A transaction in its parts, in their order; in one, unless it may be split.
pub(crate) fn parts(txn: Txn, splits: bool) -> Vec<Part> {
    let (ends, unsettled) = if splits { ends(&txn) } else { (Vec::new(), false) };
    let mut parts = Vec::with_capacity(ends.len() + 1);
    let mut first = 0;
    for end in ends {
        let mut part = only(&txn, first, end);
        let call = &txn.calls[end];
        (part.commit, part.end, part.outcome) = (call.begin, call.end, Outcome::Aborted);
        parts.push(Part { txn: part, undone: true, unsettled });
        first = end;
    }
    let undone = txn.outcome == Outcome::Aborted;
    let last = if first == 0 { txn } else { only(&txn, first, txn.calls.len()) };
    parts.push(Part { txn: last, undone, unsettled });
    parts
}

/// Whether InnoDB knows of a transaction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    No,
    Perhaps,
    Yes,
}

/// The calls that end everything before them, and whether it is unclear of others if they do.
fn ends(txn: &Txn) -> (Vec<usize>, bool) {
    let mut known = Known::No;
    let mut savepoints: Vec<(&str, Known)> = Vec::new();
    let (mut ends, mut unsettled) = (Vec::new(), false);
    for (place, call) in txn.calls.iter().enumerate() {
        let failed = matches!(call.observed, Observed::Error(_) | Observed::Skipped);
        match &call.control {
            Control::Savepoint(name) if !failed => {
                savepoints.retain(|(other, _)| other != name);
                savepoints.push((name, known));
            }
            Control::RollbackTo(name) if !failed => {
                let set = savepoints.iter().rposition(|(other, _)| other == name);
                savepoints.truncate(set.map_or(0, |set| set + 1));
                match savepoints.last().filter(|_| set.is_some()) {
                    Some((_, Known::No)) => {
                        known = Known::No;
                        ends.push(place);
                    }
                    Some((_, Known::Yes)) => {}
                    Some((_, Known::Perhaps)) | None => unsettled = true,
                }
            }
            Control::Savepoint(_) | Control::RollbackTo(_) => {}
            _ => known = known_after(known, call, failed),
        }
    }
    (ends, unsettled)
}

/// Whether InnoDB knows of a transaction after one more statement.
fn known_after(known: Known, call: &Call, failed: bool) -> Known {
    let text = call.sql.to_lowercase();
    let has =
        |word: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == word);
    let elsewhere = ["information_schema", "performance_schema", "mysql", "dual"];
    let looks = ["from", "into", "update"].into_iter().any(has) && !elsewhere.into_iter().any(has);
    match &call.control {
        _ if known == Known::Yes => Known::Yes,
        Control::Statement if looks && !failed => Known::Yes,
        Control::Other if has("snapshot") => Known::Yes,
        Control::Other if !has("select") => known,
        _ => Known::Perhaps,
    }
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
