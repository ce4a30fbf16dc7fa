//! Hints, savepoints, conditional writes and bytes in native traces.

use crate::common;

use common::{parse, print, told};
use tristan_formats::{WriteForm, losses};
use tristan_history::{
    Datum, History, KeyOrder, OpKind, OpRef, OpStatus, OwnWrites, Presence, SourceHint, TxnId,
};

fn read(lines: &[&str]) -> History {
    let text = format!("{{\"tristan\":\"trace/1\"}}\n{}\n", lines.join("\n"));
    parse(text, None).expect("a good trace")
}

fn sources(history: &History) -> Vec<(u32, String, Option<u32>, u32)> {
    let shown = |hint: &SourceHint| {
        (hint.op.txn.0, history.key(hint.key).to_string(), hint.from.map(|txn| txn.0), hint.line)
    };
    history.hints.sources.iter().map(shown).collect()
}

#[test]
fn sources_may_come_later_in_the_file() {
    let history = read(&[
        r#"{"call":1,"s":1,"t":"A","op":"get","k":"x"}"#,
        r#"{"return":1,"v":5,"from":"B"}"#,
        r#"{"s":1,"t":"A","op":"scan","items":[["x",5],["y",6]],"from":["B",null]}"#,
        r#"{"s":1,"t":"A","op":"rmw","k":"z","v":1,"old":null,"from":null}"#,
        r#"{"s":2,"t":"B","op":"put","k":"x","v":5}"#,
    ]);
    let name = |key: &str| key.to_owned();
    assert_eq!(
        sources(&history),
        [
            (0, name("x"), Some(1), 3),
            (0, name("x"), Some(1), 4),
            (0, name("y"), None, 4),
            (0, name("z"), None, 5)
        ]
    );
    assert_eq!(history.hints.sources[1].op, OpRef { txn: TxnId(0), op: 1 });
}

#[test]
fn tombstones_become_sources() {
    let history = read(&[
        r#"{"s":1,"t":"A","op":"get","k":"x","v":null,"dead":"d1"}"#,
        r#"{"s":1,"t":"A","op":"iter","items":[],"end":true,"dead":[["x","d1"],["y",7]]}"#,
        r#"{"s":2,"t":"B","op":"delete","k":"x","v":"d1"}"#,
        r#"{"s":2,"t":"B","op":"abort"}"#,
        r#"{"s":3,"t":"C","op":"delete","k":"y","v":7,"rows":1}"#,
    ]);
    let name = |key: &str| key.to_owned();
    let said = [(0, name("x"), Some(1), 2), (0, name("x"), Some(1), 3), (0, name("y"), Some(2), 3)];
    assert_eq!(sources(&history), said);
    assert!(history.values.is_empty(), "ids of tombstones are no values");
    let again = parse(print(&history, WriteForm::Compact), None).expect("a good trace");
    assert_eq!(told(&again), told(&history));
}

#[test]
fn orders_and_stamps() {
    let history = read(&[
        r#"{"hint":"order","k":"x","txns":["B","A"],"ctx":{"why":"log"}}"#,
        r#"{"call":1,"s":1,"t":"A","op":"begin"}"#,
        r#"{"return":1,"stamp":4}"#,
        r#"{"s":1,"t":"A","op":"commit","stamp":9}"#,
        r#"{"s":2,"t":"B","op":"commit","stamp":-1}"#,
    ]);
    assert_eq!(history.hints.orders[0].writers, [TxnId(1), TxnId(0)]);
    assert_eq!(history.hints.orders[0].line, 2);
    let stamps = history.hints.stamps.iter();
    let stamps: Vec<_> =
        stamps.map(|hint| (hint.txn.0, hint.start, hint.commit, hint.line)).collect();
    assert_eq!(stamps, [(0, Some(4), Some(9), 5), (1, None, Some(-1), 6)]);
}

#[test]
fn what_hints_cannot_be_printed_is_listed() {
    let mut history = read(&[
        r#"{"s":1,"t":"A","op":"scan","items":[["x",5],["y",6]],"from":["B","B"]}"#,
        r#"{"s":2,"t":"B","op":"begin","stamp":4}"#,
    ]);
    assert_eq!(losses(&history, WriteForm::Events), Vec::<String>::new());
    history.hints.sources.pop();
    history.hints.stamps[0].commit = Some(8);
    assert_eq!(
        losses(&history, WriteForm::Events),
        [
            "hints on where some keys of range reads came from: 1",
            "hints about the commit times of transactions that were not seen to commit: 1"
        ]
    );
    let again = parse(print(&history, WriteForm::Events), None).expect("a good trace");
    assert!(again.hints.sources.is_empty());
}

#[test]
fn writes_with_a_condition() {
    let history = read(&[
        r#"{"call":1,"s":1,"t":1,"op":"put","k":"x","v":1,"if":"absent"}"#,
        r#"{"return":1,"rows":1}"#,
        r#"{"s":1,"t":1,"op":"put","k":"x","v":2,"if":"present","rows":0}"#,
        r#"{"s":1,"t":1,"op":"put","k":"x","v":2,"if":"present","unseen":true}"#,
        r#"{"s":1,"t":1,"op":"put","k":"x","v":2,"if":"present","error":"deadlock"}"#,
    ]);
    let told: Vec<_> = history
        .ops
        .iter()
        .map(|op| match op.kind {
            OpKind::PutIf { when, rows, .. } => (when, rows, op.status),
            _ => unreachable!("only conditional writes"),
        })
        .collect();
    let (present, absent) = (Presence::Present, Presence::Absent);
    assert_eq!(
        told,
        [
            (absent, Some(1), OpStatus::Done),
            (present, Some(0), OpStatus::Done),
            (present, None, OpStatus::Done),
            (present, None, OpStatus::Failed)
        ]
    );
}

#[test]
fn savepoints_hide_each_other_and_stay_after_a_rollback() {
    let mark = r#"{"s":1,"t":1,"op":"savepoint","name":"a"}"#;
    let back = r#"{"s":1,"t":1,"op":"rollback","name":"a"}"#;
    let failed = r#"{"s":1,"t":1,"op":"rollback","name":"b","error":"no such savepoint"}"#;
    let pending = r#"{"call":1,"s":1,"t":1,"op":"rollback","name":"b"}"#;
    let history = read(&[mark, mark, back, back, mark, back, failed, pending]);
    assert_eq!(history.ops.len(), 8);
    assert!(matches!(&history.ops[2].kind, OpKind::RollbackTo { name } if **name == "a".into()));
}

#[test]
fn a_savepoint_that_never_returned_may_be_there() {
    let pending = r#"{"call":1,"s":1,"t":1,"op":"savepoint","name":1}"#;
    assert_eq!(read(&[pending, r#"{"s":1,"t":1,"op":"rollback","name":1}"#]).ops.len(), 2);
}

#[test]
fn keys_values_bounds_and_names_may_be_bytes() {
    let history = read(&[
        r#"{"s":1,"t":{"hex":"0a"},"op":"put","k":{"hex":"00ff"},"v":{"hex":""}}"#,
        r#"{"s":1,"t":{"hex":"0a"},"op":"scan","lo":{"hex":"00"},"items":[[{"hex":"00FF"},{"hex":""}]]}"#,
        r#"{"s":1,"t":{"hex":"0a"},"op":"list","k":"l","v":[{"hex":"01"},1]}"#,
    ]);
    assert_eq!(history.keys.get(0), &Datum::from(&[0, 255][..]));
    assert_eq!(history.label(TxnId(0)), "0x0a");
    assert!(
        matches!(&history.ops[1].kind, OpKind::Scan { items: Some(items), .. } if items[0].0.0 == 0)
    );
    let again = parse(print(&history, WriteForm::Events), None).expect("a good trace");
    assert_eq!(told(&again), told(&history));
}

#[test]
fn the_header_says_how_own_writes_and_keys_behave() {
    let header = |text: &str| parse(format!("{text}\n"), None).expect("good").header;
    let usual = header(r#"{"tristan":"trace/1","own":"must","order":"bytes"}"#);
    assert_eq!((usual.own_writes, usual.key_order), (OwnWrites::Must, KeyOrder::Bytes));
    let other = header(r#"{"tristan":"trace/1","own":"external","order":"ignore-case"}"#);
    assert_eq!((other.own_writes, other.key_order), (OwnWrites::External, KeyOrder::IgnoreCase));
    assert_eq!(header(r#"{"tristan":"trace/1","own":"may"}"#).own_writes, OwnWrites::May);
}
