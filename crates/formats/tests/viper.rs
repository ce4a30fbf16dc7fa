//! Viper's logs: what every operation becomes, and every way to get a line wrong.

#![allow(clippy::panic, reason = "helpers of tests")]

use crate::common;

use common::told;
use tristan_formats::TraceError;
use tristan_formats::{Folder, Format, detect, read, read_folder};
use tristan_history::{
    Datum, History, Initial, Observed, Op, OpKind, OpStatus, Outcome, Range, Span, TxnId,
};

fn folder(logs: &[(&str, &str)]) -> Folder {
    let logs = logs.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
    Folder::in_memory("run", logs)
}

fn open(logs: &[(&str, &str)]) -> Result<History, TraceError> {
    read_folder(&folder(logs), None)
}

fn history(logs: &[(&str, &str)]) -> History {
    open(logs).unwrap_or_else(|error| panic!("{error}"))
}

/// A line with these operations.
fn txn(ops: &str) -> String {
    format!("{{\"value\": [{ops}]}}\n")
}

/// A trace with a session per line.
fn sessions(lines: &[&str]) -> History {
    let files: Vec<(String, String)> = lines
        .iter()
        .enumerate()
        .map(|(number, ops)| (format!("J{}.log", number + 1), txn(ops)))
        .collect();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    history(&files)
}

/// Operations in short words.
fn words(history: &History) -> Vec<String> {
    history.ops.iter().map(|op| word(history, op)).collect()
}

fn word(history: &History, op: &Op) -> String {
    let key = op.kind.key().map(|key| history.key(key).to_string()).unwrap_or_default();
    let seen = |seen: &Observed| match seen {
        Observed::Value(value) => history.value(*value).to_string(),
        other => format!("{other:?}"),
    };
    let text = match &op.kind {
        OpKind::Get { seen: read, .. } => format!("get {key} {}", seen(read)),
        OpKind::Put { value, .. } => format!("put {key} {}", history.value(*value)),
        OpKind::Delete { rows: None, .. } => format!("delete {key}"),
        OpKind::ReadModifyWrite { seen: read, value, .. } => {
            format!("rmw {key} {} {}", seen(read), history.value(*value))
        }
        OpKind::Scan { items: Some(items), .. } => {
            let items = items.iter();
            let items: Vec<String> = items
                .map(|(key, value)| format!("{}={}", history.key(*key), history.value(*value)))
                .collect();
            format!("scan {}", items.join(" "))
        }
        other => panic!("{other:?}"),
    };
    if op.status == OpStatus::Failed { format!("{text} failed") } else { text }
}

/// Keys with their initial values.
fn initial(history: &History) -> Vec<String> {
    match &history.header.initial {
        Initial::Empty => Vec::new(),
        Initial::Given(given) => given
            .iter()
            .map(|(key, value)| format!("{}={}", history.key(*key), history.value(*value)))
            .collect(),
        other => panic!("{other:?}"),
    }
}

/// Where reads came from.
fn sources(history: &History) -> Vec<Option<TxnId>> {
    history.hints.sources.iter().map(|hint| hint.from).collect()
}

#[test]
fn a_trace_of_two_sessions() {
    let first = txn(r#"["w",7,-5,true],["w","k",6,true]"#) + &txn(r#"["r",7,-5,false]"#);
    let history = history(&[("J24.log", &first), ("J3.log", &txn(r#"["w",7,8,false]"#))]);
    let names: Vec<String> = history.txn_ids().map(|id| history.label(id)).collect();
    assert_eq!(names, ["J24:1", "J24:2", "J3:1"]);
    assert_eq!(history.sessions.len(), 2);
    assert!(history.txns.iter().all(|txn| txn.outcome == Outcome::Committed));
    assert_eq!(words(&history), ["put 7 -5", "put k 6", "get 7 -5", "put 7 8 failed"]);
    assert_eq!(initial(&history), Vec::<String>::new());
    assert_eq!(history.txns[1].begin(), Span::default());
    assert_eq!(history.ops[2].line, 2);
}

#[test]
fn a_value_that_nobody_writes_is_the_initial_one() {
    let history = sessions(&[
        r#"["r",7,1,false],["r",7,2,false],["r",8,3,false]"#,
        r#"["w",7,1,false],["r",9,4,false],["r",9,5,false],["w",8,3,true]"#,
    ]);
    assert_eq!(initial(&history), ["7=2", "9=4"], "1 was tried, and 3 was written");
}

#[test]
fn nothing_is_zero_or_null() {
    let history = sessions(&[
        r#"["r",7,0,false],["r",7,null,false],["r",8,0,false]"#,
        r#"["w",8,0,true],["r",7,1,false]"#,
    ]);
    assert_eq!(words(&history), ["get 7 Absent", "get 7 Absent", "get 8 0", "put 8 0", "get 7 1"]);
    assert_eq!(initial(&history), ["7=1"]);
}

#[test]
fn tombstones_tell_whose_delete_was_seen() {
    let history = sessions(&[
        r#"["d",7,100,1,false,true]"#,
        r#"["r",7,100,true],["d",7,101,100,true,true],["r",7,101,true]"#,
        r#"["r",8,102,true],["r",8,103,true]"#,
        r#"["r",7,100,false],["w",7,5,true]"#,
        r#"["r",7,5,true]"#,
    ]);
    assert_eq!(
        words(&history),
        [
            "get 7 1",
            "delete 7",
            "get 7 Absent",
            "get 7 Absent",
            "delete 7",
            "get 7 Absent",
            "get 8 Absent",
            "get 8 tombstone 103",
            "get 7 100",
            "put 7 5",
            "get 7 tombstone 5",
        ]
    );
    assert_eq!(sources(&history), [Some(TxnId(0)), Some(TxnId(0)), None]);
    assert_eq!(initial(&history), ["7=1"], "a tombstone is never a value");
}

#[test]
fn a_failed_delete_leaves_no_tombstone() {
    let history = sessions(&[r#"["d",7,100,1,false,false]"#, r#"["r",7,100,true]"#]);
    assert_eq!(words(&history), ["get 7 1", "delete 7 failed", "get 7 tombstone 100"]);
}

#[test]
fn inserts_read_first() {
    let history = sessions(&[
        r#"["d",7,100,1,false,true]"#,
        r#"["i",7,5,100,true,true],["i",8,6,0,false,true],["i",8,7,6,false,false]"#,
    ]);
    let expected =
        ["get 7 1", "delete 7", "rmw 7 Absent 5", "rmw 8 Absent 6", "get 8 6", "put 8 7 failed"];
    assert_eq!(words(&history), expected);
    assert_eq!(sources(&history), [Some(TxnId(0))]);
    assert_eq!(history.hints.sources[0].op.op, 0);
}

#[test]
fn ranges_include_both_bounds() {
    let history = sessions(&[
        r#"["d",5,100,1,false,true],["w",6,2,true]"#,
        r#"["range",3,6,[{"id":6,"sk":6,"val":2},{"id":4,"val":9}],[{"id":5,"sk":5,"val":100}]]"#,
        r#"["range","nil","nil",[],[]],["range","a","b",[],[]],["range",null,9223372036854775807,[],[]]"#,
        r#"["range",1,18446744073709551615,[],[]],["range",1,5,[],[{"id":5,"val":2}]]"#,
    ]);
    let ranges: Vec<&Range> = history
        .ops
        .iter()
        .filter_map(|op| match &op.kind {
            OpKind::Scan { range, .. } => Some(&**range),
            _ => None,
        })
        .collect();
    let range = |lo, hi| Range { lo, hi, reverse: false };
    assert_eq!(
        ranges,
        [
            &Range::between(3, 7),
            &Range::everything(),
            &Range::between("a", "b\0"),
            &range(None, Some(Datum::Int(1 << 63))),
            &Range::between(1, ""),
            &Range::between(1, 6),
        ]
    );
    assert_eq!(words(&history)[3], "scan 6=2 4=9");
    assert_eq!(words(&history)[8], "scan 5=tombstone 2", "found dead, and never deleted");
    assert_eq!(sources(&history), [Some(TxnId(0))]);
    assert_eq!(initial(&history), ["5=1", "4=9"]);
}

#[test]
fn an_initial_transaction_is_no_transaction() {
    let start = r#"{"value":[["range","nil","nil",[{"id":1,"sk":1,"val":5}],[{"id":2,"sk":2,"val":6}]]],"isInitial":true,"isFinal":false}"#;
    let run = txn(r#"["r",1,5,false],["r",2,6,true],["r",3,7,false]"#);
    let end = r#"{"value":[["range","nil","nil",[{"id":1,"sk":1,"val":5}],[]]],"isInitial":false,"isFinal":true}"#;
    let history = history(&[("J1.log", start), ("J2.log", &run), ("J3.log", end)]);
    let names: Vec<String> = history.sessions.iter().map(|s| s.name.to_string()).collect();
    assert_eq!(names, ["J2", "J3"]);
    assert_eq!(words(&history), ["get 1 5", "get 2 Absent", "get 3 7", "scan 1=5"]);
    assert_eq!(sources(&history), [None]);
    assert_eq!(initial(&history), ["1=5"], "3 was not there at the start");
}

#[test]
fn an_initial_transaction_may_tell_of_some_keys_only() {
    let start = r#"{"value":[["w",1,5,true],["r",2,6,false],["i",4,8,0,false,true],["w",5,1,false],["range",7,8,[{"id":7,"val":3}],[]],["d",9,2,1,false,true]],"isInitial":true}"#;
    let run = txn(r#"["r",1,9,false],["r",3,7,false],["r",9,1,false]"#);
    let history = history(&[("J1.log", &format!("{start}\n{run}"))]);
    assert_eq!(initial(&history), ["1=5", "3=7", "2=6", "4=8", "7=3"]);
    assert_eq!(history.label(TxnId(0)), "J1:2");
}

#[test]
fn times_are_milliseconds() {
    let line = r#"{"preBeginTS":10,"postBeginTS":12,"preCommitTS":12,"postCommitTS":15,"value":[["r",1,0,false]]}"#;
    let partly = r#"{"preBeginTS":0,"postBeginTS":-1,"preCommitTS":0,"postCommitTS":15,"value":[["r",1,0,false]]}"#;
    let history = history(&[("J1.log", &format!("{line}\n{partly}\n"))]);
    let span = |call, ret| Span { call, ret };
    assert_eq!(history.txns[0].begin(), span(Some(10_000_000), Some(12_999_999)));
    assert_eq!(history.txns[0].end(), span(Some(12_000_000), Some(15_999_999)));
    assert_eq!(history.txns[1].begin(), Span::default());
    assert_eq!(history.txns[1].end(), span(None, Some(15_999_999)));
}

#[test]
fn operations_may_be_objects() {
    let lists = sessions(&[
        r#"["w",7,1,true],["d",7,100,1,false,true],["i",7,2,100,true,true]"#,
        r#"["r",7,100,true],["range",5,8,[{"id":7,"sk":7,"val":2}],[{"id":6,"sk":6,"val":3}]]"#,
    ]);
    let objects = sessions(&[
        r#"{"opType": "w", "key": 7, "value": 1, "succ": true, "reqTS": 1, "resTS": 2},
           {"opType": "d", "key": 7, "value": 100, "readValue": 1, "isDead": false, "succ": true},
           {"opType": "i", "key": 7, "value": 2, "readValue": 100, "isDead": true, "succ": true}"#
            .replace('\n', " ")
            .as_str(),
        r#"{"opType": "r", "key": 7, "value": 100, "isDead": true},
           {"opType": "range", "key1": 5, "key2": 8, "liveKVs": [{"id": 7, "sk": 7, "val": 2}],
            "deadKVs": [{"id": 6, "sk": 6, "val": 3}]}, {"opType": "commit" , "reqTS": 1, "resTS": 2}"#
            .replace('\n', " ")
            .as_str(),
    ]);
    assert_eq!(told(&lists), told(&objects));
}

#[test]
fn smallest_and_largest_integers_are_no_bounds() {
    let start = r#"{"value":[{"opType":"range","key1":-9223372036854775808,"key2":9223372036854775807,"liveKVs":[],"deadKVs":[]}],"isInitial":true}"#;
    let run = txn(r#"["r",3,7,false]"#);
    let history = history(&[("J1.log", start), ("J2.log", &run)]);
    assert_eq!(initial(&history), Vec::<String>::new(), "every key was absent");
}

#[test]
fn logs_are_recognised() {
    let line = txn(r#"["r",3,7,false]"#);
    assert_eq!(detect(line.as_bytes()), Some(Format::Viper));
    assert_eq!(detect(br#"{"preBeginTS":1,"value":[["r""#), Some(Format::Viper));
    assert_eq!(detect(br#"{"type":"ok","value":[["r""#), Some(Format::Elle));
    let history = read(line.as_bytes(), "logs/J5.log", None).expect("one session");
    assert_eq!(history.sessions[0].name, "J5".into());
    let error = open(&[("J1.log", "once upon a time")]).expect_err("no trace");
    assert_eq!(
        error.to_string(),
        "run:1: found a folder that is not a trace, expected one *.log file per session, as Cobra and Viper write them"
    );
}

/// The complaint about the second line of a file.
fn complaint(line: &str) -> String {
    let text = txn(r#"["w",7,1,true]"#) + line;
    match read_folder(&folder(&[("J1.log", &text)]), Some(Format::Viper)) {
        Ok(_) => "no error".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// One case: what goes in, what comes out.
macro_rules! complains {
    ($($name:ident: $line:expr => $message:expr;)*) => {
        $(#[test] fn $name() { assert_eq!(complaint($line), concat!("run/J1.log:2: ", $message)); })*
    };
}

complains! {
    cut_line: r#"{"value": [["w",7"#
        => "found `{\"value\": [[\"w\",7`, expected JSON (EOF while parsing a list at column 17)";
    no_operations: r#"{"preBeginTS": 5}"#
        => "found a line without `value`, expected `value` on every line";
    unknown_field: r#"{"value": [], "colour": 1}"#
        => "found unknown field `colour`, expected one of `value`, `preBeginTS`, `postBeginTS`, `preCommitTS`, `postCommitTS`, `isInitial`, `isFinal`, `size`";
    unknown_operation: r#"{"value": [["x",7,1,true]]}"#
        => "found unknown variant `x`, expected one of `r`, `w`, `i`, `d`, `range`, `commit`";
    no_operation: r#"{"value": [7]}"#
        => r#"found integer `7`, expected an operation like ["r",key,value,false]"#;
    empty_operation: r#"{"value": [[]]}"#
        => "found an operation that ends too early, expected the kind of operation";
    short_read: r#"{"value": [["r",7,1]]}"#
        => "found an operation that ends too early, expected whether it is dead";
    short_write: r#"{"value": [["w",7,1]]}"#
        => "found an operation that ends too early, expected whether it succeeded";
    long_write: r#"{"value": [["w",7,1,true,true]]}"#
        => "found 5 elements, expected no further elements";
    wrong_value: r#"{"value": [["r",7,1.5,true]]}"#
        => r#"found floating point `1.5`, expected an integer, a string or {"hex":"…"}"#;
    write_of_nothing: r#"{"value": [["w",7,null,true]]}"#
        => r#"found null, expected an integer, a string or {"hex":"…"}"#;
    wrong_row: r#"{"value": [["range",1,2,[{"id":1}],[]]]}"#
        => r#"found a row without "val", expected it"#;
    object_without_a_kind: r#"{"value": [{"key":1,"value":1,"isDead":false}]}"#
        => r#"found an operation without "opType", expected it"#;
    object_without_a_key: r#"{"value": [{"opType":"r","value":1,"isDead":false}]}"#
        => r#"found an operation without "key", expected it"#;
    object_without_a_value: r#"{"value": [{"opType":"w","key":1,"succ":true}]}"#
        => r#"found an operation without "value", expected it"#;
    object_with_something_else: r#"{"value": [{"opType":"r","key":1,"valve":1,"isDead":false}]}"#
        => "found unknown field `valve`, expected one of `opType`, `key`, `value`, `readValue`, `isDead`, `succ`, `key1`, `key2`, `liveKVs`, `deadKVs`, `reqTS`, `resTS`";
    times_in_the_wrong_order: r#"{"value": [], "preCommitTS": 9, "postCommitTS": 8}"#
        => r#"found "postCommitTS" 8, expected none before 9"#;
    time_too_late: r#"{"value": [], "preCommitTS": 9223372036854775807}"#
        => r#"found "preCommitTS" 9223372036854775807, expected milliseconds since 1970"#;
}

#[test]
fn a_trace_needs_a_transaction() {
    let start = r#"{"value":[["w",1,5,true]],"isInitial":true}"#;
    let error = open(&[("J1.log", start)]).expect_err("only an initial state");
    assert_eq!(error.to_string(), "run:1: found no transactions, expected a transaction");
}

/// Everything that can be in a log.
fn sample() -> String {
    let start =
        r#"{"value":[["range","nil","nil",[{"id":7,"sk":7,"val":1}],[]]],"isInitial":true}"#;
    let first = r#"{"preBeginTS":10,"postBeginTS":12,"preCommitTS":12,"postCommitTS":15,"value":[["r",7,1,false],["d",7,100,1,false,true],["i",8,2,0,false,true],["w",9,4,false]]}"#;
    let second = r#"{"value":[{"opType":"r","key":7,"value":100,"isDead":true},{"opType":"range","key1":7,"key2":8,"liveKVs":[{"id":8,"sk":8,"val":2}],"deadKVs":[{"id":7,"sk":7,"val":100}]}]}"#;
    format!("{start}\n{first}\n{second}\n")
}

#[test]
fn a_cut_file_is_an_error_unless_whole_lines_are_left() {
    let sample = sample();
    for cut in 0..sample.len() {
        let text = &sample[..cut];
        let whole =
            text.lines().all(|line| serde_json::from_str::<serde::de::IgnoredAny>(line).is_ok());
        let opened = read_folder(&folder(&[("J1.log", text)]), Some(Format::Viper));
        match opened {
            Ok(history) => assert!(whole && history.warnings.is_empty(), "cut at {cut}"),
            Err(error) => {
                assert!(!whole || text.lines().count() < 2, "cut at {cut}: {error}");
                assert!(error.line().is_some(), "cut at {cut}: {error}");
            }
        }
    }
}
