//! Evaluates checks.
//!
//! [`Evaluator::claim`] gives a gate that *can be made* true exactly if the check holds (or does
//! not, if that is what is claimed). It may contain inputs of its own:
//!
//! ```text
//!   E has no cycle     some total order contains E
//!   E has a cycle      some set of transactions, not empty, has no last one: from each member E
//!                      leads to a member
//! ```
//!
//! Both are much smaller than a closure. The price is that a claim must not be negated: to claim
//! the opposite, ask for it.

use tristan_spec::iso::Check;

use super::{Atoms, Bound, Evaluator, Matrix, closure, order_inputs, order_laws};
use crate::gates::{Circuit, Gate};

impl<A: Atoms> Evaluator<'_, A> {
    /// A gate that can be made true exactly if the check holds, or does not hold.
    pub fn claim(
        &mut self,
        circuit: &mut Circuit,
        check: &Check,
        bound: &Bound,
        holds: bool,
    ) -> Gate {
        match check {
            Check::Acyclic(rel) => {
                let rel = self.rel(circuit, rel, bound);
                if holds { acyclic(circuit, &rel) } else { cyclic(circuit, &rel) }
            }
            Check::Not(inner) => self.claim(circuit, inner, bound, !holds),
            Check::All(parts) => self.claims(circuit, parts, bound, holds, holds),
            Check::Any(parts) => self.claims(circuit, parts, bound, holds, !holds),
            Check::ForAll(var, inner) => {
                let gates: Vec<Gate> = (0..self.atoms.keys())
                    .map(|key| self.claim(circuit, inner, &bound.with(*var, key), holds))
                    .collect();
                if holds { circuit.and(gates) } else { circuit.or(gates) }
            }
            Check::In(..) | Check::Irreflexive(_) | Check::Empty(_) | Check::Total(_) => {
                let wrong = self.wrong(circuit, check, bound);
                let wrong = circuit.or(wrong);
                if holds { !wrong } else { wrong }
            }
        }
    }

    /// All of the claims, or one of them.
    fn claims(
        &mut self,
        circuit: &mut Circuit,
        parts: &[Check],
        bound: &Bound,
        hold: bool,
        all: bool,
    ) -> Gate {
        let gates: Vec<Gate> =
            parts.iter().map(|part| self.claim(circuit, part, bound, hold)).collect();
        if all { circuit.and(gates) } else { circuit.or(gates) }
    }

    /// What each violates a check on pairs.
    fn wrong(&mut self, circuit: &mut Circuit, check: &Check, bound: &Bound) -> Vec<Gate> {
        match check {
            Check::In(left, right) => {
                let (left, right) =
                    (self.rel(circuit, left, bound), self.rel(circuit, right, bound));
                let pairs: Vec<(usize, usize, Gate)> = left.possible().collect();
                let outside = |(a, b, gate)| circuit.and([gate, !right.at(a, b)]);
                pairs.into_iter().map(outside).collect()
            }
            Check::Irreflexive(rel) => {
                let rel = self.rel(circuit, rel, bound);
                (0..rel.rows()).map(|node| rel.at(node, node)).collect()
            }
            Check::Empty(rel) => {
                self.rel(circuit, rel, bound).possible().map(|(_, _, gate)| gate).collect()
            }
            Check::Total(rel) => {
                let rel = self.rel(circuit, rel, bound);
                self.unrelated(circuit, &rel)
            }
            // The others are not about pairs.
            Check::Acyclic(_)
            | Check::Not(_)
            | Check::All(_)
            | Check::Any(_)
            | Check::ForAll(..) => Vec::new(),
        }
    }

    /// Pairs of different transactions between which it holds in neither direction.
    fn unrelated(&self, circuit: &mut Circuit, rel: &Matrix) -> Vec<Gate> {
        let mut wrong = Vec::new();
        for second in 0..rel.rows() {
            for first in 0..second {
                wrong.push(circuit.and([
                    self.atoms.exists(first),
                    self.atoms.exists(second),
                    !rel.at(first, second),
                    !rel.at(second, first),
                ]));
            }
        }
        wrong
    }
}

/// Can be made true if there is no cycle. Each strongly connected component of what is possible
/// gets a total order of its own.
fn acyclic(circuit: &mut Circuit, rel: &Matrix) -> Gate {
    let mut demands: Vec<Gate> = (0..rel.rows()).map(|node| !rel.at(node, node)).collect();
    for members in closure::components(rel).iter().filter(|members| members.len() > 1) {
        let order = order_inputs(circuit, members.len(), false);
        for law in order_laws(&order) {
            demands.push(circuit.or(law));
        }
        for (a, &from) in members.iter().enumerate() {
            for (b, &to) in members.iter().enumerate().filter(|(b, _)| *b != a) {
                demands.push(circuit.implies(rel.at(from, to), order.at(a, b)));
            }
        }
    }
    circuit.and(demands)
}

/// Can be made true if there is a cycle.
fn cyclic(circuit: &mut Circuit, rel: &Matrix) -> Gate {
    let mut demands = Vec::new();
    let mut chosen = Vec::new();
    for members in closure::components(rel) {
        if members.len() == 1 && !rel.at(members[0], members[0]).is_possible() {
            continue;
        }
        let inputs: Vec<Gate> = members.iter().map(|_| circuit.input()).collect();
        for (&from, &input) in members.iter().zip(&inputs) {
            let next: Vec<Gate> = members
                .iter()
                .zip(&inputs)
                .map(|(&to, &other)| circuit.and([rel.at(from, to), other]))
                .chain([!input])
                .collect();
            demands.push(circuit.or(next));
        }
        chosen.extend(inputs);
    }
    demands.push(circuit.or(chosen));
    circuit.and(demands)
}

#[cfg(test)]
mod tests {
    use tristan_spec::Promise;
    use tristan_spec::iso::{Given, Rel};

    use super::*;
    use crate::evaluate::Order;
    use crate::gates::{Solved, Solver};

    /// Transactions with a session order that may be anything.
    struct Graph {
        size: usize,
        edges: Vec<Gate>,
    }

    impl Atoms for Graph {
        fn txns(&self) -> usize {
            self.size
        }
        fn keys(&self) -> usize {
            0
        }
        fn order(&self, _: Order, first: usize, second: usize) -> Gate {
            self.edges[first * self.size + second]
        }
        fn reads_from(&self, _: usize, _: usize, _: usize) -> Gate {
            Gate::FALSE
        }
        fn reads_before(&self, _: usize, _: usize, _: usize) -> Gate {
            Gate::FALSE
        }
        fn writes(&self, _: usize, _: usize) -> Gate {
            Gate::FALSE
        }
        fn reads(&self, _: usize, _: usize) -> Gate {
            Gate::FALSE
        }
        fn promised(&self, _: Promise, _: usize) -> Gate {
            Gate::FALSE
        }
        fn witness(&self, _: usize, _: Option<usize>, _: usize, _: usize) -> Gate {
            Gate::FALSE
        }
    }

    fn so() -> Rel {
        Rel::Given(Given::So)
    }

    /// Whether the claim can be made of the graph with these edges, once with the edges as
    /// constants and once as inputs.
    fn claimed(size: usize, edges: u32, check: &Check, holds: bool) -> bool {
        let value = |at: usize| edges >> at & 1 == 1;
        let mut answers = Vec::new();
        for constant in [true, false] {
            let mut solver = Solver::default();
            let gates: Vec<Gate> = (0..size * size)
                .map(|at| if constant { Gate::constant(value(at)) } else { solver.circuit.input() })
                .collect();
            let assumed: Vec<Gate> = gates
                .iter()
                .enumerate()
                .map(|(at, &gate)| if value(at) { gate } else { !gate })
                .collect();
            let graph = Graph { size, edges: gates };
            let mut evaluator = Evaluator::new(&graph);
            let claim = evaluator.claim(&mut solver.circuit, check, &Bound::default(), holds);
            solver.require(claim);
            answers.push(matches!(solver.solve(&assumed), Solved::Yes(_)));
        }
        assert_eq!(answers[0], answers[1]);
        answers[0]
    }

    #[test]
    fn claims_of_cycles_agree_with_the_closure() {
        let cycles = Check::Acyclic(so());
        let loops = Check::Irreflexive(Rel::Plus(Box::new(so())));
        let either = Check::Any(vec![cycles.clone(), Check::Total(so())]);
        for edges in 0..512 {
            let free = claimed(3, edges, &loops, true);
            assert_eq!(claimed(3, edges, &loops, false), !free, "{edges:b}");
            assert_eq!(claimed(3, edges, &cycles, true), free, "{edges:b}");
            assert_eq!(claimed(3, edges, &cycles, false), !free, "{edges:b}");
            assert_eq!(claimed(3, edges, &Check::Not(Box::new(cycles.clone())), false), free);
            let total = claimed(3, edges, &Check::Total(so()), true);
            assert_eq!(claimed(3, edges, &either, true), free || total);
            assert_eq!(claimed(3, edges, &either, false), !free && !total);
        }
    }

    #[test]
    fn relations_mean_what_they_say() {
        // 0 → 1 → 2, as bits: row by row.
        let chain = 0b000_100_010;
        let seq = |parts: &[Rel]| Rel::Seq(parts.to_vec());
        let holds = |check: Check| claimed(3, chain, &check, true);
        let id = Rel::Id(tristan_spec::iso::Sort::Txn);
        assert!(holds(Check::In(seq(&[so(), so()]), Rel::Plus(Box::new(so())))));
        assert!(!holds(Check::In(seq(&[so(), so()]), so())));
        assert!(holds(Check::Empty(seq(&[so(), so(), so()]))));
        assert!(holds(Check::Total(Rel::Plus(Box::new(so())))));
        assert!(!holds(Check::Total(Rel::Star(Box::new(Rel::Union(Vec::new()))))));
        let around = Rel::Inter(vec![Rel::Opt(Box::new(so())), Rel::Inverse(Box::new(so()))]);
        assert!(holds(Check::Empty(around)));
        assert!(holds(Check::Empty(Rel::Diff(Box::new(id.clone()), Box::new(id)))));
    }
}
