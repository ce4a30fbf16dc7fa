//! `--time` and `--memory` on every command that can run long: the answer is unknown, the exit code
//! 2, and the output says which limit, which stage, and what to do.

use crate::common;

use std::fs;
use std::process::Stdio;

use common::{finish, folder, run, text, tristan};
use serde_json::Value;

/// A trace as small as any; with a limit of nothing it is too large.
fn demo(name: &str) -> (std::path::PathBuf, String) {
    let dir = folder(name);
    let trace = dir.join("trace.jsonl");
    fs::copy(common::root().join("crates/cli/demo/ward.jsonl"), &trace).expect("a copy");
    let trace = text(&trace).to_owned();
    (dir, trace)
}

#[test]
fn every_command_that_reads_a_trace_stops_at_its_limit() {
    let (dir, trace) = demo("limits-commands");
    let verdict = dir.join("verdict.json");
    let verdict = format!("json={}", text(&verdict));
    assert_eq!(run(&["check", &trace, "--level", "ser", "-o", &verdict]).code, 1);
    let verdict = verdict.trim_start_matches("json=");
    let out = dir.join("out.arrow");
    let commands: [&[&str]; 6] = [
        &["check", &trace, "--level", "ser"],
        &["levels", &trace],
        &["shrink", &trace, "--level", "ser"],
        &["certify", verdict, &trace],
        &["stats", &trace],
        &["convert", &trace, text(&out), "--to", "arrow"],
    ];
    for command in commands {
        for (limit, name) in [(["--time", "0s"], "time limit"), (["--memory", "1"], "memory limit")]
        {
            let run = run(&[command, &limit[..]].concat());
            assert_eq!(run.code, 2, "{command:?} {run:?}");
            let said = format!("{}{}", run.out, run.err);
            assert!(said.contains(name) && said.contains("in stage reading"), "{run:?}");
            assert!(said.contains(&format!("allow more {}", limit[0].trim_start_matches("--"))));
        }
    }
    assert!(!out.exists());
}

#[test]
fn an_unread_trace_is_unknown_in_every_form() {
    let (dir, trace) = demo("limits-forms");
    let page = dir.join("page.html");
    let page = format!("html={}", text(&page));
    let run = run(&["check", &trace, "-l", "si", "--json", "--time", "0s", "-o", &page]);
    assert_eq!(run.code, 2, "{run:?}");
    let verdict: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(verdict["verdict"], "unknown");
    assert_eq!(
        (&verdict["reason"]["limit"], &verdict["reason"]["millis"]),
        (&"time".into(), &0.into())
    );
    assert!(verdict["reason"]["stage"].as_str().is_some_and(|stage| stage.starts_with("reading")));
    let page = fs::read_to_string(page.trim_start_matches("html=")).expect("a page");
    assert!(page.contains("time limit"));
}

#[test]
fn all_levels_are_unknown_if_the_trace_is_not_read() {
    let (_, trace) = demo("limits-levels");
    let run = run(&["levels", &trace, "--json", "--time", "0s"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.out.lines().count() > 10, "{run:?}");
    for line in run.out.lines() {
        let verdict: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(verdict["verdict"], "unknown");
    }
}

#[test]
fn questions_about_levels_stop_at_their_limit() {
    for command in [&["compare", "psi", "si"][..], &["find", "si&!ser"], &["lattice", "si", "ser"]]
    {
        let run = run(&[command, &["--time", "0s"]].concat());
        assert_eq!(run.code, 2, "{command:?} {run:?}");
        assert!(run.out.contains("time limit") || run.out.contains('?'), "{command:?} {run:?}");
    }
}

/// Nothing arrives on its standard input. A command that waits for it cannot check its budget, so
/// the watchdog ends it; one that was slow to start stops by itself. Both say the same.
#[test]
fn a_stage_that_does_not_stop_is_ended_by_the_watchdog() {
    for (format, told) in [(&["--json"][..], "\"verdict\": \"unknown\""), (&[], "UNKNOWN")] {
        let args = [&["check", "-", "--level", "si", "--time", "500ms"], format].concat();
        let mut command = tristan(&args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let input = child.stdin.take();
        let run = finish(child.wait_with_output().expect("the binary ends"));
        drop(input);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.out.contains(told) && run.out.contains("reading"), "{run:?}");
    }
}
