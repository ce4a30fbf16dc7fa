//! `array_agg`, `jsonb_agg` and their kin, statistics, and `… WITHIN GROUP (ORDER BY x)`.
//!
//! Layer `bind`; some of the aggregates.

use sqlparser::ast;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::{
    Aggregate, AggregateFunction, CastMode, Collect, Expr, Function, JsonFunction, NodeId,
    OrderedSet, Statistic,
};
use crate::types::{Element, IntType, Type};
use crate::value::Value;

use super::binder::{Binder, Typed};

/// The aggregate of this file with a name.
pub(super) fn collecting(name: &str) -> Option<AggregateFunction> {
    let spread = |root, sample| AggregateFunction::Statistic(Statistic::Spread { root, sample });
    Some(match name {
        "array_agg" => AggregateFunction::Collect(Collect::Array),
        "json_agg" => AggregateFunction::Collect(Collect::JsonText),
        "jsonb_agg" => AggregateFunction::Collect(Collect::Json),
        "json_object_agg" => AggregateFunction::Collect(Collect::JsonTextObject),
        "jsonb_object_agg" => AggregateFunction::Collect(Collect::JsonObject),
        "variance" | "var_samp" => spread(false, true),
        "var_pop" => spread(false, false),
        "stddev" | "stddev_samp" => spread(true, true),
        "stddev_pop" => spread(true, false),
        "bit_and" => AggregateFunction::Statistic(Statistic::BitAnd),
        "bit_or" => AggregateFunction::Statistic(Statistic::BitOr),
        "bit_xor" => AggregateFunction::Statistic(Statistic::BitXor),
        "mode" => AggregateFunction::OrderedSet(OrderedSet::Mode),
        "percentile_disc" => AggregateFunction::OrderedSet(OrderedSet::Discrete),
        "percentile_cont" => AggregateFunction::OrderedSet(OrderedSet::Continuous),
        _ => return None,
    })
}

impl Binder<'_> {
    pub(super) fn collect(
        &mut self,
        what: Collect,
        call: &ast::Function,
        list: &ast::FunctionArgumentList,
    ) -> Result<Aggregate> {
        let distinct = list.duplicate_treatment == Some(ast::DuplicateTreatment::Distinct);
        let function = AggregateFunction::Collect(what);
        let filter = self.aggregate_filter(call)?;
        let args = match (what, self.row_argument(what, list)?) {
            (_, Some(row)) => vec![row],
            _ => self.aggregate_args(function, list)?,
        };
        self.refuse_outer(&args)?;
        self.refuse_untyped(what, &args)?;
        let collation = args.first().map_or(Type::TEXT, |arg| arg.1);
        let collation = collation.collation(self.catalog.collation());
        let (args, result) = self.collected(what, args)?;
        let (order, keys) = self.order_inside(list)?;
        if distinct && (what != Collect::Array || !order.iter().all(|key| args.contains(key))) {
            return unsupported(
                "DISTINCT in an aggregate that makes JSON, or an order that it drops",
            );
        }
        let args = args.into_iter().map(|arg| self.fold(arg)).collect();
        let (id, of) = (NodeId::default(), result);
        Ok(Aggregate { id, function, args, distinct, filter, of, result, collation, order, keys })
    }

    /// PostgreSQL cannot tell which of its functions is meant, or what it makes, if a value has no type.
    fn refuse_untyped(&self, what: Collect, args: &[Typed]) -> Result<()> {
        let class = match (what, args) {
            (Collect::Array, [(_, Type::Unknown)]) => ErrorClass::AmbiguousFunction,
            (Collect::Json | Collect::JsonText, [(_, Type::Unknown)]) => ErrorClass::TypeMismatch,
            _ => return Ok(()),
        };
        match self.dialect.is_strictly_typed() {
            true => fail(class, "an aggregate of values without a type"),
            false => Ok(()),
        }
    }

    /// What is put together, and the type of the whole.
    fn collected(&self, what: Collect, args: Vec<Typed>) -> Result<(Vec<Expr>, Type)> {
        let one = |args: Vec<Typed>| match <[Typed; 1]>::try_from(args) {
            Ok([arg]) => Ok(arg),
            Err(_) => fail(ErrorClass::UndefinedFunction, "an aggregate takes one argument"),
        };
        let two = |args: Vec<Typed>| match <[Typed; 2]>::try_from(args) {
            Ok(pair) => Ok(pair),
            Err(_) => fail(ErrorClass::UndefinedFunction, "an aggregate takes two arguments"),
        };
        Ok(match what {
            Collect::Array => {
                let arg = one(args)?;
                if self.dialect.is_strictly_typed() && arg.1 == Type::Unknown {
                    return unsupported("array_agg() of a value without a type");
                }
                let (expr, ty) = self.settle(arg);
                match Element::of(super::casts::plain(ty)) {
                    Some(element) if !ty.is_text() || ty == element.ty() => {
                        (vec![expr], Type::Array(element))
                    }
                    _ => return unsupported(format!("array_agg() of {ty:?}")),
                }
            }
            Collect::Json => (vec![self.as_json(typed(one(args)?)?)?], Type::Json),
            Collect::JsonText => {
                let arg = typed(one(args)?)?;
                // Elements that have parts of their own are written on lines of their own.
                if matches!(arg.1, Type::Array(_)) {
                    return unsupported("json_agg() of arrays");
                }
                (vec![self.as_json_text(arg)?], Type::JsonText)
            }
            Collect::JsonObject => {
                let [name, value] = two(args)?;
                (vec![self.member_name(name)?, self.as_json(value)?], Type::Json)
            }
            Collect::JsonTextObject => {
                let [name, value] = two(args)?;
                (vec![self.member_name(name)?, self.as_json_text(value)?], Type::JsonText)
            }
        })
    }

    /// `jsonb_agg(t)`, where `t` is the only table.
    fn row_argument(
        &mut self,
        what: Collect,
        list: &ast::FunctionArgumentList,
    ) -> Result<Option<Typed>> {
        match (what, list.args.as_slice()) {
            (
                Collect::Json,
                [
                    ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(ast::Expr::Identifier(
                        table,
                    ))),
                ],
            ) => self.row_members(JsonFunction::Object, table),
            _ => Ok(None),
        }
    }

    pub(super) fn statistic(
        &mut self,
        what: Statistic,
        call: &ast::Function,
        list: &ast::FunctionArgumentList,
    ) -> Result<Aggregate> {
        let distinct = list.duplicate_treatment == Some(ast::DuplicateTreatment::Distinct);
        let function = AggregateFunction::Statistic(what);
        let filter = self.aggregate_filter(call)?;
        let args = self.aggregate_args(function, list)?;
        self.refuse_outer(&args)?;
        let [(expr, ty)] = args.as_slice() else {
            return fail(ErrorClass::UndefinedFunction, "an aggregate takes one argument");
        };
        let result = match (what, ty) {
            (Statistic::Spread { .. }, Type::Int(_) | Type::Decimal(_)) => Type::NUMERIC,
            (Statistic::Spread { .. }, _) => {
                return unsupported("a variance of numbers that are not exact");
            }
            (_, Type::Int(IntType { unsigned: false, .. })) => *ty,
            _ => return unsupported("an aggregate of bits of this type"),
        };
        let args = vec![self.fold(expr.clone())];
        let (id, of, collation) = (NodeId::default(), *ty, self.catalog.collation());
        let (order, keys) = (Vec::new(), Vec::new());
        Ok(Aggregate { id, function, args, distinct, filter, of, result, collation, order, keys })
    }

    /// The fraction, if there is one, is the argument, and what is sorted is the order.
    pub(super) fn ordered_set(
        &mut self,
        what: OrderedSet,
        call: &ast::Function,
        list: &ast::FunctionArgumentList,
    ) -> Result<Aggregate> {
        let function = AggregateFunction::OrderedSet(what);
        let filter = self.aggregate_filter(call)?;
        let args = self.aggregate_args(function, list)?;
        let [key] = call.within_group.as_slice() else {
            return unsupported(format!("{} without one order", call.name));
        };
        let bound = self.expr(&key.expr)?;
        self.refuse_outer(std::slice::from_ref(&bound))?;
        if bound.1 == Type::Unknown && what != OrderedSet::Continuous {
            return fail(ErrorClass::TypeMismatch, "an order of values without a type");
        }
        let (value, ty) = self.settle(bound);
        let keys = vec![self.sort_key(0, ty, key)?];
        let args = match (what, args.as_slice()) {
            (OrderedSet::Mode, []) => Vec::new(),
            (OrderedSet::Discrete | OrderedSet::Continuous, [(Expr::Const(number), from)])
                if from.is_number() =>
            {
                let fraction = number.to_f64().filter(|one| (0.0..=1.0).contains(one));
                let Some(fraction) = fraction else {
                    return unsupported("a fraction that is not between 0 and 1");
                };
                vec![Expr::Const(Value::Double(fraction))]
            }
            _ => return unsupported(format!("{} with these arguments", call.name)),
        };
        let (value, result) = match (what, ty) {
            (OrderedSet::Continuous, Type::Double) => (value, Type::Double),
            (OrderedSet::Continuous, Type::Int(_) | Type::Decimal(_)) => {
                (value.cast(Type::Double, CastMode::Implicit), Type::Double)
            }
            (OrderedSet::Continuous, _) => return unsupported("percentile_cont() of this type"),
            _ => (value, ty),
        };
        let (id, of, distinct) = (NodeId::default(), ty, false);
        let collation = ty.collation(self.catalog.collation());
        let order = vec![self.fold(value)];
        Ok(Aggregate { id, function, args, distinct, filter, of, result, collation, order, keys })
    }

    /// A row value that `count(DISTINCT (a, b))` counts: an array stands for it, in which NULL equals NULL.
    pub(super) fn counted_row(&mut self, parts: &[ast::Expr]) -> Result<Typed> {
        let mut args = Vec::new();
        for part in parts {
            let bound = self.expr(part)?;
            let (expr, ty) = self.settle(bound);
            if matches!(ty, Type::Char(_))
                || ty.collation(self.catalog.collation()) != self.catalog.collation()
            {
                return unsupported("a row with a CHAR or a collation of its own");
            }
            args.push(expr);
        }
        let (function, result) = (Function::MakeArray, Type::Array(Element::Text));
        Ok((Expr::Call { function, result, args }, result))
    }
}

/// A value without a type has none that JSON could be made of.
fn typed(arg: Typed) -> Result<Typed> {
    match arg {
        (Expr::Param { .. }, Type::Unknown) => unsupported("JSON of a parameter without a type"),
        (_, Type::Unknown) => fail(ErrorClass::TypeMismatch, "JSON of a value without a type"),
        arg => Ok(arg),
    }
}
