//! Which passes are made, and in which order.

use crate::explain::{Effort, Slice};
use crate::options::{AuditOptions, CommitOrder};

/// What is tried, one after the other.
pub(crate) fn passes(options: &AuditOptions) -> impl Iterator<Item = Effort> {
    let quick = options.heuristics.stronger;
    let hinted = options.order == CommitOrder::Hint;
    let stamped = [Effort::STAMPED].into_iter().filter(move |_| hinted);
    let mut slices = slices();
    let greedy = slices.next().into_iter();
    let first = greedy.chain(stamped).chain(slices).chain([Effort::QUICK]);
    first.filter(move |_| quick).chain([Effort::FULL, Effort::LOCKED])
}

/// What is enough to see whether most small logs are right or wrong.
pub(crate) fn slices() -> impl Iterator<Item = Effort> {
    let slices = [Slice::Cone, Slice::ConeWithReaders, Slice::Writers].map(Effort::slice);
    [Effort::GREEDY].into_iter().chain(slices)
}
