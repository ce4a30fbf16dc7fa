//! What is tried, and in which order.

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
    Rows,
    /// Looking for mistakes after the place where the greedy pass got stuck.
    Suspects,
}

/// What is tried, one after the other.
pub(super) fn attempts(options: &AuditOptions) -> impl Iterator<Item = Attempt> {
    use Attempt::{Mend, Pass, Rows, Suspects};
    let quick = options.heuristics.stronger;
    let hinted = options.order == CommitOrder::Hint;
    let stamped = [Pass(Effort::STAMPED)].into_iter().filter(move |_| hinted);
    let then =
        [Mend { patient: false }, Rows, Suspects, Pass(Effort::QUICK), Mend { patient: true }];
    let first = [Pass(Effort::GREEDY)].into_iter().chain(stamped).chain(then);
    first.filter(move |_| quick).chain([Pass(Effort::FULL), Pass(Effort::LOCKED)])
}
