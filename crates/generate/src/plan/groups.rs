//! Small transactions on keys that belong together: those that show one anomaly best.
//!
//! ```text
//!   pairs        one or two keys, each read and then written ("mini-transactions")
//!   long fork    writers of one key of a group; readers of the whole group
//!   write skew   readers of the whole group, each of which then writes one key of it
//! ```

use super::{Draw, Planner, Rng, Step};

/// Reads and then writes one key or two.
pub(super) struct Pairs {
    pub(super) keys: Draw,
}

impl Planner for Pairs {
    fn plan(&mut self, rng: &mut Rng, steps: &mut Vec<Step>) {
        let first = self.keys.key(rng);
        steps.extend([Step::Read(first), Step::Write(first)]);
        let second = self.keys.key(rng);
        if rng.percent(50) && second != first {
            steps.extend([Step::Read(second), Step::Write(second)]);
        }
    }
}

/// Keys `1..=group` belong together, then the next ones, and so on.
fn members(group: usize, key: i64) -> impl Iterator<Item = i64> {
    let group = group.max(2) as i64;
    let first = (key - 1) / group * group + 1;
    first..first + group
}

/// Two writers of different keys must not be seen in different orders.
pub(super) struct LongFork {
    pub(super) group: usize,
    pub(super) keys: Draw,
}

impl Planner for LongFork {
    fn plan(&mut self, rng: &mut Rng, steps: &mut Vec<Step>) {
        let key = self.keys.key(rng);
        if rng.percent(50) {
            return steps.push(Step::Write(key));
        }
        let start = steps.len();
        steps.extend(members(self.group, key).map(Step::Read));
        // In any order: the transaction that reads first sees the least.
        for at in (start + 1..steps.len()).rev() {
            steps.swap(at, start + rng.below((at - start + 1) as u64) as usize);
        }
    }
}

/// What each of two decided from what both read must not come together.
pub(super) struct WriteSkew {
    pub(super) group: usize,
    pub(super) keys: Draw,
}

impl Planner for WriteSkew {
    fn plan(&mut self, rng: &mut Rng, steps: &mut Vec<Step>) {
        let key = self.keys.key(rng);
        steps.extend(members(self.group, key).map(Step::Read));
        steps.push(Step::Write(key));
    }
}
