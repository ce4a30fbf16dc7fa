//! Levels that the history must violate: no choice of witnesses may be right.
//!
//! If nothing is left to choose ([`simplest`]), that is one demand. Otherwise it is one demand for
//! every choice, of which there are far too many, so they are made one by one:
//!
//! ```text
//!   candidate ──► does some choice keep the level after all? ──no──► found
//!       ▲                            │ yes
//!       └── "this choice is wrong" ◄─┘
//! ```
//!
//! The demand "this choice is wrong" is not about the candidate: orders are constants in it, but
//! everything else is about the history that is sought, and the gates are shared with all other
//! demands. The first choices to be excluded are guesses (the numbers of transactions as the order
//! of everything) and come before any candidate. They are made in two forms of the level: to say
//! that an order is wrong is weaker than to say that an order of versions is, but it takes no cycle
//! to say it, and it is all that is needed where one level implies the other by the same order. So
//! that comes first, and the other only if something is found nevertheless.
//!
//! A choice is wrong too if it is not well formed in the eyes of the level's framework: a level
//! that no history can keep for that reason is violated like any other.

use tristan_spec::iso::{Given, IsoLevel, KeyVar, Rel, WitnessKind};

use crate::evaluate::{Bound, Evaluator, Matrix};
use crate::gates::{Gate, SearchBudget, SearchLimitError, Solver};
use crate::history::AbstractHistory;
use crate::judge::witness;
use crate::rewrite::{eliminate_relations, mentioned, simplest};
use crate::scene::{Cast, Chosen, Scene, among_writers, fixed_order, sorted};

/// A level to be violated, in the form in which it is searched.
#[derive(Clone, Debug)]
pub(crate) struct Negative {
    /// With as little to choose as possible.
    simplest: Form,
    /// With its orders, if the simplest form has fewer.
    with_orders: Option<Form>,
}

/// A level and the places of the witnesses that it mentions.
#[derive(Clone, Debug)]
struct Form {
    level: IsoLevel,
    used: Vec<usize>,
}

impl Negative {
    pub(crate) fn new(level: &IsoLevel) -> Self {
        let simplest = Form::of(simplest(level));
        let with_orders = Form::of(eliminate_relations(level));
        let differ = with_orders.used != simplest.used;
        Self { simplest, with_orders: differ.then_some(with_orders) }
    }

    /// Demands that the first guesses are wrong, as far as one can say so without cycles.
    pub(crate) fn demand_first(&self, solver: &mut Solver, scene: &Scene) {
        self.with_orders.as_ref().unwrap_or(&self.simplest).demand_guesses_wrong(solver, scene);
    }

    /// Demands that the first guesses are wrong in the simplest form of the level, too.
    pub(crate) fn demand_second(&self, solver: &mut Solver, scene: &Scene) {
        if self.with_orders.is_some() {
            self.simplest.demand_guesses_wrong(solver, scene);
        }
    }

    /// Witnesses that show that a candidate keeps the level; `None` if there are none.
    pub(crate) fn kept_by(
        &self,
        history: &AbstractHistory,
        budget: &SearchBudget,
    ) -> Result<Option<Vec<Chosen>>, SearchLimitError> {
        if self.simplest.used.is_empty() {
            // What was demanded at the start is all there is to it.
            return Ok(None);
        }
        let scene = Scene::of(history);
        let found = witness(&mut Solver::new(budget), &scene, &self.simplest.level)?;
        Ok(found.map(|(_, chosen)| chosen))
    }

    /// Demands that these witnesses of a candidate are wrong.
    pub(crate) fn learn(
        &self,
        solver: &mut Solver,
        scene: &Scene,
        history: &AbstractHistory,
        chosen: Vec<Chosen>,
    ) {
        let general = chosen
            .into_iter()
            .map(|chosen| match chosen {
                Chosen::PerKey(orders) => {
                    let orders = orders.iter().enumerate();
                    Chosen::PerKey(
                        orders
                            .map(|(key, order)| {
                                let order = widened(scene.txns, history, key, order);
                                among_writers(solver, scene, key, &order)
                            })
                            .collect(),
                    )
                }
                other => other,
            })
            .collect();
        self.simplest.demand_wrong(solver, scene, general);
    }
}

impl Form {
    fn of(level: IsoLevel) -> Self {
        let used = mentioned(&level);
        Self { level, used }
    }

    fn demand_guesses_wrong(&self, solver: &mut Solver, scene: &Scene) {
        for guess in self.guesses(solver, scene) {
            self.demand_wrong(solver, scene, guess);
        }
    }

    fn demand_wrong(&self, solver: &mut Solver, scene: &Scene, witnesses: Vec<Chosen>) {
        let cast = Cast { scene, witnesses };
        let mut evaluator = Evaluator::new(&cast);
        let wrong: Vec<Gate> = self
            .level
            .checks
            .iter()
            .map(|check| evaluator.claim(&mut solver.circuit, check, &Bound::default(), false))
            .collect();
        solver.require_one(&wrong);
    }

    /// Choices to exclude before anything is known.
    fn guesses(&self, solver: &mut Solver, scene: &Scene) -> Vec<Vec<Chosen>> {
        let identity = fixed_order(scene.txns, &[]);
        let has_relation = self
            .used
            .iter()
            .any(|place| self.level.witnesses[*place].kind == WitnessKind::Relation);
        let relations = if has_relation { relations() } else { vec![Rel::Union(Vec::new())] };
        let guess = |relation: &Rel| {
            let relation = guessed(solver, scene, relation, &identity);
            let chosen = |(place, kind)| match kind {
                _ if !self.used.contains(&place) => Chosen::Unused,
                WitnessKind::Order => Chosen::All(identity.clone()),
                WitnessKind::Relation => Chosen::All(relation.clone()),
                WitnessKind::OrderPerKey => Chosen::PerKey(
                    (0..scene.keys)
                        .map(|key| among_writers(solver, scene, key, &identity))
                        .collect(),
                ),
            };
            let kinds = self.level.witnesses.iter().map(|witness| witness.kind);
            kinds.enumerate().map(chosen).collect()
        };
        relations.iter().map(guess).collect()
    }
}

/// Guesses at a visibility whose least choice is not known: what reads and sessions show, the
/// closure of that, all that came before, and all earlier transactions. Witness 0 is an order.
fn relations() -> Vec<Rel> {
    let key = KeyVar(0);
    let wr = Rel::OverKeys(key, Box::new(Rel::Given(Given::Wr(key))));
    let base = Rel::Union(vec![Rel::Given(Given::So), wr]);
    let order = Rel::Witness(0, None);
    vec![
        base.clone(),
        Rel::Plus(Box::new(base.clone())),
        Rel::Seq(vec![Rel::Opt(Box::new(order.clone())), base]),
        order,
    ]
}

/// What a guess is, for an order of transactions.
fn guessed(solver: &mut Solver, scene: &Scene, guess: &Rel, order: &Matrix) -> Matrix {
    let cast = Cast { scene, witnesses: vec![Chosen::All(order.clone())] };
    let matrix = Evaluator::new(&cast).rel(&mut solver.circuit, guess, &Bound::default());
    matrix.as_ref().clone()
}

/// An order of all transactions that agrees with the order of those that write the key in a
/// candidate. The others keep the places that their numbers give them.
fn widened(txns: usize, history: &AbstractHistory, key: usize, order: &Matrix) -> Matrix {
    let writes = |txn: &usize| history.txn(*txn).is_some_and(|txn| txn.writes.contains(&key));
    let writers: Vec<usize> = (1..txns).filter(writes).collect();
    let mut in_order = sorted(order, &writers).into_iter();
    let all: Vec<usize> = (1..txns)
        .map(|txn| if writes(&txn) { in_order.next().unwrap_or(txn) } else { txn })
        .collect();
    fixed_order(txns, &all)
}
