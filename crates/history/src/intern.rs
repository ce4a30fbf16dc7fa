//! Interning: every distinct datum is stored once and named by a small number.
//!
//! The table holds numbers only, four bytes each; what they stand for is looked up in the list.
//! Traces have as many values as writes, so this is a good part of what a trace takes.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::Datum;

/// A set of data in order of first appearance.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    items: Vec<Datum>,
    /// An open hash table: numbers plus one, or 0 where nothing is. Its size is a power of two,
    /// or zero.
    slots: Vec<u32>,
}

/// Smallest table.
const SMALLEST: usize = 16;

impl Interner {
    /// The number of `datum`, new or old.
    pub fn intern(&mut self, datum: Datum) -> u32 {
        if 4 * (self.items.len() + 1) > 3 * self.slots.len() {
            self.grow();
        }
        let slot = self.slot(&datum);
        if let Some(known) = self.slots[slot].checked_sub(1) {
            return known;
        }
        let fresh = u32::try_from(self.items.len()).ok().filter(|&number| number < u32::MAX);
        let fresh = fresh.expect("more than 4 billion distinct data");
        self.slots[slot] = fresh + 1;
        self.items.push(datum);
        fresh
    }

    /// The number of `datum`, if it was interned.
    pub fn find(&self, datum: &Datum) -> Option<u32> {
        if self.slots.is_empty() { None } else { self.slots[self.slot(datum)].checked_sub(1) }
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

    /// Where `datum` is in the table, or would be.
    fn slot(&self, datum: &Datum) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(datum) & mask;
        while let Some(number) = self.slots[slot].checked_sub(1) {
            if self.items[number as usize] == *datum {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Doubles the table.
    fn grow(&mut self) {
        let size = (2 * self.slots.len()).max(SMALLEST);
        self.slots = vec![0; size];
        for (number, datum) in self.items.iter().enumerate() {
            let mut slot = hash(datum) & (size - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = number as u32 + 1;
        }
    }
}

fn hash(datum: &Datum) -> usize {
    let mut hasher = FxHasher::default();
    datum.hash(&mut hasher);
    hasher.finish() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_first_appearance_and_are_found_again() {
        let mut interner = Interner::default();
        assert_eq!(interner.find(&Datum::Int(7)), None);
        for round in 0..2 {
            for number in 0..10_000u32 {
                let datum = if number % 3 == 0 {
                    Datum::from(format!("k{number}").as_str())
                } else {
                    Datum::Int(i128::from(number) << (number % 60))
                };
                let before = interner.len();
                let id = interner.intern(datum.clone());
                assert_eq!(interner.get(id), &datum);
                assert_eq!(interner.find(&datum), Some(id));
                assert!(round == 0 || interner.len() == before);
            }
        }
        assert!(!interner.is_empty());
        assert_eq!(interner.find(&Datum::from("nobody")), None);
    }
}
