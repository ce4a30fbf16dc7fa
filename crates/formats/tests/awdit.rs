//! The text format of AWDIT.

use crate::common;
use crate::torn;

use common::parse;
use tristan_formats::{Format, detect};
use tristan_history::{History, Initial, OpKind, Outcome};

const TRACE: &str = "w 0 0\nw 1 0\n=====\nr 0 0\nw 0 5\n-----\nr  1\t0\n\n=\n-\n===\n--\n--\nr 0 5";

fn read(text: &str) -> History {
    parse(text, None).expect("a trace that is recognised")
}

fn error(text: &str) -> String {
    match parse(text, Some(Format::Awdit)) {
        Ok(_) => "no error".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn lines_separate_sessions_and_transactions() {
    let history = read(TRACE);
    let labels: Vec<String> = history.txn_ids().map(|id| history.label(id)).collect();
    assert_eq!(labels, ["s0t0", "s1t0", "s1t1", "s3t0"]);
    let lines: Vec<(u32, u32)> = history.txns.iter().map(|txn| txn.lines).collect();
    assert_eq!(lines, [(1, 2), (4, 5), (7, 7), (14, 14)]);
    assert_eq!(history.sessions.len(), 3);
    assert_eq!(history.header.initial, Initial::Empty);
    assert!(history.txns.iter().all(|txn| txn.outcome == Outcome::Committed));
    let writes = history.ops.iter().filter(|op| matches!(op.kind, OpKind::Put { .. })).count();
    assert_eq!((history.ops.len(), writes), (6, 3));
    assert!(history.warnings.is_empty());
}

#[test]
fn mistakes_have_a_line() {
    let expected = "expected an operation like r 1 2, or a line of - or =";
    for bad in ["x 1 2", "r 1", "r 1 2 3", "r one 2", "w 1 +2", "r 1 99999999999999999999", "-=-"] {
        let text = format!("w 0 0\n{bad}\n");
        assert_eq!(error(&text), format!("t:2: found `{bad}`, {expected}"));
    }
    assert_eq!(error("---\n===\n"), "t:3: found a file without operations, expected an operation");
}

#[test]
fn a_last_line_that_is_cut_off_is_mentioned() {
    let history = read("w 0 0\n===\nr 0");
    assert_eq!(history.txns.len(), 1);
    assert_eq!(history.warnings, ["line 3 is cut off and was ignored: `r 0`"]);
}

#[test]
fn a_file_may_be_cut_off_anywhere() {
    torn::cut_anywhere(TRACE.as_bytes(), Format::Awdit, |cut, outcome| match outcome {
        Ok(history) => {
            let last = TRACE[..cut].rsplit('\n').next().unwrap_or_default();
            let torn = last.starts_with(['r', 'w']) && last.split_whitespace().count() < 3;
            assert_eq!(history.warnings.is_empty(), !torn, "cut at {cut}");
        }
        Err(_) => assert!(cut < 5, "cut at {cut}"),
    });
}

#[test]
fn it_is_recognised_by_its_first_operation() {
    assert_eq!(detect(b"\n=\n--\nw 0 1\n"), Some(Format::Awdit));
    assert_eq!(detect(b"w 0\n"), None);
    assert_eq!(detect(b"we are here\n"), None);
}
