//! Asks a SAT solver about a circuit.
//!
//! Clauses are made when a gate is first demanded or assumed, and only for the direction in which
//! it is used: a gate that is only ever asked to be true needs no clauses that force it to be.
//! The solver's own idea of such a gate is therefore worth little; a [`Model`] computes every gate
//! again from the inputs.

use batsat::interface::SolverInterface;
use batsat::{Callbacks, Lit, SolverOpts, Var, lbool};

use super::{Circuit, Gate, Node, SearchBudget, SearchLimitError};

/// How a question ended.
#[derive(Clone, Debug)]
pub enum Solved {
    /// These values meet every demand.
    Yes(Model),
    /// There are none.
    No,
    /// A limit was hit.
    Stopped(SearchLimitError),
}

/// Values for all gates of a circuit.
#[derive(Clone, Debug)]
pub struct Model {
    values: Vec<bool>,
}

impl Model {
    /// Whether the gate is true. Gates built after the question are not known and must not be
    /// asked for.
    pub fn is_true(&self, gate: Gate) -> bool {
        self.values[gate.node()] != gate.is_negated()
    }

    fn of(circuit: &Circuit, input: impl Fn(usize) -> bool) -> Self {
        let mut model = Self { values: Vec::with_capacity(circuit.len()) };
        for node in 0..circuit.len() {
            let value = match circuit.node(node) {
                Node::True => true,
                Node::Input => input(node),
                Node::And(parts) => parts.iter().all(|&part| model.is_true(part)),
            };
            model.values.push(value);
        }
        model
    }
}

/// What the SAT solver knows of a node.
#[derive(Clone, Copy, Debug, Default)]
struct Wired {
    var: Option<Var>,
    /// Its clauses for being true, and for being false.
    done: [bool; 2],
}

/// A circuit, demands on it, and a SAT solver that knows them.
pub struct Solver {
    /// The circuit: build gates here.
    pub circuit: Circuit,
    wired: Vec<Wired>,
    sat: batsat::Solver<Watch>,
    budget: SearchBudget,
}

impl Default for Solver {
    fn default() -> Self {
        Self::new(&SearchBudget::default())
    }
}

impl Solver {
    /// A solver without demands.
    pub fn new(budget: &SearchBudget) -> Self {
        let watch = Watch { budget: budget.clone(), learnt: 0, asked: 0.into(), stop: None.into() };
        Self {
            circuit: Circuit::default(),
            wired: Vec::new(),
            sat: batsat::Solver::new(SolverOpts::default(), watch),
            budget: budget.clone(),
        }
    }

    /// From now on the gate is true.
    pub fn require(&mut self, gate: Gate) {
        self.require_one(&[gate]);
    }

    /// From now on one of the gates is true.
    pub fn require_one(&mut self, gates: &[Gate]) {
        let mut certain = Vec::new();
        self.demand(gates.iter().copied(), &mut certain);
        while let Some(gate) = certain.pop() {
            self.make_certain(gate, &mut certain);
        }
    }

    /// Demands that one of the gates be true; if only one can be, it is put among the certain.
    fn demand(&mut self, gates: impl Iterator<Item = Gate>, certain: &mut Vec<Gate>) {
        let mut open: Vec<Gate> = gates.map(|gate| self.circuit.seen(gate)).collect();
        if open.contains(&Gate::TRUE) {
            return;
        }
        open.retain(|&gate| gate != Gate::FALSE);
        match open.as_slice() {
            [only] => certain.push(*only),
            several => {
                let mut clause: Vec<Lit> = several.iter().map(|&gate| self.literal(gate)).collect();
                self.sat.add_clause_reuse(&mut clause);
            }
        }
    }

    /// Makes a gate true that must be.
    fn make_certain(&mut self, gate: Gate, certain: &mut Vec<Gate>) {
        let known = self.circuit.seen(gate);
        if known == Gate::TRUE {
            return;
        }
        if known == Gate::FALSE {
            self.sat.add_clause_reuse(&mut Vec::new());
            return;
        }
        self.circuit.take_as_true(gate);
        match (self.circuit.node(gate.node()), gate.is_negated()) {
            (Node::And(parts), false) => certain.extend_from_slice(parts),
            (Node::And(parts), true) => {
                let parts: Vec<Gate> = parts.iter().map(|&part| !part).collect();
                self.demand(parts.into_iter(), certain);
            }
            (Node::Input | Node::True, _) => {}
        }
        if self.is_used(gate) {
            let literal = self.wire(gate);
            self.sat.add_clause_reuse(&mut vec![literal]);
        }
    }

    /// Whether the SAT solver must hear what becomes of the gate: it is an input, or occurs in
    /// clauses already.
    fn is_used(&self, gate: Gate) -> bool {
        matches!(self.circuit.node(gate.node()), Node::Input)
            || self.wired.get(gate.node()).is_some_and(|wired| wired.var.is_some())
    }

    /// Asks for values that meet every demand, and make these gates true besides.
    pub fn solve(&mut self, assumed: &[Gate]) -> Solved {
        if let Err(stop) = self.budget.check() {
            return Solved::Stopped(stop);
        }
        if assumed.iter().any(|&gate| self.circuit.seen(gate) == Gate::FALSE) {
            return Solved::No;
        }
        let open = assumed.iter().filter(|&&gate| self.circuit.seen(gate) != Gate::TRUE);
        let open: Vec<Gate> = open.copied().collect();
        let assumed: Vec<Lit> = open.into_iter().map(|gate| self.literal(gate)).collect();
        self.sat.cb_mut().restart();
        let answer = self.sat.solve_limited(&assumed);
        if answer == lbool::TRUE {
            Solved::Yes(self.model())
        } else if answer == lbool::FALSE {
            Solved::No
        } else {
            Solved::Stopped(self.sat.cb().stop.get().unwrap_or(SearchLimitError::Conflicts))
        }
    }

    /// The same, with a limit as an error and no values as `None`.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn ask(&mut self, assumed: &[Gate]) -> Result<Option<Model>, SearchLimitError> {
        match self.solve(assumed) {
            Solved::Yes(model) => Ok(Some(model)),
            Solved::No => Ok(None),
            Solved::Stopped(stop) => Err(stop),
        }
    }

    /// Of the gates assumed in the last question, which had no answer, some that have none
    /// together.
    pub fn blamed(&mut self, assumed: &[Gate]) -> Vec<Gate> {
        let blamed = |gate: &Gate| match self.circuit.seen(*gate) {
            Gate::FALSE => true,
            Gate::TRUE => false,
            open => {
                let var = self.wired.get(open.node()).and_then(|wired| wired.var);
                var.is_some_and(|var| self.sat.unsat_core_contains_var(var))
            }
        };
        assumed.iter().copied().filter(blamed).collect()
    }

    fn model(&self) -> Model {
        Model::of(&self.circuit, |node| {
            let var = self.wired.get(node).and_then(|wired| wired.var);
            var.is_some_and(|var| self.sat.value_var(var) == lbool::TRUE)
        })
    }

    /// The literal of a gate that is no constant, with the clauses that make it mean the gate when
    /// it is true.
    fn literal(&mut self, gate: Gate) -> Lit {
        let mut open = vec![gate];
        while let Some(gate) = open.pop() {
            self.define(gate, &mut open);
        }
        self.wire(gate)
    }

    /// Makes the clauses of one gate, if they are not there yet, and lists what they rest on.
    fn define(&mut self, gate: Gate, open: &mut Vec<Gate>) {
        let own = self.wire(gate);
        let Node::And(parts) = self.circuit.node(gate.node()) else { return };
        let done = &mut self.wired[gate.node()].done[usize::from(gate.is_negated())];
        if std::mem::replace(done, true) {
            return;
        }
        let first = open.len();
        open.extend(parts.iter().map(|&part| if gate.is_negated() { !part } else { part }));
        if gate.is_negated() {
            let mut clause = vec![!own];
            clause.extend((first..open.len()).map(|at| self.wire(open[at])));
            self.sat.add_clause_reuse(&mut clause);
        } else {
            for &part in &open[first..] {
                let mut clause = vec![!own, self.wire(part)];
                self.sat.add_clause_reuse(&mut clause);
            }
        }
    }

    /// The literal of a gate.
    fn wire(&mut self, gate: Gate) -> Lit {
        let node = gate.node();
        if self.wired.len() <= node {
            self.wired.resize(node + 1, Wired::default());
        }
        let var = match self.wired[node].var {
            Some(var) => var,
            None => {
                let var = self.sat.new_var_default();
                if node == 0 {
                    self.sat.add_clause_reuse(&mut vec![Lit::new(var, true)]);
                }
                self.wired[node].var = Some(var);
                var
            }
        };
        Lit::new(var, !gate.is_negated())
    }
}

impl std::fmt::Debug for Solver {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Solver")
            .field("gates", &self.circuit.len())
            .field("clauses", &self.sat.num_clauses())
            .finish_non_exhaustive()
    }
}

/// Ends a search that takes too long.
struct Watch {
    budget: SearchBudget,
    learnt: u64,
    asked: std::cell::Cell<u32>,
    stop: std::cell::Cell<Option<SearchLimitError>>,
}

/// Between two looks at the clock.
const PATIENCE: u32 = 256;

impl Watch {
    fn restart(&mut self) {
        self.learnt = 0;
        self.stop.set(None);
    }
}

impl Callbacks for Watch {
    fn on_new_clause(&mut self, _: &[Lit], kind: batsat::ClauseKind) {
        if kind == batsat::ClauseKind::Learnt {
            self.learnt += 1;
        }
    }

    fn stop(&self) -> bool {
        if self.budget.conflicts().is_some_and(|most| self.learnt > most) {
            self.stop.set(Some(SearchLimitError::Conflicts));
            return true;
        }
        self.asked.set(self.asked.get().wrapping_add(1));
        if self.asked.get().is_multiple_of(PATIENCE) {
            self.stop.set(self.budget.check().err().or(self.stop.get()));
        }
        self.stop.get().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solvable(solver: &mut Solver, assumed: &[Gate]) -> bool {
        matches!(solver.solve(assumed), Solved::Yes(_))
    }

    #[test]
    fn gates_mean_what_they_say_in_both_directions() {
        let mut solver = Solver::default();
        let (a, b, c) = (solver.circuit.input(), solver.circuit.input(), solver.circuit.input());
        let or = solver.circuit.or([a, b]);
        let gate = solver.circuit.and([or, c]);
        assert!(solvable(&mut solver, &[gate]));
        assert!(!solvable(&mut solver, &[gate, !a, !b]));
        assert!(!solvable(&mut solver, &[gate, !c]));
        assert!(!solvable(&mut solver, &[!gate, a, c]));
        assert!(solvable(&mut solver, &[!gate, a]));
    }

    #[test]
    fn a_model_meets_what_is_required() {
        let mut solver = Solver::default();
        let inputs: Vec<Gate> = (0..4).map(|_| solver.circuit.input()).collect();
        let left = solver.circuit.and([inputs[0], inputs[1]]);
        let right = solver.circuit.and([inputs[2], !inputs[3]]);
        let either = solver.circuit.or([left, right]);
        solver.require(either);
        solver.require(!left);
        let Solved::Yes(model) = solver.solve(&[]) else { panic!("it has a solution") };
        assert!(model.is_true(right) && !model.is_true(left) && !model.is_true(inputs[3]));
        solver.require(!inputs[2]);
        assert!(!solvable(&mut solver, &[]));
    }

    #[test]
    fn constants_may_be_required_and_assumed() {
        let mut solver = Solver::default();
        solver.require(Gate::TRUE);
        assert!(solvable(&mut solver, &[Gate::TRUE]));
        assert!(!solvable(&mut solver, &[Gate::FALSE]));
        solver.require(Gate::FALSE);
        assert!(!solvable(&mut solver, &[]));
    }

    #[test]
    fn the_blamed_assumptions_contradict_each_other() {
        let mut solver = Solver::default();
        let (a, b, c) = (solver.circuit.input(), solver.circuit.input(), solver.circuit.input());
        let both = solver.circuit.and([a, b]);
        solver.require(!both);
        let assumed = [a, c, b];
        assert!(!solvable(&mut solver, &assumed));
        assert_eq!(solver.blamed(&assumed), [a, b]);
    }

    #[test]
    fn few_conflicts_are_not_enough_for_pigeons() {
        use crate::gates::SearchLimits;
        let budget =
            SearchBudget::start(&SearchLimits { conflicts: Some(50), ..SearchLimits::default() });
        let mut solver = Solver::new(&budget);
        let holes = 8;
        let sits: Vec<Vec<Gate>> =
            (0..=holes).map(|_| (0..holes).map(|_| solver.circuit.input()).collect()).collect();
        for (pigeon, row) in sits.iter().enumerate() {
            solver.require_one(row);
            for other in &sits[..pigeon] {
                for (&here, &there) in row.iter().zip(other) {
                    solver.require_one(&[!here, !there]);
                }
            }
        }
        assert!(matches!(solver.solve(&[]), Solved::Stopped(SearchLimitError::Conflicts)));
    }
}
