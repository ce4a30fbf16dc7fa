//! The simple form.

use tristan_formats::{self as formats, Format};
use tristan_history::{
    Datum, History, Initial, KeyOrder, Observed, OpKind, OwnWrites, Presence, Range,
};

fn read(text: &str) -> History {
    formats::read(text.as_bytes(), "t", Some(Format::Simple)).expect(text)
}

#[test]
fn initial_keys_cover_all_64_bits_signed_or_not() {
    for key in ["9223372036854775808", "18446744073709551615", "-9223372036854775808", "7"] {
        let text = format!(
            "{{\"initial\":{{\"{key}\":\"init\"}}}}\n{{\"s\":1,\"st\":\"c\",\"ops\":[[\"r\",{key},\"init\"]]}}\n"
        );
        let history = read(&text);
        let OpKind::Get { key: id, seen, .. } = history.ops[0].kind else {
            unreachable!("the trace has one read");
        };
        assert_eq!(history.initial_of(id), Some(seen), "{key}");
    }
}

#[test]
fn an_initial_key_that_is_no_integer_stays_a_text() {
    let history =
        read("{\"initial\":{\"018\":1}}\n{\"s\":1,\"st\":\"c\",\"ops\":[[\"r\",\"018\",1]]}\n");
    let Initial::Given(given) = &history.header.initial else {
        unreachable!("the trace gives an initial state");
    };
    let (&key, &value) = given.iter().next().expect("one key");
    assert_eq!(history.key(key), &Datum::from("018"));
    assert_eq!(history.initial_of(key), Some(Observed::Value(value)));
}

#[test]
fn an_initial_null_means_absent() {
    let history = read("{\"initial\":null}\n{\"s\":1,\"st\":\"c\",\"ops\":[[\"r\",7,null]]}\n");
    let OpKind::Get { key, .. } = history.ops[0].kind else {
        unreachable!("the trace has one read");
    };
    assert_eq!(history.initial_of(key), Some(Observed::Absent));
}

#[test]
fn the_first_line_may_speak_of_own_writes_and_order_alone() {
    let text = "{\"own\":\"may\",\"order\":\"ignore-case\"}\n{\"s\":1,\"st\":\"c\",\"ops\":[]}\n";
    let history = formats::read(text.as_bytes(), "t", None).expect("recognised by its first line");
    assert_eq!(history.header.own_writes, OwnWrites::May);
    assert_eq!(history.header.key_order, KeyOrder::IgnoreCase);
    assert_eq!(history.header.initial, Initial::Empty);
}

#[test]
fn conditions_savepoints_and_reverse_ranges() {
    let ops = r#"["sp",1],["u","x",1,0],["i","x",2,1],["rb",1],["sr",null,"z",[]],["itr","a",null,[["x",{"hex":"00"}]],"more"]"#;
    let history = read(&format!("{{\"s\":1,\"st\":\"c\",\"ops\":[{ops}]}}\n"));
    let kinds: Vec<&OpKind> = history.ops.iter().map(|op| &op.kind).collect();
    assert!(matches!(&kinds[0], OpKind::Savepoint { name } if **name == Datum::Int(1)));
    assert!(matches!(kinds[1], OpKind::PutIf { when: Presence::Present, rows: Some(0), .. }));
    assert!(matches!(kinds[2], OpKind::PutIf { when: Presence::Absent, rows: Some(1), .. }));
    assert!(matches!(&kinds[3], OpKind::RollbackTo { name } if **name == Datum::Int(1)));
    let reverse = |range: &Range| range.reverse;
    assert!(matches!(kinds[4], OpKind::Scan { range, .. } if reverse(range)));
    assert!(matches!(kinds[5], OpKind::Iterate { range, .. } if reverse(range)));
    assert_eq!(*history.values.get(2), Datum::from(&[0][..]));
}
