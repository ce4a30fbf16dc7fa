//! Recording without a server: embedded databases, workloads of one's own, bad input.

use crate::common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{Run, finish, folder, root, run, tristan};

/// Runs in a folder.
fn run_in(place: &Path, args: &[&str]) -> Run {
    finish(tristan(args).current_dir(place).output().expect("it starts"))
}

fn record(place: &Path, args: &[&str]) -> Run {
    let recorded = run_in(place, &[&["record"], args].concat());
    assert_eq!(recorded.code, 0, "{recorded:#?}");
    recorded
}

fn verdict(place: &Path, trace: &str, level: &str) -> i32 {
    run_in(place, &["check", trace, "--level", level, "--time", "60s", "--certify"]).code
}

#[test]
fn each_embedded_database_keeps_what_it_claims() {
    let place = folder("embedded");
    for (url, claims) in [
        ("sqlite:", "strict-serializable"),
        ("fjall:", "serializable"),
        ("surrealkv:", "snapshot-isolation"),
        ("memory:", "serializable"),
    ] {
        for workload in ["blindw-rw", "pairs", "bank", "random-bench", "list-append"] {
            let flags = ["-w", workload, "--txns", "300", "--sessions", "6", "--keys", "30"];
            let told = record(&place, &[&[url], &flags[..]].concat());
            assert!(told.out.contains("300 transactions committed"), "{told:#?}");
            assert_eq!(verdict(&place, "trace.jsonl", claims), 0, "{url} {workload}");
        }
    }
}

#[test]
fn an_embedded_database_really_allows_write_skew() {
    let place = folder("skew");
    let flags = ["-w", "write-skew", "--txns", "1000", "--sessions", "8", "--think", "1ms"];
    record(&place, &[&["surrealkv:"], &flags[..]].concat());
    assert_eq!(verdict(&place, "trace.jsonl", "snapshot-isolation"), 0);
    assert_eq!(verdict(&place, "trace.jsonl", "serializable"), 1);
}

#[test]
fn values_are_unique_or_not() {
    let place = folder("values");
    for values in ["unique", "3"] {
        record(&place, &["memory:", "--values", values, "-n", "100", "--keys", "5"]);
        let trace = fs::read_to_string(place.join("trace.jsonl")).expect("a trace");
        assert_eq!(trace.contains("unique-values"), values == "unique", "{values}");
        assert_eq!(trace.contains(r#""v":100"#), values == "unique", "{values}");
    }
}

#[test]
fn a_hunt_keeps_what_it_finds() {
    let place = folder("hunt");
    let faulty = "memory:?fault=lost-update:0.05";
    let hunt = ["hunt", faulty, "--level", "snapshot-isolation", "--for", "60s", "-o", "find"];
    let found = run_in(&place, &hunt);
    assert_eq!(found.code, 1, "{found:#?}");
    for name in ["trace.jsonl", "core.jsonl", "verdict.json", "verdict.txt", "rerun.txt"] {
        assert!(place.join("find").join(name).exists(), "{name}");
    }
    let certified = run_in(&place, &["certify", "find/verdict.json", "find/trace.jsonl"]);
    assert_eq!(certified.code, 0, "{certified:#?}");
    assert_eq!(verdict(&place, "find/core.jsonl", "snapshot-isolation"), 1);
    // The commands work where they were printed, and speak of files that are there.
    let again = found.out.lines().find_map(|line| line.trim().strip_prefix("again: tristan "));
    let again: Vec<&str> = again.expect("a command").split(' ').collect();
    assert_eq!(again[..2], ["check", "find/core.jsonl"], "{found:#?}");
    assert_eq!(run_in(&place, &again).code, 1, "{again:?}");
    assert!(found.out.contains("find/core.jsonl   REJECT"), "{found:#?}");
    let core = fs::read_to_string(place.join("find/core.jsonl")).expect("a trace");
    let whole = fs::read_to_string(place.join("find/trace.jsonl")).expect("a trace");
    // How far it gets in its time depends on the machine.
    assert!(core.len() < whole.len(), "{} of {}", core.len(), whole.len());
}

#[test]
fn a_hunt_without_a_find_leaves_nothing() {
    let place = folder("no-find");
    let found = run_in(&place, &["hunt", "sqlite:", "--for", "2s", "--txns", "200"]);
    // A slow machine may decide nothing in this time, and says so.
    let undecided = found.out.contains("not decided");
    assert!(found.code == 0 || found.code == 2 && undecided, "{found:#?}");
    assert!(found.out.contains("no violation"), "{found:#?}");
    assert_eq!(fs::read_dir(&place).expect("a folder").count(), 0);
}

#[test]
fn the_demo_shows_both_answers() {
    let shown = run(&["demo"]);
    assert_eq!(shown.code, 0, "{shown:#?}");
    assert!(shown.out.contains("serializable         holds"), "{}", shown.out);
    assert!(shown.out.contains("snapshot-isolation   holds"), "{}", shown.out);
    assert!(shown.out.contains("snapshot-isolation   ✗ G-single"), "{}", shown.out);
    assert!(shown.out.contains("REJECT   snapshot-isolation"), "{}", shown.out);
}

#[test]
fn a_client_in_python_records_itself() {
    let place = folder("python");
    let script = root().join("docs/examples/record_sqlite.py");
    let mut python = Command::new("python3");
    python.arg(script).args(["bank.db", "bank.jsonl"]).current_dir(&place);
    let run = finish(python.output().expect("python3 starts"));
    assert_eq!(run.code, 0, "{run:#?}");
    assert_eq!(verdict(&place, "bank.jsonl", "strict-serializable"), 0);
    let stats = run_in(&place, &["stats", "bank.jsonl"]);
    assert!(stats.out.contains("200 committed"), "{stats:#?}");
    let lines = fs::read_to_string(root().join("docs/examples/recorder.py")).expect("a file");
    assert!(lines.lines().count() <= 30, "a recorder is short");
}

#[test]
fn a_failed_commit_in_python_did_not_commit() {
    let place = folder("python-failed");
    let script = root().join("crates/cli/tests/failed_commit.py");
    let mut python = Command::new("python3");
    python.env("PYTHONPATH", root().join("docs/examples")).env("PYTHONDONTWRITEBYTECODE", "1");
    python.arg(script).args(["bank.db", "bank.jsonl"]).current_dir(&place);
    let run = finish(python.output().expect("python3 starts"));
    assert_eq!(run.code, 0, "{run:#?}");
    let stats = run_in(&place, &["stats", "bank.jsonl"]);
    assert!(stats.out.contains("4 committed, 2 aborted"), "{stats:#?}");
    let trace = fs::read_to_string(place.join("bank.jsonl")).expect("a trace");
    assert!(trace.contains(r#""aborted": true"#) && trace.contains(r#""rows": 0"#), "{trace}");
    assert!(trace.contains(r#""rows": 1"#), "{trace}");
    assert_eq!(verdict(&place, "bank.jsonl", "strict-serializable"), 0);
}

#[test]
fn bad_requests_are_refused() {
    let place = folder("bad-requests");
    fs::write(place.join("odd.toml"), "[[transaction]]\nsteps = [\"fly a\"]\n").expect("a file");
    fs::write(place.join("empty.toml"), "").expect("a file");
    for (args, code, told) in [
        (&["record"][..], 64, "<URL>"),
        (&["record", "nonsense"], 64, "expected an address"),
        (&["record", "oracle://x"], 64, "the scheme \"oracle\""),
        (&["record", "sqlite:", "--workload", "nothing"], 64, "blindw-rw"),
        (&["record", "sqlite:", "--level", "chaos"], 64, "serializable"),
        (&["record", "sqlite:", "--workload", "odd.toml"], 65, "fly a"),
        (&["record", "sqlite:", "--workload", "none.toml"], 66, "none.toml"),
        (&["record", "sqlite:", "--fault", "cut"], 64, "has no connections"),
        (&["record", "sqlite:", "--fault", "kill"], 64, "--server-pid"),
        (&["record", "sqlite:", "-o", "no/such/folder/t.jsonl"], 64, "no/such/folder"),
        (&["record", "postgres://127.0.0.1:1/x"], 66, "127.0.0.1:1"),
        (&["record", "sqlite:", "--values", "0"], 64, "unique"),
        (&["record", "sqlite:", "--ops", "0"], 64, "--ops"),
        (&["record", "sqlite:", "--workload", "empty.toml"], 65, "[[transaction]]"),
        (&["hunt", "sqlite:", "--claim", "perfection"], 64, "perfection"),
        (&["hunt", "sqlite:", "-o", "."], 64, "a new or empty folder"),
    ] {
        let run = run_in(&place, args);
        assert_eq!(run.code, code, "{args:?} {run:#?}");
        assert!(run.err.contains(told), "{args:?} {run:#?}");
    }
}
