//! Rejections at serializable say why no order of the transactions works, and what people call the mistake.

#![allow(clippy::panic, reason = "helpers of tests")]

use serde_json::Value as Json;
use tristan_verdict::audit::{AuditAnswer, AuditVerdict, DeadEnd, Rejection, Told};

use crate::common::judged;

/// Two transactions that overlap, each with a query and an update.
const PAIR: &str = r#"
{"schema":"CREATE TABLE t (id INT PRIMARY KEY, n INT)"}
{"rows":"t","values":[[1,10],[2,10]]}
{"txn":1,"c":1,"at":[0,20],"commit":[18,20],"do":[{"sql":"SELECT sum(n) FROM t","rows":[[20]],"at":[1,2]},{"sql":"UPDATE t SET n = 9 WHERE id = 1","affected":1,"at":[3,4]}]}
{"txn":2,"c":2,"at":[1,22],"commit":[21,22],"do":[{"sql":"SELECT sum(n) FROM t","rows":[[20]],"at":[2,3]},{"sql":"UPDATE t SET n = 8 WHERE id = ROW","affected":1,"at":[4,5]}]}
"#;

/// A transaction that begins when another one has ended.
const SEQUENCE: &str = r#"
{"schema":"CREATE TABLE t (id INT PRIMARY KEY, n INT)"}
{"rows":"t","values":[[1,10]]}
{"txn":1,"c":1,"at":[0,20],"commit":[18,20],"do":[{"sql":"UPDATE t SET n = 9 WHERE id = 1","affected":1,"at":[3,4]}]}
{"txn":2,"c":2,"at":[21,32],"commit":[30,32],"do":[{"sql":"SELECT n FROM t WHERE id = 1","rows":[[SEEN]],"at":[22,23]}]}
"#;

fn rejection(verdict: &AuditVerdict) -> &Rejection {
    match &verdict.answer {
        AuditAnswer::Reject { rejection } => rejection,
        other => panic!("not rejected: {other:?}"),
    }
}

fn rows(value: &str) -> Told {
    Told::Rows(vec![vec![value.to_owned()]])
}

#[test]
fn two_transactions_that_miss_each_other_fail_in_both_orders() {
    for (row, name) in [("1", "lost update: T1 and T2"), ("2", "write skew: T1 and T2")] {
        let verdict = judged("postgresql", &PAIR.replace("ROW", row));
        let rejection = rejection(&verdict);
        assert!(rejection.anomaly.as_ref().is_some_and(|told| told.starts_with(name)), "{row}");
        let ends: Vec<_> =
            rejection.orders.iter().map(|end| (&*end.order, end.transaction)).collect();
        assert_eq!(ends, [(&[1][..], 2), (&[2][..], 1)]);
        let told: Vec<_> = rejection.orders.iter().map(|end| end.told.clone()).collect();
        assert_eq!(told, [rows("19"), rows("18")]);
        assert!(rejection.orders.iter().all(|end| end.observed == rows("20")));
    }
}

#[test]
fn an_old_answer_is_a_stale_read_and_a_made_up_one_is_not() {
    let verdict = judged("postgresql", &SEQUENCE.replace("SEEN", "10"));
    let told = "stale read: T2 saw a state before T1, although T1 had committed before T2 began";
    assert_eq!(rejection(&verdict).anomaly.as_deref(), Some(told));
    let verdict = judged("postgresql", &SEQUENCE.replace("SEEN", "7"));
    assert_eq!(rejection(&verdict).anomaly, None);
    assert_eq!(rejection(&verdict).orders.len(), 1);
}

#[test]
fn a_small_log_of_a_large_table_has_few_rows() {
    let rows: Vec<String> = (1..=3_000).map(|id| format!("[{id},{}]", 10 * id)).collect();
    let lines = SEQUENCE.replace("[[1,10]]", &format!("[{}]", rows.join(",")));
    let verdict = judged("postgresql", &lines.replace("SEEN", "10"));
    let small = &rejection(&verdict).shrunk;
    let rows = small.iter().filter(|line| line.starts_with("{\"rows\""));
    assert_eq!(rows.collect::<Vec<_>>(), [r#"{"rows":"t","values":[[1,10]]}"#]);
}

/// Every order of the small log that its times allow has exactly one dead end.
pub(crate) fn assert_complete(rejection: &Rejection) {
    if rejection.orders.is_empty() {
        return;
    }
    let lines = rejection.shrunk.iter().map(|line| serde_json::from_str(line).expect("JSON"));
    let spans: Vec<(u64, [i64; 2])> = lines
        .filter_map(|line: Json| {
            let time = |place: usize| line["at"][place].as_i64();
            Some((line["txn"].as_u64()?, [time(0)?, time(1)?]))
        })
        .collect();
    each_order(&spans, &mut Vec::new(), &mut |order| {
        let ends = |end: &&DeadEnd| {
            order.starts_with(&end.order) && order.get(end.order.len()) == Some(&end.transaction)
        };
        assert_eq!(rejection.orders.iter().filter(ends).count(), 1, "{order:?}: {rejection:?}");
    });
}

fn each_order(spans: &[(u64, [i64; 2])], order: &mut Vec<u64>, with: &mut impl FnMut(&[u64])) {
    if order.len() == spans.len() {
        return with(order);
    }
    let waits: Vec<_> = spans.iter().filter(|(number, _)| !order.contains(number)).collect();
    for (number, [begin, _]) in &waits {
        if waits.iter().all(|(_, [_, end])| end >= begin) {
            order.push(*number);
            each_order(spans, order, with);
            order.pop();
        }
    }
}
