//! Integrity: external reads without any source, and why there is none.

use std::ops::Range;

use tristan_ground::joined;
use tristan_history::{Outcome, TxnId};
use tristan_spec::ReadRule;
use tristan_verdict::BadKind;

use super::{Asg, BadRead, Effect, ExternalRead, Seen};

/// The first read that a transaction that surely took effect cannot have made.
pub(crate) fn first_bad(asg: &Asg<'_>, rule: ReadRule) -> Option<BadRead> {
    let tolerated =
        |bad: &BadRead| bad.is_dirty() && (rule == ReadRule::Dirty || asg.reads_dirty(bad.txn));
    let committed = |bad: &&BadRead| {
        asg.history.txn(bad.txn).outcome == Outcome::Committed
            && asg.effect[bad.txn.index()] == Effect::Sure
    };
    asg.bad.iter().filter(committed).find(|bad| !tolerated(bad)).copied()
}

/// Adds to [`Asg::bad`] every register read that neither the initial state nor a version
/// explains.
pub(crate) fn find_sourceless(asg: &mut Asg<'_>) {
    let sourceless = |txns: Range<usize>| find_in(asg, txns);
    let bad = joined(asg.threads.each(asg.history.txns.len(), sourceless));
    asg.bad.extend(bad);
    asg.bad.sort_by_key(|bad| (bad.txn, bad.op));
}

/// The same of the reads of some transactions.
fn find_in(asg: &Asg<'_>, txns: Range<usize>) -> Vec<BadRead> {
    let mut bad = Vec::new();
    // Per key, what was explained last, and by whom: of range reads, often the next is the same.
    let keys = if asg.has_ranges { asg.history.keys.len() } else { 0 };
    let mut explained: Vec<Option<(Seen, Option<TxnId>)>> = vec![None; keys];
    let reads = txns.flat_map(|txn| asg.reads.of(TxnId::new(txn))).map(|(_, read)| read);
    for read in reads.filter(|read| !matches!(read.seen, Seen::List(_))) {
        let known = explained.get(read.key.index()).copied().flatten();
        if known.is_some_and(|(seen, writer)| seen == read.seen && writer != Some(read.txn)) {
            continue;
        }
        let mut found = None;
        asg.for_each_source(&read, |source| found = Some((read.seen, source)));
        match explained.get_mut(read.key.index()) {
            _ if found.is_none() => bad.push(diagnose(asg, &read)),
            Some(slot) => *slot = found,
            None => {}
        }
    }
    bad
}

fn diagnose(asg: &Asg<'_>, read: &ExternalRead) -> BadRead {
    let (kind, writer) = cause(asg, read);
    BadRead { txn: read.txn, op: read.op, key: read.key, kind, writer, other: None }
}

fn cause(asg: &Asg<'_>, read: &ExternalRead) -> (BadKind, Option<TxnId>) {
    let own_version = asg.writes.matching(read.key, read.seen).first();
    match asg.writes.hidden(read.key, read.seen, read.txn) {
        Some(hidden) if hidden.write.txn != read.txn => {
            let kind = if hidden.aborted { BadKind::Aborted } else { BadKind::Intermediate };
            (kind, Some(hidden.write.txn))
        }
        Some(_) => (BadKind::Future, Some(read.txn)),
        None if own_version.is_some() => (BadKind::Future, Some(read.txn)),
        None => (BadKind::ThinAir, None),
    }
}
