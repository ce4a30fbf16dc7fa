//! What relations, sets and checks of a written level mean, once the witnesses are chosen.

use std::collections::BTreeMap;

use tristan_spec::iso::{Check, Given, KeyVar, Rel, Set, Sort};

use super::facts::Facts;
use super::matrix::Matrix;

/// A choice for one witness.
#[derive(Clone, Debug)]
pub(super) enum Chosen {
    /// A relation between transactions.
    One(Matrix),
    /// One for each key.
    PerKey(Vec<Matrix>),
}

/// A history with chosen witnesses.
pub(super) struct World<'a> {
    pub(super) facts: &'a Facts,
    pub(super) chosen: &'a [Chosen],
}

/// Which key each bound name stands for.
pub(super) type Keys = BTreeMap<KeyVar, usize>;

impl World<'_> {
    pub(super) fn holds(&self, check: &Check, keys: &Keys) -> bool {
        match check {
            Check::In(left, right) => self.rel(left, keys).within(&self.rel(right, keys)),
            Check::Acyclic(rel) => self.rel(rel, keys).closure().irreflexive(),
            Check::Irreflexive(rel) => self.rel(rel, keys).irreflexive(),
            Check::Empty(rel) => self.rel(rel, keys).is_empty(),
            Check::Total(rel) => self.rel(rel, keys).total(),
            Check::Not(inner) => !self.holds(inner, keys),
            Check::All(parts) => parts.iter().all(|part| self.holds(part, keys)),
            Check::Any(parts) => parts.iter().any(|part| self.holds(part, keys)),
            Check::ForAll(var, inner) => {
                self.with_keys(*var, keys).all(|keys| self.holds(inner, &keys))
            }
        }
    }

    fn with_keys(&self, var: KeyVar, keys: &Keys) -> impl Iterator<Item = Keys> {
        let bind = move |key| {
            let mut bound = keys.clone();
            bound.insert(var, key);
            bound
        };
        (0..self.facts.writers.len()).map(bind)
    }

    pub(super) fn rel(&self, rel: &Rel, keys: &Keys) -> Matrix {
        let txns = self.facts.txns;
        match rel {
            Rel::Given(given) => self.given(*given, keys),
            Rel::Witness(place, key) => match (&self.chosen[*place], key) {
                (Chosen::PerKey(orders), Some(var)) => orders[keys[var]].clone(),
                (Chosen::PerKey(orders), None) => union(orders.iter().cloned(), txns, txns),
                (Chosen::One(relation), _) => relation.clone(),
            },
            Rel::Id(sort) => Matrix::of(self.size(*sort), self.size(*sort), |a, b| a == b),
            Rel::Test(set) => {
                let members = self.members(set, keys);
                Matrix::of(txns, txns, |a, b| a == b && members[a])
            }
            Rel::Product(left, right) => {
                let (left, right) = (self.members(left, keys), self.members(right, keys));
                Matrix::of(txns, txns, |a, b| left[a] && right[b])
            }
            Rel::Union(parts) => {
                let (from, to) = rel.sorts();
                let parts = parts.iter().map(|part| self.rel(part, keys));
                union(parts, self.size(from), self.size(to))
            }
            Rel::Inter(parts) => self.fold(parts, keys, |all, part| all.zip(&part, |a, b| a & b)),
            Rel::Seq(parts) => self.fold(parts, keys, |all, part| all.then(&part)),
            Rel::Diff(left, right) => {
                self.rel(left, keys).zip(&self.rel(right, keys), |a, b| a & !b)
            }
            Rel::Inverse(inner) => self.rel(inner, keys).turned(),
            Rel::Opt(inner) => self.rel(inner, keys).or_same(),
            Rel::Plus(inner) => self.rel(inner, keys).closure(),
            Rel::Star(inner) => self.rel(inner, keys).closure().or_same(),
            Rel::OverKeys(var, inner) => {
                let (from, to) = inner.sorts();
                let parts = self.with_keys(*var, keys).map(|keys| self.rel(inner, &keys));
                union(parts, self.size(from), self.size(to))
            }
            Rel::Named(_, inner) => self.rel(inner, keys),
        }
    }

    fn fold(&self, parts: &[Rel], keys: &Keys, with: impl Fn(Matrix, Matrix) -> Matrix) -> Matrix {
        let parts = parts.iter().map(|part| self.rel(part, keys));
        parts.reduce(with).expect("compositions and intersections have parts")
    }

    fn size(&self, sort: Sort) -> usize {
        match sort {
            Sort::Txn => self.facts.txns,
            Sort::Read => self.facts.reads.len(),
        }
    }

    fn given(&self, given: Given, keys: &Keys) -> Matrix {
        let matrix = match given {
            Given::So => &self.facts.so,
            Given::Rt => &self.facts.rt,
            Given::CommitOrder => &self.facts.cc,
            Given::BeginCommit => &self.facts.bc,
            Given::Wr(var) => &self.facts.wr[keys[&var]],
            Given::Rd(var) => &self.facts.rd[keys[&var]],
            Given::Of => &self.facts.of,
            Given::Po => &self.facts.po,
        };
        matrix.clone()
    }

    fn members(&self, set: &Set, keys: &Keys) -> Vec<bool> {
        (0..self.facts.txns).map(|txn| self.member(set, txn, keys)).collect()
    }

    fn member(&self, set: &Set, txn: usize, keys: &Keys) -> bool {
        let reads = &self.facts.reads;
        match set {
            Set::Txn => true,
            Set::Init => txn == 0,
            Set::Writes(var) => self.facts.writers[keys[var]][txn],
            Set::Reads(var) => reads.iter().any(|read| read.txn == txn && read.key == keys[var]),
            Set::Writers => txn == 0 || self.facts.writers.iter().any(|writers| writers[txn]),
            Set::Readers => reads.iter().any(|read| read.txn == txn),
            Set::Promised(least) => self.facts.promised[txn] >= *least,
            Set::Union(parts) => parts.iter().any(|part| self.member(part, txn, keys)),
            Set::Inter(parts) => parts.iter().all(|part| self.member(part, txn, keys)),
            Set::Diff(left, right) => {
                self.member(left, txn, keys) && !self.member(right, txn, keys)
            }
        }
    }
}

fn union(parts: impl Iterator<Item = Matrix>, rows: usize, columns: usize) -> Matrix {
    parts.fold(Matrix::none(rows, columns), |all, part| all.zip(&part, |a, b| a | b))
}
