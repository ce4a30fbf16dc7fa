//! Evaluates a constraint on a small structure exactly as it is written, with bit matrices.

use tristan_spec::{Constraint, Expr};

use crate::structure::Structure;

/// A transaction on a cycle (or loop) that the constraint forbids.
pub(crate) fn violation(constraint: &Constraint, structure: &dyn Structure) -> Option<u32> {
    let relation = evaluate(constraint.expr(), structure);
    match constraint {
        Constraint::Acyclic(_) => relation.closure().fixpoint(),
        Constraint::Irreflexive(_) => relation.fixpoint(),
    }
}

fn evaluate(expr: &Expr, structure: &dyn Structure) -> Matrix {
    let size = structure.size();
    match expr {
        Expr::Rel(rel) => {
            let mut matrix = Matrix::empty(size);
            for (from, to) in structure.pairs(*rel) {
                matrix.set(from as usize, to as usize);
            }
            matrix
        }
        Expr::Test(set) => {
            let mut matrix = Matrix::empty(size);
            for node in (0..size).filter(|&node| structure.member(*set, node)) {
                matrix.set(node, node);
            }
            matrix
        }
        Expr::Seq(parts) => parts
            .iter()
            .fold(Matrix::identity(size), |before, part| before.then(&evaluate(part, structure))),
        Expr::Alt(parts) => parts
            .iter()
            .fold(Matrix::empty(size), |others, part| others.or(&evaluate(part, structure))),
        Expr::Opt(inner) => evaluate(inner, structure).or(&Matrix::identity(size)),
        Expr::Plus(inner) => evaluate(inner, structure).closure(),
        Expr::Star(inner) => evaluate(inner, structure).closure().or(&Matrix::identity(size)),
    }
}

/// A relation on `0..size`, one row of bits per element.
#[derive(Clone)]
struct Matrix {
    size: usize,
    /// Words per row.
    width: usize,
    bits: Vec<u64>,
}

impl Matrix {
    fn empty(size: usize) -> Self {
        let width = size.div_ceil(64);
        Self { size, width, bits: vec![0; size * width] }
    }

    fn identity(size: usize) -> Self {
        let mut matrix = Self::empty(size);
        for node in 0..size {
            matrix.set(node, node);
        }
        matrix
    }

    fn set(&mut self, row: usize, column: usize) {
        self.bits[row * self.width + column / 64] |= 1 << (column % 64);
    }

    fn get(&self, row: usize, column: usize) -> bool {
        self.bits[row * self.width + column / 64] >> (column % 64) & 1 == 1
    }

    fn row(&self, row: usize) -> std::ops::Range<usize> {
        row * self.width..(row + 1) * self.width
    }

    fn or(mut self, other: &Self) -> Self {
        for (mine, theirs) in self.bits.iter_mut().zip(&other.bits) {
            *mine |= theirs;
        }
        self
    }

    /// Composition.
    fn then(&self, next: &Self) -> Self {
        let mut result = Self::empty(self.size);
        for from in 0..self.size {
            for middle in (0..self.size).filter(|&middle| self.get(from, middle)) {
                let target = &mut result.bits[from * self.width..(from + 1) * self.width];
                for (word, more) in target.iter_mut().zip(&next.bits[next.row(middle)]) {
                    *word |= more;
                }
            }
        }
        result
    }

    /// Transitive closure, Warshall's way.
    fn closure(mut self) -> Self {
        for middle in 0..self.size {
            let through = self.bits[self.row(middle)].to_vec();
            for from in 0..self.size {
                if self.get(from, middle) {
                    let row = self.row(from);
                    for (word, more) in self.bits[row].iter_mut().zip(&through) {
                        *word |= more;
                    }
                }
            }
        }
        self
    }

    fn fixpoint(&self) -> Option<u32> {
        (0..self.size).find(|&node| self.get(node, node)).map(|node| node as u32)
    }
}
