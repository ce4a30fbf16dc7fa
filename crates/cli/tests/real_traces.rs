//! The script that judges a whole collection of traces.

use crate::common;

use std::fs;
use std::process::Command;

use common::{folder, root};

/// Judges a collection of one trace whose index expects this of snapshot isolation: the exit code
/// and the table.
fn judge(name: &str, expected: &str) -> (Option<i32>, String) {
    let collection = folder(name);
    fs::copy(root().join("docs/examples/elle.edn"), collection.join("cart.edn")).expect("a copy");
    let index =
        format!("path\tformat\ttxns\tSI\tSER\ncart.edn\tjepsen-edn\t3\t{expected}\treject\n");
    fs::write(collection.join("index.tsv"), index).expect("an index");
    let output = Command::new("python3")
        .arg(root().join("scripts/real-traces"))
        .arg(&collection)
        .args(["--tristan", env!("CARGO_BIN_EXE_tristan")])
        .output()
        .expect("python3 can be started");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn every_judgement_is_a_line_of_the_table() {
    let (code, table) = judge("real-traces-right", "reject");
    assert_eq!(code, Some(0), "{table}");
    let line = table.lines().find(|line| line.contains("| snapshot-isolation |"));
    let line = line.expect("it is judged");
    assert!(line.starts_with("| cart.edn | 3 | snapshot-isolation | reject | reject |"), "{line}");
    assert!(line.contains("| G-single | 3 "), "{line}");
}

#[test]
fn a_verdict_that_differs_is_told() {
    let (code, table) = judge("real-traces-wrong", "accept");
    assert_eq!(code, Some(1), "{table}");
    assert!(table.contains("| accept | reject **differs** |"), "{table}");
}
