//! Putting values into columns, as MySQL does in its strict mode.
//!
//! Layer `eval`; knows values and types.

use crate::dialect::Dialect;
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::text::to_text;
use crate::types::{IntType, Type};
use crate::value::{Decimal, Value, leading_number_text, parse_timestamp, round_to_even};

use super::assign_special::assign_special;

/// A value as a column of a type holds it, or the error that the server gives.
pub(super) fn assign(dialect: Dialect, value: &Value, from: Type, to: Type) -> Result<Value> {
    match to {
        Type::Special(special) => assign_special(value, special),
        _ if matches!(value, Value::Bytea(_)) => unsupported("bytes put into another type"),
        Type::Unknown => Ok(value.clone()),
        Type::Bool | Type::Int(_) => assign_int(value, to),
        Type::Decimal(digits) => {
            let decimal = exact_number(value)?;
            let Some(digits) = digits else { return Ok(Value::Decimal(decimal)) };
            let rounded = decimal.round(digits.scale);
            if rounded.whole_digits() > digits.precision - digits.scale {
                return fail(ErrorClass::FieldOutOfRange, format!("{decimal} has too many digits"));
            }
            Ok(Value::Decimal(rounded))
        }
        Type::Real | Type::Double => assign_double(value, to),
        Type::Text { limit, trims, .. } => {
            let text = to_text(value, from, false);
            assign_text(if trims { text.trim_end_matches(' ') } else { &text }, limit)
        }
        Type::Char(length) => assign_text(&to_text(value, from, false), length),
        Type::Date | Type::Timestamp(_) => assign_moment(dialect, value, to),
        _ => unsupported(format!("a column of the type {to:?}")),
    }
}

fn assign_int(value: &Value, to: Type) -> Result<Value> {
    let int = match to {
        Type::Int(int) => int,
        _ => IntType { bytes: 1, unsigned: false },
    };
    let whole = match value {
        Value::Text(text) => number_in(text)?.to_integer(),
        Value::Decimal(decimal) => decimal.to_integer(),
        #[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
        Value::Double(double) if double.abs() < 1e30 => Some(round_to_even(*double) as i128),
        Value::Date(_) | Value::Timestamp(_) => return unsupported("a date put into a number"),
        other => other.as_integer(),
    };
    let (low, high) = int.range();
    match whole.filter(|whole| (low..=high).contains(whole)).and_then(Value::from_integer) {
        Some(value) => Ok(value),
        None => fail(ErrorClass::FieldOutOfRange, "a whole number that is too large"),
    }
}

/// The number that a text is; an error if there is something else in it.
fn number_in(text: &str) -> Result<Decimal> {
    let number = leading_number_text(text);
    let rest = text.trim_start()[number.len()..].trim_end_matches(' ');
    match Decimal::parse(number) {
        Some(decimal) if rest.is_empty() => Ok(decimal),
        Some(_) => fail(ErrorClass::Truncated, format!("{text} is not all number")),
        None => fail(ErrorClass::InvalidText, format!("{text} is not a number")),
    }
}

fn exact_number(value: &Value) -> Result<Decimal> {
    match value {
        Value::Text(text) => number_in(text),
        Value::Double(double) => match Decimal::parse(&format!("{double:e}")) {
            Some(decimal) => Ok(decimal),
            None => fail(ErrorClass::FieldOutOfRange, "no number"),
        },
        Value::Date(_) | Value::Timestamp(_) => unsupported("a date put into a number"),
        other => Ok(other.as_decimal().unwrap_or(Decimal::from_integer(0))),
    }
}

fn assign_double(value: &Value, to: Type) -> Result<Value> {
    let double = match value {
        Value::Text(text) => number_in(text)?.to_f64(),
        Value::Date(_) | Value::Timestamp(_) => return unsupported("a date put into a number"),
        other => other.to_f64().unwrap_or(0.0),
    };
    if to == Type::Double {
        return Ok(Value::Double(double));
    }
    #[allow(clippy::cast_possible_truncation, reason = "the column has single precision")]
    let single = double as f32;
    if single.is_infinite() {
        return fail(ErrorClass::FieldOutOfRange, "too large for FLOAT");
    }
    Ok(Value::Double(f64::from(single)))
}

fn assign_text(text: &str, limit: Option<u32>) -> Result<Value> {
    let Some(limit) = limit.map(|limit| limit as usize) else { return Ok(Value::text(text)) };
    if text.chars().count() <= limit {
        return Ok(Value::text(text));
    }
    if text.chars().skip(limit).any(|letter| letter != ' ') {
        return fail(ErrorClass::TooLong, format!("more than {limit} characters"));
    }
    Ok(Value::text(&text.chars().take(limit).collect::<String>()))
}

fn assign_moment(dialect: Dialect, value: &Value, to: Type) -> Result<Value> {
    const DAY: i64 = 86_400_000_000;
    let micros = match value {
        Value::Date(days) => i64::from(*days) * DAY,
        Value::Timestamp(micros) => *micros,
        Value::Text(text) => match parse_timestamp(text) {
            Some(micros) => micros,
            None => return fail(ErrorClass::InvalidDate, format!("{text} is not a date")),
        },
        Value::Int(number @ 10_000_101..=99_991_231) => {
            let (year, rest) = (number / 10_000, number % 10_000);
            let text = format!("{year:04}-{:02}-{:02}", rest / 100, rest % 100);
            match parse_timestamp(&text) {
                Some(micros) => micros,
                None => return unsupported("a number put into a date"),
            }
        }
        _ => return unsupported("a number put into a date"),
    };
    if to == Type::Date && micros % 1_000_000 != 0 && dialect != Dialect::MariaDb {
        return unsupported("a day made from a time with fractions of a second");
    }
    if to == Type::Date {
        return Ok(Value::Date(i32::try_from(micros.div_euclid(DAY)).unwrap_or(i32::MAX)));
    }
    let Type::Timestamp(digits) = to else { return unsupported("this TIMESTAMPTZ column") };
    // MariaDB cuts off the digits that the column does not have, and MySQL rounds.
    let unit = 10_i64.pow(6 - u32::from(digits.min(6)));
    let cut = micros.div_euclid(unit) * unit;
    if cut != micros && dialect != Dialect::MariaDb {
        return unsupported("more digits of a second than the column has");
    }
    Ok(Value::Timestamp(cut))
}
