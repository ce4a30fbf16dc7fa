//! Evaluates relations and sets.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use tristan_spec::iso::{Given, KeyVar, Rel, Set, Sort};

use super::{Atoms, Matrix, Order, closure};
use crate::gates::{Circuit, Gate};
use crate::syntax::free_keys;

/// Keys that key variables stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bound(Vec<(KeyVar, usize)>);

impl Bound {
    /// The same, with one more variable bound.
    pub fn with(&self, var: KeyVar, key: usize) -> Self {
        let others = self.0.iter().copied().filter(|(other, _)| *other != var);
        Self(others.chain([(var, key)]).collect())
    }

    /// The key a variable stands for; the first key if it is not bound.
    pub fn key(&self, var: KeyVar) -> usize {
        self.0.iter().find(|(other, _)| *other == var).map_or(0, |(_, key)| *key)
    }

    /// Only what a relation mentions.
    fn within(&self, rel: &Rel) -> Self {
        Self(free_keys(rel).into_iter().map(|var| (var, self.key(var))).collect())
    }
}

/// Evaluates over one set of atoms. The same relation is evaluated once.
#[derive(Debug)]
pub struct Evaluator<'a, A> {
    pub(super) atoms: &'a A,
    known: FxHashMap<(Rel, Bound), Rc<Matrix>>,
}

impl<'a, A: Atoms> Evaluator<'a, A> {
    /// Evaluates over these atoms.
    pub fn new(atoms: &'a A) -> Self {
        Self { atoms, known: FxHashMap::default() }
    }

    /// The relation, where key variables stand for the keys given.
    pub fn rel(&mut self, circuit: &mut Circuit, rel: &Rel, bound: &Bound) -> Rc<Matrix> {
        let place = (rel.clone(), bound.within(rel));
        if let Some(known) = self.known.get(&place) {
            return Rc::clone(known);
        }
        let matrix = Rc::new(self.fresh(circuit, rel, bound));
        self.known.insert(place, Rc::clone(&matrix));
        matrix
    }

    fn fresh(&mut self, circuit: &mut Circuit, rel: &Rel, bound: &Bound) -> Matrix {
        match rel {
            Rel::Given(given) => self.given(*given, bound),
            Rel::Witness(witness, var) => {
                let key = var.map(|var| bound.key(var));
                let txns = self.atoms.txns();
                Matrix::new(txns, txns, |a, b| self.atoms.witness(*witness, key, a, b))
            }
            Rel::Id(sort) => self.identity(*sort),
            Rel::Test(set) => Matrix::diagonal(&self.set(circuit, set, bound)),
            Rel::Product(left, right) => {
                let (left, right) =
                    (self.set(circuit, left, bound), self.set(circuit, right, bound));
                Matrix::new(left.len(), right.len(), |a, b| circuit.and([left[a], right[b]]))
            }
            Rel::Union(parts) => self.union(circuit, rel, parts, bound),
            Rel::Inter(parts) => self.fold(circuit, parts, bound, Matrix::intersection),
            Rel::Seq(parts) => self.fold(circuit, parts, bound, Matrix::then),
            Rel::Diff(left, right) => {
                let (left, right) =
                    (self.rel(circuit, left, bound), self.rel(circuit, right, bound));
                left.difference(circuit, &right)
            }
            Rel::Inverse(inner) => self.rel(circuit, inner, bound).inverse(),
            Rel::Opt(inner) => {
                let once = self.rel(circuit, inner, bound);
                self.or_nothing(circuit, inner.sorts().0, &once)
            }
            Rel::Plus(inner) => {
                let once = self.rel(circuit, inner, bound);
                closure::plus(circuit, &once)
            }
            Rel::Star(inner) => {
                let once = self.rel(circuit, inner, bound);
                let often = closure::plus(circuit, &once);
                self.or_nothing(circuit, inner.sorts().0, &often)
            }
            Rel::OverKeys(var, inner) => self.over_keys(circuit, *var, inner, bound),
            Rel::Named(_, inner) => self.rel(circuit, inner, bound).as_ref().clone(),
        }
    }

    /// The transactions in a set.
    pub fn set(&self, circuit: &mut Circuit, set: &Set, bound: &Bound) -> Vec<Gate> {
        (0..self.atoms.txns()).map(|txn| self.member(circuit, set, bound, txn)).collect()
    }

    fn member(&self, circuit: &mut Circuit, set: &Set, bound: &Bound, txn: usize) -> Gate {
        let atoms = self.atoms;
        match set {
            Set::Txn => atoms.exists(txn),
            Set::Init => atoms.is_initial(txn),
            Set::Writes(var) => atoms.writes(bound.key(*var), txn),
            Set::Reads(var) => atoms.reads(bound.key(*var), txn),
            Set::Writers => {
                let (initial, writes) =
                    (atoms.is_initial(txn), atoms.writes_something(circuit, txn));
                circuit.or([initial, writes])
            }
            Set::Readers => atoms.reads_something(circuit, txn),
            Set::Promised(promise) => atoms.promised(*promise, txn),
            Set::Union(parts) => {
                let parts: Vec<Gate> =
                    parts.iter().map(|part| self.member(circuit, part, bound, txn)).collect();
                circuit.or(parts)
            }
            Set::Inter(parts) => {
                let parts: Vec<Gate> =
                    parts.iter().map(|part| self.member(circuit, part, bound, txn)).collect();
                circuit.and(parts)
            }
            Set::Diff(left, right) => {
                let (left, right) = (
                    self.member(circuit, left, bound, txn),
                    self.member(circuit, right, bound, txn),
                );
                circuit.and([left, !right])
            }
        }
    }

    fn given(&self, given: Given, bound: &Bound) -> Matrix {
        let (atoms, txns, keys) = (self.atoms, self.atoms.txns(), self.atoms.keys());
        let order = |order| Matrix::new(txns, txns, |a, b| atoms.order(order, a, b));
        match given {
            Given::So => order(Order::Session),
            Given::Rt => order(Order::RealTime),
            Given::CommitOrder => order(Order::Commits),
            Given::BeginCommit => order(Order::BeginCommit),
            Given::Wr(var) => {
                let key = bound.key(var);
                Matrix::new(txns, txns, |a, b| atoms.reads_from(key, a, b))
            }
            Given::Rd(var) => {
                let key = bound.key(var);
                Matrix::new(txns, txns * keys, |txn, read| match read % keys == key {
                    true => atoms.reads_from(key, txn, read / keys),
                    false => Gate::FALSE,
                })
            }
            Given::Of => Matrix::new(txns * keys, txns, |read, txn| match read / keys == txn {
                true => atoms.reads(read % keys, txn),
                false => Gate::FALSE,
            }),
            Given::Po => Matrix::new(txns * keys, txns * keys, |first, second| {
                match first / keys == second / keys && first != second {
                    true => atoms.reads_before(first / keys, first % keys, second % keys),
                    false => Gate::FALSE,
                }
            }),
        }
    }

    /// The identity. Of the reads only those that are made count.
    fn identity(&self, sort: Sort) -> Matrix {
        let (txns, keys) = (self.atoms.txns(), self.atoms.keys());
        let members: Vec<Gate> = match sort {
            Sort::Txn => (0..txns).map(|txn| self.atoms.exists(txn)).collect(),
            Sort::Read => {
                (0..txns * keys).map(|read| self.atoms.reads(read % keys, read / keys)).collect()
            }
        };
        Matrix::diagonal(&members)
    }

    fn or_nothing(&self, circuit: &mut Circuit, sort: Sort, rel: &Matrix) -> Matrix {
        rel.union(circuit, &self.identity(sort))
    }

    fn union(&mut self, circuit: &mut Circuit, rel: &Rel, parts: &[Rel], bound: &Bound) -> Matrix {
        let parts: Vec<Rc<Matrix>> =
            parts.iter().map(|part| self.rel(circuit, part, bound)).collect();
        self.any_of(circuit, rel, &parts)
    }

    fn over_keys(
        &mut self,
        circuit: &mut Circuit,
        var: KeyVar,
        inner: &Rel,
        bound: &Bound,
    ) -> Matrix {
        let parts: Vec<Rc<Matrix>> = (0..self.atoms.keys())
            .map(|key| self.rel(circuit, inner, &bound.with(var, key)))
            .collect();
        self.any_of(circuit, inner, &parts)
    }

    /// Cell by cell, whether one of the matrices says so; they are of the size of a relation.
    fn any_of(&self, circuit: &mut Circuit, rel: &Rel, parts: &[Rc<Matrix>]) -> Matrix {
        let size = |sort| match sort {
            Sort::Txn => self.atoms.txns(),
            Sort::Read => self.atoms.txns() * self.atoms.keys(),
        };
        let (from, to) = rel.sorts();
        Matrix::new(size(from), size(to), |row, col| {
            circuit.or(parts.iter().map(|part| part.at(row, col)))
        })
    }

    fn fold(
        &mut self,
        circuit: &mut Circuit,
        parts: &[Rel],
        bound: &Bound,
        combine: fn(&Matrix, &mut Circuit, &Matrix) -> Matrix,
    ) -> Matrix {
        let mut parts = parts.iter();
        let Some(first) = parts.next() else { return self.identity(Sort::Txn) };
        let mut all = self.rel(circuit, first, bound).as_ref().clone();
        for part in parts {
            let part = self.rel(circuit, part, bound);
            all = combine(&all, circuit, &part);
        }
        all
    }
}
