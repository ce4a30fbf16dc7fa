//! Conversions to times of day, intervals, bytes and `json` in PostgreSQL.
//!
//! What is not read here may be read by the server, so it is refused and is no error.
//!
//! Layer `eval`; knows values and types.

use std::sync::Arc;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::text::to_text;
use crate::types::Type;
use crate::value::{Interval, Json, JsonError, Value, is_finite, parse_time};

use super::moment::DAY;

/// Makes a value one of the types of this file.
pub(super) fn to_newer(value: &Value, to: Type) -> Result<Value> {
    match to {
        Type::TimeOfDay(digits) => to_time(value, digits),
        Type::Interval => to_interval(value),
        Type::Bytea => to_bytes(value),
        Type::JsonText => to_json_text(value),
        _ => unsupported(format!("the type {to:?}")),
    }
}

fn to_time(value: &Value, digits: u8) -> Result<Value> {
    let micros = match value {
        Value::TimeOfDay(micros) => *micros,
        // In UTC: where the time zone matters, binding has made sure of it.
        Value::Timestamp(micros) | Value::Instant(micros) if is_finite(*micros) => {
            micros.rem_euclid(DAY)
        }
        Value::Interval(interval) => interval.micros.rem_euclid(DAY),
        Value::Text(text) => match parse_time(text) {
            Some(micros) => micros,
            None if text.bytes().any(|byte| byte.is_ascii_digit()) => {
                return unsupported(format!("the time {text}"));
            }
            None => return unsupported("a time without digits"),
        },
        _ => return unsupported("this value as a time of day"),
    };
    let unit = 10i64.pow(6 - u32::from(digits.min(6)));
    Ok(Value::TimeOfDay((micros + unit / 2) / unit * unit))
}

fn to_interval(value: &Value) -> Result<Value> {
    match value {
        Value::Interval(_) => Ok(value.clone()),
        Value::TimeOfDay(micros) => {
            Ok(Value::Interval(Interval { micros: *micros, ..Interval::default() }))
        }
        Value::Text(text) => match Interval::parse(text, None) {
            Some(interval) => Ok(Value::Interval(interval)),
            None => unsupported(format!("the interval {text}")),
        },
        _ => unsupported("this value as an interval"),
    }
}

/// A text is read as bytes are written: `\xdeadbeef`, or letters that stand for themselves.
fn to_bytes(value: &Value) -> Result<Value> {
    match value {
        Value::Bytea(_) => Ok(value.clone()),
        Value::Text(text) => match text.strip_prefix("\\x") {
            Some(digits) => match from_hex(digits) {
                Some(bytes) => Ok(Value::Bytea(bytes.into())),
                None => unsupported(format!("the bytes {text}")),
            },
            None if text.contains('\\') => unsupported(format!("the bytes {text}")),
            None => Ok(Value::Bytea(text.as_bytes().into())),
        },
        _ => unsupported("this value as bytes"),
    }
}

/// The bytes that pairs of digits stand for.
pub(super) fn from_hex(digits: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|one| u8::try_from(one).ok());
    let pairs = digits.as_bytes().chunks(2).map(|pair| match pair {
        [high, low] => Some(digit(high)? * 16 + digit(low)?),
        _ => None,
    });
    pairs.collect()
}

fn to_json_text(value: &Value) -> Result<Value> {
    match value {
        Value::Json(json) => Ok(Value::text(&json.to_string())),
        Value::Text(text) => match Json::parse(text) {
            Ok(_) => Ok(Value::Text(Arc::clone(text))),
            Err(JsonError::Syntax) => fail(ErrorClass::InvalidText, format!("{text} is not JSON")),
            Err(JsonError::Unclear) => unsupported(format!("the JSON {text}")),
        },
        other => unsupported(format!("the JSON {}", to_text(other, Type::Unknown, true))),
    }
}
