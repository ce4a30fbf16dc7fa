//! Numbers that look random and are the same every time.

/// A small generator of random numbers (xorshift64), the same on every platform.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator; the same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        // Zero would be a fixed point. The first numbers of small seeds resemble each other.
        let mut random = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..8 {
            random.bits();
        }
        random
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `limit`, which must be positive.
    pub fn below<N: TryFrom<u64>>(&mut self, limit: N) -> N
    where
        u64: TryFrom<N>,
    {
        let limit = u64::try_from(limit).ok().expect("a positive limit");
        N::try_from((self.bits() >> 11) % limit).ok().expect("it is below the limit")
    }

    /// True in `percent` of 100 cases.
    pub fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One element of a list.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// One of some words.
    pub fn word(&mut self, from: &[&str]) -> String {
        (*self.pick(from)).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_same_seed_gives_the_same_numbers_and_another_gives_others() {
        let numbers = |seed| {
            let mut random = Random::new(seed);
            (0..100).map(|_| random.below(10)).collect::<Vec<_>>()
        };
        assert_eq!(numbers(1), numbers(1));
        assert_ne!(numbers(1), numbers(2));
        assert_ne!(numbers(0), vec![0; 100]);
        assert!((0..10).all(|digit| numbers(3).contains(&digit)));
    }
}
