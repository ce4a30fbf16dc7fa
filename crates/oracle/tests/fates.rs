//! Operations that may or may not have taken effect: a level accepts if some choice explains what
//! was seen.

use crate::judging;

use judging::check;
use tristan_history::{
    HistoryBuilder, Observed, Op, OpKind, OpStatus,
    Outcome::{Aborted, Committed, Unknown},
    Presence,
};
use tristan_oracle::Judgement::{Accept, Reject, Unsupported};

const RU: &str = "read-uncommitted";
const RC: &str = "read-committed";
const SER: &str = "serializable";
const SESSION_SER: &str = "strong-session-serializable";

/// Lets the last operation never return.
fn never_returns(builder: &mut HistoryBuilder) {
    builder.history_mut().ops.last_mut().expect("there is one").status = OpStatus::Pending;
}

#[test]
fn a_put_that_never_returned_is_there_or_not_but_not_both() {
    for seen in [None, Some(1)] {
        check(&[(RC, Accept), (SESSION_SER, Accept)], |builder| {
            builder.begin(1).put("x", 1).end(Committed);
            never_returns(builder);
            builder.begin(1).get("x", seen).end(Committed);
        });
    }
    check(&[(RC, Accept), (SESSION_SER, Reject)], |builder| {
        builder.begin(1).put("x", 1).end(Committed);
        never_returns(builder);
        builder.begin(1).get("x", Some(1)).end(Committed);
        builder.begin(1).get("x", None).end(Committed);
    });
}

#[test]
fn an_earlier_write_shows_if_the_later_one_did_not_take_effect() {
    for (seen, expected) in [(1, Accept), (2, Accept), (3, Reject)] {
        check(&[(RC, expected), (SER, expected)], |builder| {
            builder.begin(1).put("x", 1).put("x", 2).end(Unknown);
            never_returns(builder);
            builder.begin(2).get("x", Some(seen)).end(Committed);
        });
    }
    // If both are seen, one of them was an intermediate version.
    check(&[(RU, Accept), (RC, Reject)], |builder| {
        builder.begin(1).put("x", 1).put("x", 2).end(Unknown);
        never_returns(builder);
        builder.begin(2).get("x", Some(1)).end(Committed);
        builder.begin(2).get("x", Some(2)).end(Committed);
    });
}

#[test]
fn a_conditional_write_of_unknown_row_count_says_nothing_about_what_it_saw() {
    for when in [Presence::Present, Presence::Absent] {
        for seen in [None, Some(2)] {
            check(&[(SESSION_SER, Accept)], |builder| {
                builder.begin(1).put_if("x", 2, when, None).end(Committed);
                builder.begin(1).get("x", seen).end(Committed);
            });
        }
    }
}

#[test]
fn own_reads_depend_on_the_fate_of_own_writes() {
    for (seen, expected) in [(1, Accept), (2, Accept), (3, Reject)] {
        check(&[(RU, expected), (SER, expected)], |builder| {
            builder
                .begin(1)
                .put("x", 1)
                .put_if("x", 2, Presence::Present, None)
                .get("x", Some(seen))
                .end(Committed);
        });
    }
}

#[test]
fn the_read_of_a_read_modify_write_that_never_returned_says_nothing() {
    for seen in [None, Some(7)] {
        check(&[(SESSION_SER, Accept)], |builder| {
            let (key, value) = (builder.key("x"), builder.value(7));
            let nonsense = Observed::Value(builder.value(99));
            let kind = OpKind::ReadModifyWrite { key, seen: nonsense, value };
            builder.begin(1).op(kind).end(Committed);
            never_returns(builder);
            builder.begin(1).get("x", seen).end(Committed);
        });
    }
}

#[test]
fn a_delete_that_never_returned_removed_the_key_or_did_not() {
    for (seen, expected) in [(None, Accept), (Some(1), Accept), (Some(2), Reject)] {
        check(&[(SESSION_SER, expected)], |builder| {
            builder.begin(1).put("x", 1).end(Committed);
            builder.begin(1).delete("x").end(Committed);
            never_returns(builder);
            builder.begin(1).get("x", seen).end(Committed);
        });
    }
    // One that returned without a row count did, or there was nothing to remove.
    check(&[(SESSION_SER, Reject)], |builder| {
        builder.begin(1).put("x", 1).end(Committed);
        builder.begin(1).delete("x").end(Committed);
        builder.begin(1).get("x", Some(1)).end(Committed);
    });
}

#[test]
fn an_append_that_never_returned_is_in_the_list_or_not() {
    for (seen, expected) in [
        (&[1, 2, 3][..], Accept),
        (&[1, 3], Accept),
        (&[1, 2], Reject),
        (&[1], Reject),
        (&[2, 1, 3], Reject),
    ] {
        check(&[(RC, expected), (SESSION_SER, expected)], |builder| {
            builder.begin(1).append("x", 1).append("x", 2).end(Committed);
            never_returns(builder);
            let (key, element) = (builder.key("x"), builder.value(3));
            let kind = OpKind::Append { key, element };
            builder.push_op(Op { kind, status: OpStatus::Done, line: 0 });
            builder.begin(1).list("x", seen).end(Committed);
        });
    }
    check(&[(SER, Unsupported)], |builder| {
        builder.begin(1).append("x", 1).end(Committed);
        builder.begin(1).append("x", 1).end(Committed);
        never_returns(builder);
    });
}

#[test]
fn a_rollback_that_never_returned_undid_the_writes_or_did_not() {
    for (seen, expected) in [(Some(1), Accept), (Some(2), Accept), (None, Reject)] {
        check(&[(SESSION_SER, expected)], |builder| {
            builder.begin(1).put("x", 1).savepoint("a").put("x", 2).rollback("a").end(Committed);
            never_returns(builder);
            builder.begin(1).get("x", seen).end(Committed);
        });
    }
}

#[test]
fn a_rollback_goes_to_a_savepoint_that_never_returned_or_to_the_one_before() {
    for (seen, expected) in [(Some(1), Accept), (Some(2), Accept), (Some(3), Reject)] {
        check(&[(SESSION_SER, expected)], |builder| {
            builder.begin(1).put("x", 1).savepoint("a").put("x", 2).savepoint("a").end(Committed);
            never_returns(builder);
            let (key, value) = (builder.key("x"), builder.value(3));
            let back = OpKind::RollbackTo { name: Box::new("a".into()) };
            for kind in [OpKind::Put { key, value }, back] {
                builder.push_op(Op { kind, status: OpStatus::Done, line: 0 });
            }
            builder.begin(1).get("x", seen).end(Committed);
        });
    }
}

#[test]
fn fates_are_chosen_independently_of_each_other() {
    for (x, y) in [(None, None), (None, Some(2)), (Some(1), None), (Some(1), Some(2))] {
        check(&[(SESSION_SER, Accept)], |builder| {
            builder.begin(1).put("x", 1).end(Committed);
            never_returns(builder);
            builder.begin(1).put("y", 2).end(Committed);
            never_returns(builder);
            builder.begin(1).get("x", x).get("y", y).end(Committed);
        });
    }
}

#[test]
fn a_write_of_an_aborted_transaction_that_never_returned_may_have_been_read_dirty() {
    check(&[(RU, Accept), (RC, Reject)], |builder| {
        builder.begin(1).put("x", 1).end(Aborted);
        never_returns(builder);
        builder.begin(2).get("x", Some(1)).end(Committed);
    });
}
