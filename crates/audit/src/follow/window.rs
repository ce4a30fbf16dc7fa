//! The transactions that wait to be judged, and where to cut.

use std::rc::Rc;

use crate::model::{NEVER, Outcome, Time, Txn};
use crate::options::AuditOptions;

/// Where a piece ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Before the transaction at this place, which begins after all before it have ended.
    Quiet(usize),
    /// Behind all of them; some are open.
    Busy,
}

impl End {
    /// The same end, of a list with more before it.
    pub(super) fn in_longer(self, length: usize, longer: usize) -> Self {
        match self {
            Self::Quiet(place) => Self::Quiet(longer - (length - place)),
            Self::Busy => Self::Busy,
        }
    }
}

/// The place of the last transaction that begins when all before it have ended, if there is one. A transaction of
/// unknown outcome is never known to have ended, and does not count.
pub(super) fn quiet(txns: &[Rc<Txn>], options: &AuditOptions) -> Option<usize> {
    let (mut over, mut found) = (Time::MIN, None);
    for (place, txn) in txns.iter().enumerate() {
        if place > 0 && begin(txn, options) > over {
            found = Some(place);
        }
        if is_judged(txn, options) && txn.end != NEVER {
            over = over.max(end(txn, options));
        }
    }
    found
}

/// The same transactions as those of a piece that ends while some are open: these may have taken effect or not.
/// Whoever comes later begins no earlier than the last of them.
pub(super) fn loosened(txns: &[Rc<Txn>], options: &AuditOptions) -> Vec<Rc<Txn>> {
    let known = txns.iter().filter(|txn| !is_open_reader(txn, txns, options));
    known
        .map(|txn| match is_open(txn, txns, options) && txn.outcome == Outcome::Committed {
            true => Rc::new(Txn { outcome: Outcome::Unknown, end: NEVER, ..Txn::clone(txn) }),
            false => Rc::clone(txn),
        })
        .collect()
}

/// Whether a transaction may take effect after one that is not known yet.
pub(super) fn is_open(txn: &Txn, txns: &[Rc<Txn>], options: &AuditOptions) -> bool {
    let next = txns.last().map_or(Time::MIN, |last| begin(last, options));
    is_judged(txn, options) && end(txn, options) >= next
}

/// Whether anything is said about a transaction.
pub(super) fn is_judged(txn: &Txn, options: &AuditOptions) -> bool {
    options.aborted || txn.outcome != Outcome::Aborted
}

/// Whether it is an open one that was rolled back: it need not be there to explain others.
fn is_open_reader(txn: &Txn, txns: &[Rc<Txn>], options: &AuditOptions) -> bool {
    txn.outcome == Outcome::Aborted && is_open(txn, txns, options)
}

fn begin(txn: &Txn, options: &AuditOptions) -> Time {
    txn.begin.saturating_sub(options.drift)
}

fn end(txn: &Txn, options: &AuditOptions) -> Time {
    txn.end.saturating_add(options.drift)
}
