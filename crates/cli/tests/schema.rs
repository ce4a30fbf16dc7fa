//! The published schema of a verdict and the verdicts we write agree.

#![allow(clippy::panic, reason = "helpers of tests")]

use crate::common;

use common::{OPEN, VIOLATED, run, run_on};
use serde_json::Value;
use tristan_testkit::schema::check;

fn schema() -> Value {
    serde_json::from_str(&run(&["schema", "verdict"]).out).expect("the schema is JSON")
}

fn conforms(schema: &Value, text: &str) {
    for verdict in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        let verdict = verdict.expect("JSON");
        if let Err(reason) = check(schema, &verdict) {
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
        assert!(check(&schema, &bad).is_err(), "{bad}");
    }
}
