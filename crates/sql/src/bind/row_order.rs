//! Rows as values: `(a, b) < (c, d)`, `ROW(a, b)`.
//!
//! Layer `bind`; knows how two sides are compared.

use sqlparser::ast;

use crate::error::{Result, unsupported};
use crate::plan::{CompareOp, Expr};

use super::binder::{Binder, Typed};
use super::columns::has_own_values;
use super::functions::plain_args;
use super::operators::compare;

impl Binder<'_> {
    /// The parts of a row that is written as such.
    pub(super) fn row_parts(&self, expr: &ast::Expr) -> Option<Vec<ast::Expr>> {
        match expr {
            ast::Expr::Tuple(parts) => Some(parts.clone()),
            ast::Expr::Function(call) if self.dialect.is_strictly_typed() => {
                let named = call.name.to_string().eq_ignore_ascii_case("row");
                plain_args(call).ok().filter(|args| named && !args.is_empty())
            }
            _ => None,
        }
    }

    /// The first parts that differ decide, or a NULL before them:
    /// `(a, b) < (c, d)` is `a < c OR a = c AND b < d`.
    pub(super) fn order_rows(
        &mut self,
        left: &[ast::Expr],
        op: CompareOp,
        right: &[ast::Expr],
    ) -> Result<Typed> {
        let mut pairs = Vec::new();
        for (left, right) in left.iter().zip(right) {
            let (left, right) = (self.expr(left)?, self.expr(right)?);
            let (left, right, collation) = self.comparable(left, right)?;
            if has_own_values(&left) || has_own_values(&right) {
                return unsupported("ordering rows by server-generated values");
            }
            pairs.push((self.fold(left), self.fold(right), collation));
        }
        let strict = match op {
            CompareOp::LessEq => CompareOp::Less,
            CompareOp::GreaterEq => CompareOp::Greater,
            other => other,
        };
        let mut decided: Option<Expr> = None;
        for (left, right, collation) in pairs.into_iter().rev() {
            decided = Some(match decided {
                None => compare(op, collation, left, right),
                Some(rest) => {
                    let equal = compare(CompareOp::Eq, collation, left.clone(), right.clone());
                    let first = compare(strict, collation, left, right);
                    Expr::Or(Box::new(first), Box::new(equal.and(rest)))
                }
            });
        }
        match decided {
            Some(decided) => Ok((decided, self.boolean())),
            None => unsupported("an empty row"),
        }
    }
}
