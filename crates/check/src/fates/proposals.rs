//! Fates that no refutation excludes, proposed by a SAT solver. A variable is true if its operation
//! took effect.

use std::collections::BTreeMap;

use tristan_verdict::Fate;

use crate::budget::Budget;
use crate::sat::{Lit, Sat, SatResult, Var};

/// Fates that no refutation excludes.
pub(super) struct Proposals<S> {
    solver: S,
    variables: Vec<Var>,
}

impl<S: Sat> Proposals<S> {
    /// Nothing is excluded yet; fates stay as they are guessed unless something forces them.
    pub(super) fn new(guess: &[bool]) -> Self {
        let mut solver = S::within(&Budget::default());
        let variables = guess.iter().map(|&effect| solver.variable(Some(effect))).collect();
        Self { solver, variables }
    }

    /// Excludes all fates that agree with these on the concerned operations.
    pub(super) fn exclude(&mut self, effects: &[bool], concerned: &[bool]) {
        let all = self.variables.iter().zip(effects).zip(concerned);
        let literal =
            |((&variable, &effect), _): ((&Var, &bool), &bool)| Lit::new(variable, !effect);
        let clause: Vec<Lit> = all.filter(|(_, concerned)| **concerned).map(literal).collect();
        self.solver.add(&clause);
    }

    /// Fates that are not excluded; `None` if all are.
    pub(super) fn next(&mut self) -> Option<Vec<bool>> {
        if self.solver.solve(&[]) != SatResult::Model {
            return None;
        }
        Some(self.variables.iter().map(|&variable| self.solver.value(variable)).collect())
    }
}

/// Whether some cases cover every choice of fates.
pub(super) fn cover_everything<'f, S: Sat>(cases: impl Iterator<Item = &'f [Fate]>) -> bool {
    let mut solver = S::within(&Budget::default());
    let mut variables: BTreeMap<(u32, u32), Var> = BTreeMap::new();
    for fates in cases {
        let mut clause = Vec::new();
        for fate in fates {
            let place = (fate.txn, fate.op);
            let variable = *variables.entry(place).or_insert_with(|| solver.variable(None));
            clause.push(Lit::new(variable, !fate.effect));
        }
        solver.add(&clause);
    }
    solver.solve(&[]) != SatResult::Model
}

#[cfg(test)]
mod tests {
    use tristan_generate::Rng;

    use super::*;
    use crate::sat::Batsat;
    use crate::sat::brute_force::BruteForce;

    /// How many proposals are excluded, one after the other, until none is left.
    fn rounds<S: Sat>(guess: &[bool], seed: u64) -> (usize, Vec<Vec<Fate>>) {
        let mut rng = Rng::new(seed);
        let mut proposals = Proposals::<S>::new(guess);
        let mut excluded = Vec::new();
        while let Some(effects) = proposals.next() {
            let concerned: Vec<bool> = guess.iter().map(|_| rng.percent(60)).collect();
            proposals.exclude(&effects, &concerned);
            let fates = (0..).zip(&effects).zip(&concerned).filter(|(_, concerned)| **concerned);
            excluded.push(fates.map(|((op, &effect), _)| Fate { txn: 0, op, effect }).collect());
        }
        (excluded.len(), excluded)
    }

    #[test]
    fn every_choice_is_excluded_in_the_end_whichever_solver_proposes() {
        for seed in 0..200 {
            let guess: Vec<bool> = (0..5).map(|at| seed >> at & 1 == 1).collect();
            for (count, cases) in
                [rounds::<Batsat>(&guess, seed), rounds::<BruteForce>(&guess, seed)]
            {
                let all = || cases.iter().map(Vec::as_slice);
                assert!(cover_everything::<Batsat>(all()) && cover_everything::<BruteForce>(all()));
                for missing in 0..count {
                    let others =
                        || all().enumerate().filter(|(at, _)| *at != missing).map(|(_, one)| one);
                    let covered = cover_everything::<Batsat>(others());
                    assert_eq!(covered, cover_everything::<BruteForce>(others()), "seed {seed}");
                }
            }
        }
    }
}
