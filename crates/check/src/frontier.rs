//! Many levels at once: an accept settles every weaker level, a reject every stronger one.
//!
//! The evidence is the same: the witness of a level is one of every weaker level, and a cycle that
//! a level forbids is forbidden by every stronger one. Levels with dirty reads read lists by
//! rules of their own, so they neither give evidence nor take it.

use tristan_spec::lattice::Lattice;
use tristan_spec::{Level, ReadRule};
use tristan_verdict::{Answer, Verdict};

/// Which levels are still open, and which of them tells most about the others.
pub(crate) struct Frontier {
    /// Per level, which others it implies.
    implies: Vec<Vec<bool>>,
    open: Vec<bool>,
}

impl Frontier {
    pub(crate) fn new(levels: &[Level]) -> Self {
        let implies = levels.iter().map(|stronger| {
            levels.iter().map(|weaker| shares_evidence(stronger, weaker)).collect()
        });
        Self { implies: implies.collect(), open: vec![true; levels.len()] }
    }

    /// The open level whose answer settles most others, whichever way it turns out.
    pub(crate) fn next(&self) -> Option<usize> {
        let open = |&index: &usize| self.open[index];
        let value = |&index: &usize| {
            let settled_by = |settles: &dyn Fn(usize, usize) -> bool| {
                (0..self.open.len()).filter(open).filter(|&other| settles(index, other)).count()
            };
            let weaker = settled_by(&|this, other| self.implies[this][other]);
            let stronger = settled_by(&|this, other| self.implies[other][this]);
            (weaker.min(stronger), std::cmp::Reverse(index))
        };
        (0..self.open.len()).filter(open).max_by_key(value)
    }

    /// Notes the verdict of a level; the levels that it settles as well.
    pub(crate) fn settle(&mut self, index: usize, verdict: &Verdict) -> Vec<usize> {
        self.open[index] = false;
        let settled = |other: usize| match verdict.answer {
            Answer::Accept { .. } => self.implies[index][other],
            Answer::Reject { .. } => self.implies[other][index],
            Answer::Unknown { .. } => false,
        };
        let others: Vec<usize> =
            (0..self.open.len()).filter(|&other| self.open[other] && settled(other)).collect();
        others.iter().for_each(|&other| self.open[other] = false);
        others
    }
}

fn shares_evidence(stronger: &Level, weaker: &Level) -> bool {
    let committed = |level: &Level| level.reads == ReadRule::Committed;
    stronger.name != weaker.name
        && committed(stronger)
        && committed(weaker)
        && Lattice::library().implies(&stronger.name, &weaker.name)
}
