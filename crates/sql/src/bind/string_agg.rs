//! `string_agg(x, ',' ORDER BY y)`.
//!
//! Layer `bind`; one of the aggregates.

use sqlparser::ast;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::{Aggregate, AggregateFunction, CastMode, Expr, NodeId, SortKey};
use crate::types::Type;

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
        let collation = args.first().map_or(Type::TEXT, |arg| arg.1);
        let collation = collation.collation(self.catalog.collation());
        if args.len() != 2 {
            return fail(ErrorClass::UndefinedFunction, "string_agg takes two arguments");
        }
        let args =
            args.into_iter().map(|arg| self.put_together(arg)).collect::<Result<Vec<_>>>()?;
        let (order, keys) = self.order_inside(list)?;
        if distinct && !order.iter().all(|key| args.contains(key)) {
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

    fn put_together(&mut self, arg: Typed) -> Result<Expr> {
        let expr = match arg {
            (expr, Type::Text { .. }) => expr,
            (expr, Type::Unknown) => self.resolve(expr, Type::TEXT)?,
            (expr, ty @ Type::Char(_)) => converted((expr, ty), Type::TEXT, CastMode::Implicit),
            _ => return fail(ErrorClass::UndefinedFunction, "string_agg of no texts"),
        };
        Ok(self.fold(expr))
    }

    /// ORDER BY inside an aggregate.
    pub(super) fn order_inside(
        &mut self,
        list: &ast::FunctionArgumentList,
    ) -> Result<(Vec<Expr>, Vec<SortKey>)> {
        let keys = match list.clauses.as_slice() {
            [] => return Ok((Vec::new(), Vec::new())),
            [ast::FunctionArgumentClause::OrderBy(keys)] => keys,
            _ => return unsupported("an aggregate with clauses other than ORDER BY"),
        };
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
