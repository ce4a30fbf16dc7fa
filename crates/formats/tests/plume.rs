//! The text format of Plume, PolySI, IsoVista and TAPIR.

#![allow(clippy::panic, reason = "helpers of tests")]

use crate::common;
use crate::torn;

use common::{parse, told};
use tristan_formats::{Format, detect};
use tristan_history::{Datum, History, Initial, Observed, OpKind, Outcome};

fn read(text: &str) -> History {
    let history = parse(text, Some(Format::Plume)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(told(&history), told(&parse(text, None).expect("recognised")), "{text}");
    history
}

fn error(text: &str) -> String {
    match parse(text, Some(Format::Plume)) {
        Ok(_) => "no error".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// What every transaction did, as `5@A: w7=1 r8=0`.
fn shown(history: &History) -> Vec<String> {
    let op = |kind: &OpKind| {
        let key = kind.key().map(|key| history.key(key).to_string()).unwrap_or_default();
        match kind {
            OpKind::Put { value, .. } => format!(" w{key}={}", history.value(*value)),
            OpKind::Get { seen: Observed::Value(value), .. } => {
                format!(" r{key}={}", history.value(*value))
            }
            OpKind::Get { .. } => format!(" r{key}=absent"),
            other => format!(" {other:?}"),
        }
    };
    let txn = |id| {
        let session = &history.sessions[history.txn(id).session.index()].name;
        let ops: String = history.ops_of(id).iter().map(|one| op(&one.kind)).collect();
        format!("{}@{session}:{ops}", history.label(id))
    };
    history.txn_ids().map(txn).collect()
}

fn starts_with_zero(history: &History) -> bool {
    match history.header.initial {
        Initial::Uniform(value) => *history.value(value) == Datum::Int(0),
        Initial::Empty => false,
        _ => panic!("{:?}", history.header.initial),
    }
}

#[test]
fn operations_of_a_transaction_come_together() {
    let history = read("w(1,10,4,5)\nw(2,11,9,6)\nr(2,11,4,5)\n\nr(1,0,9,6)\nr(1,10,4,7)");
    assert_eq!(shown(&history), ["T5@4: w1=10 r2=11", "T6@9: w2=11 r1=0", "T7@4: r1=10"]);
    assert!(starts_with_zero(&history));
    assert_eq!(history.txns[0].lines, (1, 3));
    let lines: Vec<u32> = history.ops.iter().map(|op| op.line).collect();
    assert_eq!(lines, [1, 3, 2, 5, 6]);
    assert!(history.txns.iter().all(|txn| txn.outcome == Outcome::Committed));
}

#[test]
fn what_did_not_commit_stands_alone() {
    let history = read("w(1,10,4,-1)\nr(1,0,4,5)\nr(1,0,4,-1)\n");
    assert_eq!(
        shown(&history),
        ["aborted 1@aborted 1: w1=10", "T5@4: r1=0", "aborted 2@aborted 2: r1=0"]
    );
    let outcomes: Vec<Outcome> = history.txns.iter().map(|txn| txn.outcome).collect();
    assert_eq!(outcomes, [Outcome::Aborted, Outcome::Committed, Outcome::Aborted]);
    assert_eq!(history.sessions.len(), 3);
}

#[test]
fn a_fifth_field_is_the_number_of_the_operation() {
    assert_eq!(shown(&read("w(1,10,4,5,0)\nr(1,10,4,5,1)\n")), ["T5@4: w1=10 r1=10"]);
}

#[test]
fn numbers_use_64_bits() {
    let history = read("w(18446744073709551615,-9223372036854775808,740288590066,740288590067)\n");
    assert_eq!(
        shown(&history),
        ["T740288590067@740288590066: w18446744073709551615=-9223372036854775808"]
    );
}

#[test]
fn a_transaction_that_fills_every_key_is_the_initial_state() {
    let filled = "w(1,0,0,0)\nw(2,0,0,0)\nr(1,0,1,1)\nw(1,5,1,1)\nr(2,0,2,2)\n";
    assert!(!starts_with_zero(&read(filled)));
    assert!(!starts_with_zero(&read(
        &filled
            .replace(",0,0,0)", ",1,0,0)")
            .replace(",0,1,1", ",1,1,1")
            .replace(",0,2,2", ",1,2,2")
    )));
    let not_filled = [
        filled.replace("(2,0,2,2)", "(3,0,2,2)"),
        filled.replace("w(2,0,0,0)", "w(2,0,0,0)\nw(2,0,0,0)"),
        filled.replace("w(2,0,0,0)", "r(2,0,0,0)"),
        filled.replace("0,0)", "0,9)"),
        filled.replace(",0,0)", ",7,0)"),
        format!("r(1,0,5,5)\n{filled}"),
    ];
    for text in not_filled {
        assert!(starts_with_zero(&read(&text)), "{text}");
    }
}

#[test]
fn a_zero_from_nowhere_shows_that_keys_start_with_it() {
    assert!(starts_with_zero(&read("w(1,7,0,0)\nr(1,0,1,1)\n")));
    assert!(!starts_with_zero(&read("w(1,7,0,0)\nr(1,7,1,1)\n")));
}

#[test]
fn tables_have_any_keys_and_values() {
    let head = "op_id, client_id, transaction_id, mode, key, value\n";
    let history =
        read(&format!("{head}1,17,5,w,some key,v,1\n2,17,5,r,8,\n1,18,6,r,some key,07\n"));
    assert_eq!(shown(&history), ["T5@17: wsome key=v,1 r8=absent", "T6@18: rsome key=07"]);
    assert_eq!(history.header.initial, Initial::Empty);
    assert_eq!(*history.value(tristan_history::ValueId(1)), Datum::from("07"));
    assert_eq!(history.txns[0].lines, (2, 3));
    assert_eq!(error(head), "t:2: found a file without operations, expected an operation");
    assert_eq!(
        error(&format!("{head}1,17,5,x,k,v\n")),
        "t:2: found `1,17,5,x,k,v`, expected the columns op_id,client_id,transaction_id,mode,key,value"
    );
    assert_eq!(
        error(&format!("{head}1,17,5,w,k\n")),
        "t:2: found `1,17,5,w,k`, expected the columns op_id,client_id,transaction_id,mode,key,value"
    );
    assert_eq!(
        error(&format!("{head}1,me,5,w,k,v\n")),
        "t:2: found `me`, expected a whole number of 64 bits"
    );
}

#[test]
fn mistakes_have_a_line() {
    let operation = "expected an operation like r(key,value,session,transaction)";
    let cases = [
        ("w(1,2,3,4)\nx(1,2,3,4)\n", format!("t:2: found `x(1,2,3,4)`, {operation}")),
        ("w(1,2,3)\n", format!("t:1: found `w(1,2,3)`, {operation}")),
        ("w(1,2,3,4,5,6)\n", format!("t:1: found `w(1,2,3,4,5,6)`, {operation}")),
        ("w(1,2,3,4\n", format!("t:1: found `w(1,2,3,4`, {operation}")),
        ("w 1 2\n", format!("t:1: found `w 1 2`, {operation}")),
        ("w(1,x,3,4)\n", "t:1: found `x`, expected a whole number of 64 bits".to_owned()),
        ("w(1, 2,3,4)\n", "t:1: found `2`, expected a whole number of 64 bits".to_owned()),
        ("w(1,2,3,4,x)\n", "t:1: found `x`, expected a whole number of 64 bits".to_owned()),
        (
            "w(1,18446744073709551616,3,4)\n",
            "t:1: found `18446744073709551616`, expected a whole number of 64 bits".to_owned(),
        ),
        (
            "w(1,2,3,-2)\n",
            "t:1: found transaction -2, expected one that is not negative, or -1 if it did not commit".to_owned(),
        ),
        (
            "w(1,2,3,4)\nw(1,5,4,4)\n",
            "t:2: found transaction 4 in session 4, expected session 3, as on line 1".to_owned(),
        ),
    ];
    for (text, message) in cases {
        assert_eq!(error(text), message, "{text}");
    }
}

#[test]
fn a_session_that_goes_back_is_mentioned() {
    let history = read("w(1,1,3,4)\nw(1,2,3,5)\nw(2,1,3,4)\nw(2,2,3,5)\n");
    assert_eq!(shown(&history), ["T4@3: w1=1 w2=1", "T5@3: w1=2 w2=2"]);
    assert_eq!(
        history.warnings,
        [
            "line 3: transaction 4 continues after its session began another one; transactions are ordered by their first operations"
        ]
    );
}

#[test]
fn a_last_line_that_is_cut_off_is_mentioned() {
    let history = read("w(1,10,4,5)\nr(1,10,4");
    assert_eq!(history.ops.len(), 1);
    assert_eq!(history.warnings, ["line 2 is cut off and was ignored: `r(1,10,4`"]);
    let history = read("op_id,client_id,transaction_id,mode,key,value\n1,7,5,w,k,v\n2,7,");
    assert_eq!(history.warnings, ["line 3 is cut off and was ignored: `2,7,`"]);
}

#[test]
fn a_file_may_be_cut_off_anywhere() {
    let text = "w(1,0,0,0)\nw(2,0,0,0)\nr(1,0,12,1)\nw(1,5,12,1)\nr(2,0,2,-1)\nr(2,0,2,34)\n";
    torn::cut_anywhere(text.as_bytes(), Format::Plume, |cut, outcome| {
        let last = text[..cut].rsplit('\n').next().unwrap_or_default();
        let whole = last.is_empty() || last.ends_with(')');
        match outcome {
            Ok(history) => assert_eq!(history.warnings.is_empty(), whole, "cut at {cut}"),
            Err(_) => assert!(cut < 10, "cut at {cut}"),
        }
    });
}

#[test]
fn it_is_recognised_by_its_first_line() {
    assert_eq!(detect(b"\nr(1,2,3,4)\r\n"), Some(Format::Plume));
    assert_eq!(detect(b"w(1,2,3,-1)"), Some(Format::Plume));
    assert_eq!(detect(b"op_id,client_id,transaction_id,mode,key,value\n"), Some(Format::Plume));
    assert_eq!(detect(b"read(1,2,3,4)\n"), None);
    assert_eq!(detect(b"r(x)\n"), None);
}
