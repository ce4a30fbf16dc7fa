//! The store: transactions from begin to commit.

use crate::fault::{Fault, Faults};
use crate::interval::Interval;
use crate::level::Level;
use crate::lists::Lists;
use crate::starts::Starts;
use crate::transaction::{Transaction, Writes};
use crate::uncommitted::Uncommitted;
use crate::values::{Items, Values};

/// A multi-version store. Each key has a value and, independently of it, a list.
///
/// ```
/// use tristan_store::{Commit, Level, NoFaults, Store};
/// let mut store = Store::new(NoFaults);
/// let [mut one, mut other] = [0; 2].map(|_| store.begin(Level::Snapshot));
/// store.put(&mut one, 7, Some("a"));
/// store.put(&mut other, 7, Some("b"));
/// assert_eq!(store.get(&mut other, 7), Some("b"));
/// assert_eq!(store.commit(one), Commit::Done(Some(1)));
/// assert_eq!(store.commit(other), Commit::Refused);
/// ```
#[derive(Debug)]
pub struct Store<V, F> {
    values: Values<V>,
    lists: Lists<V>,
    uncommitted: Uncommitted<V>,
    starts: Starts,
    /// The number of commits that wrote something.
    time: u64,
    /// The number of transactions that have begun.
    begun: u64,
    faults: F,
}

/// How a commit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commit {
    /// It took effect, at this time if the transaction wrote something.
    Done(Option<u64>),
    /// The transaction is aborted, because another one committed first.
    Refused,
    /// Whether it took effect is unknown to the client.
    Unknown,
}

impl<V: Copy, F: Faults> Store<V, F> {
    /// An empty store with these faults.
    pub fn new(faults: F) -> Self {
        Self {
            values: Values::default(),
            lists: Lists::default(),
            uncommitted: Uncommitted::default(),
            starts: Starts::default(),
            time: 0,
            begun: 0,
            faults,
        }
    }

    /// Forgets all values and lists and starts again with these values.
    pub fn fill(&mut self, initial: impl IntoIterator<Item = (i64, V)>) {
        (self.values, self.lists) = (Values::default(), Lists::default());
        for (key, value) in initial {
            self.values.install(key, self.time, Some(value), self.time);
        }
    }

    /// Begins a transaction.
    pub fn begin(&mut self, level: Level) -> Transaction<V> {
        self.begun += 1;
        self.starts.add(self.time);
        Transaction::new(level, self.begun, self.time)
    }

    /// Reads the value of a key.
    pub fn get(&mut self, txn: &mut Transaction<V>, key: i64) -> Option<V> {
        if let Some(own) = txn.writes.values.get(&key) {
            return *own;
        }
        // The store does not notice its own faults: what they return is not in the read set.
        if let Some(wrong) = self.dirty(txn, key).or_else(|| self.misread(txn, key)) {
            return wrong;
        }
        txn.reads.keys.push(key);
        self.values.chain(key)?.at(self.snapshot(txn))
    }

    /// Writes a value, or deletes the key.
    pub fn put(&mut self, txn: &mut Transaction<V>, key: i64, value: Option<V>) {
        txn.writes.values.insert(key, value);
        self.uncommitted.add(key, txn.number, value);
    }

    /// Reads all items of an interval.
    pub fn scan(&mut self, txn: &mut Transaction<V>, interval: Interval) -> Items<V> {
        self.iterate(txn, interval, usize::MAX).0
    }

    /// Reads the first `most` items of an interval. Also returns whether the end was reached.
    pub fn iterate(
        &mut self,
        txn: &mut Transaction<V>,
        interval: Interval,
        most: usize,
    ) -> (Items<V>, bool) {
        if interval.is_empty() {
            return (Vec::new(), true);
        }
        let mut items = self.values.items(interval, self.snapshot(txn));
        txn.writes.overlay(interval, &mut items);
        let reached_end = items.len() < most;
        items.truncate(most);
        let last = items.last().filter(|_| !reached_end);
        txn.reads.ranges.push(last.map_or(interval, |(key, _)| interval.up_to(*key)));
        if !items.is_empty() && self.faults.strikes(Fault::SkippedItem) {
            items.remove(self.faults.below(items.len()));
        }
        (items, reached_end)
    }

    /// Appends an element to the list of a key.
    pub fn append(&self, txn: &mut Transaction<V>, key: i64, element: V) {
        txn.writes.appended.entry(key).or_default().push(element);
    }

    /// Reads the list of a key.
    pub fn list(&self, txn: &mut Transaction<V>, key: i64) -> Vec<V> {
        txn.reads.lists.push(key);
        let own = txn.writes.appended.get(&key).map_or(&[][..], Vec::as_slice);
        [self.lists.at(key, txn.start), own].concat()
    }

    /// Tries to commit a transaction.
    pub fn commit(&mut self, txn: Transaction<V>) -> Commit {
        self.end(&txn);
        if self.conflicts(&txn) && !self.faults.strikes(Fault::LostUpdate) {
            return Commit::Refused;
        }
        let unknown = self.faults.strikes(Fault::UnknownCommit);
        let skipped = unknown && self.faults.below(2) == 0
            || !txn.writes.is_empty() && self.faults.strikes(Fault::LostCommit);
        let time = if skipped { None } else { self.install(txn.writes) };
        match unknown {
            true => Commit::Unknown,
            false => Commit::Done(time),
        }
    }

    /// Ends a transaction without effect.
    pub fn abort(&mut self, txn: Transaction<V>) {
        self.end(&txn);
    }

    /// The time of the state that a transaction reads.
    fn snapshot(&self, txn: &Transaction<V>) -> u64 {
        if txn.level.reads_snapshot() { txn.start } else { self.time }
    }

    /// A value that another transaction has not committed, if this one gets to see it.
    fn dirty(&mut self, txn: &Transaction<V>, key: i64) -> Option<Option<V>> {
        let newest = self.uncommitted.newest(key, txn.number)?;
        let shown = txn.level == Level::ReadUncommitted || self.faults.strikes(Fault::DirtyRead);
        shown.then_some(newest)
    }

    /// The wrong version of a key, if a fault strikes.
    fn misread(&mut self, txn: &Transaction<V>, key: i64) -> Option<Option<V>> {
        let snapshot = self.snapshot(txn);
        let chain = self.values.chain(key)?;
        if chain.changed_after(snapshot) && self.faults.strikes(Fault::ReadSkew) {
            return Some(chain.newest());
        }
        let stale = chain.before(snapshot)?;
        self.faults.strikes(Fault::StaleRead).then_some(stale)
    }

    fn conflicts(&self, txn: &Transaction<V>) -> bool {
        match txn.level {
            Level::CommitOrder => self.has_stale_reads(txn),
            Level::Serializable => !txn.writes.is_empty() && self.has_stale_reads(txn),
            Level::Snapshot => {
                let mut keys = txn.writes.values.keys();
                keys.any(|key| self.values.changed_after(*key, txn.start))
                    || self.has_stale_appends(txn)
            }
            Level::ReadCommitted | Level::ReadUncommitted => self.has_stale_appends(txn),
        }
    }

    fn has_stale_reads(&self, txn: &Transaction<V>) -> bool {
        let reads = &txn.reads;
        reads.keys.iter().any(|key| self.values.changed_after(*key, txn.start))
            || reads.lists.iter().any(|key| self.lists.changed_after(*key, txn.start))
            || reads.ranges.iter().any(|range| self.values.any_changed_after(*range, txn.start))
    }

    fn has_stale_appends(&self, txn: &Transaction<V>) -> bool {
        txn.writes.appended.keys().any(|key| self.lists.changed_after(*key, txn.start))
    }

    /// Makes all writes of a transaction visible. Returns the time of that, if there are any.
    fn install(&mut self, writes: Writes<V>) -> Option<u64> {
        if writes.is_empty() {
            return None;
        }
        let oldest = self.starts.oldest().unwrap_or(self.time);
        self.time += 1;
        for (key, value) in writes.values {
            self.values.install(key, self.time, value, oldest);
        }
        for (key, elements) in writes.appended {
            self.lists.append(key, self.time, elements, oldest);
        }
        Some(self.time)
    }

    fn end(&mut self, txn: &Transaction<V>) {
        self.starts.remove(txn.start);
        self.uncommitted.remove(txn.writes.values.keys().copied(), txn.number);
    }
}
