//! The JSON format of TimeKiller.

#![allow(clippy::panic, reason = "helpers of tests")]

use crate::common;
use crate::torn;

use common::{parse, told};
use tristan_formats::{Format, detect};
use tristan_history::{Datum, History, Initial, Observed, OpKind, Outcome};

const REGISTERS: &str = r#"[
  {"tid": 5, "sid": "a", "sts": {"p": "30", "l": 1}, "cts": {"p": 40}, "ops": [
    {"t": "r", "k": 1, "v": 7},
    {"t": "Write", "k": 2, "v": 8}]},
  {"tid": "x", "sid": "a", "sts": {"p": 10, "l": 0}, "cts": {"p": 30, "l": 1}, "rtts": 7, "ops": [
    {"t": "READ", "k": 2}, {"t": "r", "k": 2, "v": null}, {"t": "w", "k": 1, "v": 7}]},
  {"ops": [], "tid": 6, "sid": 3, "sts": {"p": 30, "l": 0}, "cts": {"p": 30, "l": 0}}
]"#;

fn read(text: &str) -> History {
    let history = parse(text, Some(Format::TimeKiller)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(told(&history), told(&parse(text, None).expect("recognised")), "{text}");
    history
}

fn error(text: &str) -> String {
    match parse(text, Some(Format::TimeKiller)) {
        Ok(_) => "no error".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// A transaction with these operations.
fn txn(number: u32, ops: &str) -> String {
    let (start, commit) = (2 * number, 2 * number + 1);
    format!(
        "{{\"tid\":{number},\"sid\":{number},\"sts\":{{\"p\":{start},\"l\":0}},\"cts\":{{\"p\":{commit},\"l\":0}},\"ops\":[{ops}]}}"
    )
}

/// A trace with one transaction per list of operations.
fn trace(ops: &[&str]) -> String {
    let txns: Vec<String> = ops.iter().zip(0..).map(|(ops, number)| txn(number, ops)).collect();
    format!("[{}]", txns.join(",\n"))
}

#[test]
fn timestamps_are_stamps_in_the_same_order() {
    let history = read(REGISTERS);
    let stamps: Vec<_> =
        history.hints.stamps.iter().map(|hint| (hint.start, hint.commit, hint.line)).collect();
    assert_eq!(stamps, [(Some(2), Some(3), 2), (Some(0), Some(2), 5), (Some(1), Some(1), 7)]);
    assert!(history.txns.iter().all(|txn| txn.begin().call.is_none() && txn.end().ret.is_none()));
    assert!(history.warnings.is_empty());
}

#[test]
fn sessions_are_in_the_order_of_their_starts() {
    let history = read(REGISTERS);
    let labels: Vec<String> = history.txn_ids().map(|id| history.label(id)).collect();
    assert_eq!(labels, ["T5", "x", "T6"]);
    let session = &history.sessions[0];
    assert_eq!(session.name, Datum::from("a"));
    let order: Vec<String> = session.txns.iter().map(|id| history.label(*id)).collect();
    assert_eq!(order, ["x", "T5"]);
    assert!(history.txns.iter().all(|txn| txn.outcome == Outcome::Committed));
}

#[test]
fn operations_have_lines() {
    let history = read(REGISTERS);
    let lines: Vec<u32> = history.ops.iter().map(|op| op.line).collect();
    assert_eq!(lines, [3, 4, 6, 6, 6]);
    assert_eq!(history.txns[0].lines, (2, 4));
    let one_line = read(&REGISTERS.replace('\n', ""));
    assert!(one_line.ops.iter().all(|op| op.line == 1));
}

#[test]
fn keys_to_which_somebody_appends_are_lists() {
    let history = read(&trace(&[
        r#"{"t":"r","k":1},{"t":"append","k":1,"v":9},{"t":"r","k":3,"v":null}"#,
        r#"{"t":"r","k":1,"v":[9]},{"t":"r","k":2,"v":[]},{"t":"r","k":2}"#,
    ]));
    let lists: Vec<String> = history
        .ops
        .iter()
        .map(|op| match &op.kind {
            OpKind::ReadList { elements: Some(elements), .. } => elements.len().to_string(),
            OpKind::Append { .. } => "append".to_owned(),
            OpKind::Get { seen: Observed::Absent, .. } => "absent".to_owned(),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(lists, ["0", "append", "absent", "1", "0", "0"]);
}

#[test]
fn reads_show_how_keys_start() {
    let zero = r#"{"t":"r","k":1,"v":0}"#;
    let written = r#"{"t":"w","k":1,"v":0}"#;
    let absent = r#"{"t":"r","k":2,"v":null}"#;
    let one = r#"{"t":"r","k":1,"v":1}"#;
    let is_zero = |ops: &[&str]| match read(&trace(ops)).header.initial {
        Initial::Uniform(_) => true,
        Initial::Empty => false,
        other => panic!("{other:?}"),
    };
    assert!(is_zero(&[zero]));
    assert!(is_zero(&[zero, one]));
    assert!(!is_zero(&[one]));
    assert!(!is_zero(&[zero, written]));
    assert!(!is_zero(&[zero, absent]));
}

#[test]
fn clocks_that_run_backwards_are_mentioned() {
    let text = trace(&[""]).replace("\"cts\":{\"p\":1", "\"cts\":{\"p\":-1");
    assert_eq!(read(&text).warnings, ["line 1: T0 has a \"cts\" before its \"sts\""]);
}

/// Replaces a part of a good file; the message tells what is wrong now.
fn expect_mistakes(cases: &[(&str, &str, &str)]) {
    let good = trace(&[r#"{"t":"w","k":1,"v":2}"#, ""]);
    for (part, other, message) in cases {
        let bad = good.replacen(part, other, 1);
        assert_ne!(good, bad, "{part}");
        assert_eq!(error(&bad), *message, "{bad}");
    }
}

#[test]
fn mistakes_in_transactions_have_a_line() {
    expect_mistakes(&[
        (
            "\"tid\":1",
            "\"tid\":0",
            "t:2: found transaction 0 again, expected only the one on line 1",
        ),
        (
            "\"tid\":1,",
            "",
            "t:2: found a transaction without \"tid\", expected \"tid\" (the transaction)",
        ),
        (
            "\"sid\":1,",
            "",
            "t:2: found a transaction without \"sid\", expected \"sid\" (the session)",
        ),
        (
            "\"sts\":{\"p\":2,\"l\":0},",
            "",
            "t:2: found a transaction without \"sts\", expected \"sts\" (when it started)",
        ),
        (
            "\"cts\":{\"p\":3,\"l\":0},",
            "",
            "t:2: found a transaction without \"cts\", expected \"cts\" (when it committed)",
        ),
        (
            ",\"ops\":[]",
            "",
            "t:2: found a transaction without \"ops\", expected \"ops\" (what it did)",
        ),
        ("\"tid\":1", "\"tid\":1,\"tid\":2", "t:2: found \"tid\" twice, expected it once"),
        (
            "\"tid\":1",
            "\"status\":\"abort\",\"tid\":1",
            "t:2: found field \"status\", expected \"tid\", \"sid\", \"sts\", \"cts\" or \"ops\"",
        ),
        (
            "{\"p\":2,",
            "{\"p\":\"noon\",",
            "t:2: found string \"noon\", expected an integer, or a string containing one",
        ),
        (
            "{\"p\":2,",
            "{\"p\":2.5,",
            "t:2: found floating point `2.5`, expected an integer, or a string containing one",
        ),
        ("{\"p\":2,", "{\"q\":2,", "t:2: found unknown field `q`, expected `p` or `l`"),
    ]);
}

#[test]
fn mistakes_in_operations_and_in_json_have_a_line() {
    expect_mistakes(&[
        ("\"t\":\"w\"", "\"t\":\"x\"", "t:1: found string \"x\", expected \"r\", \"w\" or \"a\""),
        ("\"v\":2", "\"v\":null", "t:1: found nothing in \"v\", expected what was written"),
        (",\"v\":2", "", "t:1: found nothing in \"v\", expected what was written"),
        ("\"v\":2", "\"v\":[2]", "t:1: found a list in \"v\", expected what was written"),
        (
            "\"v\":2",
            "\"v\":true",
            "t:1: found boolean `true`, expected an integer, a string, a list or null",
        ),
        (
            "\"v\":2",
            "\"value\":2",
            "t:1: found unknown field `value`, expected one of `t`, `k`, `v`",
        ),
        ("\"ops\":[]", "\"ops\":7", "t:2: found integer `7`, expected an array of operations"),
        (
            "[]}]",
            "[]},7]",
            "t:2: found integer `7`, expected a transaction with \"tid\", \"sid\", \"sts\", \"cts\" and \"ops\"",
        ),
        ("[]}]", "[]}", "t:2: found the end of the file, expected the rest of the JSON text"),
        (
            "[]}]",
            "[]}]]",
            "t:2: found something other than JSON, expected JSON (trailing characters at column 68)",
        ),
    ]);
    assert_eq!(error("[]"), "t:1: found a file without transactions, expected a transaction");
    assert_eq!(error("{}"), "t:1: found map, expected an array of transactions");
}

#[test]
fn a_file_that_is_cut_off_is_an_error() {
    torn::cut_anywhere(REGISTERS.as_bytes(), Format::TimeKiller, |cut, outcome| {
        assert!(outcome.is_err(), "cut at {cut}");
    });
}

#[test]
fn it_is_recognised_by_its_first_transaction() {
    assert_eq!(detect(br#"[ {"cts": {"l": 0, "p": "3"#), Some(Format::TimeKiller));
    assert_eq!(detect(br#"[{"tid":1,"sid":2}]"#), None);
}
