//! Queries inside expressions.
//!
//! Layer `bind`; knows whether a query depends on what is around it.

use sqlparser::ast;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::{CompareOp, Expr, Quantifier, Query, is_closed};
use crate::types::Type;

use super::binder::{Binder, Typed};
use super::operators::compare_op;

impl Binder<'_> {
    /// A query inside an expression, and whether it is closed.
    fn subquery(&mut self, query: &ast::Query) -> Result<(bool, Query)> {
        let aggregates = self.aggregates.take();
        self.inner += 1;
        let bound = self.query(query);
        self.inner -= 1;
        self.aggregates = aggregates;
        let mut bound = bound?;
        let closed = is_closed(&mut bound);
        Ok((closed, bound))
    }

    pub(super) fn exists(&mut self, query: &ast::Query, negated: bool) -> Result<Typed> {
        let (closed, query) = self.subquery(query)?;
        let exists = Expr::Exists { closed, query: Box::new(query) };
        Ok((if negated { exists.not() } else { exists }, self.boolean()))
    }

    pub(super) fn scalar(&mut self, query: &ast::Query) -> Result<Typed> {
        let (closed, query) = self.subquery(query)?;
        let [column] = query.output.as_slice() else {
            return fail(ErrorClass::ColumnCount, "a subquery must have one column here");
        };
        let ty = column.ty;
        Ok((Expr::Scalar { closed, query: Box::new(query) }, ty))
    }

    pub(super) fn in_subquery(
        &mut self,
        expr: &ast::Expr,
        query: &ast::Query,
        negated: bool,
    ) -> Result<Typed> {
        let any = self.compare_all(expr, CompareOp::Eq, query, Quantifier::Any)?;
        Ok((if negated { any.not() } else { any }, self.boolean()))
    }

    pub(super) fn quantified(
        &mut self,
        left: &ast::Expr,
        op: &ast::BinaryOperator,
        right: &ast::Expr,
        all: bool,
    ) -> Result<Typed> {
        let Some(compared) = compare_op(op) else {
            return unsupported(format!("{op} with ANY or ALL"));
        };
        let quantifier = if all { Quantifier::All } else { Quantifier::Any };
        let (ast::Expr::Subquery(query), op) = (right, compared) else {
            return self.elements(left, compared, right, quantifier);
        };
        Ok((self.compare_all(left, op, query, quantifier)?, self.boolean()))
    }

    fn compare_all(
        &mut self,
        left: &ast::Expr,
        op: CompareOp,
        query: &ast::Query,
        quantifier: Quantifier,
    ) -> Result<Expr> {
        let left: Vec<Typed> = match left {
            ast::Expr::Tuple(parts) => {
                parts.iter().map(|part| self.expr(part)).collect::<Result<_>>()?
            }
            one => vec![self.expr(one)?],
        };
        let (closed, query) = self.subquery(query)?;
        if left.len() != query.output.len() {
            return fail(ErrorClass::ColumnCount, "a subquery with a different number of columns");
        }
        let mut sides = Vec::new();
        let mut casts = Vec::new();
        let mut collations = Vec::new();
        for (place, side) in left.into_iter().enumerate() {
            // The columns of the query stand for themselves; what is done to them is kept as a cast.
            let column = (Expr::column(place), query.output[place].ty);
            self.refuse_cut_key(&side, column.1)?;
            let (side, column, collation) = self.comparable(side, column)?;
            casts.push(match column {
                Expr::Cast { to, .. } => (query.output[place].ty, Some(to)),
                Expr::Column { .. } => (Type::Unknown, None),
                _ => return unsupported("a comparison of CHARs with all rows of a query"),
            });
            sides.push(side);
            collations.push(collation);
        }
        let query = Box::new(query);
        Ok(Expr::Quantified { closed, quantifier, op, left: sides, casts, collations, query })
    }

    /// MariaDB may look up a column by what a query returns, and cuts off the digits that the column does not have.
    fn refuse_cut_key(&self, (side, ty): &Typed, found: Type) -> Result<()> {
        let scale = |ty: Type| match ty {
            Type::Decimal(Some(digits)) => digits.scale,
            _ => 0,
        };
        let exact = matches!(ty, Type::Int(_) | Type::Decimal(Some(_)));
        let cut = exact && matches!(side, Expr::Column { .. }) && scale(found) > scale(*ty);
        match cut && !self.dialect.is_strictly_typed() {
            true => unsupported("a column compared with longer fractions of a subquery"),
            false => Ok(()),
        }
    }
}
