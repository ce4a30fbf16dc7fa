//! Answers that are wrong in every state are rejected whatever else overlaps; answers that only look odd are not.

#![allow(clippy::panic, reason = "helpers of tests")]

use std::fmt::Write;

use tristan_audit::AuditLevel;
use tristan_verdict::audit::AuditAnswer;

use crate::common::{judge, judged_with, limited, word};

const ITEMS: &str = "schema: CREATE TABLE kinds (kind TEXT PRIMARY KEY); \
     CREATE TABLE items (id INT PRIMARY KEY, name TEXT DEFAULT 'new', price NUMERIC(8,2), n INT, kind TEXT \
     REFERENCES kinds ON UPDATE CASCADE); \
     INSERT INTO kinds VALUES ('toy'); \
     INSERT INTO items VALUES (1, 'ball', 2.50, 10, 'toy'), (2, 'kite', 9.00, 20, NULL)";

const LEVELS: [AuditLevel; 4] = [
    AuditLevel::Serializable,
    AuditLevel::StrongSnapshot,
    AuditLevel::StrongReadCommitted,
    AuditLevel::ReadCommitted,
];

/// Why the answer of the last transaction is wrong in every state, if that is said, at any level.
fn impossible(lines: &str) -> Option<String> {
    let mut told = LEVELS.map(|level| match judge(&format!("{ITEMS}\n{lines}"), level).answer {
        AuditAnswer::Reject { rejection } => rejection.impossible,
        _ => None,
    });
    assert!(told.iter().all(|one| *one == told[0]), "{lines}: {told:?}");
    told[0].take()
}

#[test]
fn a_row_that_the_condition_rules_out_is_impossible() {
    for (query, shown) in [
        ("SELECT id, name FROM items WHERE id = 2 => 1, ball", "id = 1"),
        ("SELECT n FROM items WHERE id = 1 AND n BETWEEN 5 AND 15 => 16", "n = 16"),
        ("SELECT id, price FROM items WHERE price < 5 => 1, 2.50 | 2, 9.00", "price = 9.00"),
        ("SELECT n FROM items WHERE n IS NOT NULL AND id = 2 => null", "n = NULL"),
        (
            "SELECT n, name FROM items WHERE id = 2 FOR UPDATE; SELECT id FROM items WHERE id > 7 => 7",
            "id = 7",
        ),
        ("SELECT a.id, b.id FROM items a JOIN items b ON a.id < b.id => 2, 1", "id = 2 and id = 1"),
        ("SELECT id FROM items WHERE id IN (1, 2) ORDER BY id LIMIT 1 => 3", "id = 3"),
        (
            "SELECT a.id, b.id FROM items a LEFT JOIN items b ON b.id > a.id WHERE a.id < 2 => null, 2",
            "id = NULL",
        ),
        ("UPDATE items SET n = n + 1 WHERE id = 1 RETURNING id, n => 2, 11", "id = 2"),
        ("UPDATE items SET n = n + 1 FROM kinds k WHERE id < 2 RETURNING id => 1 | 2", "id = 2"),
        ("DELETE FROM items WHERE n < 15 RETURNING n => 20", "n = 20"),
    ] {
        let told = impossible(&format!("1 [0 9]: {query}"));
        let expected =
            format!("The conditions of the statement exclude a row with {shown} in every state.");
        assert_eq!(told, Some(expected), "{query}");
    }
}

/// Even where any other value may be stored.
#[test]
fn null_in_a_column_that_is_not_null_is_impossible() {
    let copy = "2 [1 8]: INSERT INTO items SELECT id + 5, name, price, n, kind FROM items => #2";
    let expected =
        "No statement in the log stores NULL in items.id, and no row had this value at the start.";
    for query in [
        "SELECT id, name FROM items WHERE name = 'ball' => null, ball",
        "SELECT i.id FROM items i JOIN kinds USING (kind) => null",
        "SELECT i.id, k.kind FROM items i LEFT JOIN kinds k ON i.kind = k.kind => 1, toy | null, null",
    ] {
        let told = impossible(&format!("1 [0 9]: {query}\n{copy}"));
        assert_eq!(told.as_deref(), Some(expected), "{query}");
    }
}

#[test]
fn rows_that_the_query_does_not_ask_for_are_impossible() {
    for (query, expected) in [
        (
            "SELECT n FROM items ORDER BY n => 20 | 10",
            "Rows 1 and 2 of the answer are not in the order that ORDER BY specifies.",
        ),
        (
            "SELECT kind, price, id FROM items ORDER BY price DESC, id => null, 9.00, 2 | toy, 9.00, 1",
            "Rows 1 and 2 of the answer are not in the order that ORDER BY specifies.",
        ),
        (
            "SELECT DISTINCT name FROM items => kite | ball | kite",
            "Row 3 of the answer duplicates an earlier row despite DISTINCT.",
        ),
        (
            "SELECT name FROM items LIMIT 1 => kite | ball",
            "The answer has more rows than LIMIT 1 allows.",
        ),
    ] {
        assert_eq!(impossible(&format!("1 [0 9]: {query}")).as_deref(), Some(expected), "{query}");
    }
}

#[test]
fn a_value_that_nothing_stores_is_impossible() {
    let told = |value: &str, column: &str| {
        format!(
            "No statement in the log stores {value} in items.{column}, and no row had this value at the start."
        )
    };
    for (lines, expected) in [
        ("1 [0 9]: SELECT name FROM items WHERE id = 1 => zebra", told("'zebra'", "name")),
        ("1 [0 9]: SELECT i.n FROM items i JOIN kinds USING (kind) => 11", told("11", "n")),
        (
            "1 [0 9]: SELECT k.kind, i.name FROM kinds k LEFT JOIN items i USING (kind) => toy, zebra",
            told("'zebra'", "name"),
        ),
        // The answer of the first transaction is wrong, too, but in these states only.
        (
            "1 [0 9]: SELECT COUNT(*) FROM items => 5\n2 [1 8]: SELECT name FROM items WHERE id = 1 => zebra",
            told("'zebra'", "name"),
        ),
        (
            "1 [0 9]: UPDATE items SET name = 'top', n = 5 WHERE id = 1 => #1\n\
             2 [1 8]: SELECT n, name FROM items WHERE id = 1 => 5, tip",
            told("'tip'", "name"),
        ),
        (
            "1 [0 9]: INSERT INTO items (id, n) VALUES (3, 30) ON CONFLICT (id) DO UPDATE SET n = excluded.n => #1\n\
             2 [1 8]: SELECT n FROM items WHERE id = 3 => 31",
            told("31", "n"),
        ),
    ] {
        assert_eq!(impossible(lines), Some(expected), "{lines}");
    }
}

/// Each answer is wrong or right, but not wrong in every state.
#[test]
fn what_may_be_stored_in_another_way_is_not_called_impossible() {
    for lines in [
        "1 [0 9]: SELECT k.kind, i.id FROM kinds k LEFT JOIN items i ON i.n = 10 => toy, null",
        "1 [0 9]: SELECT k.kind, i.name FROM kinds k LEFT JOIN items i ON i.n = 10 => toy, null",
        "1 [0 9]: SELECT i.id, j.id, k.kind FROM items i LEFT JOIN (items j JOIN kinds k USING (kind)) \
         ON j.n = i.n WHERE i.id = 1 => 1, null, null",
        "1 [0 9]: SELECT i.id, j.id, k.kind FROM items i LEFT JOIN items j ON j.n = i.n \
         JOIN kinds k ON k.kind = i.kind => 1, null, toy",
        "1 [0 9]: UPDATE items SET n = n + 1 => #2\n2 [10 19]: SELECT n FROM items WHERE id = 1 => 12",
        "1 [0 9]: INSERT INTO items (id) VALUES (3) => #1\n2 [1 8]: SELECT name FROM items WHERE id = 3 => new",
        "1 [0 9]: SELECT name FROM items WHERE id = 1 => top\n2 [1 8]: UPDATE items SET name = 'top' => #2",
        "1 [0 9]: UPDATE kinds SET kind = 'game' => #1\n2 [1 8]: SELECT kind FROM items WHERE id = 1 => tool",
        "1 [0 9]: INSERT INTO items SELECT id + 5, name || '!', price, n, kind FROM items => #2\n\
         2 [1 8]: SELECT name FROM items WHERE id = 6 => ball?",
        "1 [0 9]: SELECT upper(name) FROM items WHERE id = 1 => BELL",
        "1 [0 9]: SELECT a.n FROM items a LEFT JOIN items b ON a.id > b.id AND b.n = 3 WHERE a.id = 1 => 20",
        "1 [0 9]: SELECT a.id, b.kind FROM items a LEFT JOIN items b ON b.n = 7 AND b.kind = 'toy' => 2, null",
        "1 [0 9]: SELECT a.id, b.id FROM items a LEFT JOIN items b ON b.id = 9 WHERE b.id IS NULL AND a.id = 1 => 1, null",
        "1 [0 9]: SELECT count(*) FROM items WHERE id = 1 => 4",
        "1 [0 9]: SELECT n FROM items ORDER BY price => 20 | 10",
        "1 [0 9]: UPDATE items SET name = upper('é') => #2\n2 [10 19]: SELECT name FROM items WHERE id = 1 => É",
        "1 [0 9]: UPDATE items SET name = greatest('a', 'B') => #2\n\
         2 [10 19]: SELECT name FROM items WHERE id = 1 => a",
        "1 [0 9]: SELECT id, n FROM items ORDER BY n FOR UPDATE => 2, 20 | 1, 10",
        "1 [0 9]: SELECT id FROM items LIMIT 2 => 2",
        "1 [0 9]: SELECT id FROM items WHERE (SELECT count(*) FROM kinds) = 2 => 1",
        "1 [0 9]: SELECT name FROM items WHERE id = 1 => kite",
        "1 [0 9]: UPDATE items SET n = n + 1 WHERE n = 10 RETURNING n => 12",
        "1 [0 9]: UPDATE items SET id = id + 5 WHERE id = 1 RETURNING id => 7",
    ] {
        assert_eq!(impossible(lines), None, "{lines}");
    }
}

#[test]
fn an_impossible_answer_is_found_after_another_mistake() {
    let lines = "1 [0 9]: SELECT name FROM items WHERE id = 1 => kite\n\
         2 [10 19]: SELECT n FROM items WHERE id = 2 => 20; SELECT id FROM items WHERE id = 2 => 1";
    let expected = "The conditions of the statement exclude a row with id = 1 in every state.";
    assert_eq!(impossible(lines).as_deref(), Some(expected));
    match judge(&format!("{ITEMS}\n{lines}"), AuditLevel::Serializable).answer {
        AuditAnswer::Reject { rejection } => {
            assert_eq!((rejection.transaction, rejection.statement), (2, Some(2)));
            assert_eq!(rejection.shrunk.len(), 4, "{:?}", rejection.shrunk);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_value_may_come_by_a_second_foreign_key_of_a_table() {
    let lines = "schema: CREATE TABLE p (x INT UNIQUE, y INT UNIQUE); \
         CREATE TABLE c (a INT REFERENCES p (x) ON UPDATE CASCADE, b INT UNIQUE REFERENCES p (y) ON UPDATE CASCADE); \
         CREATE TABLE g (d INT REFERENCES c (b) ON UPDATE CASCADE); \
         INSERT INTO p VALUES (1, 10); INSERT INTO c VALUES (1, 10); INSERT INTO g VALUES (10)\n\
         1 [0 99]: UPDATE p SET x = 2, y = 20 => #1\n\
         2 [1 100]: UPDATE p SET x = 3, y = 30 => #1\n\
         3 [200 201]: SELECT d FROM g => 20";
    assert_eq!(word(&judge(lines, AuditLevel::Serializable)), "accept");
}

#[test]
fn an_unseen_number_of_a_sequence_may_be_any() {
    let lines = r#"
{"schema":"CREATE TABLE t (id serial PRIMARY KEY, name text)"}
{"txn":1,"do":[{"sql":"INSERT INTO t (name) VALUES ('a')","affected":1}]}
{"txn":2,"do":[{"sql":"SELECT id, name FROM t","rows":[[70,"a"]]}]}
{"txn":3,"do":[{"sql":"SELECT id, name FROM t","rows":[[70,"b"]]}]}
"#;
    let options = limited(AuditLevel::Serializable);
    let right = judged_with("postgresql", &lines.replace("\"b\"", "\"a\""), &options);
    assert_eq!(word(&right), "accept");
    let wrong = judged_with("postgresql", lines, &options);
    assert_eq!(word(&wrong), "reject 3");
}

/// Sixteen clients write to the same table at the same time: there are far too many orders to try.
#[test]
fn it_is_found_among_too_many_orders() {
    let mut lines = format!("{ITEMS}\n");
    for txn in 1..=64 {
        let (begin, id) = (txn / 16 * 100, txn + 2);
        writeln!(
            lines,
            "{txn} [{begin} {}]: INSERT INTO items (id, n) VALUES ({id}, {txn}) => #1",
            begin + 99
        )
        .expect("a string");
    }
    lines += "65 [350 390]: SELECT id, name FROM items WHERE id = 2 => 2, kite; SELECT id FROM items WHERE id = 1 => 2";
    for level in LEVELS {
        let verdict = judge(&lines, level);
        let AuditAnswer::Reject { rejection } = verdict.answer else {
            panic!("{level:?}: {verdict:?}");
        };
        assert!(rejection.impossible.is_some());
        assert!(!rejection.script.is_empty(), "there is a small log of this transaction alone");
    }
}
