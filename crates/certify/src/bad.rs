//! A single observation that nothing explains.

use tristan_history::{KeyId, Op, OpKind, Outcome, TxnId};
use tristan_verdict::{Bad, BadKind};

use crate::error::CertifyError;
use crate::operations::{Seen, effects};
use crate::ranges::{RangeResult, reads_range};
use crate::reading::{Read, Reading};
use crate::writes::{Append, Attempt, attempts};

/// Checks that the read is bad, and in this way.
pub(crate) fn check(reading: &Reading<'_>, bad: &Bad) -> Result<(), CertifyError> {
    let wrong = |problem| Err(CertifyError::Bad { txn: bad.txn, op: bad.op, problem });
    let txn = TxnId(bad.txn);
    let Some(found) = reading.history.txns.get(txn.index()) else {
        return Err(CertifyError::NoSuchTxn { txn: bad.txn });
    };
    if bad.op >= found.op_count {
        return Err(CertifyError::NoSuchOp { txn: bad.txn, op: bad.op });
    }
    if found.outcome != Outcome::Committed {
        return wrong("the reader is not known to have committed");
    }
    if let Some((other, _)) = bad.other {
        if other as usize >= reading.history.txns.len() {
            return Err(CertifyError::NoSuchTxn { txn: other });
        }
        if bad.kind != BadKind::IncompatibleOrder {
            return wrong("no second read is needed for this kind");
        }
    }
    match bad.kind {
        BadKind::OutsideRange | BadKind::RepeatedKey | BadKind::OutOfOrder => {
            check_result(reading, bad)
        }
        _ => check_read(reading, bad),
    }
}

/// The result of a range read, whatever was in the database.
fn check_result(reading: &Reading<'_>, bad: &Bad) -> Result<(), CertifyError> {
    let wrong = |problem| Err(CertifyError::Bad { txn: bad.txn, op: bad.op, problem });
    let operation = &reading.history.ops_of(TxnId(bad.txn))[bad.op as usize];
    match RangeResult::of(reading.history, operation) {
        None => wrong("it is not a range read with a known result"),
        Some(_) if bad.writer.is_some() => wrong("no writer is needed for this kind"),
        Some(result) if result.has_fault(reading.history, bad.kind, &bad.key) => Ok(()),
        Some(_) => wrong("its result has no such fault at this key"),
    }
}

/// The key of the bad read, if the operation reads it.
fn key_of(reading: &Reading<'_>, bad: &Bad) -> Option<KeyId> {
    let kind = &reading.history.ops_of(TxnId(bad.txn))[bad.op as usize].kind;
    let named = reading.history.keys.find(&bad.key).map(KeyId)?;
    (kind.key() == Some(named) || reads_range(kind)).then_some(named)
}

/// The read of one key.
fn check_read(reading: &Reading<'_>, bad: &Bad) -> Result<(), CertifyError> {
    let wrong = |problem| Err(CertifyError::Bad { txn: bad.txn, op: bad.op, problem });
    let txn = TxnId(bad.txn);
    let Some(key) = key_of(reading, bad) else {
        return wrong("the operation is not on this key");
    };
    if reading.usage.is_unreadable(key) {
        return wrong("reads of this key are not interpreted");
    }
    if let Some(writer) = bad.writer {
        wrote(reading, key, TxnId(writer))?;
    }
    let own_violation = reading.own_violations.binary_search(&(txn, bad.op, key)).is_ok();
    match (bad.kind, reading.read_of_key(txn, bad.op, key)) {
        (BadKind::NotOwnWrite, _) if own_violation => wrote_what_was_read(reading, bad, key),
        (BadKind::NotOwnWrite, Some((_, read))) if reading.shows_own_element(&read) => {
            wrote_what_was_read(reading, bad, key)
        }
        (BadKind::NotOwnWrite, _) => {
            wrong("it returned the transaction's own last write, or there is none")
        }
        (_, None) => wrong("it is not an external read with a known result"),
        (BadKind::IncompatibleOrder, Some((_, read))) => check_order(reading, bad, &read),
        (_, Some((_, read))) if matches!(read.seen, Seen::List(_)) => {
            check_list(reading, bad, &read)
        }
        (_, Some((_, read))) => check_register(reading, bad, &read),
    }
}

/// The writer must be one of the key at least.
fn wrote(reading: &Reading<'_>, key: KeyId, writer: TxnId) -> Result<(), CertifyError> {
    if writer.index() >= reading.history.txns.len() {
        return Err(CertifyError::NoSuchTxn { txn: writer.0 });
    }
    let mut operations = reading.history.ops_of(writer).iter();
    let writes = |op: &Op| op.kind.key() == Some(key) && effects(&op.kind, op.status).1.is_some();
    match operations.any(writes) {
        true => Ok(()),
        false => Err(CertifyError::Order {
            txn: writer.0,
            problem: "never wrote the key of the bad read",
        }),
    }
}

/// If a read that missed the own write names a writer, then this one wrote what was returned.
fn wrote_what_was_read(reading: &Reading<'_>, bad: &Bad, key: KeyId) -> Result<(), CertifyError> {
    let Some(writer) = bad.writer else { return Ok(()) };
    let operation = &reading.history.ops_of(TxnId(bad.txn))[bad.op as usize];
    let seen = match RangeResult::of(reading.history, operation) {
        Some(result) => result.sees(reading.history, key),
        None => effects(&operation.kind, operation.status).0,
    };
    let wrote = |seen: Seen| match (seen, &operation.kind) {
        (Seen::List(_), OpKind::ReadList { elements: Some(elements), .. }) => {
            elements.iter().any(|&element| reading.appender(key, element) == Some(TxnId(writer)))
        }
        _ => attempts(reading.history, &reading.undone)
            .iter()
            .any(|at| at.key == key && at.txn.0 == writer && seen.fits(at.cell)),
    };
    match seen.is_some_and(wrote) {
        true => Ok(()),
        false => {
            let problem = "this writer did not write what was returned";
            Err(CertifyError::Bad { txn: bad.txn, op: bad.op, problem })
        }
    }
}

fn check_register(reading: &Reading<'_>, bad: &Bad, read: &Read) -> Result<(), CertifyError> {
    let wrong = |problem| Err(CertifyError::Bad { txn: bad.txn, op: bad.op, problem });
    if !reading.sources(read).is_empty() {
        return wrong("it has a possible source");
    }
    let outcome = |txn: TxnId| reading.history.txn(txn).outcome;
    let writes: Vec<Attempt> = attempts(reading.history, &reading.undone)
        .into_iter()
        .filter(|write| write.key == read.key && read.seen.fits(write.cell))
        .collect();
    let by_other = |write: &&Attempt| write.txn != read.txn;
    let aborted = |write: &&Attempt| write.undone || outcome(write.txn) == Outcome::Aborted;
    // Without a source, a write that was not taken back was overwritten by its transaction.
    let culprits: Vec<TxnId> = match bad.kind {
        BadKind::ThinAir if writes.is_empty() && bad.writer.is_none() => return Ok(()),
        BadKind::Future if !writes.iter().any(|write| by_other(&write)) => {
            writes.iter().map(|write| write.txn).collect()
        }
        BadKind::Aborted => {
            let reported = |write: &&Attempt| write.undone || by_other(write);
            writes.iter().filter(reported).filter(aborted).map(|write| write.txn).collect()
        }
        BadKind::Intermediate => {
            let others = writes.iter().filter(by_other);
            others.filter(|write| !aborted(write)).map(|write| write.txn).collect()
        }
        _ => Vec::new(),
    };
    match bad.writer {
        _ if culprits.is_empty() => wrong("it has no source, but not for this reason"),
        Some(writer) if !culprits.contains(&TxnId(writer)) => wrong("this writer did not write it"),
        _ => Ok(()),
    }
}

fn check_list(reading: &Reading<'_>, bad: &Bad, read: &Read) -> Result<(), CertifyError> {
    let wrong = |problem| Err(CertifyError::Bad { txn: bad.txn, op: bad.op, problem });
    let fault = match reading.is_dirty(read.txn) {
        false => reading.list_writers(read).err(),
        true => reading.elements_exist_once(read).err(),
    };
    let Some(first) = fault else { return wrong("the list has an explanation") };
    let elements = reading.external_elements(read);
    let appends = || elements.iter().map(|&element| reading.append_of(read.key, element));
    let named = |txn: TxnId| bad.writer.is_none_or(|writer| writer == txn.0);
    let some = |fits: &dyn Fn(&Append) -> bool| {
        appends().flatten().any(|append| named(append.txn) && fits(&append))
    };
    let tolerated = [BadKind::Aborted, BadKind::Intermediate];
    let holds = match bad.kind {
        kind if reading.is_dirty(read.txn) && tolerated.contains(&kind) => false,
        BadKind::ThinAir => bad.writer.is_none() && appends().any(|append| append.is_none()),
        BadKind::Aborted => some(&|append| reading.is_taken_back(append)),
        BadKind::Future => some(&|append| append.txn == read.txn),
        BadKind::Intermediate => {
            some(&|append| append.undone.is_none() && reading.is_torn(read, append.txn))
        }
        kind => kind == first.kind && (bad.writer.is_none() || first.writer.is_some_and(named)),
    };
    if holds { Ok(()) } else { wrong("the list is bad, but not for this reason") }
}

/// Two lists of one key, neither the beginning of the other.
fn check_order(reading: &Reading<'_>, bad: &Bad, read: &Read) -> Result<(), CertifyError> {
    let wrong = |problem| Err(CertifyError::Bad { txn: bad.txn, op: bad.op, problem });
    let Some((txn, op)) = bad.other else { return wrong("the second read is missing") };
    if reading.history.txn(TxnId(txn)).outcome != Outcome::Committed {
        return wrong("the second reader is not known to have committed");
    }
    let Some((_, other)) = reading.read_of_key(TxnId(txn), op, read.key) else {
        return wrong("the second operation is not an external read of the key");
    };
    if !matches!(read.seen, Seen::List(_)) || !matches!(other.seen, Seen::List(_)) {
        return wrong("the two are not list reads of one key");
    }
    if reading.contradict(read, &other) { Ok(()) } else { wrong("the two lists can both be right") }
}

impl Reading<'_> {
    /// Whether the transaction's appends are not all in the list, or not side by side.
    fn is_torn(&self, read: &Read, writer: TxnId) -> bool {
        let appended = self.final_elements(writer, read.key);
        let elements = self.external_elements(read);
        !elements.windows(appended.len()).any(|part| part == appended)
    }

    /// Whether two lists of one key show contrary orders.
    fn contradict(&self, one: &Read, other: &Read) -> bool {
        let (left, right) = (self.external_elements(one), self.external_elements(other));
        match self.is_dirty(one.txn) || self.is_dirty(other.txn) {
            false => left.iter().zip(right).any(|(left, right)| left != right),
            true => {
                let committed = |&txn: &TxnId| self.history.txn(txn).outcome == Outcome::Committed;
                let mut writers = self.element_writers(one);
                writers.retain(committed);
                writers.sort_unstable();
                writers.dedup();
                let reversed = |first: TxnId, then: TxnId| {
                    self.list_shows(one, first, then) && self.list_shows(other, then, first)
                };
                writers.iter().any(|&first| writers.iter().any(|&then| reversed(first, then)))
            }
        }
    }
}
