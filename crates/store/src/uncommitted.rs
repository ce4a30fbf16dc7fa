//! Values that running transactions have written, for dirty reads.

use rustc_hash::FxHashMap;

/// The writes of running transactions.
#[derive(Debug)]
pub(crate) struct Uncommitted<V> {
    /// Per key the writers and their values, oldest first.
    writes: FxHashMap<i64, Vec<(u64, Option<V>)>>,
}

impl<V> Default for Uncommitted<V> {
    fn default() -> Self {
        Self { writes: FxHashMap::default() }
    }
}

impl<V: Copy> Uncommitted<V> {
    /// A transaction writes a value, or deletes a key.
    pub(crate) fn add(&mut self, key: i64, writer: u64, value: Option<V>) {
        self.writes.entry(key).or_default().push((writer, value));
    }

    /// The newest write of a key by another transaction than the reader.
    pub(crate) fn newest(&self, key: i64, reader: u64) -> Option<Option<V>> {
        let writes = self.writes.get(&key)?;
        let (_, value) = writes.iter().rfind(|(writer, _)| *writer != reader)?;
        Some(*value)
    }

    /// Removes the writes of a transaction that has ended.
    pub(crate) fn remove(&mut self, keys: impl Iterator<Item = i64>, writer: u64) {
        for key in keys {
            if let Some(writes) = self.writes.get_mut(&key) {
                writes.retain(|(other, _)| *other != writer);
                if writes.is_empty() {
                    self.writes.remove(&key);
                }
            }
        }
    }
}
