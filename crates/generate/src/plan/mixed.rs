//! Operations of all kinds side by side in one transaction, each chosen on its own.

use super::{Draw, Planner, Rng, Step};
use crate::Mix;

/// Widest range, in keys.
const WIDEST: u64 = 100;
/// Most items that an iterator takes.
const MOST_ITEMS: u64 = 10;

pub(super) struct Mixed {
    pub(super) mix: Mix,
    pub(super) ops: usize,
    pub(super) keys: Draw,
}

impl Planner for Mixed {
    fn plan(&mut self, rng: &mut Rng, steps: &mut Vec<Step>) {
        for _ in 0..self.ops {
            self.choose(rng, steps);
        }
    }
}

impl Mixed {
    fn choose(&self, rng: &mut Rng, steps: &mut Vec<Step>) {
        let mix = &self.mix;
        let key = self.keys.key(rng);
        let mut dice = rng.below(100);
        let mut falls_on = |share: u64| {
            let hit = dice < share;
            dice = dice.wrapping_sub(share);
            hit
        };
        if falls_on(mix.read) {
            steps.push(Step::Read(key));
        } else if falls_on(mix.write) {
            steps.push(Step::Write(key));
        } else if falls_on(mix.delete) {
            steps.push(Step::Delete(key));
        } else if falls_on(mix.scan) {
            if mix.everything_first {
                steps.push(Step::ScanEverything);
            }
            steps.push(Step::Scan(key, end_of_range(key, rng)));
        } else if falls_on(mix.iterate) {
            let most = 1 + rng.below(MOST_ITEMS) as usize;
            steps.push(Step::Iterate(key, end_of_range(key, rng), most));
        } else {
            steps.extend([Step::Read(key), Step::Write(key)]);
        }
    }
}

fn end_of_range(start: i64, rng: &mut Rng) -> i64 {
    start + 1 + rng.below(WIDEST) as i64
}
