//! Keys that start in another way than the trace says.

#![allow(clippy::panic, reason = "helpers of tests")]

use std::collections::BTreeMap;

use tristan_formats::InitialRule;
use tristan_history::{
    Datum, History, HistoryBuilder, Initial, Observed, Op, OpKind, OpStatus, Outcome,
};

fn rule(text: &str) -> InitialRule {
    text.parse().expect("a rule")
}

fn applied(text: &str, mut history: History) -> History {
    rule(text).apply(&mut history);
    history
}

/// Initial values by key, as text.
fn given(history: &History) -> BTreeMap<String, String> {
    let Initial::Given(map) = &history.header.initial else {
        panic!("{:?}", history.header.initial)
    };
    let show = |(key, value)| (history.key(key).to_string(), history.value(value).to_string());
    map.iter().map(|(&key, &value)| show((key, value))).collect()
}

#[test]
fn words_and_values() {
    let cases = [
        ("absent", InitialRule::Absent),
        ("unknown", InitialRule::Unknown),
        ("unwritten", InitialRule::Unwritten),
        ("0", InitialRule::Every(Datum::Int(0))),
        ("-5", InitialRule::Every(Datum::Int(-5))),
        ("18446744073709551615", InitialRule::Every(Datum::Int(u64::MAX.into()))),
        ("\"absent\"", InitialRule::Every("absent".into())),
        ("\"0\"", InitialRule::Every("0".into())),
        ("1.50", InitialRule::Every(Datum::Json("1.50".into()))),
        ("{\"hex\":\"00ff\"}", InitialRule::Every(Datum::from(&[0, 255][..]))),
    ];
    for (text, expected) in cases {
        assert_eq!(rule(text), expected);
        assert_eq!(expected.to_string(), text);
    }
    assert_eq!(rule("\"on call\""), InitialRule::Every("on call".into()));
}

#[test]
fn a_text_without_quotes_is_a_mistake() {
    for text in ["absnet", "Absent", "on call", "007", "1.", "", "[1", "null"] {
        let error = text.parse::<InitialRule>().expect_err(text).to_string();
        let expected = "absent, unknown, unwritten, or a value in JSON (a string in double quotes)";
        assert_eq!(error, format!("found `{text}`, expected {expected}"));
    }
}

#[test]
fn the_state_is_replaced() {
    let mut builder = HistoryBuilder::default();
    builder.begin(1).get("x", Some(7)).end(Outcome::Committed);
    let history = builder.finish();
    let seven = applied("7", history);
    let key = seven.ops[0].kind.key().expect("a read of one key");
    let OpKind::Get { seen, .. } = seven.ops[0].kind else { panic!("a read") };
    assert_eq!(seven.initial_of(key), Some(seen));
    let unknown = applied("unknown", seven);
    assert_eq!(unknown.initial_of(key), None);
    let absent = applied("absent", unknown);
    assert_eq!(absent.initial_of(key), Some(Observed::Absent));
}

#[test]
fn what_is_read_and_never_written_was_there_before() {
    let mut builder = HistoryBuilder::default();
    builder
        .begin(1)
        .get("read", Some(1))
        .get("own", Some(2))
        .put("own", 2)
        .get("gone", None)
        .scan("a".."z", &[("scanned", 3), ("own", 2)])
        .end(Outcome::Committed);
    builder.begin(2).put("aborted", 4).get("only aborted", Some(5)).end(Outcome::Aborted);
    builder.begin(3).get("aborted", Some(4)).get("twice", Some(8)).end(Outcome::Unknown);
    builder.begin(3).get("twice", Some(9)).get("twice", Some(8)).end(Outcome::Committed);
    let (key, value) = (builder.key("updated"), builder.value(6));
    let new = builder.value(7);
    let seen = Observed::Value(value);
    let update = OpKind::ReadModifyWrite { key, seen, value: new };
    builder.begin(4).op(update).get("updated", Some(7)).end(Outcome::Committed);
    let failed = OpKind::Put { key: builder.key("failed"), value };
    builder.push_op(Op { kind: failed, status: OpStatus::Failed, line: 0 });
    builder.begin(5).get("failed", Some(6)).end(Outcome::Committed);
    let history = applied("unwritten", builder.finish());
    let expected = [("read", "1"), ("scanned", "3"), ("twice", "8"), ("updated", "6")];
    let expected = expected.map(|(key, value)| (key.to_owned(), value.to_owned()));
    assert_eq!(given(&history), BTreeMap::from(expected));
}
