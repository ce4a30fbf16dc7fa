//! A multi-version store in memory, with optimistic transactions.
//!
//! A transaction reads the state at its start, overlaid with its own writes, and keeps its writes
//! to itself until it commits. Whether it may commit is decided by what others have committed
//! since it started:
//!
//! ```text
//!   snapshot      nobody wrote a key that it writes                 (first committer wins)
//!   serializable  nobody wrote a key or into a range that it read   (backward validation)
//! ```
//!
//! In the second case everything a transaction read is still true when it commits, so the
//! transactions might as well have run one after the other, in commit order.

use std::collections::BTreeMap;
use std::ops::Bound;

use crate::ValueId;

/// What the store promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StoreLevel {
    /// Strictly serializable, in commit order.
    Serializable,
    /// Strong snapshot isolation.
    Snapshot,
}

/// The keys from `lo` up to and without `hi`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) lo: Option<i64>,
    pub(super) hi: Option<i64>,
}

impl Interval {
    pub(super) fn between(lo: i64, hi: i64) -> Self {
        Self { lo: Some(lo), hi: Some(hi) }
    }

    fn contains(self, key: i64) -> bool {
        self.lo.is_none_or(|lo| lo <= key) && self.hi.is_none_or(|hi| key < hi)
    }

    fn bounds(self) -> (Bound<i64>, Bound<i64>) {
        (
            self.lo.map_or(Bound::Unbounded, Bound::Included),
            self.hi.map_or(Bound::Unbounded, Bound::Excluded),
        )
    }
}

/// Keys with their values, in order.
pub(super) type Items = Vec<(i64, ValueId)>;

/// All versions of all keys.
#[derive(Debug)]
pub(super) struct Store {
    level: StoreLevel,
    versions: BTreeMap<i64, Vec<Version>>,
    /// The keys written by each commit; the position is the time of the commit.
    log: Vec<Vec<i64>>,
}

/// What a key holds from a commit on; `None` is absent.
#[derive(Clone, Copy, Debug)]
struct Version {
    /// The number of commits up to and including the one that wrote it.
    since: usize,
    value: Option<ValueId>,
}

/// A transaction under way.
#[derive(Debug)]
pub(super) struct Running {
    start: usize,
    own: BTreeMap<i64, Option<ValueId>>,
    read: Vec<Interval>,
}

impl Store {
    pub(super) fn new(level: StoreLevel) -> Self {
        Self { level, versions: BTreeMap::new(), log: Vec::new() }
    }

    pub(super) fn begin(&self) -> Running {
        Running { start: self.log.len(), own: BTreeMap::new(), read: Vec::new() }
    }

    pub(super) fn get(&self, running: &mut Running, key: i64) -> Option<ValueId> {
        if let Some(own) = running.own.get(&key) {
            return *own;
        }
        running.read.push(Interval::between(key, key + 1));
        self.versions.get(&key).and_then(|versions| at(versions, running.start))
    }

    pub(super) fn scan(&self, running: &mut Running, interval: Interval) -> Items {
        running.read.push(interval);
        self.items(running, interval)
    }

    /// The first `most` items of an interval, and whether there are no more.
    pub(super) fn iterate(
        &self,
        running: &mut Running,
        interval: Interval,
        most: usize,
    ) -> (Items, bool) {
        let mut items = self.items(running, interval);
        let reached_end = items.len() < most;
        items.truncate(most);
        let last = items.last().filter(|_| !reached_end);
        let hi = last.map_or(interval.hi, |(key, _)| Some(key + 1));
        running.read.push(Interval { hi, ..interval });
        (items, reached_end)
    }

    /// Installs the writes of a transaction; false if it had to be aborted.
    pub(super) fn commit(&mut self, running: Running) -> bool {
        if self.conflicts(&running) {
            return false;
        }
        self.log.push(running.own.keys().copied().collect());
        let since = self.log.len();
        for (key, value) in running.own {
            self.versions.entry(key).or_default().push(Version { since, value });
        }
        true
    }

    fn conflicts(&self, running: &Running) -> bool {
        let mut since = self.log[running.start..].iter().flatten();
        match self.level {
            StoreLevel::Snapshot => since.any(|key| running.own.contains_key(key)),
            StoreLevel::Serializable => {
                since.any(|key| running.read.iter().any(|interval| interval.contains(*key)))
            }
        }
    }

    /// What a transaction sees of an interval.
    fn items(&self, running: &Running, interval: Interval) -> Items {
        let versions = self.versions.range(interval.bounds());
        let mut items: Items = versions
            .filter_map(|(key, versions)| Some((*key, at(versions, running.start)?)))
            .collect();
        for (key, value) in running.own.range(interval.bounds()) {
            let place = items.binary_search_by_key(key, |item| item.0);
            match (place, value) {
                (Ok(place), Some(value)) => items[place].1 = *value,
                (Ok(place), None) => drop(items.remove(place)),
                (Err(place), Some(value)) => items.insert(place, (*key, *value)),
                (Err(_), None) => {}
            }
        }
        items
    }
}

impl Running {
    /// Writes a value, or absent.
    pub(super) fn put(&mut self, key: i64, value: Option<ValueId>) {
        self.own.insert(key, value);
    }
}

/// What a key held after so many commits.
fn at(versions: &[Version], time: usize) -> Option<ValueId> {
    versions.iter().rev().find(|version| version.since <= time)?.value
}
