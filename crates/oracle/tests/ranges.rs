//! How range reads are read, rule by rule.

use crate::judging;

use judging::check;
use tristan_history::{
    Datum, History, HistoryBuilder, Initial, Items, KeyOrder, Op, OpKind, OpStatus,
    Outcome::{Aborted, Committed, Unknown},
    Range,
};
use tristan_oracle::Judgement::{self, Accept, Reject, Unsupported};
use tristan_oracle::judge;
use tristan_spec::Catalog;

const RU: &str = "read-uncommitted";
const RC: &str = "read-committed";
const CS: &str = "cursor-stability";
const RA: &str = "plain-read-atomic";
const RR: &str = "repeatable-read";
const SI: &str = "snapshot-isolation";
const SER: &str = "serializable";
const SESSION_SER: &str = "strong-session-serializable";

const EVERYWHERE: [&str; 4] = [RU, RC, RR, SER];

fn everywhere(expected: Judgement, build: impl Fn(&mut HistoryBuilder)) {
    check(&EVERYWHERE.map(|level| (level, expected)), build);
}

fn all() -> Range {
    Range { lo: None, hi: None, reverse: false }
}

fn from(lo: &str) -> Range {
    Range { lo: Some(lo.into()), ..all() }
}

fn between(lo: &str, hi: &str) -> Range {
    Range { lo: Some(lo.into()), hi: Some(hi.into()), reverse: false }
}

fn reverse(range: Range) -> Range {
    Range { reverse: true, ..range }
}

#[test]
fn a_phantom_is_for_repeatable_read_but_not_for_serializable() {
    check(&[(RR, Accept), (SI, Accept), (CS, Accept), (SER, Reject)], |builder| {
        builder.begin(1).scan(between("a", "c"), &[]).put("d", 1).end(Committed);
        builder.begin(2).scan(between("c", "e"), &[]).put("b", 2).end(Committed);
    });
    // The same skew over items that are there.
    check(&[(RR, Reject), (SI, Accept), (SER, Reject)], |builder| {
        builder.begin(0).put("b", 8).put("d", 9).end(Committed);
        builder.begin(1).scan(between("a", "c"), &[("b", 8)]).put("d", 1).end(Committed);
        builder.begin(2).scan(between("c", "e"), &[("d", 9)]).put("b", 2).end(Committed);
    });
    // A key found absent by a point read is an item, not a phantom.
    check(&[(RR, Reject), (SER, Reject)], |builder| {
        builder.begin(1).get("b", None).put("d", 1).end(Committed);
        builder.begin(2).get("d", None).put("b", 2).end(Committed);
    });
}

#[test]
fn the_second_scan_of_a_transaction_may_find_a_phantom_at_repeatable_read_only() {
    check(&[(RR, Accept), (RC, Accept), (RA, Reject), (SI, Reject), (SER, Reject)], |builder| {
        builder.begin(1).put("b", 1).end(Committed);
        builder.begin(2).scan(all(), &[]).scan(all(), &[("b", 1)]).end(Committed);
    });
}

#[test]
fn an_insert_over_a_phantom_is_no_lost_update_at_cursor_stability() {
    check(&[(CS, Accept), (RR, Accept), (SI, Reject)], |builder| {
        builder.begin(1).scan(all(), &[]).put("b", 1).end(Committed);
        builder.begin(2).scan(all(), &[]).put("b", 2).end(Committed);
    });
    check(&[(CS, Reject), (RR, Reject), (SI, Reject)], |builder| {
        builder.begin(0).put("b", 9).end(Committed);
        builder.begin(1).scan(all(), &[("b", 9)]).put("b", 1).end(Committed);
        builder.begin(2).scan(all(), &[("b", 9)]).put("b", 2).end(Committed);
    });
}

#[test]
fn a_predicate_read_depends_on_the_delete_it_saw() {
    // Each of the two missed what the other deleted, so each comes after the other.
    check(&[(RU, Accept), (RC, Reject), (RR, Reject)], |builder| {
        builder.history_mut().header.initial = start(builder, &[("b", 1), ("d", 2)]);
        builder.begin(1).scan(between("a", "c"), &[]).delete("d").end(Committed);
        builder.begin(2).scan(between("c", "e"), &[]).delete("b").end(Committed);
    });
}

fn start(builder: &mut HistoryBuilder, held: &[(&str, i64)]) -> Initial {
    Initial::Given(
        held.iter().map(|&(key, value)| (builder.key(key), builder.value(value))).collect(),
    )
}

#[test]
fn a_delete_may_be_neither_lost_nor_undone_by_itself() {
    let deleted = |last: &'static [(&'static str, i64)]| {
        move |builder: &mut HistoryBuilder| {
            builder.begin(1).put("b", 1).end(Committed);
            builder.begin(1).scan(all(), &[("b", 1)]).delete("b").end(Committed);
            builder.begin(1).scan(all(), &[]).end(Committed);
            builder.begin(1).scan(all(), last).end(Committed);
        }
    };
    check(&[(SESSION_SER, Accept)], deleted(&[]));
    // Resurrected: it was gone, and is there again.
    check(&[(SESSION_SER, Reject), ("causal", Reject), (SER, Accept)], deleted(&[("b", 1)]));
    // Lost: the next transaction still finds it.
    check(&[(SESSION_SER, Reject), (RC, Accept)], |builder| {
        builder.begin(1).put("b", 1).end(Committed);
        builder.begin(1).delete("b").end(Committed);
        builder.begin(1).scan(all(), &[("b", 1)]).end(Committed);
    });
    // An insert that a scan does not find although its transaction is seen.
    check(&[(RC, Accept), (RR, Accept), (RA, Reject), (SER, Reject)], |builder| {
        builder.begin(1).put("a", 1).put("b", 1).end(Committed);
        builder.begin(2).scan(all(), &[("a", 1)]).end(Committed);
    });
}

#[test]
fn the_universe_is_every_key_mentioned_anywhere() {
    let uniform = |mention: fn(&mut HistoryBuilder)| {
        move |builder: &mut HistoryBuilder| {
            builder.history_mut().header.initial = Initial::Uniform(builder.value(7));
            builder.begin(1).scan(all(), &[]).end(Committed);
            mention(builder);
        }
    };
    everywhere(Accept, uniform(|_| ()));
    // Whoever mentions a key says that it held the initial value.
    everywhere(
        Reject,
        uniform(|builder| {
            builder.begin(2).get("b", Some(7)).end(Committed);
        }),
    );
    everywhere(
        Reject,
        uniform(|builder| {
            builder.begin(2).get("b", Some(9)).end(Aborted);
        }),
    );
    everywhere(
        Reject,
        uniform(|builder| {
            builder.begin(2).scan(all(), &[("b", 7)]).end(Unknown);
        }),
    );
    everywhere(Reject, |builder| {
        builder.history_mut().header.initial = start(builder, &[("b", 7)]);
        builder.begin(1).scan(all(), &[]).end(Committed);
    });
}

#[test]
fn an_unknown_start_is_the_same_for_scans_and_gets() {
    let read = |seen: Option<i64>| {
        move |builder: &mut HistoryBuilder| {
            builder.history_mut().header.initial = Initial::Unknown;
            builder.begin(1).scan(all(), &[]).end(Committed);
            builder.begin(2).get("b", seen).end(Committed);
        }
    };
    everywhere(Accept, read(None));
    everywhere(Reject, read(Some(1)));
}

#[test]
fn an_iterator_has_seen_what_lies_before_the_place_where_it_stopped() {
    let walked = |range: fn() -> Range, items: &'static [(&'static str, i64)], end: bool| {
        move |builder: &mut HistoryBuilder| {
            let held = start(builder, &[("a", 1), ("b", 2), ("c", 3), ("d", 4)]);
            builder.history_mut().header.initial = held;
            builder.begin(1).iterate(range(), items, end).end(Committed);
        }
    };
    let up: fn() -> Range = all;
    let down: fn() -> Range = || reverse(all());
    everywhere(Accept, walked(up, &[], false));
    everywhere(Reject, walked(up, &[], true));
    everywhere(Accept, walked(up, &[("a", 1), ("b", 2)], false));
    everywhere(Reject, walked(up, &[("a", 1), ("b", 2)], true));
    everywhere(Accept, walked(up, &[("a", 1), ("b", 2), ("c", 3), ("d", 4)], true));
    // Skipped items.
    everywhere(Reject, walked(up, &[("b", 2)], false));
    everywhere(Reject, walked(up, &[("a", 1), ("c", 3)], false));
    everywhere(Accept, walked(down, &[("d", 4), ("c", 3)], false));
    everywhere(Reject, walked(down, &[("d", 4), ("b", 2)], false));
    everywhere(Reject, walked(down, &[("c", 3)], false));
    everywhere(Accept, walked(|| reverse(between("b", "d")), &[("c", 3), ("b", 2)], true));
    everywhere(Accept, walked(|| from("c"), &[("c", 3)], false));
}

#[test]
fn some_results_are_wrong_whatever_the_database_held() {
    let held = |builder: &mut HistoryBuilder| {
        builder.begin(1).put("a", 1).put("b", 2).put("c", 3).end(Committed);
    };
    let scan = |range: fn() -> Range, items: &'static [(&'static str, i64)]| {
        move |builder: &mut HistoryBuilder| {
            held(builder);
            builder.begin(2).scan(range(), items).end(Committed);
        }
    };
    let iterate = |range: fn() -> Range, items: &'static [(&'static str, i64)]| {
        move |builder: &mut HistoryBuilder| {
            held(builder);
            builder.begin(2).iterate(range(), items, true).end(Committed);
        }
    };
    let ab: fn() -> Range = || between("a", "c");
    everywhere(Accept, scan(ab, &[("a", 1), ("b", 2)]));
    // Scans return items in any order, iterators in theirs.
    everywhere(Accept, scan(ab, &[("b", 2), ("a", 1)]));
    everywhere(Reject, iterate(ab, &[("b", 2), ("a", 1)]));
    everywhere(Accept, iterate(|| reverse(between("a", "c")), &[("b", 2), ("a", 1)]));
    everywhere(Reject, iterate(|| reverse(between("a", "c")), &[("a", 1), ("b", 2)]));
    // The upper bound does not belong to the range.
    everywhere(Reject, scan(ab, &[("a", 1), ("b", 2), ("c", 3)]));
    everywhere(Reject, iterate(ab, &[("a", 1), ("b", 2), ("c", 3)]));
    // Twice is once too often, even with one value.
    everywhere(Reject, scan(ab, &[("a", 1), ("b", 2), ("a", 1)]));
    everywhere(Reject, iterate(ab, &[("a", 1), ("a", 1), ("b", 2)]));
}

#[test]
fn a_wrong_result_does_not_matter_if_its_reader_had_no_effect() {
    for outcome in [Aborted, Unknown] {
        everywhere(Accept, |builder| {
            builder.begin(1).put("a", 1).end(Committed);
            builder.begin(2).scan(all(), &[("a", 1), ("a", 1)]).end(outcome);
        });
    }
}

#[test]
fn scans_that_failed_never_returned_or_were_not_recorded_say_nothing() {
    let missed = |status, recorded: bool| {
        move |builder: &mut HistoryBuilder| {
            builder.history_mut().header.initial = start(builder, &[("a", 1)]);
            builder.begin(1).end(Committed);
            let items = recorded.then(Items::default);
            let kind = OpKind::Scan { range: Box::new(all()), items, locking: true };
            builder.push_op(Op { kind, status, line: 0 });
        }
    };
    everywhere(Reject, missed(OpStatus::Done, true));
    everywhere(Accept, missed(OpStatus::Done, false));
    everywhere(Accept, missed(OpStatus::Failed, true));
    everywhere(Accept, missed(OpStatus::Pending, true));
}

/// Somebody writes these keys, and an iterator returns them in this order.
fn walked_in_order(order: KeyOrder, names: &[Datum]) -> impl Fn(&mut HistoryBuilder) {
    move |builder| {
        builder.history_mut().header.key_order = order;
        let value = builder.value(1);
        let items: Vec<_> = names.iter().map(|name| (builder.key(name.clone()), value)).collect();
        let mut writer = builder.begin(1);
        for &(key, value) in &items {
            writer = writer.op(OpKind::Put { key, value });
        }
        writer.end(Committed);
        let (range, items) = (Box::new(all()), Some(items.into()));
        builder.begin(2).op(OpKind::Iterate { range, items, reached_end: true }).end(Committed);
    }
}

#[test]
fn integers_come_before_texts_and_case_counts_unless_the_header_says_otherwise() {
    let numbers = [Datum::Int(-3), Datum::Int(9), Datum::Int(10), "1".into()];
    let capitals_first = ["B".into(), "a".into()];
    let folded = ["a".into(), "B".into(), "b".into()];
    everywhere(Accept, walked_in_order(KeyOrder::Bytes, &numbers));
    everywhere(Accept, walked_in_order(KeyOrder::Bytes, &capitals_first));
    everywhere(Reject, walked_in_order(KeyOrder::IgnoreCase, &capitals_first));
    everywhere(Reject, walked_in_order(KeyOrder::Bytes, &folded));
    everywhere(Accept, walked_in_order(KeyOrder::IgnoreCase, &folded));
}

#[test]
fn whoever_only_misses_keys_is_a_reader_all_the_same() {
    check(&[("read-your-writes", Reject), (RC, Accept)], |builder| {
        builder.begin(1).put("b", 1).end(Committed);
        builder.begin(1).scan(all(), &[]).end(Committed);
    });
    check(&[("read-your-writes", Accept)], |builder| {
        builder.begin(1).put("b", 1).end(Committed);
        builder.begin(1).scan(from("c"), &[]).end(Committed);
    });
}

#[test]
fn one_scan_is_one_operation() {
    // Fractured within one scan is not observed to vanish; by two operations it is.
    const MAV: &str = "monotonic-atomic-view";
    check(&[(MAV, Accept), (RA, Reject)], |builder| {
        builder.begin(1).put("a", 1).put("b", 1).end(Committed);
        builder.begin(2).scan(all(), &[("a", 1)]).end(Committed);
    });
    check(&[(MAV, Reject), (RR, Accept), (RA, Reject)], |builder| {
        builder.begin(1).put("a", 1).put("b", 1).end(Committed);
        builder.begin(2).get("a", Some(1)).scan(from("b"), &[]).end(Committed);
    });
}

#[test]
fn a_dirty_scan_is_for_read_uncommitted_only() {
    check(&[(RU, Accept), (RC, Reject)], |builder| {
        builder.begin(1).put("a", 1).end(Aborted);
        builder.begin(2).scan(all(), &[("a", 1)]).end(Committed);
    });
    // So is missing a key that somebody tried to delete.
    check(&[(RU, Accept), (RC, Reject)], |builder| {
        builder.history_mut().header.initial = start(builder, &[("a", 1)]);
        builder.begin(1).delete("a").end(Aborted);
        builder.begin(2).scan(all(), &[]).end(Committed);
    });
}

#[test]
fn a_list_in_a_range_is_not_judged() {
    let append = |builder: &mut HistoryBuilder| {
        builder.begin(1).append("b", 1).end(Committed);
    };
    check(&[(SER, Unsupported)], |builder| {
        append(builder);
        builder.begin(2).scan(all(), &[]).end(Committed);
    });
    check(&[(SER, Accept)], |builder| {
        append(builder);
        builder.begin(2).scan(from("c"), &[]).end(Committed);
        builder.begin(3).put("a", 1).iterate(all(), &[("a", 1)], false).end(Committed);
        builder.begin(4).scan(all(), &[]).end(Aborted);
    });
}

/// The history in which one transaction has written both `B` and `b`, and a later one of the
/// session iterates; keys are ordered without regard to case.
fn iterated(items: &[(&str, i64)], range: Range, reached_end: bool) -> History {
    let mut builder = HistoryBuilder::default();
    builder.history_mut().header.key_order = KeyOrder::IgnoreCase;
    builder.begin(1).put("B", 1).put("b", 2).put("c", 3).end(Committed);
    builder.begin(1).iterate(range, items, reached_end).end(Committed);
    builder.finish()
}

#[test]
fn bounds_and_iterators_see_no_difference_between_cases() {
    let judged = |items: &[(&str, i64)], range: Range, reached_end: bool| {
        let level = Catalog::default().find("strong-session-serializable").expect("a level");
        judge(&iterated(items, range, reached_end), &level, 0)
    };
    let both = || Range::between("b", "C");
    let upper = || Range::between("B", "c");
    for range in [both, upper] {
        assert_eq!(judged(&[("B", 1), ("b", 2)], range(), true), Accept);
        assert_eq!(judged(&[("b", 2), ("B", 1)], range(), true), Accept);
        assert_eq!(judged(&[("b", 2)], range(), true), Reject);
        // One that stopped may not have come to the other.
        assert_eq!(judged(&[("b", 2)], range(), false), Accept);
        assert_eq!(judged(&[("B", 1)], range(), false), Accept);
        assert_eq!(judged(&[("b", 2), ("B", 1), ("b", 2)], range(), true), Reject);
    }
    let all = Range::everything;
    assert_eq!(judged(&[("b", 2), ("c", 3)], all(), false), Reject);
    assert_eq!(judged(&[("B", 1), ("c", 3), ("b", 2)], all(), true), Reject);
    assert_eq!(judged(&[("b", 2), ("B", 1), ("c", 3)], all(), true), Accept);
    let reverse = || Range { reverse: true, ..Range::everything() };
    assert_eq!(judged(&[("c", 3), ("b", 2)], reverse(), false), Accept);
    assert_eq!(judged(&[("c", 3), ("b", 2)], reverse(), true), Reject);
}
