//! Where too many transactions overlap to try all orders, the versions that rows may have had decide what a query may
//! have answered.

use std::fmt::Write;

use tristan_audit::{AuditLevel, AuditOptions, audit};
use tristan_verdict::audit::{AuditAnswer, Rejection, Told};

use crate::common::log;

const LEVELS: [AuditLevel; 3] =
    [AuditLevel::Serializable, AuditLevel::StrongSnapshot, AuditLevel::StrongReadCommitted];

/// Eight transactions that each add a multiple of ten to a row of their own, while a query looks at all rows.
fn crowd(query: &str) -> String {
    let mut lines =
        "schema: CREATE TABLE item (id INT PRIMARY KEY, grp INT, qty INT, ratio FLOAT8); \
         INSERT INTO item SELECT n, n % 2, 0, 0 FROM generate_series(1, 8) n"
            .to_owned();
    for txn in 1..=8 {
        let update =
            format!("UPDATE item SET qty = qty + {txn}0, ratio = 0.1 WHERE id = {txn} => #1");
        let _ = write!(lines, "\n{txn} [{txn} 100]: {update}");
    }
    let _ = write!(lines, "\n20 [99 120]: {query}");
    lines
}

/// What is said of the log. There is no patience with all orders.
fn answer(query: &str, level: AuditLevel) -> AuditAnswer {
    let options = AuditOptions { attempts: 100, worlds: 16, ..AuditOptions::new(level) };
    audit(&log(&crowd(query)), &options).expect("a log").answer
}

fn rejection(query: &str, level: AuditLevel) -> Rejection {
    match answer(query, level) {
        AuditAnswer::Reject { rejection } => *rejection,
        other => unreachable!("{level}, {query}: {other:?}"),
    }
}

#[test]
fn a_wrong_aggregate_is_found_among_versions_of_many_rows() {
    for level in LEVELS {
        for query in [
            "SELECT count(*), sum(qty) FROM item => 8, 35",
            "SELECT count(*), sum(qty) FROM item => 7, 360",
            "SELECT grp, sum(qty) FROM item GROUP BY grp ORDER BY grp => 0, 10 | 1, 0",
            "SELECT (SELECT max(qty) FROM item) => 90",
            "SELECT count(*) FROM item a JOIN item b ON a.qty > b.qty + 70 => 8",
        ] {
            let rejection = rejection(query, level);
            let reason = rejection.impossible.expect("a reason");
            assert!(reason.contains("None of the 256 combinations"), "{level}, {query}: {reason}");
            assert!(rejection.expected.len() <= 4, "{level}, {query}: {:?}", rejection.expected);
        }
    }
}

#[test]
fn what_some_versions_give_is_not_rejected() {
    for level in LEVELS {
        for query in [
            "SELECT count(*), sum(qty) FROM item => 8, 360",
            "SELECT count(*), sum(qty) FROM item => 8, 0",
            "SELECT grp, sum(qty) FROM item GROUP BY grp ORDER BY grp => 0, 20 | 1, 30",
        ] {
            let answer = answer(query, level);
            assert!(!matches!(answer, AuditAnswer::Reject { .. }), "{level}, {query}: {answer:?}");
        }
    }
}

#[test]
fn sums_that_depend_on_the_order_of_rows_are_left_alone() {
    // 0.1 eight times is 0.7999999999999999 in one order and could be something else in another one.
    let answer = answer("SELECT sum(ratio) FROM item => 0.85", AuditLevel::Serializable);
    assert!(!matches!(answer, AuditAnswer::Reject { .. }), "{answer:?}");
}

#[test]
fn the_possible_answers_are_shown() {
    let query = "SELECT sum(qty) FROM item WHERE id <= 2 => 15";
    let rejection = rejection(query, AuditLevel::Serializable);
    let shown: Vec<&Told> = rejection.expected.iter().map(|one| &one.told).collect();
    let possible = |text: &str| Told::Rows(vec![vec![text.to_owned()]]);
    for told in &shown {
        assert!(["0", "10", "20", "30"].map(possible).contains(told), "{shown:?}");
    }
    assert!(!shown.is_empty());
}
