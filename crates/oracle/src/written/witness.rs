//! Every way to choose the witnesses of a level, one witness after the other. A choice that breaks a check that
//! speaks of no later witness is given up at once.

use tristan_spec::iso::{Check, IsoLevel, Rel, WitnessKind};

use super::evaluate::{Chosen, Keys, World};
use super::facts::Facts;
use super::matrix::Matrix;
use crate::orders::Flow;

/// How many pairs of a relation may be open: every subset of them is tried.
const MAX_OPEN_PAIRS: usize = 16;

/// Whether some choice meets all checks. `None` if a relation leaves too much open.
pub(super) fn exists(level: &IsoLevel, facts: &Facts) -> Option<bool> {
    let needed = level.checks.iter().map(|check| needed(check, level)).collect();
    let mut search = Search { level, needed, facts, chosen: Vec::new(), too_open: false };
    let flow = search.next_witness();
    (!search.too_open).then_some(flow.is_break())
}

struct Search<'a> {
    level: &'a IsoLevel,
    /// How many witnesses must be chosen before each check can be judged.
    needed: Vec<usize>,
    facts: &'a Facts,
    chosen: Vec<Chosen>,
    too_open: bool,
}

impl Search<'_> {
    /// Tries every choice of the witnesses that are left; breaks off if one meets all checks.
    fn next_witness(&mut self) -> Flow {
        if !self.may_hold() {
            return Flow::Continue(());
        }
        let Some(witness) = self.level.witnesses.get(self.chosen.len()) else {
            return Flow::Break(());
        };
        match witness.kind {
            WitnessKind::Order => self.orders(),
            WitnessKind::OrderPerKey => self.orders_per_key(&mut Vec::new()),
            WitnessKind::Relation => self.relations(),
        }
    }

    /// Whether the checks hold that the last choice was missing for.
    fn may_hold(&self) -> bool {
        let world = World { facts: self.facts, chosen: &self.chosen };
        let checks = self.level.checks.iter().zip(&self.needed);
        let mut ready = checks.filter(|(_, needed)| **needed == self.chosen.len());
        ready.all(|(check, _)| world.holds(check, &Keys::new()))
    }

    fn with(&mut self, choice: Chosen) -> Flow {
        self.chosen.push(choice);
        let flow = self.next_witness();
        self.chosen.pop();
        flow
    }

    fn orders(&mut self) -> Flow {
        let all: Vec<usize> = (0..self.facts.txns).collect();
        for line in lines(&all) {
            self.with(Chosen::One(self.order(&line)))?;
        }
        Flow::Continue(())
    }

    fn orders_per_key(&mut self, orders: &mut Vec<Matrix>) -> Flow {
        let Some(writers) = self.facts.writers.get(orders.len()) else {
            return self.with(Chosen::PerKey(orders.clone()));
        };
        let writers: Vec<usize> = (0..self.facts.txns).filter(|&txn| writers[txn]).collect();
        for line in lines(&writers) {
            orders.push(self.order(&line));
            self.orders_per_key(orders)?;
            orders.pop();
        }
        Flow::Continue(())
    }

    fn relations(&mut self) -> Flow {
        let (least, most) = self.bounds();
        if !least.within(&most) {
            return Flow::Continue(());
        }
        let open = most.zip(&least, |row, known| row & !known).pairs();
        if open.len() > MAX_OPEN_PAIRS {
            self.too_open = true;
            return Flow::Break(());
        }
        for subset in 0..1u32 << open.len() {
            let mut relation = least.clone();
            let taken = open.iter().enumerate().filter(|(number, _)| subset >> number & 1 == 1);
            taken.for_each(|(_, &(from, to))| relation.add(from, to));
            self.with(Chosen::One(relation))?;
        }
        Flow::Continue(())
    }

    /// What checks that compare the next witness, and nothing else, with what is chosen already
    /// demand of it and leave to it.
    fn bounds(&self) -> (Matrix, Matrix) {
        let place = self.chosen.len();
        let world = World { facts: self.facts, chosen: &self.chosen };
        let size = self.facts.txns;
        let (mut least, mut most) = (Matrix::none(size, size), Matrix::of(size, size, |_, _| true));
        for check in &self.level.checks {
            match check {
                Check::In(left, Rel::Witness(it, None)) if *it == place && known(left, place) => {
                    least = least.zip(&world.rel(left, &Keys::new()), |a, b| a | b);
                }
                Check::In(Rel::Witness(it, None), right) if *it == place && known(right, place) => {
                    most = most.zip(&world.rel(right, &Keys::new()), |a, b| a & b);
                }
                _ => {}
            }
        }
        (least, most)
    }

    fn order(&self, line: &[usize]) -> Matrix {
        let place = |txn| line.iter().position(|&other| other == txn);
        Matrix::of(
            self.facts.txns,
            self.facts.txns,
            |a, b| matches!((place(a), place(b)), (Some(a), Some(b)) if a < b),
        )
    }
}

/// How many of the witnesses, in their order, a check speaks of.
fn needed(check: &Check, level: &IsoLevel) -> usize {
    let speaks_of =
        |place: usize| check.any_rel(&|rel| matches!(rel, Rel::Witness(it, _) if *it == place));
    (0..level.witnesses.len()).rfind(|&place| speaks_of(place)).map_or(0, |last| last + 1)
}

/// All orders of the transactions that begin with the first of them.
fn lines(txns: &[usize]) -> Vec<Vec<usize>> {
    let Some((&first, rest)) = txns.split_first() else { return vec![Vec::new()] };
    permutations(rest).into_iter().map(|rest| [&[first], rest.as_slice()].concat()).collect()
}

fn permutations(txns: &[usize]) -> Vec<Vec<usize>> {
    if txns.is_empty() {
        return vec![Vec::new()];
    }
    let starting_with = |at: usize| {
        let rest = [&txns[..at], &txns[at + 1..]].concat();
        permutations(&rest).into_iter().map(move |rest| [&[txns[at]], rest.as_slice()].concat())
    };
    (0..txns.len()).flat_map(starting_with).collect()
}

/// Whether a relation mentions only witnesses before `place`.
fn known(rel: &Rel, place: usize) -> bool {
    match rel {
        Rel::Witness(it, _) => *it < place,
        Rel::Given(_) | Rel::Id(_) | Rel::Test(_) | Rel::Product(..) => true,
        Rel::Union(parts) | Rel::Inter(parts) | Rel::Seq(parts) => {
            parts.iter().all(|part| known(part, place))
        }
        Rel::Diff(left, right) => known(left, place) && known(right, place),
        Rel::Inverse(inner)
        | Rel::Opt(inner)
        | Rel::Plus(inner)
        | Rel::Star(inner)
        | Rel::OverKeys(_, inner)
        | Rel::Named(_, inner) => known(inner, place),
    }
}
