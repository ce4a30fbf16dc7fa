//! How a trace is read, rule by rule: outcomes, point operations, lists, clocks.

use crate::judging;

use judging::check;
use tristan_history::{
    HistoryBuilder, Initial, Observed, Op, OpKind, OpStatus,
    Outcome::{self, Aborted, Committed, Unknown},
};
use tristan_oracle::{
    Judgement::{Accept, Reject, Unsupported},
    judge, litmus,
};
use tristan_spec::Catalog;

const RU: &str = "read-uncommitted";
const RC: &str = "read-committed";
const SER: &str = "serializable";

#[test]
fn own_writes_must_be_seen_at_every_level() {
    check(&[(RU, Reject), (RC, Reject), (SER, Reject)], |builder| {
        builder.begin(1).put("x", 1).get("x", None).end(Committed);
    });
    check(&[(RU, Accept), (SER, Accept)], |builder| {
        builder.begin(1).put("x", 1).get("x", Some(1)).delete("x").get("x", None).end(Committed);
    });
    check(&[(RU, Accept), (SER, Accept)], |builder| {
        builder.begin(1).put("x", 1).get("x", None).end(Aborted);
        builder.begin(1).put("x", 1).get("x", None).end(Unknown);
    });
}

#[test]
fn dirty_reads_are_for_read_uncommitted_only() {
    check(&[(RU, Accept), (RC, Reject)], |builder| {
        builder.begin(1).put("x", 1).end(Aborted);
        builder.begin(2).get("x", Some(1)).end(Committed);
    });
    check(&[(RU, Accept), (RC, Reject)], |builder| {
        builder.begin(1).put("x", 1).put("x", 2).end(Committed);
        builder.begin(2).get("x", Some(1)).end(Committed);
    });
    check(&[(RU, Reject), (RC, Reject)], |builder| {
        builder.begin(1).get("x", Some(7)).end(Committed);
    });
    check(&[(RU, Reject), (RC, Reject)], |builder| {
        builder.begin(1).get("x", Some(1)).put("x", 1).end(Committed);
    });
}

#[test]
fn a_transaction_of_unknown_outcome_may_have_taken_effect_or_not() {
    for reads in [None, Some(1)] {
        check(&[(SER, Accept), ("strong-serializable", Accept)], |builder| {
            builder.begin(1).put("x", 1).end(Unknown);
            builder.begin(1).get("x", reads).end(Committed);
        });
    }
    // Seen once, it did.
    check(&[(RC, Accept), ("causal", Reject)], |builder| {
        builder.begin(1).put("x", 1).end(Unknown);
        builder.begin(2).get("x", Some(1)).end(Committed);
        builder.begin(2).get("x", None).end(Committed);
    });
}

#[test]
fn equal_values_leave_the_source_open() {
    let build = |middle: Outcome| {
        move |builder: &mut HistoryBuilder| {
            builder.begin(1).put("x", 1).end(Committed);
            builder.begin(1).put("x", 2).end(Committed);
            builder.begin(1).put("x", 1).end(middle);
            builder.begin(1).get("x", Some(1)).end(Committed);
        }
    };
    check(&[("strong-session-serializable", Accept)], build(Committed));
    check(&[("strong-session-serializable", Accept)], build(Unknown));
    check(&[("strong-session-serializable", Reject)], build(Aborted));
}

#[test]
fn an_unknown_start_is_one_state() {
    let build = |second: Option<i64>| {
        move |builder: &mut HistoryBuilder| {
            builder.history_mut().header.initial = Initial::Unknown;
            builder.begin(1).get("x", Some(1)).end(Committed);
            builder.begin(2).get("x", second).end(Committed);
        }
    };
    check(&[(SER, Accept), (RU, Accept)], build(Some(1)));
    check(&[(SER, Reject), (RU, Reject)], build(Some(2)));
    check(&[(SER, Reject), (RU, Reject)], build(None));
}

#[test]
fn a_row_count_is_a_read() {
    let delete = |rows: u32| {
        move |builder: &mut HistoryBuilder| {
            let key = builder.key("x");
            let delete = OpKind::Delete { key, rows: Some(rows) };
            builder.begin(1).op(delete).get("x", None).end(Committed);
        }
    };
    check(&[(SER, Accept), (RU, Accept)], delete(0));
    check(&[(SER, Reject), (RU, Reject)], delete(1));
    // Nothing deleted is nothing written: the absent key was the first, not the last state.
    check(&[("strong-session-serializable", Reject), (SER, Accept)], |builder| {
        let key = builder.key("x");
        builder.begin(1).put("x", 1).end(Committed);
        builder.begin(1).op(OpKind::Delete { key, rows: Some(0) }).end(Committed);
    });
}

#[test]
fn failed_operations_do_nothing_and_pending_reads_say_nothing() {
    let [failed, pending] = [OpStatus::Failed, OpStatus::Pending];
    for (status, first_read) in [(failed, None), (pending, None), (pending, Some(1))] {
        check(&[(SER, Accept)], |builder| {
            let (key, value) = (builder.key("x"), builder.value(1));
            builder.begin(1).end(Committed);
            builder.push_op(Op { kind: OpKind::Put { key, value }, status, line: 0 });
            let seen = Observed::Value(builder.value(9));
            let read = OpKind::Get { key, seen, locking: false };
            builder.push_op(Op { kind: read, status, line: 0 });
            builder.begin(2).get("x", first_read).end(Committed);
        });
    }
}

#[test]
fn lists_are_whole_appends_of_whole_transactions() {
    let read = |elements: &'static [i64]| {
        move |builder: &mut HistoryBuilder| {
            builder.begin(1).append("x", 1).append("x", 2).end(Committed);
            builder.begin(2).append("x", 3).end(Committed);
            builder.begin(3).append("x", 9).end(Aborted);
            builder.begin(4).append("x", 4).list("x", elements).end(Committed);
        }
    };
    for whole in [&[4][..], &[1, 2, 4], &[3, 4], &[1, 2, 3, 4], &[3, 1, 2, 4]] {
        check(&[(SER, Accept), (RU, Accept)], read(whole));
    }
    for (broken, ru) in [
        (&[1, 4][..], Accept),
        (&[2, 1, 4], Accept),
        (&[9, 4], Accept),
        (&[1, 3, 2, 4], Reject),
        (&[1, 2, 1, 2, 4], Reject),
        (&[1, 2, 3, 1, 4], Reject),
        (&[7, 4], Reject),
        (&[1, 2], Reject),
        (&[4, 1, 2], Reject),
    ] {
        check(&[(RC, Reject), (RU, ru)], read(broken));
    }
}

#[test]
fn a_list_shows_that_all_other_appends_come_later() {
    let read = |second: &'static [i64]| {
        move |builder: &mut HistoryBuilder| {
            builder.begin(1).append("x", 1).end(Committed);
            builder.begin(2).append("x", 2).end(Committed);
            builder.begin(3).list("x", &[1]).end(Committed);
            builder.begin(4).list("x", second).end(Committed);
        }
    };
    check(&[(SER, Accept)], read(&[1, 2]));
    check(&[(RC, Reject), (RU, Accept)], read(&[2]));
    check(&[(RC, Reject), (RU, Accept)], read(&[2, 1]));
}

#[test]
fn what_the_oracle_does_not_interpret_it_does_not_judge() {
    check(&[(SER, Unsupported)], |builder| {
        builder.begin(1).append("x", 1).end(Committed);
        builder.begin(2).append("x", 1).end(Committed);
    });
    check(&[(SER, Unsupported)], |builder| {
        builder.begin(1).append("x", 1).put("x", 1).end(Committed);
    });
    check(&[(SER, Unsupported)], |builder| {
        for session in 0..9 {
            builder.begin(session).end(Committed);
        }
    });
}

#[test]
fn a_clock_orders_transactions_only_beyond_the_drift() {
    let mut builder = HistoryBuilder::default();
    builder.begin(1).put("x", 1).during(0, 10).end(Committed);
    builder.begin(2).get("x", None).during(20, 30).end(Committed);
    let history = builder.finish();
    let strict = Catalog::default().find("strong-serializable").expect("known");
    assert_eq!(judge(&history, &strict, 9), Reject);
    assert_eq!(judge(&history, &strict, 10), Accept);
}

#[test]
fn a_circle_through_two_readers_and_two_sessions_is_no_update_serializable_history() {
    let circle = litmus::history("r(x,4) > w(y) | r(y,2) > w(x)");
    for name in ["strong-session-read-committed", "strong-session-update-serializable"] {
        let level = Catalog::default().find(name).expect(name);
        assert_eq!(judge(&circle, &level, 0), Reject, "{name}");
    }
}
