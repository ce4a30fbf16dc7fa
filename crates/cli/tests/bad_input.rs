//! Traces that are wrong: a clear message with file and line, exit code 65, never a panic.

use crate::common;

use std::fs::File;
use std::io::Write;

use common::{file, folder, run};

const HEADER: &str = "{\"tristan\":\"trace/1\"}\n";

/// Checks the trace and converts it: both must refuse it on this line.
fn refused(name: &str, trace: &[u8], line: u32, words: &str) {
    let dir = folder(&format!("bad-{name}"));
    let path = file(&dir, "t.jsonl", trace);
    for command in [
        &["check", "--level", "ser", &path][..],
        &["levels", &path],
        &["stats", &path],
        &["convert", &path, "-", "--to", "compact"],
    ] {
        let run = run(command);
        assert_eq!(run.code, 65, "{name} {run:?}");
        assert!(run.err.starts_with(&format!("{path}:{line}: found ")), "{name} {run:?}");
        assert!(run.err.contains(words) && run.err.contains(", expected "), "{name} {run:?}");
        assert!(run.out.is_empty(), "{name} {run:?}");
        assert_eq!(run.err.lines().count(), 1, "{name} {run:?}");
    }
}

fn refused_lines(name: &str, lines: &[&str], line: u32, words: &str) {
    refused(name, format!("{HEADER}{}\n", lines.join("\n")).as_bytes(), line, words);
}

#[test]
fn unknown_operation() {
    refused_lines("op", &[r#"{"s":1,"t":1,"op":"gte","k":"x","v":1}"#], 2, "\"get\"");
}

#[test]
fn wrong_types() {
    refused_lines("type", &[r#"{"s":1,"t":1,"op":"get","k":true,"v":1}"#], 2, "\"k\"");
    refused_lines("float", &[r#"{"s":1,"t":1,"op":"put","k":1.5,"v":1}"#], 2, "\"k\"");
}

#[test]
fn events_out_of_order() {
    refused_lines("order", &[r#"{"return":1,"v":1}"#], 2, "return of call 1");
}

#[test]
fn two_returns() {
    let lines = [r#"{"call":7,"s":1,"t":1,"op":"commit"}"#, r#"{"return":7}"#, r#"{"return":7}"#];
    refused_lines("returns", &lines, 4, "second return");
}

#[test]
fn life_after_commit() {
    let lines = [r#"{"s":1,"t":1,"op":"commit"}"#, r#"{"s":1,"t":1,"op":"get","k":"x","v":1}"#];
    refused_lines("commit", &lines, 3, "after its commit");
}

#[test]
fn reused_ids() {
    let lines = [
        r#"{"call":7,"s":1,"t":1,"op":"commit"}"#,
        r#"{"return":7}"#,
        r#"{"call":7,"s":1,"t":2,"op":"commit"}"#,
    ];
    refused_lines("ids", &lines, 4, "call 7 again");
}

#[test]
fn empty_file() {
    refused("empty", b"", 1, "an empty file");
}

#[test]
fn binary_garbage() {
    refused("binary", b"\x7fELF\x02\x01\x01\x00\xff\xfe\n\x80\x81", 1, "ELF");
}

#[test]
fn somebody_elses_format() {
    refused("foreign", b"read 1 2 3 4\n", 1, "read 1 2 3 4");
}

#[test]
fn a_line_longer_than_any_event() {
    let path = folder("long-line").join("t.jsonl");
    let mut long = File::create(&path).expect("a file can be written");
    long.write_all(HEADER.as_bytes()).expect("a header");
    // A hole: a gigabyte that takes no space.
    long.set_len(1 << 30).expect("a sparse file");
    let run = run(&["check", "--level", "ser", path.to_str().expect("a path in UTF-8")]);
    assert_eq!(run.code, 65, "{run:?}");
    assert!(run.err.contains(":2: found a line longer than 64 MiB"), "{run:?}");
}

#[test]
fn a_cut_off_end_is_forgiven_and_told() {
    let dir = folder("cut-off");
    let trace = format!(
        "{HEADER}{{\"s\":1,\"t\":1,\"op\":\"get\",\"k\":1,\"v\":null}}\n{{\"s\":1,\"t\":1,\"op\":\"co"
    );
    let run = run(&["check", "--level", "ser", &file(&dir, "t.jsonl", trace.as_bytes())]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.err.contains("warning: line 3 is cut off"), "{run:?}");
}
