//! `string_agg(x, ',' ORDER BY y)`, `GROUP_CONCAT(x ORDER BY y SEPARATOR ',')`.
//!
//! Layer `bind`; one of the aggregates.

use sqlparser::ast;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::{Aggregate, AggregateFunction, CastMode, Expr, NodeId, SortKey};
use crate::types::Type;
use crate::value::Value;

use super::aggregates::divides;
use super::binder::{Binder, Typed};
use super::chars::converted;

impl Binder<'_> {
    pub(super) fn string_agg(
        &mut self,
        call: &ast::Function,
        list: &ast::FunctionArgumentList,
    ) -> Result<Aggregate> {
        let distinct = list.duplicate_treatment == Some(ast::DuplicateTreatment::Distinct);
        let function = AggregateFunction::StringAgg;
        let filter = self.aggregate_filter(call)?;
        let args = self.aggregate_args(function, list)?;
        self.refuse_outer(&args)?;
        let args = match self.dialect.is_strictly_typed() {
            true => args,
            false => self.concatenated(args, list)?,
        };
        let collation = args.first().map_or(Type::TEXT, |arg| arg.1);
        let collation = collation.collation(self.catalog.collation());
        if args.len() != 2 {
            return fail(ErrorClass::UndefinedFunction, "string_agg takes two arguments");
        }
        let unchanged: Vec<Expr> = args.iter().map(|arg| self.fold(arg.0.clone())).collect();
        let args =
            args.into_iter().map(|arg| self.put_together(arg)).collect::<Result<Vec<_>>>()?;
        let (order, keys) = self.order_inside(list)?;
        if distinct && !order.iter().all(|key| args.contains(key) || unchanged.contains(key)) {
            return unsupported("an order by something that DISTINCT dropped");
        }
        Ok(Aggregate {
            id: NodeId::default(),
            function,
            args,
            distinct,
            filter,
            of: Type::TEXT,
            result: Type::TEXT,
            collation,
            order,
            keys,
        })
    }

    /// The text and the separator of GROUP_CONCAT. Several arguments make one text, which is NULL if one of them is.
    fn concatenated(
        &mut self,
        args: Vec<Typed>,
        list: &ast::FunctionArgumentList,
    ) -> Result<Vec<Typed>> {
        let separator = list.clauses.iter().find_map(|clause| match clause {
            ast::FunctionArgumentClause::Separator(text) => Some(text),
            _ => None,
        });
        let separator = match separator {
            None => (Expr::Const(Value::text(",")), Type::TEXT),
            Some(text) => self.literal(text)?,
        };
        let text = match <[Typed; 1]>::try_from(args) {
            Ok([one]) => one,
            Err(_) if list.duplicate_treatment.is_some() => {
                return unsupported("GROUP_CONCAT(DISTINCT) of several values");
            }
            Err(several) => self.text_function("concat", several)?,
        };
        Ok(vec![text, separator])
    }

    fn put_together(&mut self, arg: Typed) -> Result<Expr> {
        let expr = match arg {
            (expr, Type::Text { .. }) => expr,
            (expr, Type::Unknown) => self.resolve(expr, Type::TEXT)?,
            (expr, ty @ Type::Char(_)) => converted((expr, ty), Type::TEXT, CastMode::Implicit),
            (expr, _)
                if !self.dialect.is_strictly_typed()
                    && (divides(&expr) || self.is_longer(&expr)) =>
            {
                return unsupported("GROUP_CONCAT() of a quotient");
            }
            (expr, _) if !self.dialect.is_strictly_typed() => {
                expr.cast(Type::TEXT, CastMode::Implicit)
            }
            _ => return fail(ErrorClass::UndefinedFunction, "string_agg of no texts"),
        };
        Ok(self.fold(expr))
    }

    /// ORDER BY inside an aggregate.
    pub(super) fn order_inside(
        &mut self,
        list: &ast::FunctionArgumentList,
    ) -> Result<(Vec<Expr>, Vec<SortKey>)> {
        use ast::FunctionArgumentClause as Clause;
        let mut clauses = list.clauses.iter().filter(|one| !matches!(one, Clause::Separator(_)));
        let keys = match (clauses.next(), clauses.next()) {
            (None, _) => return Ok((Vec::new(), Vec::new())),
            (Some(Clause::OrderBy(keys)), None) => keys,
            _ => return unsupported("an aggregate with clauses other than ORDER BY"),
        };
        let literal = |key: &ast::OrderByExpr| matches!(key.expr, ast::Expr::Value(_));
        if !self.dialect.is_strictly_typed() && keys.iter().any(literal) {
            return unsupported("GROUP_CONCAT() in the order of a literal");
        }
        let (mut order, mut sorted) = (Vec::new(), Vec::new());
        for (index, one) in keys.iter().enumerate() {
            let bound = self.expr(&one.expr)?;
            let (key, ty) = self.settle(bound);
            sorted.push(self.sort_key(index, ty, one)?);
            order.push(self.fold(key));
        }
        Ok((order, sorted))
    }
}
