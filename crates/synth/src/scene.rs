//! A history as gates, and the witnesses that go with it.
//!
//! The gates of a [`Scene`] are constants if the history is given and inputs if it is sought. A
//! [`Cast`] adds the witnesses of one level; the two together are what a level is evaluated over.

use tristan_spec::Promise;
use tristan_spec::iso::{IsoLevel, WitnessKind};

use crate::evaluate::{Atoms, Matrix, Order, order_inputs, order_laws};
use crate::gates::{Gate, Model, Solver};
use crate::history::{AbstractHistory, Event};

/// Everything a history says, over transactions (0 is the initial one) and keys.
#[derive(Clone, Debug)]
pub struct Scene {
    /// How many transactions there are, the initial one included.
    pub txns: usize,
    /// How many keys there are.
    pub keys: usize,
    /// Session order.
    pub so: Matrix,
    /// Ended before the other began.
    pub rt: Matrix,
    /// Committed before the other committed.
    pub cc: Matrix,
    /// Began before the other committed.
    pub bc: Matrix,
    /// For each key, which transaction reads whose version.
    pub wr: Vec<Matrix>,
    /// For each key, the transactions that write it.
    pub writes: Vec<Vec<Gate>>,
    /// For each key, the transactions that read it.
    pub reads: Vec<Vec<Gate>>,
    /// For each transaction, which key it reads before which.
    pub po: Vec<Matrix>,
    /// For each promise, weakest first, the transactions that were given it or more.
    pub promised: Vec<Vec<Gate>>,
}

impl Scene {
    /// A given history. A database has at least one key: if the history names none, there is one
    /// that only the initial transaction wrote.
    pub fn of(history: &AbstractHistory) -> Self {
        let (txns, keys) = (history.txns.len() + 1, history.keys.len().max(1));
        let related = |holds: &dyn Fn(usize, usize) -> bool| {
            Matrix::new(txns, txns, |a, b| Gate::constant(a != b && holds(a, b)))
        };
        let source = |txn: usize, key: usize| {
            let mut reads = history.txn(txn)?.reads.iter();
            reads.find(|read| read.key == key).map(|read| read.from)
        };
        let before = |txn: usize, first: usize, second: usize| {
            let place = |key| history.txn(txn)?.reads.iter().position(|read| read.key == key);
            matches!((place(first), place(second)), (Some(one), Some(two)) if one < two)
        };
        let writes =
            |txn: usize, key: usize| history.txn(txn).is_none_or(|txn| txn.writes.contains(&key));
        let promise = |txn: usize| history.txn(txn).and_then(|txn| txn.promise);
        let before_event = |first: Event, second: Event| history.happened_before(first, second);
        let row = |member: &dyn Fn(usize) -> bool| -> Vec<Gate> {
            (0..txns).map(|txn| Gate::constant(member(txn))).collect()
        };
        Self {
            txns,
            keys,
            so: related(&|a, b| history.precedes(a, b)),
            rt: related(&|a, b| before_event(Event::Commit(a), Event::Begin(b))),
            cc: related(&|a, b| before_event(Event::Commit(a), Event::Commit(b))),
            bc: related(&|a, b| before_event(Event::Begin(a), Event::Commit(b))),
            wr: (0..keys).map(|key| related(&|a, b| source(b, key) == Some(a))).collect(),
            writes: (0..keys).map(|key| row(&|txn| writes(txn, key))).collect(),
            reads: (0..keys).map(|key| row(&|txn| source(txn, key).is_some())).collect(),
            po: (0..txns)
                .map(|txn| Matrix::new(keys, keys, |a, b| Gate::constant(before(txn, a, b))))
                .collect(),
            promised: Promise::ALL
                .iter()
                .map(|least| row(&|txn| promise(txn).is_some_and(|given| given >= *least)))
                .collect(),
        }
    }
}

/// What one witness is.
#[derive(Clone, Debug)]
pub enum Chosen {
    /// It is not needed.
    Unused,
    /// A relation or an order of all transactions.
    All(Matrix),
    /// For each key, an order of its writers.
    PerKey(Vec<Matrix>),
}

/// A scene with the witnesses of a level.
#[derive(Clone, Debug)]
pub struct Cast<'a> {
    /// The history for which the witnesses are chosen.
    pub scene: &'a Scene,
    /// The witnesses, by their places.
    pub witnesses: Vec<Chosen>,
}

impl<'a> Cast<'a> {
    /// A cast in which the solver may choose the witnesses at these places.
    pub fn free(solver: &mut Solver, scene: &'a Scene, level: &IsoLevel, places: &[usize]) -> Self {
        let witnesses = level
            .witnesses
            .iter()
            .enumerate()
            .map(|(place, witness)| match places.contains(&place) {
                true => free(solver, scene, witness.kind),
                false => Chosen::Unused,
            })
            .collect();
        Self { scene, witnesses }
    }
}

/// A witness that the solver chooses.
pub fn free(solver: &mut Solver, scene: &Scene, kind: WitnessKind) -> Chosen {
    match kind {
        WitnessKind::Order => Chosen::All(free_order(solver, scene.txns)),
        WitnessKind::Relation => {
            Chosen::All(Matrix::new(scene.txns, scene.txns, |_, _| solver.circuit.input()))
        }
        WitnessKind::OrderPerKey => {
            let orders = (0..scene.keys).map(|key| {
                let order = free_order(solver, scene.txns);
                among_writers(solver, scene, key, &order)
            });
            Chosen::PerKey(orders.collect())
        }
    }
}

/// A total order of all transactions, the initial one first, that the solver chooses.
pub fn free_order(solver: &mut Solver, txns: usize) -> Matrix {
    let order = order_inputs(&mut solver.circuit, txns, true);
    for law in order_laws(&order) {
        solver.require_one(&law);
    }
    order
}

/// An order of all transactions, as far as it concerns the writers of a key.
pub fn among_writers(solver: &mut Solver, scene: &Scene, key: usize, order: &Matrix) -> Matrix {
    let writes = &scene.writes[key];
    Matrix::new(scene.txns, scene.txns, |a, b| {
        solver.circuit.and([order.at(a, b), writes[a], writes[b]])
    })
}

/// The order in which these transactions come, as a matrix of constants. Those that are not
/// listed come last, by their numbers.
pub fn fixed_order(txns: usize, listed: &[usize]) -> Matrix {
    let place = |txn: usize| {
        let found = listed.iter().position(|&other| other == txn);
        found.unwrap_or(listed.len() + txn)
    };
    Matrix::new(txns, txns, |a, b| {
        Gate::constant(match (a, b) {
            (0, _) => b != 0,
            (_, 0) => false,
            _ => place(a) < place(b),
        })
    })
}

/// These transactions in the order that a matrix of constants gives them.
pub fn sorted(order: &Matrix, members: &[usize]) -> Vec<usize> {
    let mut sorted = members.to_vec();
    let earlier =
        |txn: usize| members.iter().filter(|&&other| order.at(other, txn) == Gate::TRUE).count();
    sorted.sort_by_key(|&txn| earlier(txn));
    sorted
}

impl Atoms for Cast<'_> {
    fn txns(&self) -> usize {
        self.scene.txns
    }

    fn keys(&self) -> usize {
        self.scene.keys
    }

    fn order(&self, order: Order, first: usize, second: usize) -> Gate {
        let matrix = match order {
            Order::Session => &self.scene.so,
            Order::RealTime => &self.scene.rt,
            Order::Commits => &self.scene.cc,
            Order::BeginCommit => &self.scene.bc,
        };
        matrix.at(first, second)
    }

    fn reads_from(&self, key: usize, writer: usize, reader: usize) -> Gate {
        self.scene.wr[key].at(writer, reader)
    }

    fn reads_before(&self, txn: usize, first: usize, second: usize) -> Gate {
        self.scene.po[txn].at(first, second)
    }

    fn writes(&self, key: usize, txn: usize) -> Gate {
        self.scene.writes[key][txn]
    }

    fn reads(&self, key: usize, txn: usize) -> Gate {
        self.scene.reads[key][txn]
    }

    fn promised(&self, promise: Promise, txn: usize) -> Gate {
        let place = Promise::ALL.iter().position(|other| *other == promise).unwrap_or(0);
        self.scene.promised[place][txn]
    }

    fn witness(&self, witness: usize, key: Option<usize>, first: usize, second: usize) -> Gate {
        match (self.witnesses.get(witness), key) {
            (Some(Chosen::All(matrix)), _) => matrix.at(first, second),
            (Some(Chosen::PerKey(orders)), Some(key)) => orders[key].at(first, second),
            _ => Gate::FALSE,
        }
    }
}

impl Scene {
    /// The history that a model describes, as constants.
    pub fn settled(&self, model: &Model) -> Self {
        let matrix = |matrix: &Matrix| settled(model, matrix);
        let row = |row: &Vec<Gate>| row.iter().map(|&gate| constant(model, gate)).collect();
        Self {
            txns: self.txns,
            keys: self.keys,
            so: matrix(&self.so),
            rt: matrix(&self.rt),
            cc: matrix(&self.cc),
            bc: matrix(&self.bc),
            wr: self.wr.iter().map(matrix).collect(),
            writes: self.writes.iter().map(row).collect(),
            reads: self.reads.iter().map(row).collect(),
            po: self.po.iter().map(matrix).collect(),
            promised: self.promised.iter().map(row).collect(),
        }
    }
}

impl Chosen {
    /// The witness that a model describes, as constants.
    pub fn settled(&self, model: &Model) -> Self {
        match self {
            Self::Unused => Self::Unused,
            Self::All(matrix) => Self::All(settled(model, matrix)),
            Self::PerKey(orders) => {
                Self::PerKey(orders.iter().map(|order| settled(model, order)).collect())
            }
        }
    }
}

fn settled(model: &Model, matrix: &Matrix) -> Matrix {
    Matrix::new(matrix.rows(), matrix.cols(), |a, b| constant(model, matrix.at(a, b)))
}

fn constant(model: &Model, gate: Gate) -> Gate {
    Gate::constant(model.is_true(gate))
}
