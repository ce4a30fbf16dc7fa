//! Wrong answers that SQLancer found in real servers, as logs: the right answer is accepted at every
//! level, the wrong one is rejected.

use crate::common;

use common::{limited, word};
use serde_json::{Value as Json, json};
use tristan_audit::log::TextSource;
use tristan_audit::{AuditLevel, audit};

/// A name, statements before it, the query, the right rows and the wrong ones. Values are separated
/// by commas, rows by bars; nothing is no row.
type Case = (&'static str, &'static [&'static str], &'static str, &'static str, &'static str);

/// The cases with the numbers of SQLancer's list.
const CASES: [Case; 11] = [
    (
        "TiDB 1",
        &["CREATE TABLE t0 (c0 INT)", "INSERT INTO t0 VALUES (2)"],
        "SELECT c0 FROM t0 WHERE (NOT NOT c0) = c0",
        "",
        "2",
    ),
    (
        "TiDB 3",
        &["CREATE TABLE t0 (c0 BOOL)", "INSERT INTO t0 VALUES (0)"],
        "SELECT * FROM t0 WHERE 1 AND 0.4",
        "0",
        "",
    ),
    (
        "TiDB 10",
        &[
            "CREATE TABLE t0 (c0 FLOAT)",
            "CREATE TABLE t1 (c0 FLOAT)",
            "INSERT INTO t0 VALUES (0)",
            "INSERT INTO t1 VALUES (0)",
        ],
        "SELECT t1.c0 FROM t1, t0 WHERE t0.c0 = -t1.c0",
        "0",
        "",
    ),
    (
        "TiDB 13",
        &[
            "CREATE TABLE t0 (t0 INT UNIQUE)",
            "CREATE TABLE t1 (c0 FLOAT)",
            "INSERT INTO t0 VALUES (NULL), (NULL)",
            "INSERT INTO t1 VALUES (0)",
        ],
        "SELECT t1.c0 FROM t1 LEFT JOIN t0 ON 1",
        "0|0",
        "0",
    ),
    (
        "MySQL 2",
        &[
            "CREATE TABLE t0 (c0 INT UNIQUE, c1 INT, c2 INT, c3 INT UNIQUE)",
            "INSERT INTO t0 (c0) VALUES (DEFAULT), (0)",
            "INSERT IGNORE INTO t0 (c3) VALUES (0), (1)",
            "REPLACE INTO t0 (c1, c0, c3) VALUES (1, 2, 3), (1, 4, 0)",
        ],
        "SELECT (NULL) IN (SELECT c3 FROM t0 WHERE c0)",
        "NULL",
        "0",
    ),
    (
        "MySQL 3",
        &["CREATE TABLE t0 (c0 INT UNIQUE)", "INSERT INTO t0 VALUES (DEFAULT), (0)"],
        "SELECT (NULL) IN (SELECT c0 FROM t0 WHERE ((c0) OR TRUE) IS NULL)",
        "0",
        "NULL",
    ),
    (
        "MySQL 9",
        &["CREATE TABLE t0 (c0 INT)", "INSERT INTO t0 VALUES (1)"],
        "SELECT * FROM t0 WHERE IF(FALSE, c0, 0.1)",
        "1",
        "",
    ),
    (
        "MySQL 15",
        &["CREATE TABLE t0 (c0 TEXT)", "INSERT INTO t0 VALUES (0.9)"],
        "SELECT * FROM t0 WHERE t0.c0",
        "0.9",
        "",
    ),
    (
        "MySQL 16",
        &["CREATE TABLE t0 (c0 BIGINT UNSIGNED)", "INSERT INTO t0 VALUES (NULL)"],
        "SELECT * FROM t0 WHERE CAST(COALESCE(c0, -1) AS UNSIGNED)",
        "NULL",
        "",
    ),
    (
        "MySQL 18",
        &["CREATE TABLE t0 (c0 TEXT)", "INSERT INTO t0 VALUES ('0.5')"],
        "SELECT * FROM t0 WHERE c0 AND 1",
        "0.5",
        "",
    ),
    ("MySQL 19", &[], "SELECT '\n1' & 1, '\n1' | 0, '\n1' ^ 1", "1,1,0", "0,0,1"),
];

fn rows(text: &str) -> Vec<Vec<Json>> {
    let value = |value: &str| if value == "NULL" { Json::Null } else { json!(value) };
    let rows = text.split('|').filter(|row| !row.is_empty());
    rows.map(|row| row.split(',').map(value).collect()).collect()
}

/// What was there before, and a transaction with the query.
fn log(dialect: &str, before: &[&str], query: &str, seen: &str) -> TextSource {
    let mut lines = vec![json!({"tristan": "sql-log/1", "dialect": dialect})];
    lines.extend(before.iter().map(|sql| json!({"schema": sql})));
    lines.push(json!({"txn": 99, "do": [{"sql": query, "rows": rows(seen)}]}));
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    TextSource::new("sqlancer", text.into_bytes())
}

#[test]
fn right_answers_are_accepted_and_wrong_ones_rejected() {
    for (name, before, query, right, wrong) in CASES {
        for dialect in ["mysql", "mariadb"] {
            for level in AuditLevel::ALL {
                let judge = |seen| {
                    let log = log(dialect, before, query, seen);
                    word(&audit(&log, &limited(level)).expect(name))
                };
                assert_eq!(judge(right), "accept", "{name}, {dialect} at {level}");
                assert_eq!(judge(wrong), "reject 99", "{name}, {dialect} at {level}");
            }
        }
    }
}
