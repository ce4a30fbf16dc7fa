//! The columnar form: nothing gets lost, and damage is noticed.

#![allow(clippy::panic, reason = "helpers of tests")]

use crate::common;
use crate::torn;

use common::{Generator, parse, print, told};
use tristan_formats::TraceError;
use tristan_formats::{Format, WriteForm, detect, losses, write};
use tristan_generate::{Shape, Workload, atomic_store, listed_by_session};
use tristan_history::{Datum, History, HistoryBuilder, Outcome, SourceHint};

fn arrow(history: &History) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(history, WriteForm::Arrow, &mut bytes).expect("memory takes every byte");
    bytes
}

fn again(history: &History) -> History {
    parse(arrow(history), None).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn it_says_everything() {
    for seed in 0..400 {
        let history = Generator::new(seed, seed % 4 == 0).history();
        assert_eq!(losses(&history, WriteForm::Arrow), Vec::<String>::new());
        let read = again(&history);
        assert_eq!(told(&read), told(&history), "seed {seed}");
        assert_eq!(read.warnings, Vec::<String>::new());
        assert!(arrow(&read) == arrow(&history), "seed {seed}: a second file differs");
        for form in [WriteForm::Events, WriteForm::Compact] {
            let native = parse(print(&history, form), None).expect("a good trace");
            assert_eq!(print(&again(&native), form), print(&native, form), "seed {seed}");
        }
    }
}

#[test]
fn large_histories_have_many_batches() {
    let shape = Shape { txns: 30_000, keys: 300, sessions: 5, ..Shape::default() };
    let mixed = atomic_store(&shape);
    let workload = Workload { txns: 3000, times: true, ..Workload::random_bench() };
    for history in [listed_by_session(&mixed), mixed, workload.run()] {
        assert_eq!(told(&again(&history)), told(&history));
    }
}

#[test]
fn rows_are_what_lines_are_elsewhere() {
    let mut builder = HistoryBuilder::default();
    builder.begin("a").put("x", 1).end(Outcome::Committed);
    builder.begin("b").get("x", Some(1)).end(Outcome::Aborted);
    let history = again(&builder.finish());
    assert_eq!(history.txns[1].lines, (2, 2));
    assert_eq!(history.ops[1].line, 2);
}

#[test]
fn sessions_keep_their_order_and_transactions_their_labels() {
    let text = concat!(
        r#"{"s":1,"i":1,"st":"c","ops":[["w","x",2]]}"#,
        "\n",
        r#"{"s":1,"i":0,"st":"c","ops":[["w","x",1]]}"#,
        "\n"
    );
    let history = parse(text, None).expect("a good trace");
    assert_eq!(told(&again(&history)), told(&history));
}

#[test]
fn data_of_every_kind_stay_apart() {
    let kinds: [&[Datum]; 6] = [
        &[Datum::Int(-1), Datum::Int(i64::MAX.into())],
        &[Datum::Int(0), Datum::Int(u64::MAX.into())],
        &[Datum::Int(-1), Datum::Int(u64::MAX.into())],
        &["7".into(), "".into(), "é\"".into()],
        &[b"7"[..].into(), b"\xff"[..].into()],
        &[Datum::Int(7), "7".into(), b"7"[..].into()],
    ];
    for data in kinds {
        let mut builder = HistoryBuilder::default();
        for datum in data {
            let txn = builder.begin(datum.clone()).put(datum.clone(), 1);
            txn.savepoint(datum.clone()).rollback(datum.clone()).end(Outcome::Committed);
        }
        for (txn, name) in builder.history_mut().txns.iter_mut().zip(data) {
            txn.name = Some(Box::new(name.clone()));
        }
        let history = builder.finish();
        assert_eq!(told(&again(&history)), told(&history), "{data:?}");
    }
}

#[test]
fn it_is_recognised() {
    assert_eq!(detect(b"ARROW1\0\0\xff\xff\xff\xff"), Some(Format::Arrow));
    let error = parse("{}", Some(Format::Arrow)).expect_err("no Arrow file");
    assert_eq!(error.to_string(), "t: byte 2: found the end of the file, expected ARROW1");
    let error = parse("once upon a time", Some(Format::Arrow)).expect_err("no Arrow file");
    assert_eq!(error.to_string(), "t: byte 0: found something else, expected ARROW1");
}

#[test]
fn a_cut_is_an_error_everywhere() {
    let bytes = arrow(&Generator::new(7, false).history());
    torn::cut_anywhere(&bytes, Format::Arrow, |cut, outcome| match outcome {
        Err(TraceError::Bytes { offset, .. }) => assert!(offset <= cut as u64),
        Err(TraceError::Content { line: 1, .. }) if cut == 0 => {}
        other => panic!("cut at {cut}: {other:?}"),
    });
}

#[test]
fn every_wrong_byte_is_survived() {
    let bytes = arrow(&Generator::new(7, false).history());
    for at in 0..bytes.len() {
        for flip in [1 << (at % 8), 0xff] {
            let mut bad = bytes.clone();
            bad[at] ^= flip;
            let _ = torn::survive(&vec![("t".to_owned(), bad)], Some(Format::Arrow));
        }
    }
}

#[test]
fn hints_lead_to_rows_that_are_there() {
    let mut builder = HistoryBuilder::default();
    let from = builder.begin("a").put("x", 1).end(Outcome::Committed);
    builder.begin("b").get("x", Some(1)).end(Outcome::Committed);
    let mut history = builder.finish();
    let op = tristan_history::OpRef { txn: tristan_history::TxnId(1), op: 0 };
    let key = tristan_history::KeyId(0);
    history.hints.sources = vec![SourceHint { op, key, from: Some(from), line: 2 }];
    assert_eq!(again(&history).hints, history.hints);
}
