//! Interning: every distinct datum is stored once and named by a small number.
//!
//! The table holds numbers only, four bytes each; what they stand for is looked up in the list.
//! Traces have as many values as writes, so this is a good part of what a trace takes.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::Datum;

/// A set of data in order of first appearance.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    items: Vec<Datum>,
    slots: Slots,
}

impl Interner {
    /// The number of `datum`, new or old.
    pub fn intern(&mut self, datum: Datum) -> u32 {
        let Self { items, slots } = self;
        slots.grow(items.len(), |number| hash(&items[number as usize]));
        let is_it = |number: u32| items[number as usize] == datum;
        slots.find_or_add(hash(&datum), items.len(), is_it).unwrap_or_else(|fresh| {
            items.push(datum);
            fresh
        })
    }

    /// The number of `datum`, if it was interned.
    pub fn find(&self, datum: &Datum) -> Option<u32> {
        self.slots.find(hash(datum), |number| self.items[number as usize] == *datum)
    }

    /// The datum with this number.
    pub fn get(&self, number: u32) -> &Datum {
        &self.items[number as usize]
    }

    /// All data, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Datum> + Clone {
        self.items.iter()
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

/// The same for data of which very many are integers: these take eight bytes each.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// The integer, or below [`PLAIN`] the place of something else.
    words: Vec<i64>,
    /// What is no integer, or one that is out of reach.
    others: Vec<Datum>,
    slots: Slots,
}

/// The smallest integer that stands for itself. There are as many below it as there are numbers.
const PLAIN: i64 = i64::MIN + (1 << 32);

impl Values {
    /// The number of `datum`, new or old.
    pub fn intern(&mut self, datum: Datum) -> u32 {
        let Self { words, others, slots } = self;
        slots.grow(words.len(), |number| match word(words[number as usize]) {
            Ok(plain) => hash(&plain),
            Err(place) => hash(&others[place]),
        });
        match plain(&datum) {
            Some(plain) => {
                let is_it = |number: u32| words[number as usize] == plain;
                slots.find_or_add(hash(&plain), words.len(), is_it).unwrap_or_else(|fresh| {
                    words.push(plain);
                    fresh
                })
            }
            None => {
                let is_it = |number: u32| {
                    word(words[number as usize]).is_err_and(|place| others[place] == datum)
                };
                slots.find_or_add(hash(&datum), words.len(), is_it).unwrap_or_else(|fresh| {
                    words.push(i64::MIN + others.len() as i64);
                    others.push(datum);
                    fresh
                })
            }
        }
    }

    /// The number of `datum`, if it was interned.
    pub fn find(&self, datum: &Datum) -> Option<u32> {
        match plain(datum) {
            Some(plain) => {
                self.slots.find(hash(&plain), |number| self.words[number as usize] == plain)
            }
            None => self.slots.find(hash(datum), |number| {
                word(self.words[number as usize]).is_err_and(|place| self.others[place] == *datum)
            }),
        }
    }

    /// The datum with this number.
    pub fn get(&self, number: u32) -> Cow<'_, Datum> {
        match word(self.words[number as usize]) {
            Ok(plain) => Cow::Owned(plain.into()),
            Err(place) => Cow::Borrowed(&self.others[place]),
        }
    }

    /// All data, in order.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, Datum>> + Clone {
        (0..self.len()).map(|number| self.get(number as u32))
    }

    /// How many distinct data there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether nothing was interned.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// The word of an integer that stands for itself.
fn plain(datum: &Datum) -> Option<i64> {
    match datum {
        Datum::Int(number) => i64::try_from(*number).ok().filter(|&number| number >= PLAIN),
        Datum::Text(_) | Datum::Bytes(_) | Datum::Json(_) => None,
    }
}

/// What a word stands for: an integer, or the place of something else.
fn word(word: i64) -> Result<i64, usize> {
    if word >= PLAIN { Ok(word) } else { Err((word - i64::MIN) as usize) }
}

/// An open hash table: numbers plus one, or 0 where nothing is. Its size is a power of two, or
/// zero.
#[derive(Clone, Debug, Default)]
struct Slots(Vec<u32>);

/// Smallest table.
const SMALLEST: usize = 16;

impl Slots {
    /// The number that was there; else the next number, which is there from now on.
    fn find_or_add(
        &mut self,
        hash: usize,
        count: usize,
        is_it: impl Fn(u32) -> bool,
    ) -> Result<u32, u32> {
        let slot = self.slot(hash, is_it);
        if let Some(known) = self.0[slot].checked_sub(1) {
            return Ok(known);
        }
        let fresh = u32::try_from(count).ok().filter(|&number| number < u32::MAX);
        let fresh = fresh.expect("more than 4 billion distinct data");
        self.0[slot] = fresh + 1;
        Err(fresh)
    }

    fn find(&self, hash: usize, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        if self.0.is_empty() { None } else { self.0[self.slot(hash, is_it)].checked_sub(1) }
    }

    /// Where something is in the table, or would be.
    fn slot(&self, hash: usize, is_it: impl Fn(u32) -> bool) -> usize {
        let mask = self.0.len() - 1;
        let mut slot = hash & mask;
        while let Some(number) = self.0[slot].checked_sub(1) {
            if is_it(number) {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Makes room for one more, if there is none.
    fn grow(&mut self, count: usize, hash: impl Fn(u32) -> usize) {
        if 4 * (count + 1) <= 3 * self.0.len() {
            return;
        }
        let size = (2 * self.0.len()).max(SMALLEST);
        self.0 = vec![0; size];
        for number in 0..count as u32 {
            let mut slot = hash(number) & (size - 1);
            while self.0[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.0[slot] = number + 1;
        }
    }
}

fn hash(datum: &impl Hash) -> usize {
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

    #[test]
    fn values_of_every_kind_are_found_again() {
        let mut values = Values::default();
        let edges = [i64::MIN, i64::MIN + 1, PLAIN - 1, PLAIN, -1, 0, 1, i64::MAX];
        let integers = edges.iter().map(|&number| Datum::from(number));
        let large = [u64::MAX, i64::MAX as u64 + 1].map(|number| Datum::Int(number.into()));
        let texts = ["", "0", "x"].map(Datum::from);
        let mut data: Vec<Datum> = integers.chain(large).chain(texts).collect();
        data.push(Datum::from(&b"x"[..]));
        data.extend((100..5000).map(|number| Datum::Int(number * 1_000_000_007)));
        for datum in &data {
            assert_eq!(values.find(datum), None);
            let id = values.intern(datum.clone());
            assert_eq!(id as usize + 1, values.len());
        }
        for (id, datum) in data.iter().enumerate() {
            assert_eq!(values.intern(datum.clone()), id as u32);
            assert_eq!(values.find(datum), Some(id as u32));
            assert_eq!(*values.get(id as u32), *datum);
        }
        assert!(!values.is_empty());
    }
}
