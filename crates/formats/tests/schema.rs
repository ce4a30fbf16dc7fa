//! The published schema, the documentation and the code agree.

#![allow(clippy::panic, reason = "helpers of tests")]

use crate::common;

use common::{Generator, parse, print};
use serde_json::Value;
use tristan_formats::{TRACE_SCHEMA, WriteForm};
use tristan_history::Outcome;
use tristan_testkit::schema::check;

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
        assert!(check(&schema, &value).is_err(), "{line}");
        assert!(parse(format!("{{\"tristan\":\"trace/1\"}}\n{line}\n"), None).is_err(), "{line}");
    }
}

fn conforms(text: &str) {
    let schema = schema();
    for line in text.lines() {
        let value: Value = serde_json::from_str(line).expect("a line is JSON");
        if let Err(reason) = check(&schema, &value) {
            panic!("{line}: {reason}");
        }
    }
}
