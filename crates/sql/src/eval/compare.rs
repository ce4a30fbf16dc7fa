//! Which of two values comes first.
//!
//! Layer `eval`; knows values, and whom to tell that a collation is not certain.

use std::cmp::Ordering;

use crate::error::{Result, unsupported};
use crate::value::{Asked, Collation, Value};

use super::environment::Environment;

/// Whether an order is not known here. That of texts may depend on a collation that is not certain.
fn has_no_order(value: &Value) -> bool {
    match value {
        Value::Json(_) => true,
        Value::Array(values) => values.iter().any(|value| matches!(value, Value::Text(_))),
        _ => false,
    }
}

/// Which value comes first, or whether they are equal; `None` if one is NULL.
pub(crate) fn compare(
    env: &mut impl Environment,
    asked: Asked,
    left: &Value,
    right: &Value,
    collation: Collation,
) -> Result<Option<Ordering>> {
    if left.is_null() || right.is_null() {
        return Ok(None);
    }
    if let (Value::Text(a), Value::Text(b)) = (left, right)
        && !collation.is_certain(asked, a, b)
    {
        env.doubt(a, b);
    }
    if asked == Asked::Order && has_no_order(left) {
        return unsupported("the order of JSON, or of arrays of texts");
    }
    if asked == Asked::Order && matches!(left, Value::Uuid(_)) && !env.dialect().is_strictly_typed()
    {
        return unsupported("the order of UUIDs");
    }
    match left.compare(right, collation) {
        Some(order) => Ok(Some(order)),
        None => unsupported("a comparison of these values"),
    }
}
