//! What one transaction did last to each key. Most touch few keys, some very many.

use rustc_hash::FxHashMap;
use tristan_history::KeyId;

/// Something per key, of the transaction that runs.
#[derive(Debug)]
pub(crate) struct LastByKey<T> {
    entries: Vec<(KeyId, T)>,
    /// Where a key's last entry is, if there are more than [`FEW`].
    places: FxHashMap<KeyId, u32>,
}

/// So many entries are looked through one by one.
const FEW: usize = 16;

impl<T> Default for LastByKey<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), places: FxHashMap::default() }
    }
}

impl<T: Copy> LastByKey<T> {
    /// Another transaction begins.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        if !self.places.is_empty() {
            self.places = FxHashMap::default();
        }
    }

    /// What was noted last for a key.
    pub(crate) fn get(&self, key: KeyId) -> Option<T> {
        if self.entries.len() > FEW {
            return self.places.get(&key).map(|&at| self.entries[at as usize].1);
        }
        self.entries.iter().rev().find(|(other, _)| *other == key).map(|&(_, noted)| noted)
    }

    /// Notes something for a key.
    pub(crate) fn set(&mut self, key: KeyId, noted: T) {
        self.entries.push((key, noted));
        let from = match self.entries.len() {
            count if count <= FEW => return,
            count if count == FEW + 1 => 0,
            count => count - 1,
        };
        for (at, (key, _)) in self.entries.iter().enumerate().skip(from) {
            self.places.insert(*key, at as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_keys_alike() {
        let mut last = LastByKey::default();
        for round in 0..3u32 {
            for key in 0..100 {
                assert_eq!(last.get(KeyId(key)), round.checked_sub(1));
                last.set(KeyId(key), round);
                assert_eq!(last.get(KeyId(key)), Some(round));
                assert_eq!(last.get(KeyId(0)), Some(round));
            }
        }
        last.clear();
        assert_eq!(last.get(KeyId(7)), None);
        last.set(KeyId(7), 1);
        assert_eq!((last.get(KeyId(7)), last.get(KeyId(8))), (Some(1), None));
    }
}
