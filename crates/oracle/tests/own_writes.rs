//! What a transaction sees of its own writes, by policy.

use crate::judging;

use judging::check;
use tristan_history::{
    HistoryBuilder, OpKind,
    Outcome::{Aborted, Committed},
    OwnWrites::{self, External, May, Must},
    Range,
};
use tristan_oracle::Judgement::{self, Accept, Reject};

const RU: &str = "read-uncommitted";
const RC: &str = "read-committed";
const SER: &str = "serializable";

fn all() -> Range {
    Range { lo: None, hi: None, reverse: false }
}

/// Checks one history under each of the three policies, at the weakest and strongest level.
fn by_policy(expected: [(OwnWrites, Judgement); 3], build: impl Fn(&mut HistoryBuilder)) {
    for (policy, judgement) in expected {
        check(&[(RU, judgement), (RC, judgement), (SER, judgement)], |builder| {
            builder.history_mut().header.own_writes = policy;
            build(builder);
        });
    }
}

#[test]
fn a_point_read_after_an_own_write() {
    by_policy([(Must, Accept), (External, Reject), (May, Accept)], |builder| {
        builder.begin(1).put("x", 1).get("x", Some(1)).end(Committed);
    });
    by_policy([(Must, Reject), (External, Accept), (May, Accept)], |builder| {
        builder.begin(1).put("x", 1).get("x", None).end(Committed);
    });
    by_policy([(Must, Reject), (External, Accept), (May, Accept)], |builder| {
        builder.begin(1).put("x", 5).end(Committed);
        builder.begin(2).put("x", 1).get("x", Some(5)).delete("x").get("x", Some(5)).end(Committed);
    });
    // What was overwritten is neither the last own write nor anybody else's.
    by_policy([(Must, Reject), (External, Reject), (May, Reject)], |builder| {
        builder.begin(1).put("x", 1).put("x", 2).get("x", Some(1)).end(Committed);
    });
}

#[test]
fn a_scan_after_an_own_insert_or_delete() {
    by_policy([(Must, Reject), (External, Accept), (May, Accept)], |builder| {
        builder.begin(1).put("x", 1).scan(all(), &[]).end(Committed);
    });
    by_policy([(Must, Accept), (External, Reject), (May, Accept)], |builder| {
        builder.begin(1).put("x", 1).scan(all(), &[("x", 1)]).end(Committed);
    });
    by_policy([(Must, Accept), (External, Reject), (May, Accept)], |builder| {
        let initial = tristan_history::Initial::Uniform(builder.value(7));
        builder.history_mut().header.initial = initial;
        builder.begin(1).delete("x").scan(all(), &[]).end(Committed);
    });
    by_policy([(Must, Reject), (External, Accept), (May, Accept)], |builder| {
        builder.history_mut().header.initial = tristan_history::Initial::Uniform(builder.value(7));
        builder.begin(1).delete("x").scan(all(), &[("x", 7)]).end(Committed);
    });
}

#[test]
fn a_scan_mixes_own_and_other_keys() {
    by_policy([(Must, Accept), (External, Reject), (May, Accept)], |builder| {
        builder.begin(1).put("x", 1).put("y", 1).end(Committed);
        builder.begin(2).delete("x").put("z", 2).scan(all(), &[("y", 1), ("z", 2)]).end(Committed);
    });
    by_policy([(Must, Reject), (External, Reject), (May, Accept)], |builder| {
        builder.begin(1).put("x", 1).put("y", 1).end(Committed);
        let txn = builder.begin(2).delete("x").put("z", 2);
        txn.scan(all(), &[("x", 1), ("y", 1), ("z", 2)]).end(Committed);
    });
}

#[test]
fn a_row_count_after_an_own_write() {
    let count = |rows: u32| {
        move |builder: &mut HistoryBuilder| {
            let key = builder.key("x");
            let delete = OpKind::Delete { key, rows: Some(rows) };
            builder.begin(1).put("x", 1).op(delete).end(Committed);
        }
    };
    by_policy([(Must, Accept), (External, Reject), (May, Accept)], count(1));
    by_policy([(Must, Reject), (External, Accept), (May, Accept)], count(0));
}

#[test]
fn an_external_read_of_a_key_written_before_has_dependencies() {
    // Two writers that both read the start after writing: a lost update.
    for (policy, si) in [(External, Reject), (May, Reject)] {
        check(&[(RC, Accept), ("snapshot-isolation", si), (SER, Reject)], |builder| {
            builder.history_mut().header.own_writes = policy;
            builder.begin(1).put("x", 1).get("x", None).end(Committed);
            builder.begin(2).put("x", 2).get("x", None).end(Committed);
        });
    }
}

#[test]
fn lists_with_own_elements() {
    let list = |elements: &'static [i64]| {
        move |builder: &mut HistoryBuilder| {
            builder.begin(1).append("x", 1).end(Committed);
            builder.begin(2).append("x", 2).append("x", 3).list("x", elements).end(Committed);
        }
    };
    by_policy([(Must, Accept), (External, Reject), (May, Accept)], list(&[1, 2, 3]));
    by_policy([(Must, Accept), (External, Reject), (May, Accept)], list(&[2, 3]));
    by_policy([(Must, Reject), (External, Accept), (May, Accept)], list(&[1]));
    by_policy([(Must, Reject), (External, Accept), (May, Accept)], list(&[]));
    by_policy([(Must, Reject), (External, Reject), (May, Reject)], list(&[1, 2]));
    by_policy([(Must, Reject), (External, Reject), (May, Reject)], list(&[3, 2]));
    by_policy([(Must, Reject), (External, Reject), (May, Reject)], list(&[2, 3, 1]));
}

#[test]
fn no_transaction_reads_its_own_future_or_what_it_has_undone() {
    by_policy([(Must, Reject), (External, Reject), (May, Reject)], |builder| {
        builder.begin(1).list("x", &[1]).append("x", 1).end(Committed);
    });
    by_policy([(Must, Reject), (External, Reject), (May, Reject)], |builder| {
        builder.begin(1).scan(all(), &[("x", 1)]).put("x", 1).end(Committed);
    });
    by_policy([(Must, Reject), (External, Reject), (May, Reject)], |builder| {
        let txn = builder.begin(1).savepoint("a").put("x", 1).rollback("a");
        txn.get("x", Some(1)).end(Committed);
    });
}

#[test]
fn an_aborted_transaction_may_miss_its_own_writes() {
    by_policy([(Must, Accept), (External, Accept), (May, Accept)], |builder| {
        builder.begin(1).put("x", 1).get("x", Some(4)).scan(all(), &[]).end(Aborted);
    });
}
