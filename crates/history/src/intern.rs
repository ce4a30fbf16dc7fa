//! Interning: every distinct datum is stored once and named by a small number.

use rustc_hash::FxHashMap;

use crate::Datum;

/// A set of data in order of first appearance.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    items: Vec<Datum>,
    index: FxHashMap<Datum, u32>,
}

impl Interner {
    /// The number of `datum`, new or old.
    pub fn intern(&mut self, datum: Datum) -> u32 {
        if let Some(&known) = self.index.get(&datum) {
            return known;
        }
        let fresh = u32::try_from(self.items.len()).expect("more than 4 billion distinct data");
        self.items.push(datum.clone());
        self.index.insert(datum, fresh);
        fresh
    }

    /// The number of `datum`, if it was interned.
    pub fn find(&self, datum: &Datum) -> Option<u32> {
        self.index.get(datum).copied()
    }

    /// The datum with this number.
    pub fn get(&self, number: u32) -> &Datum {
        &self.items[number as usize]
    }

    /// How many distinct data there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether nothing was interned.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}
