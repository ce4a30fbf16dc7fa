//! The transactions that wait to be judged, and where to cut.

use std::rc::Rc;

use crate::model::{NEVER, Outcome, Time, Txn};
use crate::options::AuditOptions;

/// One of so many transactions is judged again in the next piece if there is no quiet moment.
const TAIL: usize = 8;

/// Where a piece ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Before the transaction at this place, which begins after all before it have ended.
    Quiet(usize),
    /// Behind all of them; those are cut off that ended before the transaction at this place began.
    Busy(usize),
}

impl End {
    /// The same end, of a list with more before it.
    pub(super) fn in_longer(self, length: usize, longer: usize) -> Self {
        match self {
            Self::Quiet(place) => Self::Quiet(longer - (length - place)),
            Self::Busy(place) => Self::Busy(longer - (length - place)),
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

/// Where to cut if there is no quiet moment: a bit before the end, so that transactions which were open at the cut have
/// mostly ended by now, and are explained where they stay.
pub(super) fn busy(txns: &[Rc<Txn>]) -> End {
    End::Busy((txns.len() - txns.len() / TAIL).saturating_sub(1))
}

/// The same transactions as those of a piece that ends while some are open: these may have taken effect or not.
/// Later transactions begin no earlier than the last of these.
pub(super) fn loosened(txns: &[Rc<Txn>], options: &AuditOptions) -> Vec<Rc<Txn>> {
    let last = txns.len().saturating_sub(1);
    let open = |txn: &Txn| is_open(txn, txns, last, options);
    // One that was rolled back need not be there to explain others.
    let known = txns.iter().filter(|txn| !(txn.outcome == Outcome::Aborted && open(txn)));
    known
        .map(|txn| match open(txn) && txn.outcome == Outcome::Committed {
            true => Rc::new(Txn { outcome: Outcome::Unknown, end: NEVER, ..Txn::clone(txn) }),
            false => Rc::clone(txn),
        })
        .collect()
}

/// Whether a transaction had not ended when the one at this place began.
pub(super) fn is_open(txn: &Txn, txns: &[Rc<Txn>], place: usize, options: &AuditOptions) -> bool {
    let next = txns.get(place).map_or(NEVER, |next| begin(next, options));
    is_judged(txn, options) && end(txn, options) >= next
}

/// Whether anything is said about a transaction.
pub(super) fn is_judged(txn: &Txn, options: &AuditOptions) -> bool {
    options.aborted || txn.outcome != Outcome::Aborted
}

fn begin(txn: &Txn, options: &AuditOptions) -> Time {
    txn.begin.saturating_sub(options.drift)
}

fn end(txn: &Txn, options: &AuditOptions) -> Time {
    txn.end.saturating_add(options.drift)
}
