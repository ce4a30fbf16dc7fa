//! A relation between units: a term per pair.

use super::script::Script;
use super::term::{FALSE, Term, and, or};

/// A relation; the pair `(a, b)` is in it if the term in that cell holds.
#[derive(Clone)]
pub(super) struct Matrix {
    size: usize,
    cells: Vec<Term>,
}

impl Matrix {
    pub(super) fn new(size: usize, cell: impl Fn(usize, usize) -> Term) -> Self {
        let cells = (0..size * size).map(|at| cell(at / size, at % size)).collect();
        Self { size, cells }
    }

    pub(super) fn empty(size: usize) -> Self {
        Self::new(size, |_, _| FALSE.to_owned())
    }

    /// The identity on the units for which the term holds.
    pub(super) fn diagonal(size: usize, holds: impl Fn(usize) -> Term) -> Self {
        Self::new(size, |a, b| if a == b { holds(a) } else { FALSE.to_owned() })
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn at(&self, a: usize, b: usize) -> Term {
        self.cells[a * self.size + b].clone()
    }

    /// Whether the pair may be in the relation.
    pub(super) fn possible(&self, a: usize, b: usize) -> bool {
        self.cells[a * self.size + b] != FALSE
    }

    /// The pairs that may be in the relation.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let all = (0..self.cells.len()).map(|at| (at / self.size, at % self.size));
        all.filter(|&(a, b)| self.possible(a, b))
    }

    pub(super) fn union(&self, other: &Self) -> Self {
        Self::new(self.size, |a, b| or([self.at(a, b), other.at(a, b)]))
    }

    pub(super) fn then(&self, other: &Self) -> Self {
        Self::new(self.size, |a, b| {
            let through = (0..self.size).filter(|&k| self.possible(a, k) && other.possible(k, b));
            or(through.map(|k| and([self.at(a, k), other.at(k, b)])))
        })
    }

    /// The pairs that some path of possible pairs connects.
    pub(super) fn reachable(&self) -> Vec<Vec<bool>> {
        let all = 0..self.size;
        let mut reach: Vec<Vec<bool>> =
            all.clone().map(|a| all.clone().map(|b| self.possible(a, b)).collect()).collect();
        for k in all {
            let beyond = reach[k].clone();
            for row in reach.iter_mut().filter(|row| row[k]) {
                row.iter_mut().zip(&beyond).for_each(|(cell, &more)| *cell |= more);
            }
        }
        reach
    }

    /// The same relation with every cell of some length defined under the name `prefix_a_b`.
    pub(super) fn named(self, prefix: &str, script: &mut Script) -> Self {
        let size = self.size;
        let named = self.cells.into_iter().enumerate();
        let cells = named
            .map(|(at, term)| script.define(format!("{prefix}_{}_{}", at / size, at % size), term));
        Self { size, cells: cells.collect() }
    }
}
