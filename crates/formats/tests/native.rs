//! What the lines of a native trace mean.

use crate::common;

use common::{parse, print, told};
use tristan_formats::WriteForm;
use tristan_history::{Datum, History, Observed, OpKind, OpStatus, Outcome, Span, TxnId};

fn read(lines: &[&str]) -> History {
    let text = format!("{{\"tristan\":\"trace/1\"}}\n{}\n", lines.join("\n"));
    parse(text, None).expect("a good trace")
}

fn outcome(lines: &[&str]) -> Outcome {
    read(lines).txns[0].outcome
}

#[test]
fn events_and_compact_lines_say_the_same() {
    let events = read(&[
        r#"{"call":1,"s":"a","t":1,"op":"get","k":"x","lock":true}"#,
        r#"{"return":1,"v":5}"#,
        r#"{"call":2,"s":"a","t":1,"op":"rmw","k":"x","v":6}"#,
        r#"{"return":2,"old":null}"#,
        r#"{"call":3,"s":"a","t":1,"op":"iter","lo":"a","reverse":true}"#,
        r#"{"return":3,"items":[["x",6]],"end":false}"#,
        r#"{"call":4,"s":"a","t":1,"op":"commit","at":7}"#,
        r#"{"return":4,"at":9}"#,
    ]);
    let compact = read(&[
        r#"{"s":"a","t":1,"op":"get","k":"x","lock":true,"v":5}"#,
        r#"{"s":"a","t":1,"op":"rmw","k":"x","v":6,"old":null}"#,
        r#"{"s":"a","t":1,"op":"iter","lo":"a","reverse":true,"items":[["x",6]],"end":false}"#,
        r#"{"s":"a","t":1,"op":"commit","at":[7,9]}"#,
    ]);
    assert_eq!(told(&events), told(&compact));
}

#[test]
fn interleaved_lines_are_grouped_by_transaction() {
    let history = read(&[
        r#"{"call":1,"s":"a","t":"A","op":"get","k":"x"}"#,
        r#"{"call":2,"s":"b","t":"B","op":"put","k":"x","v":1}"#,
        r#"{"return":2}"#,
        r#"{"return":1,"v":null}"#,
        r#"{"s":"b","t":"B","op":"commit"}"#,
        r#"{"s":"a","t":"A","op":"put","k":"y","v":2}"#,
        r#"{"s":"a","t":"A","op":"commit"}"#,
    ]);
    let [a, b] = [TxnId(0), TxnId(1)];
    assert_eq!((history.label(a), history.label(b)), ("A".to_owned(), "B".to_owned()));
    assert_eq!((history.ops_of(a).len(), history.ops_of(b).len()), (2, 1));
    assert_eq!(history.txn(a).lines, (2, 8));
    assert_eq!(history.txn(b).lines, (3, 6));
    let lines: Vec<u32> = history.ops.iter().map(|op| op.line).collect();
    assert_eq!(lines, [5, 7, 4], "an operation points at its return");
}

#[test]
fn how_a_commit_can_end() {
    let call = r#"{"call":1,"s":1,"t":1,"op":"commit"}"#;
    assert_eq!(outcome(&[call, r#"{"return":1}"#]), Outcome::Committed);
    assert_eq!(outcome(&[call]), Outcome::Unknown);
    assert_eq!(outcome(&[call, r#"{"return":1,"error":"timeout"}"#]), Outcome::Unknown);
    let refused = [call, r#"{"return":1,"error":"conflict","aborted":true}"#];
    assert_eq!(outcome(&refused), Outcome::Aborted);
    assert_eq!(outcome(&[r#"{"call":1,"s":1,"t":1,"op":"abort"}"#]), Outcome::Aborted);
    assert_eq!(outcome(&[r#"{"s":1,"t":1,"op":"begin","error":"no"}"#]), Outcome::Aborted);
}

#[test]
fn a_pipeline_behind_a_failed_begin_did_not_commit() {
    let history = read(&[
        r#"{"call":1,"s":1,"t":1,"op":"begin"}"#,
        r#"{"call":2,"s":1,"t":1,"op":"commit"}"#,
        r#"{"return":1,"error":"too many connections"}"#,
        r#"{"return":2,"error":"no transaction"}"#,
    ]);
    assert_eq!(history.txns[0].outcome, Outcome::Aborted);
}

#[test]
fn transactions_left_open_follow_the_header() {
    let open = "{\"s\":1,\"t\":1,\"op\":\"put\",\"k\":\"x\",\"v\":1}\n";
    let with =
        |header: &str| parse(format!("{header}\n{open}"), None).expect("good").txns[0].outcome;
    assert_eq!(with(r#"{"tristan":"trace/1"}"#), Outcome::Unknown);
    assert_eq!(with(r#"{"tristan":"trace/1","open":"unknown"}"#), Outcome::Unknown);
    assert_eq!(with(r#"{"tristan":"trace/1","open":"aborted"}"#), Outcome::Aborted);
}

#[test]
fn a_session_may_go_on_after_a_commit_that_never_returned() {
    let history =
        read(&[r#"{"call":1,"s":1,"t":1,"op":"commit"}"#, r#"{"s":1,"t":2,"op":"commit"}"#]);
    assert_eq!(history.sessions[0].txns, [TxnId(0), TxnId(1)]);
    assert_eq!(history.txns[0].outcome, Outcome::Unknown);
}

#[test]
fn times_become_spans() {
    let history = read(&[
        r#"{"s":1,"t":1,"op":"begin","at":[10,11]}"#,
        r#"{"s":1,"t":1,"op":"put","k":"x","v":1,"at":[12,13]}"#,
        r#"{"s":1,"t":1,"op":"commit","at":[14,null]}"#,
        r#"{"s":1,"t":2,"op":"put","k":"x","v":1,"at":[22,23]}"#,
        r#"{"s":1,"t":2,"op":"commit","at":25}"#,
        r#"{"call":1,"s":1,"t":3,"op":"commit","at":30}"#,
        r#"{"return":1,"at":31,"error":"timeout"}"#,
    ]);
    let span = |call, ret| Span { call, ret };
    let spans: Vec<_> = history.txns.iter().map(|txn| (txn.begin(), txn.end())).collect();
    assert_eq!(spans[0], (span(Some(10), Some(11)), span(Some(14), None)));
    assert_eq!(spans[1], (span(Some(22), None), span(Some(25), Some(25))));
    assert_eq!(spans[2], (span(Some(30), None), span(Some(30), None)), "may commit after 31");
}

#[test]
fn operations_that_failed_or_never_returned() {
    let history = read(&[
        r#"{"call":1,"s":1,"t":1,"op":"put","k":"x","v":1}"#,
        r#"{"s":1,"t":1,"op":"get","k":"x","error":"busy"}"#,
        r#"{"s":1,"t":1,"op":"get","k":"x","unseen":true}"#,
        r#"{"s":1,"t":1,"op":"commit"}"#,
    ]);
    let statuses: Vec<OpStatus> = history.ops.iter().map(|op| op.status).collect();
    assert_eq!(statuses, [OpStatus::Pending, OpStatus::Failed, OpStatus::Done]);
    assert!(matches!(history.ops[2].kind, OpKind::Get { seen: Observed::Unknown, .. }));
    assert_eq!(history.ops[0].line, 2);
}

#[test]
fn notes_hints_blank_lines_and_line_ends_of_any_system() {
    let text = "\u{feff}{\"tristan\":\"trace/1\",\"ctx\":{\"seed\":7}}\r\n\r\n{\"note\":\"node 2 killed\",\"at\":5}\r\n{\"s\":1,\"t\":1,\"op\":\"commit\",\"ctx\":{\"node\":[1,{}]}}";
    let history = parse(text, None).expect("a good trace");
    assert_eq!(history.notes, [(3, "node 2 killed".to_owned())]);
    assert_eq!(history.txns.len(), 1);
    assert!(history.warnings.is_empty());
}

#[test]
fn an_absent_list_is_an_empty_one() {
    let history = read(&[r#"{"s":1,"t":1,"op":"list","k":"x","v":null}"#]);
    assert!(
        matches!(&history.ops[0].kind, OpKind::ReadList { elements: Some(list), .. } if list.is_empty())
    );
}

#[test]
fn simple_sessions_are_ordered_by_place_then_time_then_line() {
    let order = |lines: &[&str]| {
        let history = parse(lines.join("\n"), None).expect("a good trace");
        history.sessions[0].txns.iter().map(|id| id.0).collect::<Vec<_>>()
    };
    let by_place =
        [r#"{"s":1,"i":2,"t0":1,"st":"c","ops":[]}"#, r#"{"s":1,"i":1,"t0":2,"st":"c","ops":[]}"#];
    assert_eq!(order(&by_place), [1, 0]);
    let by_time = [r#"{"s":1,"t0":5,"st":"c","ops":[]}"#, r#"{"s":1,"t0":2,"st":"c","ops":[]}"#];
    assert_eq!(order(&by_time), [1, 0]);
    let by_line = [r#"{"s":1,"t0":5,"st":"c","ops":[]}"#, r#"{"s":1,"st":"c","ops":[]}"#];
    assert_eq!(order(&by_line), [0, 1]);
}

#[test]
fn simple_initial_keys_follow_the_keys_in_use() {
    let key = |ops: &str| {
        let text =
            format!("{{\"initial\":{{\"7\":1}}}}\n{{\"s\":1,\"st\":\"c\",\"ops\":[{ops}]}}\n");
        let history = parse(text, None).expect("a good trace");
        let tristan_history::Initial::Given(map) = &history.header.initial else { panic!("given") };
        history.key(*map.keys().next().expect("one key")).clone()
    };
    assert_eq!(key(r#"["r",7,1]"#), Datum::Int(7));
    assert_eq!(key(r#"["r","7",1]"#), Datum::from("7"));
    assert_eq!(key(""), Datum::Int(7));
}

#[test]
fn values_may_be_any_json_and_stay_as_they_are() {
    let lines = [
        r#"{"s":1,"t":1,"op":"put","k":"x","v":1.50}"#,
        r#"{"s":1,"t":1,"op":"get","k":"x","v":[1, {"a":null}]}"#,
        r#"{"s":1,"t":1,"op":"rmw","k":"x","v":true,"old":1.5}"#,
        r#"{"s":1,"t":1,"op":"scan","items":[["x",1e3],["y",{"b":[]}]]}"#,
        r#"{"s":1,"t":1,"op":"append","k":"l","v":false}"#,
        r#"{"s":1,"t":1,"op":"list","k":"l","v":[false,[2],-0.0]}"#,
        r#"{"s":1,"t":1,"op":"put","k":"x","v":18446744073709551616}"#,
    ];
    let header = r#"{"tristan":"trace/1","initial":{"keys":[["x",0.1],["y",{"every":1}]]}}"#;
    let text = format!("{header}\n{}\n", lines.join("\n"));
    let history = parse(&text, None).expect("a good trace");
    let mut values: Vec<String> = history.values.iter().map(|value| value.to_string()).collect();
    let expected = [
        "0.1",
        "{\"every\":1}",
        "1.50",
        "[1, {\"a\":null}]",
        "true",
        "1.5",
        "1e3",
        "{\"b\":[]}",
        "false",
        "[2]",
        "-0.0",
        "18446744073709551616",
    ];
    values.sort();
    let mut wanted: Vec<String> = expected.iter().map(|text| (*text).to_owned()).collect();
    wanted.sort();
    assert_eq!(values, wanted);
    let printed = print(&history, WriteForm::Compact);
    assert!(lines.iter().all(|line| printed.contains(line.trim_end_matches('}'))), "{printed}");
    assert_eq!(told(&parse(&printed, None).expect("a good trace")), told(&history));
}
