//! When the running transactions began.

use std::collections::BTreeMap;

/// The starts of running transactions, each with how many transactions have it.
#[derive(Debug, Default)]
pub(crate) struct Starts {
    counts: BTreeMap<u64, usize>,
}

impl Starts {
    /// Notes that a transaction begins.
    pub(crate) fn add(&mut self, start: u64) {
        *self.counts.entry(start).or_default() += 1;
    }

    /// A transaction with this start ends.
    pub(crate) fn remove(&mut self, start: u64) {
        if let Some(count) = self.counts.get_mut(&start) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&start);
            }
        }
    }

    /// The start of the transaction that has been running longest.
    pub(crate) fn oldest(&self) -> Option<u64> {
        self.counts.first_key_value().map(|(start, _)| *start)
    }
}
