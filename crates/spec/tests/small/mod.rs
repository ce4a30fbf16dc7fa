//! Judges levels on tiny histories straight from their definitions: every order is tried, every
//! relation to be chosen is grown from nothing by the rules for it.

use tristan_spec::iso::{Check, Form, Given, IsoLevel, KeyVar, Rel, Set, Sort, WitnessKind};

/// A history: transaction 0 wrote the initial state.
#[derive(Clone, Debug, Default)]
pub struct History {
    pub keys: usize,
    pub txns: Vec<Txn>,
}

#[derive(Clone, Debug, Default)]
pub struct Txn {
    pub session: usize,
    /// Begin and end by the clock.
    pub times: (u32, u32),
    /// Key and who wrote the version, in the order of the reads.
    pub reads: Vec<(usize, usize)>,
    pub writes: Vec<usize>,
}

/// A relation: for every node, the nodes it leads to. Transactions come first, then reads.
type Matrix = Vec<u64>;

/// Whether some choice of the witnesses makes every check true.
pub fn keeps(history: &History, level: &IsoLevel) -> bool {
    let form = level.form();
    assert!(form != Form::Search, "{}: no smallest relation", level.name);
    let mut world = World::new(history, level);
    world.choose(0)
}

struct World<'a> {
    history: &'a History,
    level: &'a IsoLevel,
    /// Every read as transaction, place within it, key and source.
    reads: Vec<(usize, usize, usize, usize)>,
    /// What was chosen for each witness: one relation, or one per key.
    chosen: Vec<Vec<Matrix>>,
}

impl<'a> World<'a> {
    fn new(history: &'a History, level: &'a IsoLevel) -> Self {
        let reads = history.txns.iter().enumerate().flat_map(|(txn, own)| {
            let places = own.reads.iter().enumerate();
            places.map(move |(place, &(key, source))| (txn, place, key, source))
        });
        Self { history, level, reads: reads.collect(), chosen: Vec::new() }
    }

    fn size(&self) -> usize {
        self.history.txns.len() + self.reads.len()
    }

    /// Tries every choice for the witnesses from this one on.
    fn choose(&mut self, witness: usize) -> bool {
        let Some(kind) = self.level.witnesses.get(witness).map(|one| one.kind) else {
            return self.grown_relations_fit();
        };
        let all: Vec<usize> = (0..self.history.txns.len()).collect();
        let choices: Vec<Vec<Matrix>> = match kind {
            WitnessKind::Relation => vec![vec![vec![0; self.size()]]],
            WitnessKind::Order => self.orders(&all).into_iter().map(|order| vec![order]).collect(),
            WitnessKind::OrderPerKey => self.orders_per_key(),
        };
        choices.into_iter().any(|choice| {
            self.chosen.push(choice);
            let found = self.choose(witness + 1);
            self.chosen.pop();
            found
        })
    }

    fn orders_per_key(&self) -> Vec<Vec<Matrix>> {
        let mut all = vec![Vec::new()];
        for key in 0..self.history.keys {
            let writers = (0..self.history.txns.len()).filter(|txn| self.writes(*txn, key));
            let orders = self.orders(&writers.collect::<Vec<_>>());
            let more = |chosen: &Vec<Matrix>| {
                let longer = |order: &Matrix| [chosen.clone(), vec![order.clone()]].concat();
                orders.iter().map(longer).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(more).collect();
        }
        all
    }

    /// All strict orders of these transactions that start with the first.
    fn orders(&self, txns: &[usize]) -> Vec<Matrix> {
        let mut sequences = vec![vec![txns[0]]];
        for txn in &txns[1..] {
            let inserted = |sequence: &Vec<usize>| {
                let at = |place: usize| {
                    let mut longer = sequence.clone();
                    longer.insert(place, *txn);
                    longer
                };
                (1..=sequence.len()).map(at).collect::<Vec<_>>()
            };
            sequences = sequences.iter().flat_map(inserted).collect();
        }
        sequences
            .iter()
            .map(|sequence| {
                let mut matrix = vec![0; self.size()];
                for (place, from) in sequence.iter().enumerate() {
                    sequence[place + 1..].iter().for_each(|to| matrix[*from] |= 1 << to);
                }
                matrix
            })
            .collect()
    }

    /// Grows relations until no rule adds anything, then asks every check.
    fn grown_relations_fit(&mut self) -> bool {
        let before: Vec<Vec<Matrix>> = self.chosen.clone();
        loop {
            let now = self.chosen.clone();
            for check in &self.level.checks {
                self.grow(check, &mut Vec::new());
            }
            if self.chosen == now {
                break;
            }
        }
        let fits = self.level.checks.iter().all(|check| self.holds(check, &mut Vec::new()));
        self.chosen = before;
        fits
    }

    fn grow(&mut self, check: &Check, keys: &mut Vec<(KeyVar, usize)>) {
        match check {
            Check::ForAll(var, inner) => {
                for key in 0..self.history.keys {
                    keys.push((*var, key));
                    self.grow(inner, keys);
                    keys.pop();
                }
            }
            Check::All(parts) => parts.iter().for_each(|part| self.grow(part, keys)),
            Check::In(left, right) => {
                let wanted = self.eval(left, keys);
                match right {
                    Rel::Union(parts) => self.extend(&parts[0], &self.ordered(wanted)),
                    _ => self.extend(right, &wanted),
                }
            }
            Check::Total(rel) => {
                let all = vec![u64::MAX; self.size()];
                self.extend(rel, &self.ordered(all));
            }
            _ => {}
        }
    }

    /// Adds pairs to a witness, if the relation is one that can grow.
    fn extend(&mut self, rel: &Rel, pairs: &Matrix) {
        let Rel::Witness(index, None) = rel else { return };
        if self.level.witnesses[*index].kind == WitnessKind::Relation {
            self.chosen[*index][0] = union(&self.chosen[*index][0], pairs);
        }
    }

    /// The pairs of a relation that go along the order of all transactions.
    fn ordered(&self, rel: Matrix) -> Matrix {
        let order = self.level.witnesses.iter().position(|one| one.kind == WitnessKind::Order);
        let order = &self.chosen[order.expect("the relation lies within an order")][0];
        rel.iter().zip(order).map(|(a, b)| a & b).collect()
    }

    fn holds(&self, check: &Check, keys: &mut Vec<(KeyVar, usize)>) -> bool {
        match check {
            Check::In(left, right) => {
                let (left, right) = (self.eval(left, keys), self.eval(right, keys));
                left.iter().zip(&right).all(|(a, b)| a & !b == 0)
            }
            Check::Acyclic(rel) => loopless(&closure(&self.eval(rel, keys))),
            Check::Irreflexive(rel) => loopless(&self.eval(rel, keys)),
            Check::Empty(rel) => self.eval(rel, keys).iter().all(|row| *row == 0),
            Check::Total(rel) => {
                let rel = self.eval(rel, keys);
                let related = |a: usize, b: usize| rel[a] >> b & 1 == 1 || rel[b] >> a & 1 == 1;
                let txns = self.history.txns.len();
                (0..txns).all(|a| (0..a).all(|b| related(a, b)))
            }
            Check::Not(inner) => !self.holds(inner, keys),
            Check::All(parts) => parts.iter().all(|part| self.holds(part, keys)),
            Check::Any(parts) => parts.iter().any(|part| self.holds(part, keys)),
            Check::ForAll(var, inner) => (0..self.history.keys).all(|key| {
                keys.push((*var, key));
                let holds = self.holds(inner, keys);
                keys.pop();
                holds
            }),
        }
    }

    fn eval(&self, rel: &Rel, keys: &mut Vec<(KeyVar, usize)>) -> Matrix {
        match rel {
            Rel::Given(given) => self.given(*given, keys),
            Rel::Witness(index, key) => {
                self.chosen[*index][key.map_or(0, |var| value(var, keys))].clone()
            }
            Rel::Id(sort) => self.identity(*sort),
            Rel::Test(set) => {
                let members = self.members(set, keys);
                (0..self.size()).map(|node| members & 1 << node).collect()
            }
            Rel::Product(left, right) => {
                let (left, right) = (self.members(left, keys), self.members(right, keys));
                let row = |node| if left >> node & 1 == 1 { right } else { 0 };
                (0..self.size()).map(row).collect()
            }
            Rel::Union(parts) => {
                let none = vec![0; self.size()];
                parts.iter().fold(none, |sum, part| union(&sum, &self.eval(part, keys)))
            }
            Rel::Inter(parts) => {
                let all = vec![u64::MAX; self.size()];
                parts.iter().fold(all, |rest, part| {
                    rest.iter().zip(self.eval(part, keys)).map(|(a, b)| a & b).collect()
                })
            }
            Rel::Diff(left, right) => {
                let (left, right) = (self.eval(left, keys), self.eval(right, keys));
                left.iter().zip(&right).map(|(a, b)| a & !b).collect()
            }
            Rel::Seq(parts) => {
                let parts: Vec<Matrix> = parts.iter().map(|part| self.eval(part, keys)).collect();
                parts.into_iter().reduce(|a, b| compose(&a, &b)).expect("two at least")
            }
            Rel::Inverse(inner) => {
                let inner = self.eval(inner, keys);
                let row = |to: usize| {
                    (0..self.size())
                        .filter(|from| inner[*from] >> to & 1 == 1)
                        .map(|from| 1 << from)
                        .sum()
                };
                (0..self.size()).map(row).collect()
            }
            Rel::Opt(inner) => union(&self.eval(inner, keys), &self.identity(inner.sorts().0)),
            Rel::Plus(inner) => closure(&self.eval(inner, keys)),
            Rel::Star(inner) => {
                union(&closure(&self.eval(inner, keys)), &self.identity(inner.sorts().0))
            }
            Rel::OverKeys(var, inner) => {
                (0..self.history.keys).fold(vec![0; self.size()], |sum, key| {
                    keys.push((*var, key));
                    let one = self.eval(inner, keys);
                    keys.pop();
                    union(&sum, &one)
                })
            }
            Rel::Named(_, inner) => self.eval(inner, keys),
        }
    }

    fn given(&self, given: Given, keys: &[(KeyVar, usize)]) -> Matrix {
        let read = |node: usize| node.checked_sub(self.history.txns.len()).map(|at| self.reads[at]);
        let txn = |node: usize| self.history.txns.get(node);
        let first = |a: usize, b: usize| a == 0 && b > 0 && txn(b).is_some();
        self.matrix(|a, b| match given {
            Given::So => {
                first(a, b)
                    || a < b && txn(a).zip(txn(b)).is_some_and(|(a, b)| a.session == b.session)
            }
            Given::Rt => first(a, b) || self.clock(a, b, |a, b| a.1 < b.0),
            Given::CommitOrder => first(a, b) || self.clock(a, b, |a, b| a.1 < b.1),
            Given::BeginCommit => first(a, b) || self.clock(a, b, |a, b| a.0 < b.1),
            Given::Wr(key) => {
                let key = value(key, keys);
                self.reads
                    .iter()
                    .any(|&(reader, _, of, source)| (source, reader, of) == (a, b, key))
            }
            Given::Rd(key) => {
                let key = value(key, keys);
                read(b).is_some_and(|(_, _, of, source)| source == a && of == key)
            }
            Given::Of => read(a).is_some_and(|(reader, ..)| reader == b),
            Given::Po => read(a).zip(read(b)).is_some_and(|(a, b)| a.0 == b.0 && a.1 < b.1),
        })
    }

    fn clock(&self, a: usize, b: usize, before: fn((u32, u32), (u32, u32)) -> bool) -> bool {
        let times = |node: usize| self.history.txns.get(node).map(|txn| txn.times);
        a > 0 && b > 0 && a != b && times(a).zip(times(b)).is_some_and(|(a, b)| before(a, b))
    }

    fn matrix(&self, holds: impl Fn(usize, usize) -> bool) -> Matrix {
        let row = |a| (0..self.size()).filter(|b| holds(a, *b)).map(|b| 1 << b).sum();
        (0..self.size()).map(row).collect()
    }

    fn identity(&self, sort: Sort) -> Matrix {
        let is = |node: usize| (node < self.history.txns.len()) == (sort == Sort::Txn);
        self.matrix(|a, b| a == b && is(a))
    }

    fn writes(&self, txn: usize, key: usize) -> bool {
        txn == 0 || self.history.txns[txn].writes.contains(&key)
    }

    fn members(&self, set: &Set, keys: &[(KeyVar, usize)]) -> u64 {
        let txns = self.history.txns.iter().enumerate();
        let select = |is: &dyn Fn(usize, &Txn) -> bool| {
            txns.clone().filter(|(node, txn)| is(*node, txn)).map(|(node, _)| 1 << node).sum()
        };
        match set {
            Set::Txn | Set::Promised(_) => select(&|_, _| true),
            Set::Init => 1,
            Set::Writes(key) => select(&|node, _| self.writes(node, value(*key, keys))),
            Set::Reads(key) => {
                select(&|_, txn| txn.reads.iter().any(|(of, _)| *of == value(*key, keys)))
            }
            Set::Writers => select(&|node, txn| node == 0 || !txn.writes.is_empty()),
            Set::Readers => select(&|_, txn| !txn.reads.is_empty()),
            Set::Union(parts) => {
                parts.iter().map(|part| self.members(part, keys)).fold(0, |a, b| a | b)
            }
            Set::Inter(parts) => {
                parts.iter().map(|part| self.members(part, keys)).fold(u64::MAX, |a, b| a & b)
            }
            Set::Diff(left, right) => self.members(left, keys) & !self.members(right, keys),
        }
    }
}

fn value(var: KeyVar, keys: &[(KeyVar, usize)]) -> usize {
    keys.iter().rev().find(|(bound, _)| *bound == var).expect("every key is bound").1
}

fn union(left: &Matrix, right: &Matrix) -> Matrix {
    left.iter().zip(right).map(|(a, b)| a | b).collect()
}

fn compose(left: &Matrix, right: &Matrix) -> Matrix {
    let row = |row: &u64| {
        (0..right.len()).filter(|to| row >> to & 1 == 1).fold(0, |sum, to| sum | right[to])
    };
    left.iter().map(row).collect()
}

fn closure(rel: &Matrix) -> Matrix {
    let mut closed = rel.clone();
    for through in 0..rel.len() {
        for from in 0..rel.len() {
            if closed[from] >> through & 1 == 1 {
                closed[from] |= closed[through];
            }
        }
    }
    closed
}

fn loopless(rel: &Matrix) -> bool {
    rel.iter().enumerate().all(|(node, row)| row >> node & 1 == 0)
}
