//! The SAT solver, behind one small trait.
//!
//! Encodings are written against [`Sat`]: what was learnt from cycles
//! ([`crate::solve`]) and which operations took effect ([`crate::fates`]). [`Batsat`] is the
//! implementor that checks use. In tests a second one tries every assignment, and both must agree on
//! random clauses and on whole problems.

use std::ops::Not;

use batsat::interface::SolverInterface;
use batsat::{BasicSolver, lbool};

use crate::budget::Budget;

/// A variable of a solver, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Var(u32);

/// A variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lit {
    var: Var,
    value: bool,
}

impl Lit {
    /// The literal that holds if the variable has this value.
    pub(crate) fn new(var: Var, value: bool) -> Self {
        Self { var, value }
    }
}

impl Not for Lit {
    type Output = Self;

    fn not(self) -> Self {
        Self { value: !self.value, ..self }
    }
}

/// The answer of a SAT solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SatResult {
    /// An assignment that meets every clause and every assumption; see [`Sat::value`].
    Model,
    /// There is no such assignment; see [`Sat::blames`].
    Unsatisfiable,
    /// The budget was used up before the solver knew.
    Stopped,
}

/// An incremental SAT solver.
pub(crate) trait Sat {
    /// A solver without variables that stops when the budget is used up.
    fn within(budget: &Budget) -> Self;

    /// A new variable. Solvers that search try the value that is given first; false, if none is.
    fn variable(&mut self, first: Option<bool>) -> Var;

    /// One of these literals must hold.
    fn add(&mut self, clause: &[Lit]);

    /// Looks for an assignment in which the assumed literals hold.
    fn solve(&mut self, assumed: &[Lit]) -> SatResult;

    /// The value of a variable in the last model; false, if there is none.
    fn value(&self, var: Var) -> bool;

    /// Whether an assumption is needed to show that there is no model. Together with the clauses, the
    /// assumptions that are have none.
    fn blames(&self, assumed: Lit) -> bool;
}

/// The solver that checks use.
pub(crate) struct Batsat {
    solver: BasicSolver,
    variables: Vec<batsat::Var>,
}

impl Batsat {
    fn literal(&self, literal: Lit) -> batsat::Lit {
        batsat::Lit::new(self.variables[literal.var.0 as usize], literal.value)
    }
}

impl Sat for Batsat {
    fn within(budget: &Budget) -> Self {
        let mut solver = BasicSolver::default();
        let watched = budget.clone();
        solver.cb_mut().set_stop(move || watched.check().is_err());
        Self { solver, variables: Vec::new() }
    }

    fn variable(&mut self, first: Option<bool>) -> Var {
        let first = match first {
            None => lbool::UNDEF,
            Some(true) => lbool::TRUE,
            Some(false) => lbool::FALSE,
        };
        self.variables.push(self.solver.new_var(first, true));
        Var(self.variables.len() as u32 - 1)
    }

    fn add(&mut self, clause: &[Lit]) {
        let mut clause = clause.iter().map(|&literal| self.literal(literal)).collect();
        self.solver.add_clause_reuse(&mut clause);
    }

    fn solve(&mut self, assumed: &[Lit]) -> SatResult {
        let assumed: Vec<batsat::Lit> =
            assumed.iter().map(|&literal| self.literal(literal)).collect();
        match self.solver.solve_limited(&assumed) {
            answer if answer == lbool::TRUE => SatResult::Model,
            answer if answer == lbool::FALSE => SatResult::Unsatisfiable,
            _ => SatResult::Stopped,
        }
    }

    fn value(&self, var: Var) -> bool {
        self.solver.value_var(self.variables[var.0 as usize]) == lbool::TRUE
    }

    fn blames(&self, assumed: Lit) -> bool {
        self.solver.unsat_core_contains_var(self.variables[assumed.var.0 as usize])
    }
}

#[cfg(test)]
pub(crate) mod brute_force {
    //! A solver that tries every assignment, for tests.

    use super::{Lit, Sat, SatResult, Var};
    use crate::budget::Budget;

    #[derive(Default)]
    pub(crate) struct BruteForce {
        /// The value of each variable that is tried first.
        first: Vec<bool>,
        clauses: Vec<Vec<Lit>>,
        model: Vec<bool>,
        core: Vec<Lit>,
    }

    impl BruteForce {
        /// An assignment in which everything holds.
        fn search(&self, assumed: &[Lit]) -> Option<Vec<bool>> {
            let mut values: Vec<Option<bool>> = vec![None; self.first.len()];
            for literal in assumed {
                let value = &mut values[literal.var.0 as usize];
                if value.is_some_and(|value| value != literal.value) {
                    return None;
                }
                *value = Some(literal.value);
            }
            self.extend(&mut values, 0).then(|| values.into_iter().flatten().collect())
        }

        /// Tries both values of every variable from one on, as long as no clause is violated.
        fn extend(&self, values: &mut [Option<bool>], at: usize) -> bool {
            let fails = |lit: &Lit| values[lit.var.0 as usize] == Some(!lit.value);
            if self.clauses.iter().any(|clause| clause.iter().all(fails)) {
                return false;
            }
            let Some(&first) = self.first.get(at) else { return true };
            if values[at].is_some() {
                return self.extend(values, at + 1);
            }
            for value in [first, !first] {
                values[at] = Some(value);
                if self.extend(values, at + 1) {
                    return true;
                }
            }
            values[at] = None;
            false
        }
    }

    impl Sat for BruteForce {
        fn within(_: &Budget) -> Self {
            Self::default()
        }

        fn variable(&mut self, first: Option<bool>) -> Var {
            self.first.push(first.unwrap_or(false));
            Var(self.first.len() as u32 - 1)
        }

        fn add(&mut self, clause: &[Lit]) {
            self.clauses.push(clause.to_vec());
        }

        fn solve(&mut self, assumed: &[Lit]) -> SatResult {
            if let Some(model) = self.search(assumed) {
                self.model = model;
                return SatResult::Model;
            }
            // What can be left out, one after the other, is not needed.
            self.core = assumed.to_vec();
            for at in (0..assumed.len()).rev() {
                let mut rest = self.core.clone();
                rest.remove(at);
                if self.search(&rest).is_none() {
                    self.core = rest;
                }
            }
            SatResult::Unsatisfiable
        }

        fn value(&self, var: Var) -> bool {
            self.model.get(var.0 as usize).copied().unwrap_or(false)
        }

        fn blames(&self, assumed: Lit) -> bool {
            self.core.contains(&assumed)
        }
    }
}

#[cfg(test)]
mod tests {
    use tristan_generate::Rng;

    use super::brute_force::BruteForce;
    use super::*;

    /// Clauses over a few variables, each told to two solvers.
    struct Both {
        fast: Batsat,
        slow: BruteForce,
        vars: Vec<Var>,
        clauses: Vec<Vec<Lit>>,
    }

    impl Both {
        fn new(rng: &mut Rng, variables: usize) -> Self {
            let budget = Budget::default();
            let (mut fast, mut slow) = (Batsat::within(&budget), BruteForce::within(&budget));
            let variable = |_| {
                let first = [None, Some(false), Some(true)][rng.below(3) as usize];
                let var = fast.variable(first);
                assert_eq!(var, slow.variable(first));
                var
            };
            let vars = (0..variables).map(variable).collect();
            Self { fast, slow, vars, clauses: Vec::new() }
        }

        fn literals(&self, rng: &mut Rng, most: u64) -> Vec<Lit> {
            let pick = |rng: &mut Rng| {
                Lit::new(self.vars[rng.below(self.vars.len() as u64) as usize], rng.below(2) == 0)
            };
            (0..1 + rng.below(most)).map(|_| pick(rng)).collect()
        }

        fn add(&mut self, clause: Vec<Lit>) {
            self.fast.add(&clause);
            self.slow.add(&clause);
            self.clauses.push(clause);
        }

        /// Both agree on whether there is a model; the fast one's model is one, and what it blames
        /// leaves none.
        fn agree(&mut self, assumed: &[Lit]) {
            let found = self.fast.solve(assumed);
            assert_eq!(found, self.slow.solve(assumed), "{:?} {assumed:?}", self.clauses);
            if found == SatResult::Model {
                let holds = |lit: &Lit| self.fast.value(lit.var) == lit.value;
                assert!(assumed.iter().all(holds));
                assert!(self.clauses.iter().all(|clause| clause.iter().any(holds)));
            } else {
                let blamed: Vec<Lit> =
                    assumed.iter().copied().filter(|&lit| self.fast.blames(lit)).collect();
                assert_eq!(
                    self.slow.solve(&blamed),
                    SatResult::Unsatisfiable,
                    "{:?}",
                    self.clauses
                );
            }
        }
    }

    #[test]
    fn both_solvers_agree_on_random_clauses() {
        let mut rng = Rng::new(18);
        for _ in 0..400 {
            let mut both = Both::new(&mut rng, 7);
            for _ in 0..24 {
                let clause = both.literals(&mut rng, 3);
                both.add(clause);
                let assumed = both.literals(&mut rng, 3);
                both.agree(&assumed);
                both.agree(&[]);
            }
        }
    }
}
