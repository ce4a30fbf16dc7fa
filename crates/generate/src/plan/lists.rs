//! Appends to lists and reads of whole lists, as Elle's tests do them.
//!
//! Only so many keys are in use at a time. One that has had its share of appends is retired and
//! the next number takes its place, so that lists stay short however long the run is.

use super::{Draw, Planner, Rng, Step, between};

pub(super) struct Lists {
    /// Keys in use, with the number of appends to each.
    in_use: Vec<(i64, u32)>,
    next_key: i64,
    appends_per_key: u32,
    /// The most operations of a transaction; the fewest are one.
    ops: usize,
    keys: Draw,
}

impl Lists {
    pub(super) fn new(keys: u64, appends_per_key: u32, ops: usize, draw: Draw) -> Self {
        let count = keys.max(1) as i64;
        let in_use = (1..=count).map(|key| (key, 0)).collect();
        Self { in_use, next_key: count + 1, appends_per_key, ops, keys: draw }
    }

    fn append(&mut self, place: usize) -> Step {
        let (key, appends) = self.in_use[place];
        self.in_use[place].1 += 1;
        if appends + 1 >= self.appends_per_key {
            self.in_use[place] = (self.next_key, 0);
            self.next_key += 1;
        }
        Step::Append(key)
    }
}

impl Planner for Lists {
    fn plan(&mut self, rng: &mut Rng, steps: &mut Vec<Step>) {
        for _ in 0..between(rng, 1, self.ops) {
            let place = self.keys.draw(rng) as usize;
            let step = match rng.percent(50) {
                true => self.append(place),
                false => Step::ReadList(self.in_use[place].0),
            };
            steps.push(step);
        }
    }
}
