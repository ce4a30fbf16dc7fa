//! A transaction reads a few keys and then writes them all.

use super::{Draw, Planner, Rng, Step, between};

pub(super) struct Updates {
    /// The most keys of a transaction; the fewest are half of them.
    pub(super) ops: usize,
    pub(super) keys: Draw,
}

impl Planner for Updates {
    fn plan(&mut self, rng: &mut Rng, steps: &mut Vec<Step>) {
        let count = between(rng, self.ops.div_ceil(2), self.ops);
        let mut keys: Vec<i64> = (0..count).map(|_| self.keys.key(rng)).collect();
        keys.sort_unstable();
        keys.dedup();
        steps.extend(keys.iter().map(|key| Step::Read(*key)));
        steps.extend(keys.iter().map(|key| Step::Write(*key)));
    }
}
