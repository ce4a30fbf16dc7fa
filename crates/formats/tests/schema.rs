//! The published schema, the documentation and the code agree.

#![allow(clippy::panic, reason = "helpers of tests")]

use crate::common;

use common::{Generator, parse, print};
use serde_json::Value;
use tristan_formats::{TRACE_SCHEMA, WriteForm};
use tristan_history::{Datum, Outcome};

const DOCUMENT: &str = include_str!("../../../docs/trace-format.md");

fn schema() -> Value {
    serde_json::from_str(TRACE_SCHEMA).expect("the schema is JSON")
}

/// The JSON blocks of the documentation.
fn examples() -> Vec<&'static str> {
    let blocks = DOCUMENT.split("```json\n").skip(1);
    blocks.map(|block| block.split("```").next().expect("a closed block")).collect()
}

#[test]
fn the_first_example_is_a_write_skew() {
    let history = parse(examples()[0], None).expect("the example can be read");
    assert_eq!(history.txns.len(), 3);
    assert!(history.txns.iter().all(|txn| txn.outcome == Outcome::Committed));
    assert!(history.warnings.is_empty());
}

#[test]
fn every_example_can_be_read() {
    for example in examples() {
        if let Err(error) = parse(example, None) {
            panic!("{error}\n{example}");
        }
    }
    assert!(examples().len() >= 3);
}

#[test]
fn examples_conform_to_the_schema() {
    for example in examples().into_iter().filter(|text| text.contains("\"tristan\"")) {
        conforms(example);
    }
}

#[test]
fn printed_traces_conform_to_the_schema() {
    for seed in 0..100 {
        let history = Generator::new(seed, false).history();
        conforms(&print(&history, WriteForm::Events));
        conforms(&print(&history, WriteForm::Compact));
    }
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    let schema = schema();
    let bad = [
        r#"{"tristan":"trace/2"}"#,
        r#"{"s":1,"t":1,"op":"gte","k":"x"}"#,
        r#"{"s":1,"t":1,"op":"get"}"#,
        r#"{"s":1,"t":1,"op":"put","k":"x"}"#,
        r#"{"s":1,"t":1,"op":"put","k":1.5,"v":1}"#,
        r#"{"s":1,"t":1,"op":"put","k":"x","v":1,"colour":"red"}"#,
        r#"{"call":-1,"s":1,"t":1,"op":"commit"}"#,
        r#"{"s":1,"t":1,"op":"commit","at":[1,2,3]}"#,
        r#"{"s":1,"t":1}"#,
        r#"{"s":1,"t":1,"op":"rollback"}"#,
        r#"{"s":1,"t":1,"op":"put","k":"x","v":1,"if":"maybe","rows":1}"#,
        r#"{"s":1,"t":1,"op":"put","k":{"hex":"0"},"v":1}"#,
        r#"{"hint":"order","k":"x"}"#,
        r#"{"hint":"colour","k":"x","txns":[]}"#,
        "[]",
    ];
    for line in bad {
        let value = serde_json::from_str(line).expect("JSON");
        assert!(check(&schema, &schema, &value).is_err(), "{line}");
        assert!(parse(format!("{{\"tristan\":\"trace/1\"}}\n{line}\n"), None).is_err(), "{line}");
    }
}

fn conforms(text: &str) {
    let schema = schema();
    for line in text.lines() {
        let value: Value = serde_json::from_str(line).expect("a line is JSON");
        if let Err(reason) = check(&schema, &schema, &value) {
            panic!("{line}: {reason}");
        }
    }
}

/// A validator for the part of JSON Schema that our schema uses. Its only pattern is that of
/// hexadecimal digits. It refuses keywords it does
/// not know, so the schema cannot outgrow it unnoticed.
fn check(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    for (keyword, rule) in schema.as_object().expect("a schema is an object") {
        let fine = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" => true,
            "$ref" => return check(root, find(root, rule), value),
            "const" => rule == value,
            "enum" => list(rule).contains(value),
            "type" => has_type(rule, value),
            "minimum" => {
                value.as_i64().is_none_or(|number| number >= rule.as_i64().expect("minimum"))
            }
            "maximum" => {
                value.as_i64().is_none_or(|number| number <= rule.as_i64().expect("maximum"))
            }
            "required" => {
                list(rule).iter().all(|name| value.get(name.as_str().expect("name")).is_some())
            }
            "properties" => return_each(root, rule, value)?,
            "additionalProperties" => only_known(schema, value),
            "items" => elements(value).iter().all(|item| check(root, rule, item).is_ok()),
            "prefixItems" => {
                let pairs = elements(value).iter().zip(list(rule));
                pairs.into_iter().all(|(item, rule)| check(root, rule, item).is_ok())
            }
            "pattern" => value.as_str().is_none_or(|text| Datum::from_hex(text).is_some()),
            "minItems" => elements(value).len() as u64 >= rule.as_u64().expect("minItems"),
            "maxItems" => elements(value).len() as u64 <= rule.as_u64().expect("maxItems"),
            "oneOf" => matching(root, rule, value) == 1,
            "anyOf" => matching(root, rule, value) > 0,
            unknown => panic!("the schema uses {unknown}"),
        };
        if !fine {
            return Err(format!("{keyword} {rule} refuses {value}"));
        }
    }
    Ok(())
}

fn find<'a>(root: &'a Value, reference: &Value) -> &'a Value {
    let path =
        reference.as_str().and_then(|text| text.strip_prefix('#')).expect("a local reference");
    root.pointer(path).expect("the reference leads somewhere")
}

fn return_each(root: &Value, rules: &Value, value: &Value) -> Result<bool, String> {
    for (name, rule) in rules.as_object().expect("properties") {
        if let Some(inner) = value.get(name) {
            check(root, rule, inner)?;
        }
    }
    Ok(true)
}

fn only_known(schema: &Value, value: &Value) -> bool {
    value
        .as_object()
        .is_none_or(|map| map.keys().all(|name| schema["properties"].get(name).is_some()))
}

fn matching(root: &Value, rules: &Value, value: &Value) -> usize {
    list(rules).iter().filter(|rule| check(root, rule, value).is_ok()).count()
}

fn has_type(rule: &Value, value: &Value) -> bool {
    let one = |name: &Value| match name.as_str().expect("a type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        unknown => panic!("the schema uses type {unknown}"),
    };
    rule.as_array().map_or_else(|| one(rule), |names| names.iter().any(one))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn elements(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
