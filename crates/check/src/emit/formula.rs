//! The formula: expressions become matrices, constraints become assertions.
//!
//! A closure is the least transitive relation that holds the given one, and first-order logic
//! cannot say "least". It need not: constraints only forbid, so it is enough to declare *some*
//! relation `T` with `E ⊆ T` and `T ; E ⊆ T`. Every such `T` holds the closure, so what is
//! forbidden of `T` is forbidden of the closure; and if the closure meets the constraint, the
//! closure itself is a `T` that does. An acyclic relation is likewise one along which some
//! number per unit, its rank, grows.

use std::collections::BTreeMap;

use tristan_spec::{Constraint, Expr, Rel, Set};

use super::constants::Constants;
use super::matrix::Matrix;
use super::relations::relation;
use super::script::Script;
use super::term::{FALSE, Term, and, implies, not};
use crate::ir::{Ir, Unit};

/// Asserts that the formula of the IR holds.
pub(super) fn require(ir: &Ir, constants: &Constants<'_>, script: &mut Script) {
    let mut relations = BTreeMap::new();
    for (rel, name) in Rel::ALL.into_iter().filter(|(rel, _)| ir.uses(*rel)) {
        relations.insert(rel, relation(ir, constants, rel).named(name, script));
    }
    let mut writer = FormulaWriter { ir, constants, relations, script, parts: 0 };
    for (index, constraint) in ir.formula.constraints.iter().enumerate() {
        writer.script.comment(&constraint.to_string());
        let matrix = writer.expr(constraint.expr());
        match constraint {
            Constraint::Acyclic(_) => writer.acyclic(index, &matrix),
            Constraint::Irreflexive(_) => writer.irreflexive(&matrix),
        }
    }
}

struct FormulaWriter<'w> {
    ir: &'w Ir,
    constants: &'w Constants<'w>,
    relations: BTreeMap<Rel, Matrix>,
    script: &'w mut Script,
    /// How many parts of expressions have a name.
    parts: usize,
}

impl FormulaWriter<'_> {
    fn irreflexive(&mut self, matrix: &Matrix) {
        for (a, b) in matrix.pairs().filter(|(a, b)| a == b) {
            self.script.assert(&not(matrix.at(a, b)));
        }
    }

    fn acyclic(&mut self, index: usize, matrix: &Matrix) {
        self.irreflexive(matrix);
        let rank = |unit: usize| format!("rank_{index}_{unit}");
        for unit in 0..matrix.size() {
            self.script.declare(rank(unit), "Int");
        }
        for (a, b) in matrix.pairs().filter(|(a, b)| a != b) {
            let grows = format!("(< {} {})", rank(a), rank(b));
            self.script.assert(&implies(matrix.at(a, b), grows));
        }
    }

    fn expr(&mut self, expr: &Expr) -> Matrix {
        match expr {
            Expr::Rel(rel) => self.relations[rel].clone(),
            Expr::Test(set) => self.test(*set),
            Expr::Seq(parts) => self.fold(parts, self.identity(), Matrix::then),
            Expr::Alt(parts) => self.fold(parts, Matrix::empty(self.ir.units.len()), Matrix::union),
            Expr::Opt(inner) => self.expr(inner).union(&self.identity()),
            Expr::Plus(inner) => self.closure(inner),
            Expr::Star(inner) => self.closure(inner).union(&self.identity()),
        }
    }

    /// Combines the parts one after the other, from the first; `none` if there are none.
    fn fold(
        &mut self,
        parts: &[Expr],
        none: Matrix,
        combine: fn(&Matrix, &Matrix) -> Matrix,
    ) -> Matrix {
        let mut combined: Option<Matrix> = None;
        for part in parts {
            let next = self.expr(part);
            combined = Some(match combined {
                None => next,
                Some(sofar) => {
                    let name = self.name();
                    combine(&sofar, &next).named(&name, self.script)
                }
            });
        }
        combined.unwrap_or(none)
    }

    fn name(&mut self) -> String {
        self.parts += 1;
        format!("part{}", self.parts)
    }

    /// The identity on the units that took effect.
    fn identity(&self) -> Matrix {
        Matrix::diagonal(self.ir.units.len(), |unit| self.constants.live(Unit::new(unit)))
    }

    fn test(&self, set: Set) -> Matrix {
        Matrix::diagonal(self.ir.units.len(), |unit| {
            let member = self.ir.units[unit].is_in(set);
            if member { self.constants.live(Unit::new(unit)) } else { FALSE.to_owned() }
        })
    }

    /// A relation that holds the closure; see the module's words on why that is enough.
    fn closure(&mut self, inner: &Expr) -> Matrix {
        let step = self.expr(inner);
        let name = self.name();
        let reach = step.reachable();
        let cell = |a: usize, b: usize| -> Term {
            if reach[a][b] { format!("{name}_{a}_{b}") } else { FALSE.to_owned() }
        };
        let closure = Matrix::new(step.size(), cell);
        for (a, b) in closure.pairs() {
            self.script.declare(closure.at(a, b), "Bool");
        }
        for (k, b) in step.pairs() {
            self.script.assert(&implies(step.at(k, b), closure.at(k, b)));
            for a in (0..step.size()).filter(|&a| reach[a][k]) {
                let walk = and([closure.at(a, k), step.at(k, b)]);
                self.script.assert(&implies(walk, closure.at(a, b)));
            }
        }
        closure
    }
}
