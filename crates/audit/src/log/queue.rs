//! Complete transactions, handed on in the order in which they began.

use std::collections::BTreeMap;

use crate::model::{NEVER, Time, Txn};

/// How much later than its time a line may be written. A connection takes the time, and may then have to wait
/// until it can write.
pub(super) const LATENESS: Time = 2_000_000_000;

/// Transactions that wait for older ones.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: BTreeMap<(Time, u64), Txn>,
    /// Lines of whole transactions come in order; otherwise they wait for the end.
    pub(super) sorted: bool,
    whole: bool,
    last: Option<(Time, u64)>,
    /// The latest time at which a transaction ended.
    latest: Time,
}

impl Queue {
    /// Takes a transaction; refuses it if a younger one was handed on already.
    pub(super) fn push(&mut self, txn: Txn) -> Result<(), String> {
        let place = (txn.begin, txn.line);
        if self.last.is_some_and(|last| place < last) {
            return Err(format!("transaction {} that began earlier", txn.number));
        }
        if txn.end != NEVER {
            self.latest = self.latest.max(txn.end);
        }
        self.waiting.insert(place, txn);
        Ok(())
    }

    /// Says that transactions come as whole lines, and that later lines may hold earlier transactions.
    pub(super) fn whole_lines(&mut self) {
        self.whole = true;
    }

    /// The first line of those that wait.
    pub(super) fn first_line(&self) -> Option<u64> {
        self.waiting.values().map(|txn| txn.line).min()
    }

    /// Whether transactions are handed on before the end of the log.
    pub(super) fn flows(&self) -> bool {
        self.sorted || !self.whole
    }

    /// The oldest one, if nothing that is still open began before it. No line is late if nothing has been written for
    /// a while (`still`).
    pub(super) fn pop(
        &mut self,
        oldest_open: Option<Time>,
        over: bool,
        still: bool,
    ) -> Option<Txn> {
        let (place, _) = self.waiting.first_key_value()?;
        let complete = match (over, self.whole, self.sorted) {
            (true, ..) => true,
            (_, true, sorted) => sorted && (still || self.waiting.len() > 1),
            _ if still => true,
            _ => place.0.saturating_add(LATENESS) <= self.latest,
        };
        if !complete || oldest_open.is_some_and(|open| open <= place.0) {
            return None;
        }
        let (place, txn) = self.waiting.pop_first()?;
        self.last = Some(place);
        Some(txn)
    }
}
