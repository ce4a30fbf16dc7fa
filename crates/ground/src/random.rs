//! Numbers that look random, and are the same every time.

/// A sequence of numbers that look random (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below a bound; 0 if the bound is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(1);
        scrambled(self.0).checked_rem(bound).unwrap_or_default()
    }
}

/// A number that looks random, another one for every number.
pub fn scrambled(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spread_and_the_same_every_time() {
        let numbers = |seed| {
            let mut random = Random::new(seed);
            (0..1000).map(|_| random.below(10)).collect::<Vec<u64>>()
        };
        assert_eq!(numbers(1), numbers(1));
        assert_ne!(numbers(1), numbers(2));
        for digit in 0..10 {
            let count = numbers(3).into_iter().filter(|&one| one == digit).count();
            assert!((60..140).contains(&count), "{digit}: {count}");
        }
        assert_eq!(Random::new(1).below(0), 0);
    }
}
