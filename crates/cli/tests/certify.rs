//! `tristan certify`, and what `check` says about certification.

use crate::common;

use std::fs;

use common::{file, folder, run};
use serde_json::Value;

const SKEW: &str = r#"{"s":1,"id":"A","st":"c","ops":[["r","x",null],["w","y",1]]}
{"s":2,"id":"B","st":"c","ops":[["r","y",null],["w","x",1]]}
"#;

/// The trace in a file, and the verdict on it as JSON.
fn verdict(name: &str, trace: &str, level: &str) -> (String, Value) {
    let trace = file(&folder(name), "trace.jsonl", trace.as_bytes());
    let json = run(&["check", &trace, "--level", level, "--json"]).out;
    (trace, serde_json::from_str(&json).expect("a verdict"))
}

fn certified(name: &str, trace: &str, verdict: &Value) -> common::Run {
    let path = file(&folder(name), "v.json", verdict.to_string().as_bytes());
    run(&["certify", &path, trace])
}

#[test]
fn a_forged_definition_is_refused() {
    let (trace, mut json) = verdict("forged-definition", SKEW, "si");
    json["definition"] = "acyclic(wr | ww | rw) [strictly serializable, honest]".into();
    let refused = certified("forged-definition-verdict", &trace, &json);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.out.contains("refused: definition: found"), "{refused:?}");
}

#[test]
fn what_was_not_checked_is_named() {
    let (trace, mut json) = verdict("unchecked", SKEW, "ser");
    json["anomaly"]["sentence"] = "All is well.".into();
    json["transactions"][0]["ops"][0]["text"] = "read x → 7".into();
    let told = certified("unchecked-verdict", &trace, &json);
    assert_eq!(told.code, 0, "{told:?}");
    let mut lines = told.out.lines();
    assert_eq!(
        lines.next(),
        Some(
            "serializable: certified REJECT: the conflict follows from the trace and rules out every execution"
        )
    );
    let open = lines.next().expect("a second line");
    assert!(open.starts_with("  not checked: trace.name, anomaly.title, anomaly.sentence, "));
    assert!(open.contains(", transactions[].ops[].text, "), "{open}");
    json["trace"]["committed"] = 1.into();
    assert_eq!(certified("miscounted-verdict", &trace, &json).code, 1);
}

#[test]
fn another_own_writes_policy_than_the_traces_is_told() {
    let trace = r#"{"s":1,"st":"c","ops":[["w","x",1],["r","x",null]]}"#;
    let trace = file(&folder("policy"), "trace.jsonl", trace.as_bytes());
    let flags = ["check", &trace, "-l", "ser", "--own-writes", "external", "--json"];
    let json: Value = serde_json::from_str(&run(&flags).out).expect("a verdict");
    let told = certified("policy-verdict", &trace, &json);
    assert_eq!(told.code, 0, "{told:?}");
    let told_so = "own_writes (the trace says must, the verdict assumes external)";
    assert!(told.out.contains(told_so), "{told:?}");
}

#[test]
fn check_certifies_small_traces_and_says_so() {
    let dir = folder("by-itself");
    let trace = file(&dir, "trace.jsonl", SKEW.as_bytes());
    let page = dir.join("page.html");
    let sink = format!("html={}", page.display());
    let text = run(&["check", &trace, "--level", "ser", "-o", &sink]);
    assert!(
        text.out.contains("certified: an independent program checked the evidence"),
        "{text:?}"
    );
    let page = fs::read_to_string(page).expect("a page");
    assert!(page.contains("certified: an independent checker"));
    let json = run(&["check", &trace, "--level", "ser", "--json"]).out;
    let json: Value = serde_json::from_str(&json).expect("a verdict");
    assert_eq!(json["certified"], true);
    let unknown = run(&["check", &trace, "--level", "ser", "--time", "0s", "--json"]).out;
    let unknown: Value = serde_json::from_str(&unknown).expect("a verdict");
    assert_eq!(unknown.get("certified"), None);
}

#[test]
fn bounds_of_another_case_are_certified() {
    let trace = r#"{"tristan":"trace/1","order":"ignore-case","initial":{"keys":[["C",2]]}}
{"s":1,"t":"A","op":"scan","lo":"c","hi":"d","items":[["C",2]]}
{"s":1,"t":"A","op":"commit"}
"#;
    let trace = file(&folder("ignore-case"), "trace.jsonl", trace.as_bytes());
    let check = run(&["check", &trace, "--level", "ser", "--certify"]);
    assert_eq!(check.code, 0, "{check:?}");
}
