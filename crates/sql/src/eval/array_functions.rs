//! Functions of PostgreSQL's arrays of one dimension, whose first element has the number 1.
//!
//! An argument may be NULL: as an array it is none, and as an element it is equal to other NULLs.
//!
//! Layer `eval`; compares elements as their type compares.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::error::{Result, unsupported};
use crate::plan::ArrayFunction;
use crate::text::to_text;
use crate::types::Type;
use crate::value::{Asked, Value};

use super::compare::compare;
use super::environment::Environment;

/// Longer arrays are not made by an assignment to an element.
const LONGEST: usize = 10_000;

pub(super) fn array_function(
    env: &mut impl Environment,
    function: ArrayFunction,
    args: &[Value],
) -> Result<Value> {
    use ArrayFunction as A;
    match (function, args) {
        (A::Append, [array, element]) => together(array, std::slice::from_ref(element)),
        (A::Prepend, [element, array]) => together_with(std::slice::from_ref(element), array),
        (A::Concat, [Value::Null, other] | [other, Value::Null]) => Ok(other.clone()),
        (A::Concat, [left, Value::Array(right)]) => together(left, right),
        (A::Assign, [array, index, value]) => assign(array, index, value),
        (A::Split, [text, separator, null @ ..]) => split(text, separator, null.first()),
        (A::Join, [array, separator, null @ ..]) => join(array, separator, null.first()),
        (_, [Value::Null, ..]) => Ok(Value::Null),
        (A::Position, [Value::Array(values), wanted]) => {
            let places = places(env, values, wanted)?;
            Ok(places.first().map_or(Value::Null, |place| number(place + 1)))
        }
        (A::Positions, [Value::Array(values), wanted]) => {
            let places = places(env, values, wanted)?;
            Ok(Value::Array(places.into_iter().map(|place| number(place + 1)).collect()))
        }
        (A::Remove, [Value::Array(values), wanted]) => {
            let places = places(env, values, wanted)?;
            let kept = values.iter().enumerate().filter(|(place, _)| !places.contains(place));
            Ok(Value::Array(kept.map(|(_, value)| value.clone()).collect()))
        }
        (A::Replace, [Value::Array(values), wanted, new]) => {
            let places = places(env, values, wanted)?;
            let mut values = values.to_vec();
            places.into_iter().for_each(|place| values[place] = new.clone());
            Ok(Value::Array(Arc::from(values)))
        }
        (A::Upper | A::Lower | A::Dimensions, [Value::Array(values)]) if values.is_empty() => {
            Ok(Value::Null)
        }
        (A::Upper, [Value::Array(values)]) => Ok(number(values.len())),
        (A::Lower | A::Dimensions, [Value::Array(_)]) => Ok(number(1)),
        (A::Trim, [Value::Array(values), count]) => trim(values, count),
        (A::Slice, [Value::Array(values), from, to]) => slice(values, from, to),
        _ => unsupported("this function of arrays"),
    }
}

fn number(place: usize) -> Value {
    Value::Int(i64::try_from(place).unwrap_or(i64::MAX))
}

fn together(array: &Value, behind: &[Value]) -> Result<Value> {
    match array {
        Value::Null => Ok(Value::Array(Arc::from(behind))),
        Value::Array(values) => Ok(Value::Array(Arc::from([values, behind].concat()))),
        _ => unsupported("an array and something else"),
    }
}

fn together_with(front: &[Value], array: &Value) -> Result<Value> {
    match array {
        Value::Null => Ok(Value::Array(Arc::from(front))),
        Value::Array(values) => Ok(Value::Array(Arc::from([front, values].concat()))),
        _ => unsupported("an array and something else"),
    }
}

/// Where an element is, counted from zero. NULL is found, too.
fn places(env: &mut impl Environment, values: &[Value], wanted: &Value) -> Result<Vec<usize>> {
    let collation = env.collation();
    let mut places = Vec::new();
    for (place, value) in values.iter().enumerate() {
        let same = match (value.is_null(), wanted.is_null()) {
            (false, false) => {
                compare(env, Asked::Equality, value, wanted, collation)? == Some(Ordering::Equal)
            }
            (a, b) => a == b,
        };
        if same {
            places.push(place);
        }
    }
    Ok(places)
}

fn trim(values: &[Value], count: &Value) -> Result<Value> {
    let count = count.as_integer().and_then(|count| usize::try_from(count).ok());
    match count.and_then(|count| values.len().checked_sub(count)) {
        Some(left) => Ok(Value::Array(Arc::from(&values[..left]))),
        None => unsupported("trim_array() of more elements than there are"),
    }
}

fn slice(values: &[Value], from: &Value, to: &Value) -> Result<Value> {
    let (Some(from), Some(to)) = (from.as_integer(), to.as_integer()) else {
        return Ok(Value::Null);
    };
    let length = i128::try_from(values.len()).unwrap_or(i128::MAX);
    let (from, to) = (from.clamp(1, length + 1) - 1, to.clamp(0, length));
    let (from, to) = (usize::try_from(from).unwrap_or(0), usize::try_from(to).unwrap_or(0));
    Ok(Value::Array(Arc::from(values.get(from..to).unwrap_or_default())))
}

/// An array with another element. An element far behind the end comes after NULLs.
fn assign(array: &Value, index: &Value, value: &Value) -> Result<Value> {
    let mut values = match array {
        Value::Null => Vec::new(),
        Value::Array(values) => values.to_vec(),
        _ => return unsupported("an element of something that is not an array"),
    };
    let place = index.as_integer().and_then(|index| usize::try_from(index - 1).ok());
    let Some(place) = place.filter(|place| *place < LONGEST && (*place == 0 || !values.is_empty()))
    else {
        return unsupported("an array that does not begin with element 1");
    };
    if place >= values.len() {
        values.resize(place + 1, Value::Null);
    }
    values[place] = value.clone();
    Ok(Value::Array(Arc::from(values)))
}

fn split(text: &Value, separator: &Value, null: Option<&Value>) -> Result<Value> {
    let Value::Text(text) = text else { return Ok(Value::Null) };
    let parts: Vec<String> = match separator {
        _ if text.is_empty() => Vec::new(),
        Value::Null => text.chars().map(String::from).collect(),
        Value::Text(separator) if separator.is_empty() => vec![text.to_string()],
        Value::Text(separator) => text.split(&**separator).map(str::to_owned).collect(),
        _ => return unsupported("a separator that is not a text"),
    };
    let element = |part: String| match null {
        Some(Value::Text(null)) if **null == *part => Value::Null,
        _ => Value::text(&part),
    };
    Ok(Value::Array(parts.into_iter().map(element).collect()))
}

fn join(array: &Value, separator: &Value, null: Option<&Value>) -> Result<Value> {
    let (Value::Array(values), Value::Text(separator)) = (array, separator) else {
        return Ok(Value::Null);
    };
    let mut parts = Vec::new();
    for value in values.iter() {
        match (value, null) {
            (Value::Null, Some(Value::Text(null))) => parts.push(null.to_string()),
            (Value::Null, _) => {}
            (Value::Instant(_) | Value::Interval(_), _) => {
                return unsupported("the text of a time with a time zone, or of an interval");
            }
            (Value::Bool(truth), _) => parts.push(if *truth { "t" } else { "f" }.to_owned()),
            (other, _) => parts.push(to_text(other, Type::Unknown, true)),
        }
    }
    Ok(Value::text(&parts.join(separator)))
}
