//! What is tried, and in which order.

use super::rows::Rows;
use crate::explain::Effort;
use crate::options::{AuditOptions, CommitOrder};

/// Something that is tried.
#[derive(Clone, Copy, Debug)]
pub(super) enum Attempt {
    /// One pass over the log.
    Pass(Effort),
    /// Mending the greedy pass where it got stuck, with more or less patience.
    Mend { patient: bool },
    /// Looking for mistakes in the rows with one key.
    Rows(Rows),
    /// Carrying out suspicious queries on all versions that their rows may have had.
    Versions,
    /// Looking for mistakes after the place where the greedy pass got stuck.
    Suspects,
}

/// What is tried, one after the other.
pub(super) fn attempts(options: &AuditOptions) -> impl Iterator<Item = Attempt> {
    use Attempt::{Mend, Pass, Suspects, Versions};
    let quick = options.heuristics.stronger;
    let hinted = options.order == CommitOrder::Hint;
    let stamped = [Pass(Effort::STAMPED)].into_iter().filter(move |_| hinted);
    let soon = [Attempt::Rows(Rows::Suspicious), Mend { patient: false }, Versions];
    let later = [Attempt::Rows(Rows::Others), Suspects];
    let then = soon.into_iter().chain(later);
    let then = then.chain([Pass(Effort::QUICK), Mend { patient: true }]);
    let first = [Pass(Effort::GREEDY)].into_iter().chain(stamped).chain(then);
    first.filter(move |_| quick).chain([Pass(Effort::FULL), Pass(Effort::LOCKED)])
}
