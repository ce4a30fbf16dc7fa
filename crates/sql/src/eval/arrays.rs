//! What operators and functions do to arrays.
//!
//! Layer `eval`; compares elements as their type compares.

use crate::error::{Result, unsupported};
use crate::plan::{CompareOp, Function, Quantifier};
use crate::value::{Collation, Value};

use super::compare::compare;
use super::environment::Environment;

/// A function of arrays, none of whose arguments is NULL.
pub(super) fn array_call(
    env: &mut impl Environment,
    function: Function,
    args: &[Value],
) -> Result<Value> {
    match (function, args) {
        (Function::Subscript, [Value::Array(values), index]) => {
            let place = index.as_integer().and_then(|index| usize::try_from(index - 1).ok());
            Ok(place.and_then(|place| values.get(place)).cloned().unwrap_or(Value::Null))
        }
        (Function::ArrayLength, [Value::Array(values)]) => {
            Ok(Value::Int(i64::try_from(values.len()).unwrap_or(i64::MAX)))
        }
        (Function::ArrayContains, [Value::Array(whole), Value::Array(part)]) => {
            let all = part.iter().map(|one| has(env, whole, one)).collect::<Result<Vec<_>>>()?;
            Ok(Value::Bool(all.into_iter().all(|found| found)))
        }
        (Function::ArrayOverlaps, [Value::Array(left), Value::Array(right)]) => {
            let any = left.iter().map(|one| has(env, right, one)).collect::<Result<Vec<_>>>()?;
            Ok(Value::Bool(any.into_iter().any(|found| found)))
        }
        _ => unsupported("this function of arrays"),
    }
}

/// Whether an array has an element. NULL is equal to nothing.
fn has(env: &mut impl Environment, values: &[Value], wanted: &Value) -> Result<bool> {
    let collation = env.collation();
    for value in values {
        if holds(env, CompareOp::Eq, wanted, value, collation)? == Some(true) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// `left = ANY (array)` and the like: true or false as soon as one element says so, and NULL if one could.
pub(super) fn elements(
    env: &mut impl Environment,
    op: CompareOp,
    quantifier: Quantifier,
    collation: Collation,
    args: &[Value],
) -> Result<Value> {
    let [left, Value::Array(values)] = args else { return Ok(Value::Null) };
    let decides = quantifier == Quantifier::Any;
    let mut unknown = false;
    for value in values.iter() {
        match holds(env, op, left, value, collation)? {
            Some(holds) if holds == decides => return Ok(Value::Bool(decides)),
            Some(_) => {}
            None => unknown = true,
        }
    }
    Ok(if unknown { Value::Null } else { Value::Bool(!decides) })
}

fn holds(
    env: &mut impl Environment,
    op: CompareOp,
    left: &Value,
    right: &Value,
    collation: Collation,
) -> Result<Option<bool>> {
    Ok(compare(env, op.asks(), left, right, collation)?.map(|order| op.holds(order)))
}
