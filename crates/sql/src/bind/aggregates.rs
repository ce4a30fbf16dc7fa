//! COUNT, SUM, AVG, MIN, MAX.
//!
//! Layer `bind`; settles the types of what is aggregated.

use sqlparser::ast;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::{
    Aggregate, AggregateFunction, Arith, CastMode, Expr, Function, NodeId, rewrite, walk_columns,
};
use crate::types::Type;
use crate::value::Collation;

use super::binder::{Binder, Typed};
use super::chars::refuse_several_lengths;
use super::loose::{is_null, number_of};

impl Binder<'_> {
    pub(super) fn aggregate(
        &mut self,
        function: AggregateFunction,
        call: &ast::Function,
    ) -> Result<Typed> {
        let ast::FunctionArguments::List(list) = &call.args else {
            return unsupported(format!("the function {call}"));
        };
        let ordered = function.puts_together();
        let sorts = matches!(function, AggregateFunction::OrderedSet(_));
        if call.over.is_some()
            || !call.within_group.is_empty() && !sorts
            || !list.clauses.is_empty() && !ordered
        {
            return unsupported(format!("{} with a window or an order", call.name));
        }
        // Inside an aggregate there is no other one.
        let Some(mut known) = self.aggregates.take() else {
            return fail(ErrorClass::Grouping, "an aggregate in a place that does not allow one");
        };
        let windows = self.windows.take();
        let bound = self.aggregate_of(function, call, list);
        self.windows = windows;
        let bound = bound.and_then(|bound| self.refuse_aggregated(&bound).map(|()| bound));
        let bound = match bound {
            Ok(bound) => bound,
            Err(error) => {
                self.aggregates = Some(known);
                return Err(error);
            }
        };
        let result = bound.result;
        let index = known.iter().position(|one| *one == bound).unwrap_or_else(|| {
            known.push(bound);
            known.len() - 1
        });
        self.aggregates = Some(known);
        Ok((Expr::Aggregate(index), result))
    }

    pub(super) fn aggregate_of(
        &mut self,
        function: AggregateFunction,
        call: &ast::Function,
        list: &ast::FunctionArgumentList,
    ) -> Result<Aggregate> {
        if function == AggregateFunction::StringAgg {
            return self.string_agg(call, list);
        }
        match function {
            AggregateFunction::Collect(what) => return self.collect(what, call, list),
            AggregateFunction::Statistic(what) => return self.statistic(what, call, list),
            AggregateFunction::OrderedSet(what) => return self.ordered_set(what, call, list),
            _ => {}
        }
        let distinct = list.duplicate_treatment == Some(ast::DuplicateTreatment::Distinct);
        let filter = self.aggregate_filter(call)?;
        let mut args = self.aggregate_args(function, list)?;
        self.refuse_outer(&args)?;
        if distinct || function != AggregateFunction::Count {
            args.iter().try_for_each(|arg| refuse_several_lengths(arg.1))?;
        }
        if function == AggregateFunction::Count {
            let usual = self.catalog.collation();
            let mut own = args.iter().map(|arg| arg.1.collation(usual));
            let first = own.next().unwrap_or(usual);
            let collation = if own.all(|next| next == first) { first } else { Collation::Unknown };
            let mut counted = Vec::new();
            for arg in args {
                let (expr, _) = self.settle(arg);
                counted.push(self.fold(expr));
            }
            let (args, of, result) = (counted, Type::INT8, Type::INT8);
            let id = NodeId::default();
            let (order, keys) = (Vec::new(), Vec::new());
            return Ok(Aggregate {
                id,
                function,
                args,
                distinct,
                filter,
                of,
                result,
                collation,
                order,
                keys,
            });
        }
        let (Some(arg), true) = (args.pop(), args.is_empty()) else {
            return fail(ErrorClass::UndefinedFunction, "an aggregate takes one argument");
        };
        let sums = matches!(function, AggregateFunction::Sum | AggregateFunction::Avg);
        if sums && arg.1 == Type::Unknown && self.dialect.is_strictly_typed() {
            return fail(ErrorClass::AmbiguousFunction, "a sum of values without a type");
        }
        let truths = matches!(function, AggregateFunction::BoolAnd | AggregateFunction::BoolOr);
        let arg = match arg {
            (expr, Type::Unknown) if truths => (self.resolve(expr, Type::Bool)?, Type::Bool),
            other => self.settle(other),
        };
        if sums && !self.dialect.is_strictly_typed() && hides_quotient(&arg.0) {
            return unsupported("SUM or AVG of a quotient inside COALESCE, CASE, IF or GREATEST");
        }
        if distinct {
            refuse_several_lengths(arg.1)?;
        }
        if distinct && sums && !self.dialect.is_strictly_typed() && divides(&arg.0) {
            return unsupported("SUM or AVG of distinct quotients");
        }
        let (of, result) = match self.dialect.is_strictly_typed() {
            true => strict_types(function, arg.1)?,
            false if sums && is_null(&arg.0, arg.1) => (Type::Double, Type::Double),
            false => loose_types(function, arg.1)?,
        };
        let collation = arg.1.collation(self.catalog.collation());
        let expr = if of == arg.1 { arg.0 } else { arg.0.cast(of, CastMode::Implicit) };
        let expr = self.fold(expr);
        let id = NodeId::default();
        let (args, order, keys) = (vec![expr], Vec::new(), Vec::new());
        Ok(Aggregate { id, function, args, distinct, filter, of, result, collation, order, keys })
    }

    pub(super) fn aggregate_filter(&mut self, call: &ast::Function) -> Result<Option<Expr>> {
        match &call.filter {
            Some(filter) if self.dialect.is_strictly_typed() => {
                let bound = self.expr(filter)?;
                let condition = self.condition(bound)?;
                Ok(Some(self.fold(condition)))
            }
            Some(_) => fail(ErrorClass::Syntax, "FILTER"),
            None => Ok(None),
        }
    }

    pub(super) fn aggregate_args(
        &mut self,
        function: AggregateFunction,
        list: &ast::FunctionArgumentList,
    ) -> Result<Vec<Typed>> {
        use ast::{FunctionArg, FunctionArgExpr};
        let mut args = Vec::new();
        for arg in &list.args {
            match arg {
                FunctionArg::Unnamed(FunctionArgExpr::Wildcard)
                    if function == AggregateFunction::Count => {}
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))
                    if function == AggregateFunction::Count
                        && self.dialect.is_strictly_typed()
                        && let Some(parts) = self.row_parts(expr) =>
                {
                    args.push(self.counted_row(&parts)?);
                }
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))
                    if function == AggregateFunction::Count =>
                {
                    args.push(self.raw(expr)?);
                }
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => args.push(self.expr(expr)?),
                other => return unsupported(format!("the argument {other}")),
            }
        }
        Ok(args)
    }

    /// An aggregate over columns of an outer query alone belongs to that query.
    pub(super) fn refuse_outer(&self, args: &[Typed]) -> Result<()> {
        let (mut here, mut outside) = (false, false);
        for (arg, _) in args {
            walk_columns(&mut arg.clone(), &mut |depth, _| {
                here |= depth == 0;
                outside |= depth > 0;
            });
        }
        if outside && !here {
            unsupported("an aggregate over columns of an outer query")
        } else {
            Ok(())
        }
    }
}

/// What the argument becomes, and what comes out.
fn strict_types(function: AggregateFunction, ty: Type) -> Result<(Type, Type)> {
    use AggregateFunction as F;
    Ok(match (function, ty) {
        (F::Min | F::Max | F::Sum, Type::Interval) => (ty, ty),
        (F::Min | F::Max, Type::Enum(_)) => (ty, ty),
        (F::Min | F::Max, Type::TimeOfDay(_)) => (ty, Type::TIME_OF_DAY),
        _ if ty.is_partly_known() => return unsupported(format!("an aggregate of {ty:?}")),
        (F::Min | F::Max, Type::Bool | Type::Uuid | Type::Json) => {
            return fail(ErrorClass::UndefinedFunction, "an aggregate of values without an order");
        }
        (F::Min | F::Max, Type::Text { .. }) => (ty, Type::TEXT),
        (F::Min | F::Max, _) => (ty, ty),
        (F::BoolAnd | F::BoolOr, Type::Bool) => (ty, ty),
        (F::Sum, Type::Int(int)) if int.bytes < 8 => (ty, Type::INT8),
        (F::Sum | F::Avg, Type::Int(_) | Type::Decimal(_)) => (ty, Type::NUMERIC),
        (F::Sum, Type::Real) => (ty, Type::Real),
        (F::Sum | F::Avg, Type::Real | Type::Double) => (ty, Type::Double),
        _ => {
            return fail(
                ErrorClass::UndefinedFunction,
                format!("no aggregate {function:?} of {ty:?}"),
            );
        }
    })
}

fn loose_types(function: AggregateFunction, ty: Type) -> Result<(Type, Type)> {
    use AggregateFunction as F;
    let number = number_of(ty);
    Ok(match (function, number) {
        _ if ty == Type::Uuid => return unsupported("an aggregate of UUIDs"),
        (F::Sum | F::Avg, _) if matches!(ty, Type::Time(_)) => {
            return unsupported("a sum of times");
        }
        (F::Min | F::Max, _) => (ty, ty),
        (F::Sum | F::Avg, _) if ty.is_time() => return unsupported("a sum of dates"),
        (_, Type::Double) => (Type::Double, Type::Double),
        (F::Sum, _) => {
            let digits = number.digits();
            (number, Type::decimal(digits.precision + 22, digits.scale))
        }
        (F::Avg, _) => {
            let digits = number.digits();
            (number, Type::decimal(digits.precision + 4, digits.scale + 4))
        }
        _ => return unsupported(format!("{function:?}")),
    })
}

/// Whether a quotient goes through an expression that picks one of several values. MariaDB passes on more of
/// its digits there than the type of the expression has.
fn hides_quotient(expr: &Expr) -> bool {
    let mut found = false;
    rewrite(&mut expr.clone(), 0, &mut |part: &mut Expr, _: usize| {
        let picks = match part {
            Expr::Coalesce(_) | Expr::Case { .. } => true,
            Expr::Call { function, .. } => {
                matches!(function, Function::Greatest | Function::Least)
            }
            _ => false,
        };
        found |= picks && divides(part);
        !found
    });
    found
}

pub(super) fn divides(expr: &Expr) -> bool {
    let mut found = false;
    rewrite(&mut expr.clone(), 0, &mut |part: &mut Expr, _: usize| {
        found |= matches!(part, Expr::Arith { op: Arith::Div, .. });
        !found
    });
    found
}
