//! The value of an expression.
//!
//! Layer `eval`; knows the rest of the layer.

use std::cmp::Ordering;

use crate::dialect::Dialect;
use crate::error::{ErrorClass, ExecutionError, Result, fail, unsupported};
use crate::plan::{CastMode, Expr};
use crate::types::Type;
use crate::value::{Asked, Collation, Like, Value, leading_number_text, parse_timestamp};

use super::arith::{arith, negative};
use super::compare::compare;
use super::convert::convert;
use super::environment::Environment;
use super::functions::call;
use super::logic::{and, or, truth, value_of};

/// The value of an expression.
pub(crate) fn eval(env: &mut impl Environment, expr: &Expr) -> Result<Value> {
    match expr {
        Expr::Const(value) => Ok(value.clone()),
        Expr::Compare { op, collation, left, right } => {
            let (left, right) = (eval(env, left)?, eval(env, right)?);
            Ok(match compare(env, op.asks(), &left, &right, *collation)? {
                Some(order) => env.dialect().boolean(op.holds(order)),
                None => Value::Null,
            })
        }
        Expr::And(..) | Expr::Or(..) | Expr::Xor(..) | Expr::Not(_) | Expr::IsTruth { .. } => {
            let truth = logical(env, expr)?;
            Ok(value_of(env.dialect(), truth))
        }
        Expr::Arith { op, result, left, right } => {
            let (left, right) = (eval(env, left)?, eval(env, right)?);
            arith(env, *op, *result, &left, &right)
        }
        Expr::Neg(ty, inner) => {
            let value = eval(env, inner)?;
            negative(*ty, &value)
        }
        Expr::Distinct { negated, collation, left, right } => {
            let (left, right) = (eval(env, left)?, eval(env, right)?);
            let distinct = are_distinct(env, &left, &right, *collation)?;
            Ok(env.dialect().boolean(distinct != *negated))
        }
        Expr::IsNull { negated, expr } => {
            let value = eval(env, expr)?;
            Ok(env.dialect().boolean(value.is_null() != *negated))
        }
        Expr::In { negated, list, .. } => in_list(env, *negated, list),
        Expr::Like { negated, collation, expr, pattern, escape } => {
            let (text, pattern) = (eval(env, expr)?, eval(env, pattern)?);
            like(env, *negated, *collation, &text, &pattern, *escape)
        }
        Expr::Case { branches, otherwise } => {
            for (test, result) in branches {
                if truth(&eval(env, test)?) == Some(true) {
                    return eval(env, result);
                }
            }
            eval(env, otherwise)
        }
        Expr::Coalesce(args) => {
            for arg in args {
                let value = eval(env, arg)?;
                if !value.is_null() {
                    return Ok(value);
                }
            }
            Ok(Value::Null)
        }
        Expr::Cast { to, mode, expr } => {
            let value = eval(env, expr)?;
            cast(env, &value, *to, *mode)
        }
        Expr::Call { function, result, args } => {
            let args = args.iter().map(|arg| eval(env, arg)).collect::<Result<Vec<_>>>()?;
            call(env, *function, *result, &args)
        }
        Expr::Column { .. }
        | Expr::Param { .. }
        | Expr::Local(_)
        | Expr::Session(_)
        | Expr::Open { .. }
        | Expr::Number { .. }
        | Expr::Routine { .. }
        | Expr::Exists { .. }
        | Expr::Scalar { .. }
        | Expr::Quantified { .. } => env.look_up(expr),
        Expr::Aggregate(_) | Expr::Window(_) | Expr::Grouping(_) => {
            unsupported("an aggregate here")
        }
    }
}

/// The truth of an expression.
pub(crate) fn truth_of(env: &mut impl Environment, expr: &Expr) -> Result<Option<bool>> {
    match expr {
        Expr::And(..) | Expr::Or(..) | Expr::Xor(..) | Expr::Not(_) | Expr::IsTruth { .. } => {
            logical(env, expr)
        }
        other => Ok(truth(&eval(env, other)?)),
    }
}

fn logical(env: &mut impl Environment, expr: &Expr) -> Result<Option<bool>> {
    match expr {
        Expr::And(left, right) => match truth_of(env, left)? {
            Some(false) => Ok(Some(false)),
            left => Ok(and(left, truth_of(env, right)?)),
        },
        Expr::Or(left, right) => match truth_of(env, left)? {
            Some(true) => Ok(Some(true)),
            left => Ok(or(left, truth_of(env, right)?)),
        },
        Expr::Xor(left, right) => {
            let (left, right) = (truth_of(env, left)?, truth_of(env, right)?);
            Ok(left.zip(right).map(|(left, right)| left != right))
        }
        Expr::Not(inner) => Ok(truth_of(env, inner)?.map(|truth| !truth)),
        Expr::IsTruth { truth, negated, expr } => {
            Ok(Some((truth_of(env, expr)? == *truth) != *negated))
        }
        other => Ok(truth(&eval(env, other)?)),
    }
}

pub(crate) fn cast(
    env: &mut impl Environment,
    value: &Value,
    to: Type,
    mode: CastMode,
) -> Result<Value> {
    // Where rows are changed, MySQL does not take half a number for a number.
    if env.writes()
        && !env.dialect().is_strictly_typed()
        && mode != CastMode::Assign
        && (to == Type::Double || matches!(to, Type::Int(_) | Type::Decimal(_)))
        && let Value::Text(text) = value
    {
        let rest = text.trim_start()[leading_number_text(text).len()..].trim_end();
        if (!rest.is_empty() || text.trim().is_empty()) && env.warning_fails() {
            return fail(ErrorClass::InvalidText, format!("{text} is not a number"));
        }
    }
    if env.writes()
        && !env.dialect().is_strictly_typed()
        && mode == CastMode::Implicit
        && to.is_time()
        && let Value::Text(text) = value
        && parse_timestamp(text).is_none()
        && env.warning_fails()
    {
        return fail(ErrorClass::InvalidDate, format!("{text} is not a date"));
    }
    let converted = convert(env.dialect(), value, Type::Unknown, to, mode)?;
    let cut = mode == CastMode::Explicit
        && !env.dialect().is_strictly_typed()
        && is_cut(value, &converted);
    if cut && env.warning_fails() {
        return fail(ErrorClass::FieldOutOfRange, "a number with too many digits");
    }
    if env.writes() && mode == CastMode::Explicit && is_shortened(env.dialect(), value, to)? {
        let fails = env.warning_fails();
        if fails {
            return fail(ErrorClass::InvalidText, "a text that a cast shortens");
        }
    }
    Ok(converted)
}

/// Whether MySQL's `CAST(value AS CHAR(n))` drops something.
fn is_shortened(dialect: Dialect, value: &Value, to: Type) -> Result<bool> {
    let limit = match to {
        Type::Text { limit, .. } => limit,
        Type::Char(limit) => limit,
        _ => None,
    };
    let (Some(limit), false) = (limit, dialect.is_strictly_typed() || value.is_null()) else {
        return Ok(false);
    };
    let text = convert(dialect, value, Type::Unknown, Type::TEXT, CastMode::Explicit)?;
    let length = |text: &str| u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    Ok(matches!(&text, Value::Text(text) if length(text) > limit))
}

/// Whether two values differ, where NULL is a value like any other.
fn are_distinct(
    env: &mut impl Environment,
    left: &Value,
    right: &Value,
    collation: Collation,
) -> Result<bool> {
    if left.is_null() || right.is_null() {
        return Ok(left.is_null() != right.is_null());
    }
    Ok(compare(env, Asked::Equality, left, right, collation)? != Some(Ordering::Equal))
}

fn in_list(
    env: &mut impl Environment,
    negated: bool,
    list: &[(Expr, Expr, Collation)],
) -> Result<Value> {
    let mut result = Some(false);
    for (left, right, collation) in list {
        let (left, right) = (eval(env, left), eval(env, right)?);
        // MariaDB does not compute what it compares with NULL, at least not always.
        let skips = right.is_null() && !env.dialect().is_strictly_typed();
        let left = match left {
            Err(ExecutionError::Server(error)) if skips => {
                return unsupported(format!("IN next to NULL and an error ({error})"));
            }
            left => left?,
        };
        let equal = compare(env, Asked::Equality, &left, &right, *collation)?.map(Ordering::is_eq);
        result = or(result, equal);
        if result == Some(true) {
            break;
        }
    }
    Ok(value_of(env.dialect(), result.map(|truth| truth != negated)))
}

fn like(
    env: &mut impl Environment,
    negated: bool,
    collation: Collation,
    text: &Value,
    pattern: &Value,
    escape: Option<char>,
) -> Result<Value> {
    let (Value::Text(text), Value::Text(pattern)) = (text, pattern) else {
        return Ok(Value::Null);
    };
    let certain = |text: &str| collation.is_certain_of(text);
    if !certain(text) || !certain(pattern) {
        env.doubt(text, pattern);
    }
    let like = match Like::new(pattern, escape, collation) {
        Some(like) => like,
        None if env.dialect().is_strictly_typed() => {
            return fail(ErrorClass::InvalidEscape, "a pattern that ends with its escape");
        }
        None => return unsupported("a pattern that ends with its escape"),
    };
    Ok(env.dialect().boolean(like.matches(text) != negated))
}

/// Whether a conversion to an exact number made the largest that there is of one that is larger.
fn is_cut(before: &Value, after: &Value) -> bool {
    let (Some(before), Value::Decimal(after)) = (before.as_decimal(), after) else { return false };
    before.round(after.scale()).compare(after) != Ordering::Equal
}
