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
//!
//! Both questions are answered by the last version of each key, and versions that no running
//! transaction can see are dropped: what a transaction costs depends on nothing but its size.

use std::collections::BTreeMap;
use std::ops::Bound;

use rustc_hash::FxHashMap;

use super::chain::{Chain, Content};
use tristan_history::ValueId;

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

    fn bounds(self) -> (Bound<i64>, Bound<i64>) {
        (
            self.lo.map_or(Bound::Unbounded, Bound::Included),
            self.hi.map_or(Bound::Unbounded, Bound::Excluded),
        )
    }
}

/// Keys with their values, in order.
pub(super) type Items = Vec<(i64, ValueId)>;

/// The versions of all keys.
#[derive(Debug)]
pub(super) struct Store {
    level: StoreLevel,
    chains: Vec<Chain>,
    /// The place of each key among the chains.
    places: FxHashMap<i64, usize>,
    /// The same in the order of keys, from the first range read on.
    ordered: Option<BTreeMap<i64, usize>>,
    /// The number of commits so far, which is the time.
    commits: usize,
    /// The starts of running transactions, with how many have it.
    starts: BTreeMap<usize, usize>,
}

/// A transaction under way.
#[derive(Debug)]
pub(super) struct Running {
    start: usize,
    own: BTreeMap<i64, Written>,
    read_keys: Vec<i64>,
    read_ranges: Vec<Interval>,
}

/// What a transaction has done to a key.
#[derive(Debug)]
enum Written {
    Put(ValueId),
    Deleted,
    Appended(Vec<ValueId>),
}

impl Store {
    pub(super) fn new(level: StoreLevel) -> Self {
        Self {
            level,
            chains: Vec::new(),
            places: FxHashMap::default(),
            ordered: None,
            commits: 0,
            starts: BTreeMap::new(),
        }
    }

    pub(super) fn begin(&mut self) -> Running {
        let start = self.commits;
        *self.starts.entry(start).or_default() += 1;
        Running { start, own: BTreeMap::new(), read_keys: Vec::new(), read_ranges: Vec::new() }
    }

    pub(super) fn get(&self, running: &mut Running, key: i64) -> Option<ValueId> {
        match running.own.get(&key) {
            Some(Written::Put(value)) => return Some(*value),
            Some(Written::Deleted) => return None,
            Some(Written::Appended(_)) | None => {}
        }
        running.read_keys.push(key);
        self.chain(key).and_then(|chain| chain.value_at(running.start))
    }

    /// The list under a key.
    pub(super) fn list(&self, running: &mut Running, key: i64) -> Box<[ValueId]> {
        running.read_keys.push(key);
        let committed = self.chain(key).map_or(&[][..], |chain| chain.list_at(running.start));
        match running.own.get(&key) {
            Some(Written::Appended(own)) => [committed, own].concat().into(),
            _ => committed.into(),
        }
    }

    pub(super) fn scan(&mut self, running: &mut Running, interval: Interval) -> Items {
        running.read_ranges.push(interval);
        self.items(running, interval)
    }

    /// The first `most` items of an interval, and whether there are no more.
    pub(super) fn iterate(
        &mut self,
        running: &mut Running,
        interval: Interval,
        most: usize,
    ) -> (Items, bool) {
        let mut items = self.items(running, interval);
        let reached_end = items.len() < most;
        items.truncate(most);
        let last = items.last().filter(|_| !reached_end);
        let hi = last.map_or(interval.hi, |(key, _)| Some(key + 1));
        running.read_ranges.push(Interval { hi, ..interval });
        (items, reached_end)
    }

    /// Installs the writes of a transaction; false if it had to be aborted.
    pub(super) fn commit(&mut self, running: Running) -> bool {
        self.forget_start(running.start);
        if self.conflicts(&running) {
            return false;
        }
        self.commits += 1;
        let oldest = self.starts.first_key_value().map_or(self.commits, |(start, _)| *start);
        for (key, written) in running.own {
            let since = self.commits;
            let chain = self.chain_mut(key);
            match written {
                Written::Put(value) => chain.install(since, Content::Value(value), oldest),
                Written::Deleted => chain.install(since, Content::Absent, oldest),
                Written::Appended(elements) => chain.append(since, &elements, oldest),
            }
        }
        true
    }

    fn forget_start(&mut self, start: usize) {
        if let Some(count) = self.starts.get_mut(&start) {
            *count -= 1;
            if *count == 0 {
                self.starts.remove(&start);
            }
        }
    }

    fn conflicts(&self, running: &Running) -> bool {
        let since = |chain: &Chain| chain.changed_after(running.start);
        let key_changed = |key: &i64| self.chain(*key).is_some_and(since);
        match self.level {
            StoreLevel::Snapshot => running.own.keys().any(key_changed),
            StoreLevel::Serializable => {
                let range_changed = |interval: &Interval| {
                    let places = self.ordered.iter().flat_map(|all| all.range(interval.bounds()));
                    places.into_iter().any(|(_, place)| since(&self.chains[*place]))
                };
                running.read_keys.iter().any(key_changed)
                    || running.read_ranges.iter().any(range_changed)
            }
        }
    }

    fn chain(&self, key: i64) -> Option<&Chain> {
        Some(&self.chains[*self.places.get(&key)?])
    }

    fn chain_mut(&mut self, key: i64) -> &mut Chain {
        let fresh = self.chains.len();
        let place = *self.places.entry(key).or_insert(fresh);
        if place == fresh {
            self.chains.push(Chain::default());
            if let Some(ordered) = &mut self.ordered {
                ordered.insert(key, fresh);
            }
        }
        &mut self.chains[place]
    }

    /// What a transaction sees of an interval.
    fn items(&mut self, running: &Running, interval: Interval) -> Items {
        let places = &self.places;
        let in_order = || places.iter().map(|(key, place)| (*key, *place)).collect();
        let ordered = self.ordered.get_or_insert_with(in_order);
        let mut items: Items = ordered
            .range(interval.bounds())
            .filter_map(|(key, place)| Some((*key, self.chains[*place].value_at(running.start)?)))
            .collect();
        for (key, written) in running.own.range(interval.bounds()) {
            let place = items.binary_search_by_key(key, |item| item.0);
            match (place, written) {
                (Ok(place), Written::Put(value)) => items[place].1 = *value,
                (Ok(place), Written::Deleted) => drop(items.remove(place)),
                (Err(place), Written::Put(value)) => items.insert(place, (*key, *value)),
                (Err(_), Written::Deleted) | (_, Written::Appended(_)) => {}
            }
        }
        items
    }
}

impl Running {
    /// Writes a value, or absent.
    pub(super) fn put(&mut self, key: i64, value: Option<ValueId>) {
        self.own.insert(key, value.map_or(Written::Deleted, Written::Put));
    }

    /// Appends an element to the list under a key.
    pub(super) fn append(&mut self, key: i64, element: ValueId) {
        match self.own.entry(key).or_insert_with(|| Written::Appended(Vec::new())) {
            Written::Appended(elements) => elements.push(element),
            other => *other = Written::Appended(vec![element]),
        }
    }
}
