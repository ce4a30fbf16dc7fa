//! A relation as a table of gates.

use crate::gates::{Circuit, Gate};

/// For every pair, whether the relation holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    rows: usize,
    cols: usize,
    cells: Vec<Gate>,
}

impl Matrix {
    /// The matrix with these cells.
    pub fn new(rows: usize, cols: usize, mut cell: impl FnMut(usize, usize) -> Gate) -> Self {
        let mut cells = Vec::with_capacity(rows * cols);
        for row in 0..rows {
            cells.extend((0..cols).map(|col| cell(row, col)));
        }
        Self { rows, cols, cells }
    }

    /// The identity on these members.
    pub fn diagonal(members: &[Gate]) -> Self {
        Self::new(members.len(), members.len(), |row, col| match row == col {
            true => members[row],
            false => Gate::FALSE,
        })
    }

    /// How many things the relation starts from.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many things the relation leads to.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Whether it holds between these two.
    pub fn at(&self, row: usize, col: usize) -> Gate {
        self.cells[row * self.cols + col]
    }

    /// All pairs that may be in the relation, with the gate that says so.
    pub fn possible(&self) -> impl Iterator<Item = (usize, usize, Gate)> {
        let cells = self.cells.iter().enumerate().filter(|(_, gate)| gate.is_possible());
        cells.map(|(at, &gate)| (at / self.cols, at % self.cols, gate))
    }

    /// Pairs in one of them.
    pub fn union(&self, circuit: &mut Circuit, other: &Self) -> Self {
        self.with(other, |a, b| circuit.or([a, b]))
    }

    /// Pairs in both.
    pub fn intersection(&self, circuit: &mut Circuit, other: &Self) -> Self {
        self.with(other, |a, b| circuit.and([a, b]))
    }

    /// Pairs in the first only.
    pub fn difference(&self, circuit: &mut Circuit, other: &Self) -> Self {
        self.with(other, |a, b| circuit.and([a, !b]))
    }

    /// The pairs turned around.
    pub fn inverse(&self) -> Self {
        Self::new(self.cols, self.rows, |row, col| self.at(col, row))
    }

    /// First this, then the other.
    pub fn then(&self, circuit: &mut Circuit, other: &Self) -> Self {
        let mut ways = Vec::new();
        Self::new(self.rows, other.cols, |row, col| {
            ways.clear();
            for middle in 0..self.cols {
                let (first, second) = (self.at(row, middle), other.at(middle, col));
                if first.is_possible() && second.is_possible() {
                    ways.push(circuit.and([first, second]));
                }
            }
            circuit.or(ways.iter().copied())
        })
    }

    /// Combines the cells of two matrices of the same size.
    fn with(&self, other: &Self, mut cell: impl FnMut(Gate, Gate) -> Gate) -> Self {
        let cells = self.cells.iter().zip(&other.cells);
        Self { rows: self.rows, cols: self.cols, cells: cells.map(|(&a, &b)| cell(a, b)).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(size: usize, pairs: &[(usize, usize)]) -> Matrix {
        Matrix::new(size, size, |row, col| Gate::constant(pairs.contains(&(row, col))))
    }

    #[test]
    fn operations_on_constants_are_those_of_relations() {
        let mut circuit = Circuit::default();
        let (left, right) = (pairs(3, &[(0, 1), (1, 2)]), pairs(3, &[(1, 2), (2, 0)]));
        assert_eq!(left.then(&mut circuit, &right), pairs(3, &[(0, 2), (1, 0)]));
        assert_eq!(left.intersection(&mut circuit, &right), pairs(3, &[(1, 2)]));
        assert_eq!(left.difference(&mut circuit, &right), pairs(3, &[(0, 1)]));
        assert_eq!(left.inverse(), pairs(3, &[(1, 0), (2, 1)]));
        assert_eq!(left.union(&mut circuit, &right), pairs(3, &[(0, 1), (1, 2), (2, 0)]));
        assert!(circuit.is_empty(), "constants need no gates");
    }
}
