//! Putting values into columns of MySQL's special types, in its strict mode.
//!
//! Layer `eval`; knows values and types.

use std::net::Ipv6Addr;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::special::{Labels, Special};
use crate::value::Value;

/// A value as a column holds it, or the error that the server gives.
pub(super) fn assign_special(value: &Value, to: Special) -> Result<Value> {
    match to {
        Special::One(labels, _) => one(value, labels),
        Special::Many(labels, _) => many(value, labels),
        Special::Year => year(value),
        Special::Inet6 => address(value),
        Special::Bits(bits) => some_bits(value, bits),
        Special::Bytes { limit, padded } => bytes(value, limit, padded),
    }
}

/// A label as the column writes it, found by a text; `None` if there is none. Whether another spelling of a label is
/// meant depends on the collation, so that is refused.
fn label(text: &str, labels: Labels) -> Result<Option<&'static str>> {
    let text = text.trim_end_matches(' ');
    if let Some(label) = labels.iter().find(|label| *label == text) {
        return Ok(Some(label));
    }
    let clear = |text: &str| text.chars().all(|letter| (' '..='~').contains(&letter));
    let similar = labels.iter().any(|label| label.eq_ignore_ascii_case(text) || !clear(label));
    match similar || !clear(text) {
        true => unsupported("a label in another spelling than in its ENUM or SET"),
        false => Ok(None),
    }
}

fn is_number(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit() || "+- \t\n".contains(first))
}

fn one(value: &Value, labels: Labels) -> Result<Value> {
    let place = match value {
        Value::Text(text) => match label(text, labels)? {
            Some(label) => return Ok(Value::text(label)),
            // A number in a text stands for a label, too.
            None if text.is_empty() || is_number(text) => {
                return unsupported("a number, or nothing, in a text put into an ENUM");
            }
            None => None,
        },
        Value::Int(0) => return unsupported("0 put into an ENUM"),
        Value::Int(place) => usize::try_from(*place - 1).ok(),
        _ => return unsupported("this type put into an ENUM"),
    };
    match place.and_then(|place| labels.iter().nth(place)) {
        Some(label) => Ok(Value::text(label)),
        None => fail(ErrorClass::Truncated, "no label of the ENUM"),
    }
}

fn many(value: &Value, labels: Labels) -> Result<Value> {
    let Value::Text(text) = value else { return unsupported("this type put into a SET") };
    let mut chosen = Vec::new();
    for part in text.split(',').filter(|_| !text.is_empty()) {
        match label(part, labels)? {
            Some(label) => chosen.push(label),
            None if is_number(text) || part.is_empty() => {
                return unsupported("a number, or nothing, in a text put into a SET");
            }
            None => return fail(ErrorClass::Truncated, "no label of the SET"),
        }
    }
    let chosen: Vec<&str> = labels.iter().filter(|label| chosen.contains(label)).collect();
    Ok(Value::text(&chosen.join(",")))
}

fn year(value: &Value) -> Result<Value> {
    let year = match value {
        Value::Int(year) => *year,
        Value::Text(text) if text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            text.parse().unwrap_or(0)
        }
        _ => return unsupported("this value put into a YEAR"),
    };
    match year {
        1..=69 => Ok(Value::Int(year + 2000)),
        70..=99 => Ok(Value::Int(year + 1900)),
        1901..=2155 => Ok(Value::Int(year)),
        0 => unsupported("the year 0000"),
        _ => fail(ErrorClass::FieldOutOfRange, "no year"),
    }
}

/// An address that is written as every server would write it. Which zeros are left out, and whether the end looks
/// like an older address, is not asked here.
fn address(value: &Value) -> Result<Value> {
    let Value::Text(text) = value else { return unsupported("this type put into an INET6") };
    let Ok(address) = text.parse::<Ipv6Addr>() else {
        return unsupported("a text that is no address, put into an INET6");
    };
    let segments = address.segments();
    let clear = segments.split(|segment| *segment != 0).all(|zeros| zeros.len() != 1);
    let newer = address == Ipv6Addr::LOCALHOST || segments[0] != 0;
    match clear && newer {
        true => Ok(Value::text(&address.to_string())),
        false => unsupported("an address that can be written in several ways"),
    }
}

fn some_bits(value: &Value, bits: u8) -> Result<Value> {
    let number = match value {
        Value::Int(number @ 0..) => *number,
        Value::Bytea(bytes) if bytes.len() <= 8 => {
            let number = bytes.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
            i64::try_from(number).unwrap_or(i64::MAX)
        }
        _ => return unsupported("this value put into a BIT"),
    };
    match number >> bits {
        0 => Ok(Value::Int(number)),
        _ => fail(ErrorClass::TooLong, "more bits than the column has"),
    }
}

fn bytes(value: &Value, limit: Option<u32>, padded: bool) -> Result<Value> {
    let mut bytes = match value {
        Value::Bytea(bytes) => bytes.to_vec(),
        // This is how a log writes bytes of its beginning.
        Value::Text(text) if text.starts_with("\\x") => {
            return unsupported("a text that looks like digits, put into bytes");
        }
        Value::Text(text) => text.as_bytes().to_vec(),
        Value::Int(number) => number.to_string().into_bytes(),
        _ => return unsupported("this type put into bytes"),
    };
    let limit = limit.map_or(usize::MAX, |limit| limit as usize);
    if bytes.len() > limit {
        return fail(ErrorClass::TooLong, format!("more than {limit} bytes"));
    }
    if padded {
        bytes.resize(limit, 0);
    }
    Ok(Value::Bytea(bytes.into()))
}
