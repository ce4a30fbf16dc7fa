//! What operators and functions do to JSON.
//!
//! Layer `eval`; knows values only.

use std::sync::Arc;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::Function;
use crate::value::{Json, Value};

/// A function of JSON, none of whose arguments is NULL.
pub(super) fn json_call(function: Function, args: &[Value]) -> Result<Value> {
    let Some(Value::Json(json)) = args.first() else { return unsupported("this function of JSON") };
    match (function, args.get(1)) {
        (Function::JsonMember { text }, Some(step)) => Ok(shown(member(json, step), text)),
        (Function::JsonPath { text }, Some(Value::Array(path))) => Ok(shown(at(json, path), text)),
        (Function::JsonContains, Some(Value::Json(part))) => {
            Ok(Value::Bool(json.canonical().contains(&part.canonical())))
        }
        (Function::JsonHas, Some(Value::Text(name))) => Ok(Value::Bool(has(json, name))),
        (Function::JsonAppend, Some(Value::Json(other))) => Ok(value(append(json, other))),
        (Function::JsonRemove, Some(step)) => remove(json, step).map(value),
        (Function::JsonTypeOf, None) => Ok(Value::text(kind(json))),
        (Function::JsonArrayLength, None) => match &**json {
            Json::Array(elements) => {
                Ok(Value::Int(i64::try_from(elements.len()).unwrap_or(i64::MAX)))
            }
            _ => fail(ErrorClass::InvalidArgument, "the length of JSON that is not an array"),
        },
        _ => unsupported("this function of JSON"),
    }
}

/// Whether a text is JSON. Servers draw the line in different places, so what is not JSON here is left open.
pub(super) fn is_json(value: &Value) -> Result<Value> {
    match value {
        Value::Text(text) if Json::parse(text).is_ok() => Ok(Value::Int(1)),
        _ => unsupported("a text that may not be JSON"),
    }
}

fn value(json: Json) -> Value {
    Value::Json(Arc::new(json))
}

fn shown(found: Option<&Json>, text: bool) -> Value {
    match (found, text) {
        (None, _) => Value::Null,
        (Some(json), false) => value(json.clone()),
        (Some(json), true) => json.text().map_or(Value::Null, |text| Value::text(&text)),
    }
}

/// A name finds members of objects only, and a number elements of arrays.
fn member<'j>(json: &'j Json, step: &Value) -> Option<&'j Json> {
    match (json, step) {
        (Json::Object(_), Value::Text(name)) => json.member(name),
        (Json::Array(_), Value::Int(index)) => json.element(*index),
        // A scalar counts as an array of itself.
        (Json::Object(_), _) => None,
        (_, Value::Int(0 | -1)) => Some(json),
        _ => None,
    }
}

/// What is at the end of a path, which may not hold NULL.
fn at<'j>(json: &'j Json, path: &[Value]) -> Option<&'j Json> {
    path.iter().try_fold(json, |json, step| match step {
        Value::Text(step) => json.member(step),
        _ => None,
    })
}

fn has(json: &Json, name: &str) -> bool {
    let is = |json: &Json| matches!(json, Json::Text(text) if **text == *name);
    match json {
        Json::Object(_) => json.member(name).is_some(),
        Json::Array(elements) => elements.iter().any(is),
        scalar => is(scalar),
    }
}

fn append(left: &Json, right: &Json) -> Json {
    if let (Json::Object(left), Json::Object(right)) = (left, right) {
        return Json::object(left.iter().chain(right).cloned());
    }
    let elements = |json: &Json| match json {
        Json::Array(elements) => elements.clone(),
        other => vec![other.clone()],
    };
    Json::Array([elements(left), elements(right)].concat())
}

fn remove(json: &Json, step: &Value) -> Result<Json> {
    match (json, step) {
        (Json::Object(members), Value::Text(name)) => Ok(Json::Object(
            members.iter().filter(|(other, _)| **other != **name).cloned().collect(),
        )),
        (Json::Array(elements), Value::Text(name)) => {
            let is = |json: &&Json| matches!(json, Json::Text(text) if **text == **name);
            Ok(Json::Array(elements.iter().filter(|json| !is(json)).cloned().collect()))
        }
        (Json::Array(elements), Value::Int(index)) => {
            let length = i64::try_from(elements.len()).unwrap_or(i64::MAX);
            let place = if *index < 0 { length + index } else { *index };
            let kept =
                elements.iter().enumerate().filter(|(at, _)| i64::try_from(*at) != Ok(place));
            Ok(Json::Array(kept.map(|(_, json)| json.clone()).collect()))
        }
        _ => unsupported("a part of JSON that has no such part"),
    }
}

fn kind(json: &Json) -> &'static str {
    match json {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(_) => "number",
        Json::Text(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}
