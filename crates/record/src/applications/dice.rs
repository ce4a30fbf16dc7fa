//! A client's choices.

use tristan_generate::Rng;

/// Random numbers of one client, and numbers that no other client uses.
#[derive(Clone, Debug)]
pub struct Dice {
    rng: Rng,
    client: i64,
    clients: i64,
    used: i64,
}

impl Dice {
    /// The dice of a client, one of so many; the first is number 0.
    pub fn new(seed: u64, client: usize, clients: usize) -> Self {
        let mixed = seed.wrapping_mul(1_000_003).wrapping_add(client as u64 + 1);
        let (client, clients) = (client as i64, clients.max(1) as i64);
        Self { rng: Rng::new(mixed), client, clients, used: 0 }
    }

    /// The random numbers.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    /// A number from one to another, both included.
    pub fn between(&mut self, least: i64, most: i64) -> i64 {
        let width = u64::try_from(most - least + 1).unwrap_or(1).max(1);
        least + self.rng.below(width) as i64
    }

    /// True in so many of 100 cases.
    pub fn percent(&mut self, percent: u64) -> bool {
        self.rng.percent(percent)
    }

    /// A number from 0 on that is drawn once, by any client.
    pub fn fresh(&mut self) -> i64 {
        self.used += 1;
        (self.used - 1) * self.clients + self.client
    }

    /// Small letters.
    pub fn letters(&mut self, count: usize) -> String {
        (0..count).map(|_| char::from(b'a' + self.rng.below(26) as u8)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_draws_a_fresh_number_twice() {
        let mut drawn: Vec<i64> = Vec::new();
        for client in 0..3 {
            let mut dice = Dice::new(7, client, 3);
            drawn.extend((0..10).map(|_| dice.fresh()));
        }
        drawn.sort_unstable();
        assert_eq!(drawn, (0..30).collect::<Vec<i64>>());
    }

    #[test]
    fn bounds_are_kept() {
        let mut dice = Dice::new(1, 0, 1);
        assert!((0..1_000).all(|_| (-2..=3).contains(&dice.between(-2, 3))));
        assert_eq!((dice.between(5, 5), dice.letters(4).len()), (5, 4));
    }
}
