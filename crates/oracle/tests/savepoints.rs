//! How savepoints and conditional writes are read.

use crate::judging;

use judging::check;
use tristan_history::{
    HistoryBuilder, Op, OpKind, OpStatus,
    Outcome::Committed,
    Presence::{Absent, Present},
    Range,
};
use tristan_oracle::Judgement::{Accept, Reject};

const RU: &str = "read-uncommitted";
const RC: &str = "read-committed";
const SER: &str = "serializable";
const SESSION_SER: &str = "strong-session-serializable";

fn all() -> Range {
    Range { lo: None, hi: None, reverse: false }
}

#[test]
fn an_undone_write_is_an_aborted_write() {
    let read = |seen: Option<i64>| {
        move |builder: &mut HistoryBuilder| {
            let txn = builder.begin(1).put("x", 1).savepoint("a").put("x", 2);
            txn.rollback("a").end(Committed);
            builder.begin(1).get("x", seen).end(Committed);
        }
    };
    check(&[(SESSION_SER, Accept)], read(Some(1)));
    check(&[(RU, Accept), (RC, Reject)], read(Some(2)));
    check(&[(RC, Accept), (SESSION_SER, Reject)], read(None));
}

#[test]
fn an_undone_write_alone_installs_nothing() {
    check(&[(SESSION_SER, Accept)], |builder| {
        builder.begin(1).savepoint("a").put("x", 1).rollback("a").end(Committed);
        builder.begin(1).get("x", None).scan(all(), &[]).end(Committed);
    });
    // The savepoint stays, so everything after it can be undone twice.
    check(&[(SESSION_SER, Accept)], |builder| {
        let txn = builder.begin(1).savepoint("a").put("x", 1).rollback("a").put("x", 2);
        txn.rollback("a").end(Committed);
        builder.begin(1).get("x", None).end(Committed);
    });
}

#[test]
fn own_reads_see_the_own_writes_of_their_moment() {
    let reads = |between: Option<i64>, after: Option<i64>| {
        move |builder: &mut HistoryBuilder| {
            let txn = builder.begin(1).put("x", 1).savepoint("a").put("x", 2).get("x", between);
            txn.rollback("a").get("x", after).end(Committed);
        }
    };
    check(&[(RU, Accept), (SER, Accept)], reads(Some(2), Some(1)));
    check(&[(RU, Reject), (SER, Reject)], reads(Some(2), Some(2)));
    check(&[(RU, Reject), (SER, Reject)], reads(Some(1), Some(1)));
    // Once nothing of its own is left, a transaction reads what others wrote.
    check(&[(SER, Accept)], |builder| {
        builder.begin(1).put("x", 9).end(Committed);
        let txn = builder.begin(2).savepoint("a").delete("x").rollback("a");
        txn.get("x", Some(9)).scan(all(), &[("x", 9)]).end(Committed);
    });
}

#[test]
fn the_last_savepoint_of_a_name_counts_and_later_ones_go() {
    let end = |value: i64, back: &'static [&'static str]| {
        move |builder: &mut HistoryBuilder| {
            let mut txn = builder.begin(1).savepoint("a").put("x", 1).savepoint("b").put("x", 2);
            txn = txn.savepoint("a").put("x", 3);
            for name in back {
                txn = txn.rollback(*name);
            }
            txn.get("x", Some(value)).end(Committed);
        }
    };
    check(&[(SER, Accept)], end(3, &[]));
    check(&[(SER, Accept)], end(2, &["a"]));
    check(&[(SER, Accept)], end(2, &["a", "a"]));
    check(&[(SER, Accept)], end(1, &["b"]));
    check(&[(SER, Reject)], end(1, &["b", "a"]));
    check(&[(SER, Accept)], end(3, &["c"]));
}

#[test]
fn a_rollback_that_failed_undoes_nothing() {
    for (status, value) in [(OpStatus::Done, 1), (OpStatus::Failed, 2)] {
        check(&[(SESSION_SER, Accept)], |builder| {
            builder.begin(1).put("x", 1).savepoint("a").put("x", 2).end(Committed);
            builder.push_op(Op {
                kind: OpKind::RollbackTo { name: Box::new("a".into()) },
                status,
                line: 0,
            });
            builder.begin(1).get("x", Some(value)).end(Committed);
        });
    }
}

#[test]
fn undone_appends_are_not_part_of_the_list() {
    let list = |own: &'static [i64], others: &'static [i64]| {
        move |builder: &mut HistoryBuilder| {
            let txn = builder.begin(1).append("x", 1).savepoint("a").append("x", 2);
            txn.rollback("a").append("x", 3).list("x", own).end(Committed);
            builder.begin(1).list("x", others).end(Committed);
        }
    };
    check(&[(SESSION_SER, Accept)], list(&[1, 3], &[1, 3]));
    check(&[(RU, Reject)], list(&[1, 2, 3], &[1, 3]));
    check(&[(RU, Accept), (RC, Reject)], list(&[1, 3], &[1, 2, 3]));
}

#[test]
fn a_conditional_write_says_what_its_row_count_shows() {
    let update = |present: bool, when, rows: u32, after: Option<i64>| {
        move |builder: &mut HistoryBuilder| {
            if present {
                builder.begin(1).put("x", 1).end(Committed);
            }
            builder.begin(1).put_if("x", 2, when, Some(rows)).end(Committed);
            builder.begin(1).get("x", after).end(Committed);
        }
    };
    check(&[(SESSION_SER, Accept)], update(true, Present, 1, Some(2)));
    check(&[(SESSION_SER, Accept)], update(false, Present, 0, None));
    check(&[(SESSION_SER, Accept)], update(true, Absent, 0, Some(1)));
    check(&[(SESSION_SER, Accept)], update(false, Absent, 1, Some(2)));
    // A count that contradicts the state.
    check(&[(RU, Reject), (SER, Reject)], update(false, Present, 1, Some(2)));
    check(&[(RU, Reject), (SER, Reject)], update(false, Absent, 0, None));
    check(&[(SESSION_SER, Reject), (RC, Accept)], update(true, Present, 0, Some(1)));
    check(&[(SESSION_SER, Reject), (RC, Accept)], update(true, Absent, 1, Some(2)));
    // With no rows, nothing was written.
    check(&[(RU, Reject)], update(true, Absent, 0, Some(2)));
}

#[test]
fn two_inserts_of_one_key_cannot_both_have_found_it_absent() {
    check(&[(RC, Accept), ("cursor-stability", Reject), (SER, Reject)], |builder| {
        builder.begin(1).put_if("x", 1, Absent, Some(1)).end(Committed);
        builder.begin(2).put_if("x", 2, Absent, Some(1)).end(Committed);
    });
    check(&[(RC, Accept), (SER, Accept)], |builder| {
        builder.begin(1).put_if("x", 1, Absent, Some(1)).end(Committed);
        builder.begin(2).put_if("x", 2, Absent, Some(0)).end(Committed);
    });
}
