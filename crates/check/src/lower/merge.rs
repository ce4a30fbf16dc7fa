//! Merge: reads that their session's order makes superfluous.
//!
//! If several transactions of a session read the same version of a key, one after the other, then
//! the version is before the first of them, and the last of them is before the next version; the
//! others lie between. So where session order counts, only the first and the last need to be
//! looked at. A client that scans the same range again and again leaves hardly more to do than
//! one that scans it twice.

use std::ops::Range;

use tristan_history::{Outcome, SessionId, TxnId};

use crate::asg::{Asg, ExternalRead, ReadKind, Seen};

/// Sessions with so many transactions are looked at on threads of their own.
const WORTH: usize = 1024;

/// Reads of one version of a key by one session, one after the other.
#[derive(Clone, Copy)]
struct Run {
    session: SessionId,
    seen: Seen,
    predicate: bool,
    /// The last of the reads.
    last: u32,
    /// Whether there is one before it.
    has_first: bool,
    /// Whether the version is known.
    known: bool,
}

/// Per read of the trace, whether it can be left out.
pub(super) fn superfluous(asg: &Asg<'_>) -> Vec<bool> {
    let mut superfluous = vec![false; asg.reads.end()];
    // Sessions are few: each is worth a thread.
    let worth = asg.history.txns.len() / asg.history.sessions.len().max(1) >= WORTH;
    let sessions: Vec<Range<usize>> = match worth {
        true => (0..asg.history.sessions.len()).map(|session| session..session + 1).collect(),
        false => asg.threads.pieces(asg.history.sessions.len()),
    };
    for found in asg.threads.run(sessions, |sessions| superfluous_in(asg, sessions)) {
        found.into_iter().for_each(|read| superfluous[read as usize] = true);
    }
    superfluous
}

/// The reads of some sessions that can be left out.
fn superfluous_in(asg: &Asg<'_>, sessions: Range<usize>) -> Vec<u32> {
    let mut superfluous = Vec::new();
    let mut runs: Vec<Option<Run>> = vec![None; asg.history.keys.len()];
    for id in sessions.map(SessionId::new) {
        let session = &asg.history.sessions[id.index()];
        let committed = |txn: &&TxnId| asg.history.txn(**txn).outcome == Outcome::Committed;
        for &txn in session.txns.iter().filter(committed) {
            for (index, read) in asg.reads.of(txn) {
                let predicate = read.kind == ReadKind::Predicate;
                let run = &mut runs[read.key.index()];
                match run {
                    Some(run)
                        if run.session == id
                            && run.seen == read.seen
                            && run.predicate == predicate =>
                    {
                        if run.known && run.has_first {
                            superfluous.push(run.last);
                        }
                        run.has_first = true;
                        run.last = index;
                    }
                    _ => {
                        *run = Some(Run {
                            session: id,
                            seen: read.seen,
                            predicate,
                            last: index,
                            has_first: false,
                            known: has_one_source(asg, &read),
                        });
                    }
                }
            }
        }
    }
    superfluous
}

/// Whether exactly one version fits, for any reader.
fn has_one_source(asg: &Asg<'_>, read: &ExternalRead) -> bool {
    let initial = asg.history.initial_of(read.key);
    let fits = initial.is_none_or(|content| read.seen.matches(content));
    let versions = asg.writes.matching(read.key, read.seen);
    versions.len() + usize::from(fits) == 1
        && !matches!(read.seen, Seen::List(_))
        && versions.iter().all(|version| version.txn != read.txn)
}
