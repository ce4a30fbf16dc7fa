//! The lists of all keys, in all versions that can still be read.

use rustc_hash::FxHashMap;

use crate::chain::Chain;

/// A list per key. Lists only grow, so a version is a length.
#[derive(Debug)]
pub(crate) struct Lists<V> {
    lists: FxHashMap<i64, List<V>>,
}

#[derive(Debug)]
struct List<V> {
    elements: Vec<V>,
    lengths: Chain<usize>,
}

impl<V> Default for Lists<V> {
    fn default() -> Self {
        Self { lists: FxHashMap::default() }
    }
}

impl<V: Copy> Lists<V> {
    /// The list of a key at a time.
    pub(crate) fn at(&self, key: i64, time: u64) -> &[V] {
        self.lists.get(&key).map_or(&[], |list| &list.elements[..list.lengths.at(time)])
    }

    /// Whether a list was appended to after a time.
    pub(crate) fn changed_after(&self, key: i64, time: u64) -> bool {
        self.lists.get(&key).is_some_and(|list| list.lengths.changed_after(time))
    }

    /// Appends elements; no transaction reads at times before `oldest` any more.
    pub(crate) fn append(&mut self, key: i64, since: u64, elements: Vec<V>, oldest: u64) {
        match self.lists.get_mut(&key) {
            Some(list) => {
                list.elements.extend(elements);
                list.lengths.install(since, list.elements.len(), oldest);
            }
            None => {
                let lengths = Chain::new(since, elements.len());
                self.lists.insert(key, List { elements, lengths });
            }
        }
    }
}
