//! Which of many levels to decide next: an accept settles every weaker level, a reject every
//! stronger one, and a level that could not be decided is settled by any of the others.
//!
//! The evidence is the same: the witness of a level is one of every weaker level, and a cycle that
//! a level forbids is forbidden by every stronger one. Levels with dirty reads read lists by
//! rules of their own, so they share evidence among themselves only.
//!
//! Without range reads more levels imply each other, because repeatable read is then serializable. An
//! accept uses that if the trace has no range reads, a reject already if its cycles use no range
//! read that missed a key.
//!
//! ```text
//!   open ──► next: a pair of levels that say nothing about each other ──► decided side by side
//!    ▲                                                                          │
//!    └────────────── what neither answer settles ◄── settle ◄───────────────────┘
//! ```
//!
//! Which levels make a pair does not depend on the number of threads, so neither do the answers nor
//! their evidence. Levels that are dear to decide wait until cheap ones have settled what they can.

use tristan_spec::lattice::Lattice;
use tristan_spec::{Level, ReadRule};
use tristan_verdict::{Answer, Conflict, EdgeKind, Refutation, Rule, Verdict};

/// How many levels are decided side by side.
const SIDE_BY_SIDE: usize = 2;

/// Families whose formulas have a part that no order of transactions decides: a search for a
/// witness may go on for very long.
const DEAR: [&str; 4] =
    ["update-serializable", "consistent-view", "forward-consistent-view", "update-atomic"];

/// How far a level has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LevelState {
    /// Not looked at.
    Open,
    /// Looked at for as long as others were waiting, and not decided.
    Deferred,
    /// Looked at and not decided, because a limit was hit.
    Undecided,
    /// Decided.
    Settled,
}

/// Which levels are still open, and which of them tell most about the others.
pub(crate) struct Frontier {
    /// Per level, which others it implies on this trace.
    implies: Vec<Vec<bool>>,
    /// The same for traces without range reads.
    implies_for_items: Vec<Vec<bool>>,
    dear: Vec<bool>,
    states: Vec<LevelState>,
}

impl Frontier {
    /// All levels are open; whether the history has range reads decides which imply which.
    pub(crate) fn new(levels: &[Level], has_ranges: bool) -> Self {
        let among = |lattice: &Lattice| -> Vec<Vec<bool>> {
            let row = |stronger: &Level| {
                levels.iter().map(|weaker| shares_evidence(lattice, stronger, weaker)).collect()
            };
            levels.iter().map(row).collect()
        };
        let implies_for_items = among(Lattice::of_items());
        Self {
            implies: match has_ranges {
                true => among(Lattice::library()),
                false => implies_for_items.clone(),
            },
            implies_for_items,
            dear: levels.iter().map(|level| DEAR.contains(&level.family.as_str())).collect(),
            states: vec![LevelState::Open; levels.len()],
        }
    }

    /// The levels to decide next: open ones first, then those that were deferred; none if there are
    /// neither. Neither implies the other, and each settles as many others as possible, whichever
    /// way it turns out.
    pub(crate) fn next(&self) -> Vec<usize> {
        let mut chosen: Vec<usize> = Vec::new();
        let state = if self.waiting() > 0 { LevelState::Open } else { LevelState::Deferred };
        let cheap = self.at(state).any(|index| !self.dear[index]);
        while chosen.len() < SIDE_BY_SIDE {
            let apart = |index: &usize| {
                !chosen.iter().any(|&other| other == *index || self.are_related(*index, other))
            };
            let candidates =
                self.at(state).filter(|&index| self.dear[index] != cheap).filter(apart);
            let Some(best) = candidates.max_by_key(|&index| self.value(index)) else { break };
            chosen.push(best);
        }
        chosen
    }

    /// Notes the verdict of a level; the levels that it settles as well.
    pub(crate) fn settle(&mut self, index: usize, verdict: &Verdict) -> Vec<usize> {
        let settles = |other: usize| match &verdict.answer {
            Answer::Accept { .. } => self.implies[index][other],
            Answer::Reject { refutation, .. } if misses_a_key(refutation) => {
                self.implies[other][index]
            }
            Answer::Reject { .. } => self.implies_for_items[other][index],
            Answer::Unknown { .. } => false,
        };
        let is_left = |&other: &usize| other != index && self.states[other] != LevelState::Settled;
        let others: Vec<usize> =
            (0..self.states.len()).filter(is_left).filter(|&other| settles(other)).collect();
        others.iter().for_each(|&other| self.states[other] = LevelState::Settled);
        self.states[index] = match verdict.answer {
            Answer::Unknown { .. } => LevelState::Undecided,
            _ => LevelState::Settled,
        };
        others
    }

    /// How many levels were not looked at.
    pub(crate) fn waiting(&self) -> usize {
        self.at(LevelState::Open).count()
    }

    /// Puts a level off until no other one is open.
    pub(crate) fn defer(&mut self, index: usize) {
        self.states[index] = LevelState::Deferred;
    }

    /// How many levels are not settled.
    pub(crate) fn left(&self) -> usize {
        self.states.iter().filter(|state| **state != LevelState::Settled).count()
    }

    fn at(&self, state: LevelState) -> impl Iterator<Item = usize> {
        (0..self.states.len()).filter(move |&index| self.states[index] == state)
    }

    fn are_related(&self, one: usize, other: usize) -> bool {
        self.implies[one][other] || self.implies[other][one]
    }

    /// How many levels an answer settles at least; of equal ones the first is the best.
    fn value(&self, index: usize) -> (usize, std::cmp::Reverse<usize>) {
        let left =
            || (0..self.states.len()).filter(|&other| self.states[other] != LevelState::Settled);
        let weaker = left().filter(|&other| self.implies[index][other]).count();
        let stronger = left().filter(|&other| self.implies[other][index]).count();
        (weaker.min(stronger), std::cmp::Reverse(index))
    }
}

/// Whether a refutation rests on a range read that did not return a key which was then written.
fn misses_a_key(refutation: &Refutation) -> bool {
    let is_predicate = |conflict: &Conflict| match &conflict.rule {
        Rule::Cycle(edges) => edges.iter().any(|edge| edge.kind == EdgeKind::Prw),
        _ => false,
    };
    refutation.conflicts.iter().any(is_predicate)
        || refutation.cases.iter().any(|case| misses_a_key(&case.refutation))
}

fn shares_evidence(lattice: &Lattice, stronger: &Level, weaker: &Level) -> bool {
    stronger.name != weaker.name
        && stronger.reads == weaker.reads
        && stronger.reads != ReadRule::Promised
        && lattice.implies(&stronger.name, &weaker.name)
}

#[cfg(test)]
mod tests {
    use tristan_spec::Catalog;
    use tristan_verdict::{Edge, UnknownReason, Witness};

    use super::*;

    fn verdict(answer: Answer) -> Verdict {
        Verdict {
            schema: String::new(),
            level: String::new(),
            definition: String::new(),
            semantics: None,
            own_writes: None,
            trace: Default::default(),
            answer,
            assumptions: Vec::new(),
            transactions: Vec::new(),
            context: Default::default(),
        }
    }

    fn undecided() -> Verdict {
        let reason = UnknownReason::Time { millis: 1, stage: String::new() };
        verdict(Answer::Unknown { reason, decided: String::new() })
    }

    fn accepted() -> Verdict {
        verdict(Answer::Accept { witness: Witness::default() })
    }

    fn rejected() -> Verdict {
        let anomaly =
            tristan_verdict::Anomaly { class: String::new(), title: None, sentence: String::new() };
        verdict(Answer::Reject { anomaly, refutation: Refutation::default() })
    }

    /// Decides every level in turn, as `answer` says; the levels that were asked, in order.
    fn asked(levels: &[Level], mut answer: impl FnMut(&str) -> Verdict) -> Vec<String> {
        let mut frontier = Frontier::new(levels, true);
        let mut asked = Vec::new();
        loop {
            let next = frontier.next();
            if next.is_empty() {
                return asked;
            }
            for index in next {
                frontier.settle(index, &answer(&levels[index].name));
                asked.push(levels[index].name.clone());
            }
        }
    }

    #[test]
    fn a_trace_that_every_level_accepts_takes_few_questions() {
        let levels = Catalog::default().levels();
        let questions = asked(&levels, |_| accepted());
        assert!(questions.len() <= 16, "{questions:?}");
        let dear = |name: &String| DEAR.iter().any(|family| name.ends_with(family));
        assert!(!questions.iter().any(dear), "{questions:?}");
        let questions = asked(&levels, |_| rejected());
        assert!(questions.len() <= 16, "{questions:?}");
        assert!(!questions.iter().any(dear), "{questions:?}");
    }

    #[test]
    fn a_level_that_could_not_be_decided_is_settled_by_another() {
        let catalog = Catalog::default();
        let levels = ["serializable", "snapshot-isolation"].map(|name| catalog.find(name));
        let levels: Vec<Level> = levels.into_iter().flatten().collect();
        let mut frontier = Frontier::new(&levels, true);
        assert!(frontier.settle(1, &undecided()).is_empty());
        assert_eq!(frontier.left(), 2);
        assert_eq!(frontier.next(), [0], "the other one is still worth a look");
        assert_eq!(frontier.settle(0, &accepted()), [1]);
        assert_eq!((frontier.left(), frontier.next().len()), (0, 0));
    }

    #[test]
    fn a_deferred_level_waits_until_no_other_is_open() {
        let catalog = Catalog::default();
        let levels = ["read-your-writes", "monotonic-reads", "monotonic-writes"];
        let levels: Vec<Level> = levels.iter().filter_map(|name| catalog.find(name).ok()).collect();
        let mut frontier = Frontier::new(&levels, true);
        frontier.defer(0);
        assert_eq!(frontier.next(), [1, 2]);
        frontier.settle(1, &accepted());
        frontier.settle(2, &undecided());
        assert_eq!(frontier.waiting(), 0);
        assert_eq!(frontier.next(), [0], "it gets a second chance");
        frontier.settle(0, &undecided());
        assert!(frontier.next().is_empty());
    }
    #[test]
    fn a_cycle_of_item_reads_refutes_repeatable_read_as_well() {
        let catalog = Catalog::default();
        let levels = ["repeatable-read", "plain-read-atomic"].map(|name| catalog.find(name));
        let levels: Vec<Level> = levels.into_iter().flatten().collect();
        let rejected = |kind: EdgeKind| {
            let edge = Edge { from: 0, to: 1, kind, key: None, read_op: None, over: None };
            let conflict = Conflict { literals: Vec::new(), rule: Rule::Cycle(vec![edge]) };
            let refutation = Refutation { conflicts: vec![conflict], ..Refutation::default() };
            let mut verdict = rejected();
            if let Answer::Reject { refutation: empty, .. } = &mut verdict.answer {
                *empty = refutation;
            }
            verdict
        };
        assert_eq!(Frontier::new(&levels, true).settle(1, &rejected(EdgeKind::Rw)), [0]);
        assert!(Frontier::new(&levels, true).settle(1, &rejected(EdgeKind::Prw)).is_empty());
    }
}
