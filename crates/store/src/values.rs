//! The values of all keys, in all versions that can still be read.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::chain::Chain;
use crate::interval::Interval;

/// Keys with their values, in the order of keys.
pub type Items<V> = Vec<(i64, V)>;

/// A chain of versions per key. A version without a value says that the key was deleted.
#[derive(Debug)]
pub(crate) struct Values<V> {
    chains: Vec<Chain<Option<V>>>,
    /// The place of each key among the chains.
    places: FxHashMap<i64, usize>,
    /// The same in the order of keys. Most workloads read no ranges and never pay for it: it is
    /// built for the first range read.
    ordered: Option<BTreeMap<i64, usize>>,
}

impl<V> Default for Values<V> {
    fn default() -> Self {
        Self { chains: Vec::new(), places: FxHashMap::default(), ordered: None }
    }
}

impl<V: Copy> Values<V> {
    /// The versions of a key, if it was ever written.
    pub(crate) fn chain(&self, key: i64) -> Option<&Chain<Option<V>>> {
        Some(&self.chains[*self.places.get(&key)?])
    }

    /// Whether a key was written after a time.
    pub(crate) fn changed_after(&self, key: i64, time: u64) -> bool {
        self.chain(key).is_some_and(|chain| chain.changed_after(time))
    }

    /// Whether a key of an interval that was read was written after a time.
    pub(crate) fn any_changed_after(&self, interval: Interval, time: u64) -> bool {
        let mut places = self.ordered.iter().flat_map(|all| all.range(interval.bounds()));
        places.any(|(_, place)| self.chains[*place].changed_after(time))
    }

    /// The keys of an interval and their values at a time.
    pub(crate) fn items(&mut self, interval: Interval, time: u64) -> Items<V> {
        let places = &self.places;
        let in_order = || places.iter().map(|(key, place)| (*key, *place)).collect();
        let ordered = self.ordered.get_or_insert_with(in_order);
        ordered
            .range(interval.bounds())
            .filter_map(|(key, place)| Some((*key, self.chains[*place].at(time)?)))
            .collect()
    }

    /// Adds a version of a key; no transaction reads at times before `oldest` any more.
    pub(crate) fn install(&mut self, key: i64, since: u64, value: Option<V>, oldest: u64) {
        if let Some(place) = self.places.get(&key) {
            return self.chains[*place].install(since, value, oldest);
        }
        let place = self.chains.len();
        self.chains.push(Chain::new(since, value));
        self.places.insert(key, place);
        if let Some(ordered) = &mut self.ordered {
            ordered.insert(key, place);
        }
    }
}
