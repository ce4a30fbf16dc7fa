//! Integrity: external reads without any source, and why there is none.

use tristan_history::TxnId;
use tristan_verdict::BadKind;

use super::{Asg, BadRead, ExternalRead, Seen};

/// Adds to [`Asg::bad`] every register read that neither the initial state nor a version
/// explains.
pub fn find_sourceless(asg: &mut Asg<'_>) {
    let mut bad = Vec::new();
    // Per key, what was explained last, and by whom: often the next read is the same.
    let mut explained: Vec<Option<(Seen, Option<TxnId>)>> = vec![None; asg.history.keys.len()];
    for read in asg.reads.iter().filter(|read| !matches!(read.seen, Seen::List(_))) {
        let slot = &mut explained[read.key.index()];
        if slot.is_some_and(|(seen, writer)| seen == read.seen && writer != Some(read.txn)) {
            continue;
        }
        let mut sourceless = true;
        asg.for_each_source(&read, |source| {
            sourceless = false;
            *slot = Some((read.seen, source));
        });
        if sourceless {
            bad.push(diagnose(asg, &read));
        }
    }
    asg.bad.append(&mut bad);
    asg.bad.sort_by_key(|bad| (bad.txn, bad.op));
}

fn diagnose(asg: &Asg<'_>, read: &ExternalRead) -> BadRead {
    let (kind, writer) = cause(asg, read);
    BadRead { txn: read.txn, op: read.op, key: read.key, kind, writer, other: None }
}

fn cause(asg: &Asg<'_>, read: &ExternalRead) -> (BadKind, Option<TxnId>) {
    let own_version = asg.writes.matching(read.key, read.seen).first();
    match asg.writes.hidden(read.key, read.seen, read.txn) {
        Some(write) if write.version.txn != read.txn => {
            let kind = if write.aborted { BadKind::Aborted } else { BadKind::Intermediate };
            (kind, Some(write.version.txn))
        }
        Some(_) => (BadKind::Future, Some(read.txn)),
        None if own_version.is_some() => (BadKind::Future, Some(read.txn)),
        None => (BadKind::ThinAir, None),
    }
}
