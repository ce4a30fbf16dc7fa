//! Three-valued logic: true, false, and unknown.
//!
//! Layer `eval`; knows values and dialects.

use crate::dialect::Dialect;
use crate::value::{Value, leading_number};

/// Whether a value counts as true; `None` if it is NULL.
pub(crate) fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Null => None,
        Value::Bool(truth) => Some(*truth),
        Value::Int(number) => Some(*number != 0),
        Value::Large(_) => Some(true),
        Value::Decimal(decimal) => Some(!decimal.is_zero()),
        Value::Double(double) => Some(*double != 0.0),
        Value::Text(text) => Some(leading_number(text) != 0.0),
        Value::Date(_) | Value::Timestamp(_) | Value::Instant(_) => Some(true),
        Value::Time(micros) => Some(*micros != 0),
        // No condition is made of these.
        Value::Uuid(_)
        | Value::Json(_)
        | Value::Array(_)
        | Value::TimeOfDay(_)
        | Value::Interval(_)
        | Value::Label(_)
        | Value::Range(_)
        | Value::Record(_)
        | Value::Network(_)
        | Value::Bytea(_) => None,
    }
}

/// The value of a truth.
pub(crate) fn value_of(dialect: Dialect, truth: Option<bool>) -> Value {
    truth.map_or(Value::Null, |truth| dialect.boolean(truth))
}

pub(crate) fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

pub(crate) fn or(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}
