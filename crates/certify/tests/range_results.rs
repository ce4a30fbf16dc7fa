//! Range reads: which keys one has seen, and results that are wrong by themselves.

use crate::common;

use common::{START, accept, bad, chosen_of, history, order, reject};
use tristan_certify::{Certified, CertifyError};
use tristan_history::{
    Datum, History, HistoryBuilder, Initial, Items, KeyOrder, OpKind, OpStatus, Outcome, Range,
};
use tristan_verdict::BadKind;

use Outcome::{Aborted, Committed};

const A_TO_Z: std::ops::Range<&str> = "a".."z";

/// A scan of one range and the verdict "it read these keys, and only these".
fn sees(history: &History, keys: &[&str]) -> bool {
    let named = |key: &str| {
        let mut witness = order(&(0..history.txns.len() as u32).collect::<Vec<_>>());
        witness.sources = vec![chosen_of(0, 0, key, START)];
        accept(history, "ru", &witness)
    };
    let all: Vec<String> =
        (0..history.keys.len() as u32).map(|key| history.keys.get(key).to_string()).collect();
    all.iter().all(|key| {
        let seen = named(key).is_ok();
        seen == keys.contains(&key.as_str())
    })
}

fn range_read(op: impl FnOnce(&mut HistoryBuilder) -> OpKind, order: KeyOrder) -> History {
    let mut history = history(|h| {
        let op = op(h);
        h.begin("reader").op(op).end(Committed);
        h.begin("others").put("a", 1).put("B", 1).put("c", 1).put("d", 1).end(Aborted);
        h.begin("failed").put("e", 1).end(Committed);
    });
    history.txns[1].outcome = Committed;
    history.ops.last_mut().expect("an operation").status = OpStatus::Failed;
    history.header.key_order = order;
    history.header.initial = Initial::Unknown;
    history
}

fn bounds(lo: Option<&str>, hi: Option<&str>, reverse: bool) -> Box<Range> {
    Box::new(Range { lo: lo.map(Datum::from), hi: hi.map(Datum::from), reverse })
}

#[test]
fn a_scan_has_seen_every_key_of_the_trace_that_is_in_its_range() {
    let scan = |lo, hi, order| {
        let items = Some(Items::default());
        range_read(|_| OpKind::Scan { range: bounds(lo, hi, false), items, locking: false }, order)
    };
    for (lo, hi, order, seen) in [
        (Some("a"), Some("d"), KeyOrder::Bytes, &["a", "c"][..]),
        (Some("a"), Some("d"), KeyOrder::IgnoreCase, &["a", "B", "c"]),
        (None, Some("c"), KeyOrder::Bytes, &["B", "a"]),
        (Some("b"), None, KeyOrder::Bytes, &["c", "d", "e"]),
        (None, None, KeyOrder::Bytes, &["a", "B", "c", "d", "e"]),
        (Some("d"), Some("a"), KeyOrder::Bytes, &[]),
    ] {
        assert!(sees(&scan(lo, hi, order), seen), "{lo:?}..{hi:?} {order:?}");
    }
}

#[test]
fn an_iterator_has_seen_the_range_up_to_where_it_stopped() {
    let iterate = |stop: Option<&str>, reverse, reached_end| {
        range_read(
            |h| {
                let item = stop.map(|key| (h.key(key), h.value(1)));
                let items = Some(item.into_iter().collect());
                OpKind::Iterate { range: bounds(Some("a"), None, reverse), items, reached_end }
            },
            KeyOrder::Bytes,
        )
    };
    for (stop, reverse, reached_end, seen) in [
        (Some("c"), false, false, &["a", "c"][..]),
        (Some("c"), true, false, &["c", "d", "e"]),
        (Some("c"), false, true, &["a", "c", "d", "e"]),
        (Some("c"), true, true, &["a", "c", "d", "e"]),
        (None, false, true, &["a", "c", "d", "e"]),
        (None, false, false, &[]),
        (None, true, false, &[]),
    ] {
        let history = iterate(stop, reverse, reached_end);
        assert!(sees(&history, seen), "{stop:?} {reverse} {reached_end}");
    }
}

#[test]
fn a_range_read_without_a_result_says_nothing() {
    for status in [OpStatus::Pending, OpStatus::Failed] {
        let mut history = history(|h| {
            h.begin("s").scan(A_TO_Z, &[("k", 7)]).end(Committed);
        });
        history.ops[0].status = status;
        assert_eq!(accept(&history, "ser", &order(&[0])), Ok(Certified::Accept), "{status:?}");
    }
}

#[test]
fn a_key_that_a_scan_should_have_found_is_missed() {
    let mut history = history(|h| {
        h.begin("s").scan(A_TO_Z, &[]).end(Committed);
        h.begin("t").put("k", 1).end(Aborted);
    });
    assert_eq!(accept(&history, "ser", &order(&[0])), Ok(Certified::Accept));
    let value = tristan_history::ValueId(history.values.find(&Datum::from(1)).expect("written"));
    history.header.initial = Initial::Uniform(value);
    assert!(matches!(accept(&history, "rc", &order(&[0])), Err(CertifyError::Read { txn: 0, .. })));
    let right = bad(BadKind::ThinAir, 0, 0, "k", None);
    assert_eq!(reject(&history, "rc", &right), Ok(Certified::Reject));
    assert!(reject(&history, "rc", &bad(BadKind::Aborted, 0, 0, "k", Some(1))).is_err());
    assert!(reject(&history, "rc", &bad(BadKind::ThinAir, 0, 0, "nowhere", None)).is_err());
}

#[test]
fn a_key_that_no_operation_and_no_result_mentions_was_not_read() {
    let mut history = history(|h| {
        h.key("k");
        h.begin("s").scan(A_TO_Z, &[]).end(Committed);
    });
    let value = tristan_history::ValueId(history.values.intern(Datum::from(1)));
    history.header.initial = Initial::Uniform(value);
    assert_eq!(accept(&history, "ser", &order(&[0])), Ok(Certified::Accept));
}

#[test]
fn what_a_scan_returned_must_have_been_written() {
    let history = history(|h| {
        h.begin("s").scan(A_TO_Z, &[("k", 1), ("l", 2), ("m", 3)]).end(Committed);
        h.begin("t").put("k", 1).put("l", 2).put("l", 3).end(Committed);
        h.begin("u").put("m", 3).end(Aborted);
    });
    assert!(accept(&history, "rc", &order(&[1, 0])).is_err());
    let certified = |kind, key, writer| reject(&history, "rc", &bad(kind, 0, 0, key, writer));
    assert_eq!(certified(BadKind::Intermediate, "l", Some(1)), Ok(Certified::Reject));
    assert_eq!(certified(BadKind::Aborted, "m", Some(2)), Ok(Certified::Reject));
    assert!(certified(BadKind::Intermediate, "k", Some(1)).is_err(), "it has a source");
    assert!(certified(BadKind::Intermediate, "m", Some(2)).is_err(), "aborted");
    assert!(certified(BadKind::ThinAir, "m", None).is_err(), "somebody wrote it");
}

#[test]
fn results_that_are_wrong_by_themselves() {
    let iterate = |keys: &[&str], reverse: bool| {
        history(|h| {
            let items = keys.iter().map(|&key| (h.key(key), h.value(1))).collect();
            let range = bounds(Some("b"), Some("f"), reverse);
            let op = OpKind::Iterate { range, items: Some(items), reached_end: false };
            h.begin("s").op(op).end(Committed);
            h.begin("t").put("a", 1).put("b", 1).put("c", 1).put("d", 1).end(Committed);
            h.begin("u").put("f", 1).end(Committed);
        })
    };
    let kinds = [BadKind::OutsideRange, BadKind::RepeatedKey, BadKind::OutOfOrder];
    for (keys, reverse, faults) in [
        (&["b", "c", "d"][..], false, &[][..]),
        (&["d", "c", "b"], true, &[]),
        (&["b", "d", "c"], false, &[(BadKind::OutOfOrder, "d"), (BadKind::OutOfOrder, "c")]),
        (&["c", "d"], true, &[(BadKind::OutOfOrder, "c"), (BadKind::OutOfOrder, "d")]),
        (&["b", "c", "c"], false, &[(BadKind::RepeatedKey, "c")]),
        (&["a", "b", "c"], false, &[(BadKind::OutsideRange, "a")]),
        (&["b", "f"], false, &[(BadKind::OutsideRange, "f")]),
    ] {
        let history = iterate(keys, reverse);
        let accepted = accept(&history, "ser", &order(&[1, 2, 0])).is_ok();
        assert_eq!(accepted, faults.is_empty(), "{keys:?}");
        for kind in kinds {
            for key in ["a", "b", "c", "d", "f", "g"] {
                let certified = reject(&history, "ru", &bad(kind, 0, 0, key, None)).is_ok();
                assert_eq!(certified, faults.contains(&(kind, key)), "{keys:?}: {kind:?} {key}");
            }
            assert!(reject(&history, "ru", &bad(kind, 0, 0, "a", Some(1))).is_err(), "a writer");
            assert!(reject(&history, "ru", &bad(kind, 1, 0, "a", None)).is_err(), "not a range");
        }
    }
}

#[test]
fn the_order_of_a_scan_means_nothing() {
    let trace = |items: &[(&str, i64)]| {
        history(|h| {
            h.begin("s").put("k", 1).put("l", 1).end(Committed);
            h.begin("t").scan(A_TO_Z, items).end(Committed);
        })
    };
    let shuffled = trace(&[("l", 1), ("k", 1)]);
    assert_eq!(accept(&shuffled, "ser", &order(&[0, 1])), Ok(Certified::Accept));
    assert!(reject(&shuffled, "ser", &bad(BadKind::OutOfOrder, 1, 0, "l", None)).is_err());
    assert!(reject(&shuffled, "ser", &bad(BadKind::RepeatedKey, 1, 0, "l", None)).is_err());
    let twice = trace(&[("l", 1), ("k", 1), ("l", 1)]);
    assert!(accept(&twice, "ru", &order(&[0, 1])).is_err());
    let right = bad(BadKind::RepeatedKey, 1, 0, "l", None);
    assert_eq!(reject(&twice, "ru", &right), Ok(Certified::Reject));
}

#[test]
fn a_list_in_a_range_is_never_accepted() {
    let mut history = history(|h| {
        h.begin("s").scan("a".."m", &[]).end(Committed);
        h.begin("t").append("k", 1).end(Aborted);
        h.begin("u").scan("m".."z", &[]).end(Committed);
    });
    let refused = accept(&history, "ru", &order(&[0, 2]));
    assert!(matches!(refused, Err(CertifyError::NotInterpreted { txn: 0, .. })), "{refused:?}");
    history.txns[0].outcome = Aborted;
    assert_eq!(accept(&history, "ru", &order(&[2])), Ok(Certified::Accept));
}

#[test]
fn bounds_that_differ_in_case_only_are_the_same() {
    for (lo, hi, inside) in [("c", "d", true), ("C", "d", true), ("a", "c", false)] {
        let mut history = history(|h| {
            h.begin("s").scan(Range::between(lo, hi), &[("C", 2)]).end(Committed);
        });
        history.header.key_order = KeyOrder::IgnoreCase;
        let key = tristan_history::KeyId(history.keys.find(&Datum::from("C")).expect("read"));
        let value = tristan_history::ValueId(history.values.find(&Datum::from(2)).expect("read"));
        history.header.initial = Initial::Given([(key, value)].into());
        let accepted = accept(&history, "ser", &order(&[0]));
        assert_eq!(accepted.is_ok(), inside, "[{lo}, {hi})");
        let outside = reject(&history, "ser", &bad(BadKind::OutsideRange, 0, 0, "C", None));
        assert_eq!(outside.is_ok(), !inside, "[{lo}, {hi})");
    }
}

#[test]
fn keys_that_differ_in_case_only_come_in_either_order() {
    let run = |items: &[(&str, i64)], reverse: bool, reached_end: bool| {
        let mut history = history(|h| {
            h.begin("w").put("a", 1).put("B", 2).put("b", 3).put("c", 4).end(Committed);
            let range = Range { reverse, ..Range::everything() };
            h.begin("r").iterate(range, items, reached_end).end(Committed);
        });
        history.header.key_order = KeyOrder::IgnoreCase;
        accept(&history, "ser", &order(&[0, 1])).is_ok()
    };
    let (a, upper, lower, c) = (("a", 1), ("B", 2), ("b", 3), ("c", 4));
    assert!(run(&[a, upper, lower, c], false, true));
    assert!(run(&[a, lower, upper, c], false, true));
    assert!(run(&[c, lower, upper, a], true, true));
    assert!(!run(&[upper, a, lower, c], false, true), "out of order");
    // A stop at one of the two says nothing of the other, and a stop after both does.
    assert!(run(&[a, lower], false, false));
    assert!(run(&[a, upper], false, false));
    assert!(run(&[c, upper], true, false));
    assert!(!run(&[a, lower, c], false, false), "it went past B");
}
