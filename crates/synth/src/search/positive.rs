//! Levels that the history must keep.
//!
//! Transactions have no names, so one of them may be numbered after an order that a level asks
//! for anyway: the *anchored* level gets the order 1, 2, 3, … and none is left to choose. What the
//! level says about the order then is known at once: if reads are within it, no transaction reads from a
//! transaction with a larger number.

use tristan_spec::iso::{Check, IsoLevel, Rel, WitnessKind};

use crate::evaluate::{Bound, Evaluator, Matrix};
use crate::gates::{Gate, Solver};
use crate::rewrite::{eliminate_relations, flatten, mentioned};
use crate::scene::{Cast, Chosen, Scene, among_writers, fixed_order, free};

/// How a level can give transactions their numbers.
#[derive(Clone, Debug)]
pub(crate) enum Anchor {
    /// By the order at this place.
    Order(usize),
    /// By an order that contains the relation of this check, which must have no cycle.
    Acyclic(usize),
}

/// A level to be kept, in the form in which it is searched.
#[derive(Clone, Debug)]
pub(crate) struct Positive {
    level: IsoLevel,
}

impl Positive {
    pub(crate) fn new(level: &IsoLevel) -> Self {
        let mut level = eliminate_relations(level);
        level.checks = flatten(&level.checks);
        Self { level }
    }

    /// How the level can give transactions their numbers, if it can.
    pub(crate) fn anchor(&self) -> Option<Anchor> {
        let is_order = |place: &usize| self.level.witnesses[*place].kind == WitnessKind::Order;
        let order = mentioned(&self.level).into_iter().find(is_order);
        let acyclic =
            || self.level.checks.iter().position(|check| matches!(check, Check::Acyclic(_)));
        order.map(Anchor::Order).or_else(|| acyclic().map(Anchor::Acyclic))
    }

    /// Demands that the level be kept, by some choice of its witnesses.
    pub(crate) fn demand(&self, solver: &mut Solver, scene: &Scene) {
        let cast = Cast::free(solver, scene, &self.level, &mentioned(&self.level));
        demand_all(solver, &cast, self.level.checks.iter());
    }

    /// The same, where transactions are numbered by the anchor.
    pub(crate) fn demand_anchored(&self, solver: &mut Solver, scene: &Scene, anchor: &Anchor) {
        let identity = fixed_order(scene.txns, &[]);
        let used = mentioned(&self.level);
        let mut witnesses = Vec::new();
        for (place, witness) in self.level.witnesses.iter().enumerate() {
            witnesses.push(match witness.kind {
                _ if !used.contains(&place) => Chosen::Unused,
                _ if matches!(anchor, Anchor::Order(own) if *own == place) => {
                    Chosen::All(identity.clone())
                }
                WitnessKind::OrderPerKey if self.is_within(anchor, place) => {
                    let keys = 0..scene.keys;
                    Chosen::PerKey(
                        keys.map(|key| among_writers(solver, scene, key, &identity)).collect(),
                    )
                }
                kind => free(solver, scene, kind),
            });
        }
        let cast = Cast { scene, witnesses };
        let anchored = match anchor {
            Anchor::Order(_) => None,
            Anchor::Acyclic(place) => Some(*place),
        };
        if let Some(Check::Acyclic(rel)) = anchored.map(|place| &self.level.checks[place]) {
            let matrix = Evaluator::new(&cast).rel(&mut solver.circuit, rel, &Bound::default());
            demand_within(solver, &matrix, &identity);
        }
        let rest = self.level.checks.iter().enumerate();
        let rest = rest.filter(|(place, _)| Some(*place) != anchored).map(|(_, check)| check);
        demand_all(solver, &cast, rest);
    }

    /// Whether the version orders of this witness must agree with the numbers of transactions.
    fn is_within(&self, anchor: &Anchor, place: usize) -> bool {
        match anchor {
            Anchor::Acyclic(check) => match &self.level.checks[*check] {
                Check::Acyclic(rel) => contains(rel, place),
                _ => false,
            },
            Anchor::Order(order) => self.level.checks.iter().any(|check| match check {
                Check::In(left, Rel::Witness(own, None)) => own == order && contains(left, place),
                _ => false,
            }),
        }
    }
}

fn demand_all<'a>(solver: &mut Solver, cast: &Cast<'_>, checks: impl Iterator<Item = &'a Check>) {
    let mut evaluator = Evaluator::new(cast);
    for check in checks {
        let claim = evaluator.claim(&mut solver.circuit, check, &Bound::default(), true);
        solver.require(claim);
    }
}

/// Demands that a relation without cycles agrees with the numbers of transactions. The initial one
/// has number 0; if something may lead to it, it gets a place of its own among the others.
fn demand_within(solver: &mut Solver, rel: &Matrix, identity: &Matrix) {
    let leads_to_initial = (0..rel.rows()).any(|txn| rel.at(txn, 0).is_possible());
    let pairs: Vec<(usize, usize, Gate)> = rel.possible().collect();
    if !leads_to_initial {
        for (a, b, gate) in pairs {
            solver.require_one(&[!gate, identity.at(a, b)]);
        }
        return;
    }
    // Those before the initial one have smaller numbers than those after it.
    let before: Vec<Gate> = (0..rel.rows()).map(|_| solver.circuit.input()).collect();
    for pair in before[1..].windows(2) {
        solver.require_one(&[!pair[1], pair[0]]);
    }
    for (a, b, gate) in pairs {
        let fits = match (a, b) {
            _ if a == b => Gate::FALSE,
            (0, later) => !before[later],
            (earlier, 0) => before[earlier],
            _ => identity.at(a, b),
        };
        solver.require_one(&[!gate, fits]);
    }
}

/// Whether one sees without thinking that all version orders are within a relation.
fn contains(rel: &Rel, place: usize) -> bool {
    match rel {
        Rel::Witness(own, Some(_)) => *own == place,
        Rel::Union(parts) => parts.iter().any(|part| contains(part, place)),
        Rel::Opt(inner)
        | Rel::Plus(inner)
        | Rel::Star(inner)
        | Rel::OverKeys(_, inner)
        | Rel::Named(_, inner) => contains(inner, place),
        Rel::Seq(parts) => parts.iter().enumerate().any(|(at, part)| {
            let others = parts.iter().enumerate().filter(|(other, _)| *other != at);
            contains(part, place)
                && others
                    .into_iter()
                    .all(|(_, other)| matches!(other, Rel::Opt(_) | Rel::Star(_) | Rel::Id(_)))
        }),
        _ => false,
    }
}
