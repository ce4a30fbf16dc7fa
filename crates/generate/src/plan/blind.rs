//! BlindW of the Cobra paper: a transaction only reads or only writes.

use super::{Draw, Planner, Rng, Step};

pub(super) struct Blind {
    pub(super) read_only_percent: u64,
    pub(super) ops: usize,
    pub(super) keys: Draw,
}

impl Planner for Blind {
    fn plan(&mut self, rng: &mut Rng, steps: &mut Vec<Step>) {
        let step = if rng.percent(self.read_only_percent) { Step::Read } else { Step::Write };
        steps.extend((0..self.ops).map(|_| step(self.keys.key(rng))));
    }
}
