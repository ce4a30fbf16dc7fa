//! Functions that build, change and take apart PostgreSQL's JSON.
//!
//! `jsonb` is a value, and `json` a text that is written in the way of the function that makes it: with or without
//! spaces, on one line or several.
//!
//! Layer `eval`; knows values and the names of functions.

use std::sync::Arc;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::JsonFunction;
use crate::text::to_text;
use crate::types::Type;
use crate::value::{Decimal, Json, Value, format_double, is_finite, quoted_json};

use super::json_path_reader::read_path;
use super::json_set::{Change, change};

/// Deeper values are not made: what works on JSON goes down into it.
const DEEPEST: usize = 256;

pub(super) fn json_function(function: JsonFunction, args: &[Value]) -> Result<Value> {
    match computed(function, args)? {
        Value::Json(json) if !json.is_within(DEEPEST) => unsupported("JSON that is this deep"),
        value => Ok(value),
    }
}

fn computed(function: JsonFunction, args: &[Value]) -> Result<Value> {
    use JsonFunction as J;
    match (function, args) {
        (J::Of, [value]) => json_of(value).map(jsonb),
        (J::TextOf, [value]) => text_of(value).map(|text| Value::text(&text)),
        (J::Array, elements) => {
            Ok(jsonb(Json::Array(elements.iter().map(json_of).collect::<Result<_>>()?)))
        }
        (J::Object, members) => object(members).map(jsonb),
        (J::ArrayText, elements) => {
            let texts = elements.iter().map(raw).collect::<Result<Vec<_>>>()?;
            Ok(Value::text(&format!("[{}]", texts.join(", "))))
        }
        (J::ObjectText, members) => object_text(members, " : ", ", "),
        (J::RowText, members) => object_text(members, ":", ","),
        (J::Assign, [json, Value::Array(path), new]) => assign(json, path, new),
        (J::HasAny { all }, [Value::Json(json), Value::Array(names)]) => has(json, names, all),
        (J::RemovePath, [Value::Json(json), Value::Array(path)]) => {
            change(json, &texts(path)?, &Change::Remove).map(jsonb)
        }
        (J::RemoveNames, [Value::Json(json), Value::Array(names)]) => remove_names(json, names),
        (J::Set, [Value::Json(json), Value::Array(path), Value::Json(new), create @ ..]) => {
            let new = (**new).clone();
            let set = match create.first() {
                Some(Value::Bool(false)) => Change::Replace(new),
                _ => Change::Set(new),
            };
            change(json, &texts(path)?, &set).map(jsonb)
        }
        (J::Insert, [Value::Json(json), Value::Array(path), Value::Json(new), after @ ..]) => {
            let new = (**new).clone();
            let insert = match after.first() {
                Some(Value::Bool(true)) => Change::InsertAfter(new),
                _ => Change::InsertBefore(new),
            };
            change(json, &texts(path)?, &insert).map(jsonb)
        }
        (J::StripNulls, [Value::Json(json)]) => Ok(jsonb(without_nulls(json))),
        (J::Pretty, [Value::Json(json)]) => {
            let mut text = String::new();
            pretty(json, 0, &mut text);
            Ok(Value::text(&text))
        }
        (J::Elements { text }, [Value::Json(json)]) => match &**json {
            Json::Array(elements) => Ok(list(elements.iter(), text)),
            _ => fail(ErrorClass::InvalidArgument, "the elements of JSON that is not an array"),
        },
        (J::Names, [Value::Json(json)]) => match &**json {
            Json::Object(members) => Ok(Value::Array(
                members.iter().map(|(name, _)| Value::Text(name.clone())).collect(),
            )),
            _ => fail(ErrorClass::InvalidArgument, "the names of JSON that is not an object"),
        },
        (J::Members { text }, [Value::Json(json)]) => match &**json {
            Json::Object(members) => Ok(list(members.iter().map(|(_, value)| value), text)),
            _ => fail(ErrorClass::InvalidArgument, "the members of JSON that is not an object"),
        },
        (J::Column, [Value::Json(json), Value::Text(name)]) => column(json, name),
        (J::PathAll, [Value::Json(json), Value::Text(path)]) => {
            Ok(jsonb(Json::Array(read_path(path)?.query(json)?)))
        }
        (J::PathFirst, [Value::Json(json), Value::Text(path)]) => {
            Ok(read_path(path)?.query(json)?.into_iter().next().map_or(Value::Null, jsonb))
        }
        (J::PathExists, [Value::Json(json), Value::Text(path)]) => {
            Ok(Value::Bool(!read_path(path)?.query(json)?.is_empty()))
        }
        (J::PathMatch, [Value::Json(json), Value::Text(path)]) => {
            Ok(match read_path(path)?.query(json)?.as_slice() {
                [Json::Bool(truth)] => Value::Bool(*truth),
                _ => Value::Null,
            })
        }
        _ => unsupported("this function of JSON"),
    }
}

fn jsonb(json: Json) -> Value {
    Value::Json(Arc::new(json))
}

/// The JSON of any value; NULL is `null`.
fn json_of(value: &Value) -> Result<Json> {
    Ok(match value {
        Value::Null => Json::Null,
        Value::Bool(truth) => Json::Bool(*truth),
        Value::Int(number) => Json::Number(Decimal::from_integer(i128::from(*number))),
        Value::Decimal(number) => Json::Number(number.clone()),
        Value::Double(double) => match Decimal::parse(&format_double(*double, true)) {
            Some(number) if *double != 0.0 => Json::Number(number),
            _ => return unsupported("this floating point number as JSON"),
        },
        Value::Text(text) => Json::Text(text.clone()),
        Value::Json(json) => (**json).clone(),
        Value::Array(values) => Json::Array(values.iter().map(json_of).collect::<Result<_>>()?),
        Value::Interval(_) => return unsupported("an interval as JSON"),
        other => Json::Text(Arc::from(moment_text(other))),
    })
}

/// Days and moments are written as ISO 8601 has them.
fn moment_text(value: &Value) -> String {
    let text = to_text(value, Type::Unknown, true);
    match value {
        Value::Timestamp(_) => text.replacen(' ', "T", 1),
        Value::Instant(micros) if is_finite(*micros) => {
            format!("{}:00", text.replacen(' ', "T", 1))
        }
        _ => text,
    }
}

/// The text that `to_json` writes.
fn text_of(value: &Value) -> Result<String> {
    Ok(match value {
        Value::Array(values) => {
            let parts = values.iter().map(text_of).collect::<Result<Vec<_>>>()?;
            format!("[{}]", parts.join(","))
        }
        Value::Json(json) => json.to_string(),
        Value::Double(double) if double.is_finite() => format_double(*double, true),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Decimal(_) => {
            json_of(value)?.to_string()
        }
        other => match json_of(other)? {
            Json::Text(text) => quoted_json(&text),
            _ => return unsupported("this value as JSON"),
        },
    })
}

/// A text that is JSON already.
fn raw(value: &Value) -> Result<String> {
    match value {
        Value::Null => Ok("null".to_owned()),
        Value::Text(text) => Ok(text.to_string()),
        _ => unsupported("this value as JSON"),
    }
}

fn pairs(members: &[Value]) -> Result<Vec<(Arc<str>, &Value)>> {
    let pair = |pair: &'_ [Value]| match pair {
        [Value::Text(name), _] => Ok(name.clone()),
        [Value::Null, _] => fail(ErrorClass::InvalidArgument, "a member without a name"),
        _ => unsupported("these names of members"),
    };
    members.chunks(2).map(|one| Ok((pair(one)?, &one[1]))).collect()
}

fn object(members: &[Value]) -> Result<Json> {
    let members = pairs(members)?.into_iter().map(|(name, value)| Ok((name, json_of(value)?)));
    Ok(Json::object(members.collect::<Result<Vec<_>>>()?))
}

fn object_text(members: &[Value], colon: &str, comma: &str) -> Result<Value> {
    let member = |(name, value): (Arc<str>, &Value)| {
        Ok(format!("{}{colon}{}", quoted_json(&name), raw(value)?))
    };
    let members = pairs(members)?.into_iter().map(member).collect::<Result<Vec<_>>>()?;
    Ok(Value::text(&format!("{{{}}}", members.join(comma))))
}

/// The steps of a path.
fn texts(path: &[Value]) -> Result<Vec<Arc<str>>> {
    let step = |step: &Value| match step {
        Value::Text(step) => Ok(step.clone()),
        _ => unsupported("a path with NULL"),
    };
    path.iter().map(step).collect()
}

/// `json['a']['b'] = new`, where all but the last step must be there already.
fn assign(json: &Value, path: &[Value], new: &Value) -> Result<Value> {
    let (Value::Json(json), Value::Json(new)) = (json, new) else {
        return unsupported("an assignment to a part of JSON with NULL");
    };
    let path = texts(path)?;
    let Some((last, before)) = path.split_last() else { return unsupported("an empty path") };
    let inner = before.iter().try_fold(&**json, |json, step| json.member(step));
    match inner {
        Some(Json::Object(_)) => {}
        Some(Json::Array(_)) if inner.and_then(|inner| inner.member(last)).is_some() => {}
        _ => return unsupported("an assignment to a part of JSON that is not there"),
    }
    change(json, &path, &Change::Set((**new).clone())).map(jsonb)
}

fn has(json: &Json, names: &[Value], all: bool) -> Result<Value> {
    let is = |json: &Json, name: &str| matches!(json, Json::Text(text) if **text == *name);
    let there = |name: &str| match json {
        Json::Object(_) => json.member(name).is_some(),
        Json::Array(elements) => elements.iter().any(|one| is(one, name)),
        scalar => is(scalar, name),
    };
    // NULLs are skipped.
    let mut names = names.iter().filter_map(|name| match name {
        Value::Text(name) => Some(name),
        _ => None,
    });
    Ok(Value::Bool(if all { names.all(|name| there(name)) } else { names.any(|name| there(name)) }))
}

fn remove_names(json: &Json, names: &[Value]) -> Result<Value> {
    let named = |name: &Arc<str>| names.contains(&Value::Text(name.clone()));
    match json {
        Json::Object(members) => {
            let kept = members.iter().filter(|(name, _)| !named(name)).cloned();
            Ok(jsonb(Json::Object(kept.collect())))
        }
        Json::Array(elements) => {
            let gone = |json: &&Json| matches!(json, Json::Text(text) if named(text));
            Ok(jsonb(Json::Array(elements.iter().filter(|one| !gone(one)).cloned().collect())))
        }
        _ => fail(ErrorClass::InvalidArgument, "a name removed from JSON without members"),
    }
}

fn without_nulls(json: &Json) -> Json {
    match json {
        Json::Array(elements) => Json::Array(elements.iter().map(without_nulls).collect()),
        Json::Object(members) => {
            let kept = members.iter().filter(|(_, value)| *value != Json::Null);
            Json::Object(kept.map(|(name, value)| (name.clone(), without_nulls(value))).collect())
        }
        other => other.clone(),
    }
}

/// One part of a value per line.
fn pretty(json: &Json, depth: usize, text: &mut String) {
    let line = |text: &mut String, depth: usize| {
        text.push('\n');
        text.push_str(&"    ".repeat(depth));
    };
    match json {
        Json::Array(elements) => {
            text.push('[');
            for (place, element) in elements.iter().enumerate() {
                text.push_str(if place > 0 { "," } else { "" });
                line(text, depth + 1);
                pretty(element, depth + 1, text);
            }
            line(text, depth);
            text.push(']');
        }
        Json::Object(members) => {
            text.push('{');
            for (place, (name, value)) in members.iter().enumerate() {
                text.push_str(if place > 0 { "," } else { "" });
                line(text, depth + 1);
                text.push_str(&quoted_json(name));
                text.push_str(": ");
                pretty(value, depth + 1, text);
            }
            line(text, depth);
            text.push('}');
        }
        scalar => text.push_str(&scalar.to_string()),
    }
}

fn list<'j>(values: impl Iterator<Item = &'j Json>, text: bool) -> Value {
    let shown = |json: &Json| match text {
        true => json.text().map_or(Value::Null, |text| Value::text(&text)),
        false => jsonb(json.clone()),
    };
    Value::Array(values.map(shown).collect())
}

/// One member of each object of an array, as texts.
fn column(json: &Json, name: &str) -> Result<Value> {
    let Json::Array(rows) = json else {
        return unsupported("records of JSON that is not an array");
    };
    let member = |row: &Json| match row {
        Json::Object(_) => Ok(match row.member(name) {
            Some(value) => value.text().map_or(Value::Null, |text| Value::text(&text)),
            None => Value::Null,
        }),
        _ => unsupported("a record of JSON that is not an object"),
    };
    Ok(Value::Array(rows.iter().map(member).collect::<Result<_>>()?))
}
