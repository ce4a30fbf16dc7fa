//! `tristan audit` from end to end.

use crate::common;

use std::fs;

use common::{file, folder, root, run, run_on};
use serde_json::Value;

const BANK: &str = "docs/examples/audit/bank.jsonl";
const TRANSFER: &str = "docs/examples/audit/transfer.jsonl";

#[test]
fn exit_codes_tell_what_was_found() {
    let cases = [
        (BANK, "ser", 1),
        (BANK, "rc", 1),
        (TRANSFER, "ser", 0),
        (TRANSFER, "ssi", 1),
        (TRANSFER, "rc", 0),
    ];
    for (log, level, code) in cases {
        let run = run(&["audit", log, "--level", level]);
        assert_eq!(run.code, code, "{log} at {level}: {run:?}");
    }
}

#[test]
fn the_worst_of_several_logs_decides() {
    let run = run(&["audit", TRANSFER, BANK, "--level", "ser", "--json"]);
    let verdicts: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let words: Vec<&str> = verdicts.iter().filter_map(|v| v["verdict"].as_str()).collect();
    assert_eq!((run.code, words), (1, vec!["accept", "reject"]), "{}", run.err);
}

#[test]
fn a_statement_that_is_not_supported_is_named() {
    let log = "{\"tristan\":\"sql-log/1\",\"dialect\":\"postgresql\"}\n\
               {\"schema\":\"CREATE TABLE t (k INT PRIMARY KEY)\"}\n\
               {\"txn\":7,\"do\":[{\"sql\":\"SELECT k FROM t TABLESAMPLE SYSTEM (10)\",\"rows\":[]}]}\n";
    let unsure = run_on(&["audit", "-"], log.as_bytes());
    assert_eq!(unsure.code, 2, "{unsure:?}");
    assert!(
        unsure.out.contains("TABLESAMPLE") && unsure.out.contains("transaction 7"),
        "{unsure:?}"
    );
    assert_eq!(run_on(&["audit", "-", "--unknown-as", "reject"], log.as_bytes()).code, 1);
    assert_eq!(run_on(&["audit", "-", "--unknown-as", "accept"], log.as_bytes()).code, 0);
}

#[test]
fn a_bad_log_is_reported_with_its_line() {
    let run = run_on(&["audit", "-"], b"{\"tristan\":\"sql-log/1\"}\n{\"call\":1}\n");
    assert_eq!(run.code, 65, "{run:?}");
    assert!(run.err.contains("stdin:2: found a call without txn and c"), "{run:?}");
    assert_eq!(common::run(&["audit", "no-such-file.jsonl"]).code, 66);
    assert_eq!(common::run(&["audit", BANK, "--level", "best"]).code, 64);
    assert_eq!(common::run(&["audit", BANK, "-o", "svg=x"]).code, 64);
}

#[test]
fn one_run_writes_every_output() {
    let dir = folder("audit-outputs");
    let kinds = [
        ("html", "<!doctype html>"),
        ("junit", "<failure type=\"audit\""),
        ("github", "::error file=docs/examples/audit/bank.jsonl,line=7,"),
        ("markdown", "### REJECT"),
        ("json", "\"verdict\": \"reject\""),
        ("text", "REJECT"),
    ];
    let outputs: Vec<String> =
        kinds.iter().map(|(kind, _)| format!("{kind}={}", dir.join(kind).display())).collect();
    let mut args = vec!["audit", BANK];
    args.extend(outputs.iter().flat_map(|output| ["-o", output]));
    let run = run(&args);
    assert_eq!(run.code, 1, "{run:?}");
    for (kind, words) in kinds {
        let written = fs::read_to_string(dir.join(kind)).expect("the output");
        assert!(written.contains(words), "{kind}: {written}");
    }
}

#[test]
fn the_small_log_is_wrong_for_the_same_reason() {
    let dir = folder("audit-small");
    let first = run(&["audit", BANK, "--json"]);
    let verdict: Value = serde_json::from_str(&first.out).expect("JSON");
    let lines = verdict["rejection"]["shrunk"].as_array().expect("a small log");
    let text: String =
        lines.iter().filter_map(Value::as_str).map(|line| format!("{line}\n")).collect();
    let small = file(&dir, "small.jsonl", text.as_bytes());
    let again: Value = serde_json::from_str(&run(&["audit", &small, "--json"]).out).expect("JSON");
    assert_eq!(again["rejection"]["transaction"], verdict["rejection"]["transaction"]);
    assert_eq!(again["rejection"]["observed"], verdict["rejection"]["observed"]);
    let whole = fs::read_to_string(root().join(BANK)).expect("the log");
    assert!(lines.len() <= whole.lines().count(), "{lines:?}");
}
