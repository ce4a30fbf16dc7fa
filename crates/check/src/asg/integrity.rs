//! Integrity: external reads without any source, and why there is none.

use tristan_history::{Initial, Outcome, TxnId};
use tristan_verdict::BadKind;

use super::{Asg, BadRead, ExternalRead, Seen};

/// Adds to [`Asg::bad`] every register read that neither the initial state nor a version
/// explains, and every second value that only an unknown initial state could explain.
pub fn find_sourceless(asg: &mut Asg<'_>) {
    let mut bad = Vec::new();
    let mut unwritten: Vec<Option<ExternalRead>> = vec![None; asg.history.keys.len()];
    let unknown_start = asg.history.header.initial == Initial::Unknown;
    for read in asg.reads.iter().filter(|read| !matches!(read.seen, Seen::List(_))) {
        let mut written = false;
        let mut sources = 0;
        asg.for_each_source(read, |source| {
            sources += 1;
            written |= source.is_some();
        });
        if sources == 0 {
            bad.push(diagnose(asg, read));
        } else if unknown_start
            && !written
            && asg.history.txn(read.txn).outcome == Outcome::Committed
        {
            let slot = &mut unwritten[read.key.index()];
            match slot {
                Some(first) if clash(first.seen, read.seen) => {
                    bad.push(BadRead { other: Some((first.txn, first.op)), ..diagnose(asg, read) });
                }
                Some(_) => {}
                None => *slot = Some(*read),
            }
        }
    }
    asg.bad.append(&mut bad);
    asg.bad.sort_by_key(|bad| (bad.txn, bad.op));
}

/// Whether no single content of a key explains both observations.
pub fn clash(first: Seen, second: Seen) -> bool {
    match (first, second) {
        (Seen::Present, other) | (other, Seen::Present) => other == Seen::Absent,
        _ => first != second,
    }
}

fn diagnose(asg: &Asg<'_>, read: &ExternalRead) -> BadRead {
    let (kind, writer) = cause(asg, read);
    BadRead { txn: read.txn, op: read.op, key: read.key, kind, writer, other: None }
}

fn cause(asg: &Asg<'_>, read: &ExternalRead) -> (BadKind, Option<TxnId>) {
    let own_version = asg.writes.matching(read.key, read.seen).first();
    match asg.writes.hidden(read.key, read.seen, read.txn) {
        Some(write) if write.txn != read.txn => {
            let aborted = asg.history.txn(write.txn).outcome == Outcome::Aborted;
            let kind = if aborted { BadKind::Aborted } else { BadKind::Intermediate };
            (kind, Some(write.txn))
        }
        Some(_) => (BadKind::Future, Some(read.txn)),
        None if own_version.is_some() => (BadKind::Future, Some(read.txn)),
        None => (BadKind::ThinAir, None),
    }
}
