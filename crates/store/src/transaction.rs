//! A transaction that has not ended: what it wrote and what it read.

use std::collections::BTreeMap;

use crate::interval::Interval;
use crate::level::Level;
use crate::values::Items;

/// A transaction that has not ended.
///
/// It ends with [`Store::commit`](crate::Store::commit) or [`Store::abort`](crate::Store::abort). If
/// it is dropped instead, the store keeps the versions that it could read and shows its writes to
/// dirty reads.
#[derive(Debug)]
pub struct Transaction<V> {
    pub(crate) level: Level,
    pub(crate) number: u64,
    pub(crate) start: u64,
    pub(crate) writes: Writes<V>,
    pub(crate) reads: Reads,
}

/// What a transaction wrote.
#[derive(Debug)]
pub(crate) struct Writes<V> {
    /// New values; `None` deletes the key.
    pub(crate) values: BTreeMap<i64, Option<V>>,
    pub(crate) appended: BTreeMap<i64, Vec<V>>,
}

/// What a transaction read, as far as it must not change before the commit.
#[derive(Debug, Default)]
pub(crate) struct Reads {
    pub(crate) keys: Vec<i64>,
    pub(crate) lists: Vec<i64>,
    pub(crate) ranges: Vec<Interval>,
}

impl<V> Transaction<V> {
    pub(crate) fn new(level: Level, number: u64, start: u64) -> Self {
        let writes = Writes { values: BTreeMap::new(), appended: BTreeMap::new() };
        Self { level, number, start, writes, reads: Reads::default() }
    }
}

impl<V> Writes<V> {
    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty() && self.appended.is_empty()
    }
}

impl<V: Copy> Writes<V> {
    /// Replaces committed items of an interval by what the transaction itself wrote there.
    pub(crate) fn overlay(&self, interval: Interval, items: &mut Items<V>) {
        for (key, value) in self.values.range(interval.bounds()) {
            let place = items.binary_search_by_key(key, |item| item.0);
            match (place, value) {
                (Ok(place), Some(value)) => items[place].1 = *value,
                (Ok(place), None) => drop(items.remove(place)),
                (Err(place), Some(value)) => items.insert(place, (*key, *value)),
                (Err(_), None) => {}
            }
        }
    }
}
