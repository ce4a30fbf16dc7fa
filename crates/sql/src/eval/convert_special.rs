//! Conversions to enumerations and ranges of PostgreSQL, by the way of texts.
//!
//! Layer `eval`; knows values and types.

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::value::{End, Enumeration, Network, Range, RangeOf, Value, parse_range};

use super::ranges::made;

pub(super) fn to_label(value: &Value, of: Enumeration) -> Result<Value> {
    match value {
        Value::Label(label) if of.labelled(label.text()) == Some(*label) => Ok(value.clone()),
        Value::Text(text) => match of.labelled(text) {
            Some(label) => Ok(Value::Label(label)),
            None => fail(ErrorClass::InvalidText, format!("{text} is not a {}", of.name())),
        },
        _ => unsupported(format!("a conversion to {}", of.name())),
    }
}

pub(super) fn to_network(value: &Value, is_cidr: bool) -> Result<Value> {
    match value {
        Value::Network(network) if !is_cidr => Ok(Value::Network(network.as_cidr(false))),
        Value::Network(network) => Ok(Value::Network(network.network())),
        Value::Text(text) => match Network::parse(text, is_cidr) {
            Some(network) if is_cidr && !network.is_network() => {
                fail(ErrorClass::InvalidText, format!("{text} has bits behind its prefix"))
            }
            Some(network) => Ok(Value::Network(network)),
            None => unsupported(format!("the address {text}")),
        },
        _ => unsupported("a conversion to an address"),
    }
}

/// A range, whose ends are read by another function.
pub(super) fn to_range(
    value: &Value,
    of: RangeOf,
    read: &dyn Fn(&Value) -> Result<Value>,
) -> Result<Value> {
    let text = match value {
        Value::Range(_) => return Ok(value.clone()),
        Value::Text(text) => text,
        _ => return unsupported(format!("a conversion to {}", of.name())),
    };
    let Ok(written) = parse_range(text) else {
        return fail(ErrorClass::InvalidText, format!("{text} is not a range"));
    };
    let Some(written) = written else { return made(Ok(Range::EMPTY)) };
    let end = |text: Option<String>, included| match text {
        None => Ok(End::at(&Value::Null, included)),
        Some(text) => Ok(End::at(&read(&Value::text(&text))?, included)),
    };
    let (lower, upper) =
        (end(written.lower, written.includes.0)?, end(written.upper, written.includes.1)?);
    made(Range::new(of, lower, upper))
}
