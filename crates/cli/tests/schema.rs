//! The published schema of a verdict and the verdicts we write agree.

#![allow(clippy::panic, reason = "helpers of tests")]

use crate::common;

use common::{OPEN, VIOLATED, run, run_on};
use serde_json::Value;

fn schema() -> Value {
    serde_json::from_str(&run(&["schema", "verdict"]).out).expect("the schema is JSON")
}

fn conforms(schema: &Value, text: &str) {
    for verdict in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        let verdict = verdict.expect("JSON");
        if let Err(reason) = check(schema, schema, &verdict) {
            panic!("{reason}\n{verdict}");
        }
    }
}

#[test]
fn every_verdict_conforms() {
    let schema = schema();
    conforms(&schema, &run(&["levels", "--demo", "--json"]).out);
    conforms(&schema, &run(&["levels", "examples-traces", "--json"]).out);
    conforms(&schema, &run(&["check", "--demo", "-l", "ser", "--json", "--time", "0s"]).out);
    conforms(&schema, &run(&["check", "--demo", "-l", "ser", "--json", "--memory", "1"]).out);
    let read_as = ["--semantics", "mariadb-rr", "--own-writes", "may"];
    let levels = ["levels", "examples-traces", "--json"];
    conforms(&schema, &run(&[&levels[..], &read_as].concat()).out);
    conforms(&schema, &run_on(&["levels", "-", "--json"], OPEN).out);
    conforms(&schema, &run_on(&["levels", "-", "--json"], VIOLATED).out);
}

#[test]
fn every_bad_read_and_unknown_outcome_conforms() {
    let schema = schema();
    let traces = [
        r#"{"s":1,"st":"c","ops":[["r","x",7]]}"#,
        "{\"s\":1,\"st\":\"c\",\"ops\":[[\"w\",\"x\",1],[\"w\",\"x\",2]]}\n{\"s\":2,\"st\":\"c\",\"ops\":[[\"r\",\"x\",1]]}",
        r#"{"s":1,"st":"c","ops":[["r","x",1],["w","x",1]]}"#,
        r#"{"s":1,"st":"c","ops":[["w","x",1],["r","x",2]]}"#,
        r#"{"s":1,"st":"c","ops":[["l","x",[1,1]]]}"#,
        "{\"s\":1,\"st\":\"c\",\"ops\":[[\"a\",\"x\",1]]}\n{\"s\":2,\"st\":\"c\",\"ops\":[[\"a\",\"x\",2]]}\n{\"s\":3,\"st\":\"c\",\"ops\":[[\"l\",\"x\",[1,2]]]}\n{\"s\":4,\"st\":\"c\",\"ops\":[[\"l\",\"x\",[2,1]]]}",
        "{\"s\":1,\"st\":\"u\",\"ops\":[[\"r\",\"y\",1],[\"w\",\"x\",1]]}\n{\"s\":2,\"st\":\"c\",\"ops\":[[\"r\",\"x\",1]]}",
        r#"{"s":1,"st":"c","ops":[["r",{"hex":"00ff"},7]]}"#,
    ];
    for trace in traces {
        let run = run_on(&["levels", "-", "--json", "--certify"], trace.as_bytes());
        assert_eq!(run.code, 0, "{trace} {run:?}");
        conforms(&schema, &run.out);
    }
}

#[test]
fn the_schema_refuses_nonsense() {
    let schema = schema();
    let verdict = run(&["check", "--demo", "-l", "ser", "--json"]).out;
    let verdict: Value = serde_json::from_str(&verdict).expect("JSON");
    let mut changed = vec![Value::Null, serde_json::json!({})];
    for (field, value) in [
        ("verdict", Value::from("maybe")),
        ("verdict", Value::from("accept")),
        ("level", Value::from(3)),
        ("colour", Value::from("red")),
        ("refutation", Value::Null),
    ] {
        let mut copy = verdict.clone();
        copy[field] = value;
        changed.push(copy);
    }
    for bad in changed {
        assert!(check(&schema, &schema, &bad).is_err(), "{bad}");
    }
}

/// A validator for the part of JSON Schema that our schema uses. It refuses keywords it does
/// not know, so the schema cannot outgrow it unnoticed.
fn check(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    for (keyword, rule) in schema.as_object().expect("a schema is an object") {
        let fine = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" => true,
            "$ref" => return check(root, find(root, rule), value),
            "const" => rule == value,
            "enum" => list(rule).contains(value),
            "type" => has_type(rule, value),
            "minimum" => value.as_i64().is_none_or(|n| n >= rule.as_i64().expect("minimum")),
            "required" => {
                list(rule).iter().all(|name| value.get(name.as_str().expect("name")).is_some())
            }
            "properties" => {
                for (name, rule) in rule.as_object().expect("properties") {
                    value.get(name).map_or(Ok(()), |inner| check(root, rule, inner))?;
                }
                true
            }
            "additionalProperties" => value
                .as_object()
                .is_none_or(|map| map.keys().all(|name| schema["properties"].get(name).is_some())),
            "items" => {
                elements(value).iter().try_for_each(|item| check(root, rule, item))?;
                true
            }
            "minItems" => elements(value).len() as u64 >= rule.as_u64().expect("minItems"),
            "maxItems" => elements(value).len() as u64 <= rule.as_u64().expect("maxItems"),
            "oneOf" => list(rule).iter().filter(|r| check(root, r, value).is_ok()).count() == 1,
            unknown => panic!("the schema uses {unknown}"),
        };
        if !fine {
            return Err(format!("{keyword} {rule} refuses {value}"));
        }
    }
    Ok(())
}

fn find<'a>(root: &'a Value, reference: &Value) -> &'a Value {
    let path = reference.as_str().and_then(|text| text.strip_prefix('#'));
    root.pointer(path.expect("a local reference")).expect("the reference leads somewhere")
}

fn has_type(rule: &Value, value: &Value) -> bool {
    let one = |name: &Value| match name.as_str().expect("a type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
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
