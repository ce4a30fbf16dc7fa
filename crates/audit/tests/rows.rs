//! Where too many transactions overlap to try all orders, what the log says of one row may decide.

#![allow(clippy::panic, reason = "helpers of tests")]

use std::fmt::Write;

use tristan_audit::{AuditLevel, AuditOptions, audit};
use tristan_verdict::audit::{AuditAnswer, Rejection};

use crate::common::log;

/// Levels at which several transactions may change a row at the same time.
const LEVELS: [AuditLevel; 3] =
    [AuditLevel::Serializable, AuditLevel::StrongReadCommitted, AuditLevel::ReadCommitted];

const TABLES: &str = "schema: CREATE TABLE item (id INT PRIMARY KEY, grp INT, qty INT); \
     CREATE INDEX item_grp ON item (grp); CREATE TABLE label (item INT, tag TEXT, weight INT, PRIMARY KEY (item, tag)); \
     INSERT INTO item VALUES (1, 1, 0), (2, 2, 10), (3, 3, 0); \
     INSERT INTO label VALUES (2, 'new', 1), (2, 'old', 5)";

/// Ten transactions at the same time, whose order decides what becomes of items 1 and 3, and one that makes 15 of the
/// 10 of item 2.
fn crowd() -> String {
    let mut lines = TABLES.to_owned();
    for txn in 1..=10 {
        let (begin, group) = (txn, 1 + 2 * (txn % 2));
        let update = format!("UPDATE item SET qty = qty * 3 + {txn} WHERE grp = {group} => #1");
        let _ = write!(lines, "\n{txn} [{begin} 90]: {update}");
    }
    let _ = write!(lines, "\n13 [50 91]: UPDATE item SET qty = qty + 5 WHERE grp = 2 => #1");
    lines
}

/// Why a log is rejected, if it is. There is little patience with all orders.
fn rejection(lines: &str, level: AuditLevel) -> Option<Rejection> {
    let options = AuditOptions { attempts: 200, worlds: 16, ..AuditOptions::new(level) };
    match audit(&log(lines), &options).expect("a log").answer {
        AuditAnswer::Reject { rejection } => Some(*rejection),
        _ => None,
    }
}

/// A query after the crowd, with a wrong answer.
fn wrong(query: &str) -> String {
    format!("{}\n14 [92 99]: {query}", crowd())
}

#[test]
fn a_wrong_row_is_found_among_rows_that_too_many_orders_explain() {
    for (query, observed) in [
        ("SELECT id, qty FROM item ORDER BY id => 1, 358 | 2, 16 | 3, 237", "2, 16"),
        ("SELECT qty, id FROM item WHERE qty > 2 => 358, 1 | 16, 2 | 237, 3", "16, 2"),
        ("SELECT * FROM item FOR UPDATE => 1, 1, 358 | 2, 2, 14 | 3, 3, 237", "2, 2, 14"),
        (
            "SELECT i.id, i.qty, l.tag FROM item i JOIN label l ON l.item = i.id => 2, 16, new | 2, 16, old",
            "2, 16",
        ),
        (
            "SELECT i.id, i.qty, l.id FROM item i LEFT JOIN item l ON l.qty > i.qty => 2, 16, 3 | 1, 358, null",
            "2, 16",
        ),
        ("SELECT id, qty FROM item WHERE qty > (SELECT min(qty) FROM item) => 2, 11", "2, 11"),
        ("SELECT id, qty FROM item ORDER BY qty DESC LIMIT 2 => 1, 358 | 2, 265", "2, 265"),
    ] {
        let found = rejection(&wrong(query), AuditLevel::Serializable);
        let found = found.unwrap_or_else(|| panic!("{query} is not rejected"));
        assert_eq!(found.part.as_deref(), Some("item with id = 2"), "{query}");
        let part: Vec<Vec<String>> = vec![observed.split(", ").map(str::to_owned).collect()];
        assert_eq!(found.observed, tristan_verdict::audit::Told::Rows(part), "{query}");
        assert!(!found.expected.is_empty(), "{query}");
    }
}

#[test]
fn keys_of_several_columns_and_of_texts_are_told_apart() {
    let query = "SELECT item, tag, weight FROM label ORDER BY 1, 2 => 2, new, 1 | 2, old, 6";
    let lines = wrong(query).replace(
        "\n13 [50",
        "\n15 [49 91]: UPDATE label SET weight = weight + item WHERE weight > 0 => #2\n13 [50",
    );
    let found = rejection(&lines, AuditLevel::Serializable).expect("a rejection");
    assert!(found.sentence.starts_with("Statement 1 of transaction 14"), "{}", found.sentence);
}

/// Nothing is wrong with item 2 here. So that the rows are looked at, the last transaction has an answer that no order
/// explains; it shows no key.
#[test]
fn rows_that_are_right_are_not_rejected() {
    for query in [
        "SELECT id, qty FROM item WHERE id = 2 => 2, 15",
        "INSERT INTO item VALUES (4, 1, 1), (5, 1, 1) RETURNING id => 4 | 5; SELECT id FROM item WHERE id = 4 => 4",
        "INSERT INTO item VALUES (2, 9, 9), (7, 9, 9) ON CONFLICT DO NOTHING => #1; \
         INSERT INTO item VALUES (2, 8, 8), (7, 8, 8) ON CONFLICT DO NOTHING => #0; SELECT id, grp FROM item WHERE id = 7 => 7, 9",
        "INSERT INTO item VALUES (4, 1, 1), (2, 1, 1) ON CONFLICT (id) DO UPDATE SET qty = item.qty + excluded.qty => #2; \
         SELECT id, qty FROM item WHERE id IN (2, 4) ORDER BY id => 2, 16 | 4, 1",
        "DELETE FROM item WHERE grp = 2 => #1; INSERT INTO item VALUES (2, 2, 3) RETURNING id => 2; \
         SELECT id, qty FROM item WHERE grp = 2 => 2, 3",
        "SAVEPOINT s; UPDATE item SET qty = 0 WHERE id > 1 => #2; ROLLBACK TO s; SELECT id, qty FROM item WHERE id = 2 => 2, 15",
        "UPDATE item SET qty = 1 WHERE id BETWEEN 2 AND 9 RETURNING id, qty => 2, 1 | 3, 1; \
         SELECT i.id, i.qty, j.qty FROM item i JOIN item j ON j.id = i.id + 1 WHERE i.id = 2 => 2, 1, 1",
        "UPDATE item SET id = id + 10 WHERE id = 2 => #1; SELECT id, qty FROM item WHERE id = 12 => 12, 15; \
         INSERT INTO item VALUES (2, 9, 9) => #1; SELECT qty FROM item WHERE id = 2 => 9",
        "UPDATE item SET qty = (SELECT 77 FROM label WHERE weight = 1) WHERE id = 2 => #1; SELECT id, qty FROM item WHERE grp = 2 => 2, 77",
        "INSERT INTO item VALUES (2, 0, 0) => !23505",
    ] {
        let lines = wrong(query)
            + "\n15 [100 109]: SELECT sum(qty) % 10000 FROM item WHERE grp IN (1, 3) => 10001";
        for level in LEVELS {
            if let Some(found) = rejection(&lines, level) {
                assert_eq!(found.transaction, 15, "{level}: {query}: {found:#?}");
            }
        }
    }
}

/// The likely order of the two updates is wrong, so the rows are looked at; the table has no key any more in the end.
#[test]
fn rows_of_a_table_that_loses_its_key_are_not_projected() {
    let lines = "schema: CREATE TABLE t (id INT PRIMARY KEY, v INT); INSERT INTO t VALUES (7, 1)
        1 [10 40]: UPDATE t SET v = 2 WHERE id = 7 => #1
        2 [11 41]: UPDATE t SET v = 3 WHERE id = 7 => #1
        3 [50 55]: SELECT id, v FROM t WHERE id = 7 => 7, 2
        4 [60 70]: ALTER TABLE t DROP CONSTRAINT t_pkey";
    for level in LEVELS {
        let found = rejection(lines, level);
        assert!(found.is_none(), "{level}: {found:#?}");
    }
}
