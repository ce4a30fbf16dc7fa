//! Functions of PostgreSQL's arrays, slices, and `ARRAY(SELECT …)`.
//!
//! Layer `bind`; knows types and plans.

use sqlparser::ast;

use crate::error::{Result, arguments, unsupported};
use crate::parse::call;
use crate::plan::{ArrayFunction, Expr, Function};
use crate::types::{Element, Type};
use crate::value::Value;

use super::binder::{Binder, Typed};
use super::order::position;

impl Binder<'_> {
    /// A function by its name; `None` if it is not one of arrays.
    pub(super) fn array_function(&self, name: &str, args: &[Typed]) -> Result<Option<Typed>> {
        use ArrayFunction as A;
        const TEXT: Type = Type::TEXT;
        let done = |function, result, args| Ok(Some(called(function, result, args)));
        let first_dimension = || match args {
            [_, (Expr::Const(one), _)] => one.as_integer() == Some(1),
            _ => false,
        };
        match (name, args) {
            ("cardinality", [(array, Type::Array(_))]) => {
                let (function, args) = (Function::ArrayLength, vec![array.clone()]);
                Ok(Some((Expr::Call { function, result: Type::INT4, args }, Type::INT4)))
            }
            ("array_length" | "array_upper", [(array, Type::Array(_)), _]) if first_dimension() => {
                done(A::Upper, Type::INT4, vec![array.clone()])
            }
            ("array_lower", [(array, Type::Array(_)), _]) if first_dimension() => {
                done(A::Lower, Type::INT4, vec![array.clone()])
            }
            ("array_ndims", [(array, Type::Array(_))]) => {
                done(A::Dimensions, Type::INT4, vec![array.clone()])
            }
            ("trim_array", [(array, ty @ Type::Array(_)), count]) => {
                let count = self.argument(count.clone(), Type::INT4)?;
                done(A::Trim, *ty, vec![array.clone(), count])
            }
            ("array_position", [(array, Type::Array(of)), element]) => {
                done(A::Position, Type::INT4, vec![array.clone(), self.element(element, *of)?])
            }
            ("array_positions", [(array, Type::Array(of)), element]) => {
                let result =
                    Type::Array(Element::Int(crate::types::IntType { bytes: 4, unsigned: false }));
                done(A::Positions, result, vec![array.clone(), self.element(element, *of)?])
            }
            ("array_remove", [(array, ty @ Type::Array(of)), element]) => {
                done(A::Remove, *ty, vec![array.clone(), self.element(element, *of)?])
            }
            ("array_replace", [(array, ty @ Type::Array(of)), from, to]) => {
                let parts = [self.element(from, *of)?, self.element(to, *of)?];
                done(A::Replace, *ty, vec![array.clone(), parts[0].clone(), parts[1].clone()])
            }
            ("array_append", [(array, ty @ Type::Array(of)), element]) => {
                done(A::Append, *ty, vec![array.clone(), self.element(element, *of)?])
            }
            ("array_prepend", [element, (array, ty @ Type::Array(of))]) => {
                done(A::Prepend, *ty, vec![self.element(element, *of)?, array.clone()])
            }
            ("array_cat", [(left, ty @ Type::Array(a)), (right, Type::Array(b))]) if a == b => {
                done(A::Concat, *ty, vec![left.clone(), right.clone()])
            }
            ("string_to_array", [_, _] | [_, _, _]) => {
                let args = args.iter().map(|arg| self.argument(arg.clone(), TEXT));
                done(A::Split, Type::Array(Element::Text), args.collect::<Result<_>>()?)
            }
            ("array_to_string", [(array, Type::Array(_)), rest @ ..])
                if matches!(rest.len(), 1 | 2) =>
            {
                let rest = rest.iter().map(|arg| self.argument(arg.clone(), TEXT));
                let mut args = rest.collect::<Result<Vec<_>>>()?;
                args.insert(0, array.clone());
                done(A::Join, TEXT, args)
            }
            (name, args) if name.starts_with("array_") || name == "trim_array" => unsupported(
                format!("the function {name} with {} of these types", arguments(args.len())),
            ),
            _ => Ok(None),
        }
    }

    /// An element for an array of a type.
    pub(super) fn element(&self, (expr, ty): &Typed, of: Element) -> Result<Expr> {
        match ty {
            Type::Unknown => self.resolve(expr.clone(), of.ty()),
            ty if *ty == of.ty() => Ok(expr.clone()),
            Type::Text { .. } if of.ty().is_text() => Ok(expr.clone()),
            Type::Int(from) if matches!(of, Element::Int(to) if from.bytes <= to.bytes) => {
                Ok(expr.clone())
            }
            _ => unsupported(format!("an element of the type {ty:?} and an array of {of:?}")),
        }
    }

    /// `array[a:b]`.
    pub(super) fn slice(
        &mut self,
        (array, ty): Typed,
        from: Option<&ast::Expr>,
        to: Option<&ast::Expr>,
    ) -> Result<Typed> {
        let mut bound = |side: Option<&ast::Expr>, otherwise: i32| match side {
            None => Ok(Expr::Const(Value::Int(i64::from(otherwise)))),
            Some(side) => match self.expr(side)? {
                (expr, Type::Int(_)) => Ok(expr),
                (expr, Type::Unknown) => self.resolve(expr, Type::INT4),
                _ => unsupported("a subscript that is not a whole number"),
            },
        };
        let (from, to) = (bound(from, i32::MIN)?, bound(to, i32::MAX)?);
        Ok(called(ArrayFunction::Slice, ty, vec![array, from, to]))
    }

    /// `ARRAY(SELECT …)`: all values of a query, in its order, as `array_agg` puts them together.
    pub(super) fn array_of(&mut self, query: &ast::Query) -> Result<Typed> {
        let (array, ty) = self.scalar(&aggregated(query)?)?;
        if !matches!(ty, Type::Array(_)) {
            return unsupported("this ARRAY(SELECT …)");
        }
        let empty = Expr::Const(Value::Array([].into()));
        Ok((Expr::Coalesce(vec![array, empty]), ty))
    }
}

fn called(function: ArrayFunction, result: Type, args: Vec<Expr>) -> Typed {
    (Expr::Call { function: Function::Array(function), result, args }, result)
}

/// `SELECT e FROM … ORDER BY k` as `SELECT array_agg(e ORDER BY k) FROM …`.
fn aggregated(query: &ast::Query) -> Result<ast::Query> {
    let mut query = query.clone();
    let order = match query.order_by.take().map(|order| order.kind) {
        None => Vec::new(),
        Some(ast::OrderByKind::Expressions(order)) => order,
        Some(_) => return unsupported("ORDER BY ALL"),
    };
    let ast::SetExpr::Select(select) = &mut *query.body else {
        return unsupported("ARRAY() of something other than a SELECT");
    };
    let plain = select.distinct.is_none()
        && select.having.is_none()
        && matches!(&select.group_by, ast::GroupByExpr::Expressions(keys, _) if keys.is_empty())
        && query.limit_clause.is_none()
        && query.fetch.is_none();
    let item = match select.projection.as_slice() {
        [ast::SelectItem::UnnamedExpr(expr)] => Some((expr.clone(), None)),
        [ast::SelectItem::ExprWithAlias { expr, alias }] => {
            Some((expr.clone(), Some(alias.clone())))
        }
        _ => None,
    };
    let Some((item, alias)) = item.filter(|(item, _)| plain && !has_function(item)) else {
        return unsupported("ARRAY() of a query with groups, DISTINCT or LIMIT, or of a function");
    };
    let order = order.into_iter().map(|mut key| {
        let shown = position(&key.expr).is_some()
            || matches!((&key.expr, &alias), (ast::Expr::Identifier(name), Some(alias)) if name == alias);
        if shown {
            key.expr = item.clone();
        }
        key
    });
    let order: Vec<_> = order.collect();
    let clauses = match order.is_empty() {
        true => Vec::new(),
        false => vec![ast::FunctionArgumentClause::OrderBy(order)],
    };
    let aggregate = call("array_agg", vec![item], clauses);
    select.projection = vec![ast::SelectItem::UnnamedExpr(aggregate)];
    Ok(query)
}

/// Whether it may be an aggregate or a window function, or give several rows.
fn has_function(expr: &ast::Expr) -> bool {
    let simple = |expr: &ast::Expr| {
        matches!(
            expr,
            ast::Expr::Identifier(_) | ast::Expr::CompoundIdentifier(_) | ast::Expr::Value(_)
        )
    };
    match expr {
        ast::Expr::BinaryOp { left, right, .. } => has_function(left) || has_function(right),
        ast::Expr::Cast { expr, .. } | ast::Expr::Nested(expr) => has_function(expr),
        other => !simple(other),
    }
}
