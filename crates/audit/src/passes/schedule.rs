//! Which passes are made, and in which order.

use crate::explain::Effort;
use crate::options::{AuditOptions, CommitOrder};

/// What is tried, one after the other.
pub(super) fn passes(options: &AuditOptions) -> impl Iterator<Item = Effort> {
    let quick = options.heuristics.stronger;
    let hinted = options.order == CommitOrder::Hint;
    let stamped = [Effort::STAMPED].into_iter().filter(move |_| hinted);
    let first = [Effort::GREEDY].into_iter().chain(stamped);
    let first = first.chain([Effort::MENDED, Effort::QUICK]);
    first.filter(move |_| quick).chain([Effort::FULL, Effort::LOCKED])
}
