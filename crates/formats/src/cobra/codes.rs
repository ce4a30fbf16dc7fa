//! Numbers of 64 bits for keys and values, no two alike.

use std::borrow::Borrow;

use rustc_hash::FxHashSet;

use tristan_history::Datum;

/// A number for every datum of a list.
pub(super) struct Codes {
    codes: Vec<u64>,
}

impl Codes {
    /// Integers stand for themselves where 64 bits are enough; all else is hashed. Where a hash
    /// is taken, the next free number is used.
    pub(super) fn of<D: Borrow<Datum>>(data: impl Iterator<Item = D> + Clone) -> Self {
        let mut taken: FxHashSet<u64> =
            data.clone().filter_map(|datum| Datum::natural(datum.borrow())).collect();
        let mut code = |datum: D| {
            let datum = datum.borrow();
            datum.natural().unwrap_or_else(|| {
                let mut code = hash(datum);
                while !taken.insert(code) {
                    code = code.wrapping_add(1);
                }
                code
            })
        };
        let codes = data.map(&mut code).collect();
        Self { codes }
    }

    /// The number of a datum, by its place in the list.
    pub(super) fn get(&self, number: u32) -> u64 {
        self.codes[number as usize]
    }
}

/// FNV-1a of the bytes that tell a datum from all others.
fn hash(datum: &Datum) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let start = 0xcbf2_9ce4_8422_2325;
    match datum {
        Datum::Int(number) => number.to_be_bytes().iter().fold(step(start, &b'i'), step),
        Datum::Text(text) => text.as_bytes().iter().fold(step(start, &b't'), step),
        Datum::Bytes(bytes) => bytes.iter().fold(step(start, &b'b'), step),
        Datum::Json(json) => json.as_bytes().iter().fold(step(start, &b'j'), step),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tristan_history::Interner;

    #[test]
    fn integers_stand_for_themselves_even_where_a_hash_would_be() {
        let mut data = Interner::default();
        data.intern("x".into());
        data.intern(Datum::Int(-1));
        data.intern(Datum::Int(u64::MAX.into()));
        data.intern(Datum::Int(hash(&"x".into()).into()));
        let codes = Codes::of(data.iter());
        assert_eq!(codes.get(0), hash(&"x".into()) + 1);
        assert_eq!(codes.get(2), u64::MAX);
        assert_eq!(codes.get(3), hash(&"x".into()));
    }

    #[test]
    fn hashes_never_change() {
        assert_eq!(hash(&"x".into()), 0x08c8_4807_b56a_da21);
    }
}
