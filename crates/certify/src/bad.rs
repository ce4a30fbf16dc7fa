//! A single read that nothing explains.

use tristan_history::{KeyId, Outcome, TxnId};
use tristan_spec::ReadRule;
use tristan_verdict::{Bad, BadKind};

use crate::error::Refused;
use crate::operations::{Attempt, Seen, attempts};
use crate::reading::{Read, Reading};

/// Checks that the read is bad, and in this way.
pub(crate) fn check(reading: &Reading<'_>, bad: &Bad) -> Result<(), Refused> {
    let wrong = |problem| Err(Refused::Bad { txn: bad.txn, op: bad.op, problem });
    let txn = TxnId(bad.txn);
    let Some(found) = reading.history.txns.get(txn.index()) else {
        return Err(Refused::NoSuchTxn { txn: bad.txn });
    };
    if bad.op >= found.op_count {
        return Err(Refused::NoSuchOp { txn: bad.txn, op: bad.op });
    }
    if found.outcome != Outcome::Committed {
        return wrong("the reader is not known to have committed");
    }
    let key = reading.history.ops_of(txn)[bad.op as usize].kind.key();
    if key.is_none_or(|key| *reading.history.key(key) != bad.key) {
        return wrong("the operation is not on this key");
    }
    let Some(key) = key.filter(|&key| !reading.unreadable(key)) else {
        return wrong("reads of this key are not interpreted");
    };
    if let Some((other, _)) = bad.other {
        if other as usize >= reading.history.txns.len() {
            return Err(Refused::NoSuchTxn { txn: other });
        }
        if bad.kind != BadKind::IncompatibleOrder {
            return wrong("no second read is needed for this kind");
        }
    }
    if let Some(writer) = bad.writer {
        wrote(reading, key, TxnId(writer))?;
    }
    let own_violation = reading.own_violations.binary_search(&(txn, bad.op)).is_ok();
    match (bad.kind, reading.read_at(txn, bad.op)) {
        (BadKind::NotOwnWrite, _) if own_violation => Ok(()),
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
fn wrote(reading: &Reading<'_>, key: KeyId, writer: TxnId) -> Result<(), Refused> {
    if writer.index() >= reading.history.txns.len() {
        return Err(Refused::NoSuchTxn { txn: writer.0 });
    }
    match reading.install(writer, key) {
        Some(_) => Ok(()),
        None => {
            Err(Refused::Order { txn: writer.0, problem: "never wrote the key of the bad read" })
        }
    }
}

fn check_register(reading: &Reading<'_>, bad: &Bad, read: &Read) -> Result<(), Refused> {
    let wrong = |problem| Err(Refused::Bad { txn: bad.txn, op: bad.op, problem });
    if !reading.sources(read).is_empty() {
        return wrong("it has a possible source");
    }
    let outcome = |txn: TxnId| reading.history.txn(txn).outcome;
    let writes: Vec<Attempt> = attempts(reading.history)
        .into_iter()
        .filter(|write| write.key == read.key && read.seen.fits(write.cell))
        .collect();
    let by_other = |write: &&Attempt| write.txn != read.txn;
    let aborted = |write: &&Attempt| outcome(write.txn) == Outcome::Aborted;
    // Without a source, a write by a transaction that may have committed was overwritten by it.
    let culprits: Vec<TxnId> = match bad.kind {
        BadKind::ThinAir if writes.is_empty() && bad.writer.is_none() => return Ok(()),
        BadKind::Future if !writes.iter().any(|write| by_other(&write)) => {
            writes.iter().map(|write| write.txn).collect()
        }
        BadKind::Aborted => {
            writes.iter().filter(by_other).filter(aborted).map(|write| write.txn).collect()
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

fn check_list(reading: &Reading<'_>, bad: &Bad, read: &Read) -> Result<(), Refused> {
    let wrong = |problem| Err(Refused::Bad { txn: bad.txn, op: bad.op, problem });
    let fault = match reading.rule {
        ReadRule::Committed => reading.list_writers(read).err(),
        ReadRule::Dirty => reading.elements_exist_once(read).err(),
    };
    let Some(first) = fault else { return wrong("the list has an explanation") };
    let elements = reading.external_elements(read);
    let writers = || elements.iter().map(|&element| reading.appender(read.key, element));
    let outcome = |txn: TxnId| reading.history.txn(txn).outcome;
    let named = |txn: TxnId| bad.writer.is_none_or(|writer| writer == txn.0);
    let tolerated = [BadKind::Aborted, BadKind::Future, BadKind::Intermediate];
    let holds = match bad.kind {
        kind if reading.rule == ReadRule::Dirty && tolerated.contains(&kind) => false,
        BadKind::ThinAir => bad.writer.is_none() && writers().any(|writer| writer.is_none()),
        BadKind::Aborted => {
            writers().flatten().any(|txn| named(txn) && outcome(txn) == Outcome::Aborted)
        }
        BadKind::Future => writers().flatten().any(|txn| named(txn) && txn == read.txn),
        BadKind::Intermediate => {
            writers().flatten().any(|txn| named(txn) && reading.is_torn(read, txn))
        }
        kind => kind == first.kind && (bad.writer.is_none() || first.writer.is_some_and(named)),
    };
    if holds { Ok(()) } else { wrong("the list is bad, but not for this reason") }
}

/// Two lists of one key, neither the beginning of the other.
fn check_order(reading: &Reading<'_>, bad: &Bad, read: &Read) -> Result<(), Refused> {
    let wrong = |problem| Err(Refused::Bad { txn: bad.txn, op: bad.op, problem });
    let Some((txn, op)) = bad.other else { return wrong("the second read is missing") };
    if reading.history.txn(TxnId(txn)).outcome != Outcome::Committed {
        return wrong("the second reader is not known to have committed");
    }
    let Some((_, other)) = reading.read_at(TxnId(txn), op) else {
        return wrong("the second operation is not an external read");
    };
    let lists = matches!(read.seen, Seen::List(_)) && matches!(other.seen, Seen::List(_));
    if !lists || read.key != other.key {
        return wrong("the two are not list reads of one key");
    }
    if reading.contradict(read, &other) { Ok(()) } else { wrong("the two lists can both be right") }
}

impl Reading<'_> {
    /// Whether the transaction's appends are not all in the list, or not side by side.
    fn is_torn(&self, read: &Read, writer: TxnId) -> bool {
        let appended = self.appended(writer, read.key, u32::MAX);
        let elements = self.external_elements(read);
        appended.is_empty() || !elements.windows(appended.len()).any(|part| part == appended)
    }

    /// Whether two lists of one key show contrary orders.
    fn contradict(&self, one: &Read, other: &Read) -> bool {
        let (left, right) = (self.external_elements(one), self.external_elements(other));
        match self.rule {
            ReadRule::Committed => left.iter().zip(right).any(|(left, right)| left != right),
            ReadRule::Dirty => {
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
