//! The anomalies of section 8.2 of the same paper: who allows them, and who does not.

use crate::common;

use common::{judge, word};
use tristan_audit::AuditLevel;

const START: &str = "
    schema: CREATE TABLE t (k INT PRIMARY KEY, v INT)
    schema: INSERT INTO t VALUES (1, 0), (2, 0)
";

/// Levels that accept a log, by name.
fn accepting(log: &str) -> Vec<String> {
    let log = format!("{START}{log}");
    let mut names = Vec::new();
    for level in AuditLevel::ALL {
        match word(&judge(&log, level)).as_str() {
            "accept" => names.push(level.name().to_owned()),
            other => assert!(other.starts_with("reject"), "{level}: {other}"),
        }
    }
    names
}

fn check(name: &str, log: &str, accepted: &str) {
    let accepted: Vec<&str> = accepted.split_whitespace().collect();
    assert_eq!(accepting(log), accepted, "{name}");
}

#[test]
fn nobody_allows_these() {
    check(
        "dirty update",
        "
        1 [0 9] aborted: UPDATE t SET v = 5 WHERE k = 1 => #1
        2 [10 19]: UPDATE t SET v = v + 1 WHERE k = 1 => #1
        3 [20 29]: SELECT v FROM t WHERE k = 1 => 6",
        "",
    );
    check(
        "duplicate write",
        "
        1 [0 9]: UPDATE t SET v = v + 1 WHERE k = 1 => #1
        2 [10 19]: SELECT v FROM t WHERE k = 1 => 2",
        "",
    );
    check(
        "dirty write",
        "
        1 [0 20]: UPDATE t SET v = 1 WHERE k = 1 => #1
        2 [0 20]: UPDATE t SET v = 2 WHERE k = 1 => #1; SELECT v FROM t WHERE k = 1 => 1",
        "",
    );
    check(
        "aborted read",
        "
        1 [0 9] aborted: UPDATE t SET v = 5 WHERE k = 1 => #1
        2 [2 19]: SELECT v FROM t WHERE k = 1 => 5",
        "",
    );
    check("garbage read", "1 [0 9]: SELECT v FROM t WHERE k = 1 => 77", "");
    check(
        "intermediate read",
        "
        1 [0 9]: UPDATE t SET v = 1 WHERE k = 1 => #1; UPDATE t SET v = 2 WHERE k = 1 => #1
        2 [2 19]: SELECT v FROM t WHERE k = 1 => 1",
        "",
    );
    check(
        "circular information flow",
        "
        1 [0 20]: UPDATE t SET v = 1 WHERE k = 1 => #1; SELECT v FROM t WHERE k = 2 => 2
        2 [0 20]: UPDATE t SET v = 2 WHERE k = 2 => #1; SELECT v FROM t WHERE k = 1 => 1",
        "",
    );
}

#[test]
fn read_committed_allows_these() {
    check(
        "phantom",
        "
        1 [0 30]: SELECT count(*) FROM t WHERE v = 0 => 2; SELECT count(*) FROM t WHERE v = 0 => 3
        2 [5 9]: INSERT INTO t VALUES (3, 0) => #1",
        "strong-rc rc",
    );
    check(
        "lost update",
        "
        1 [0 20]: SELECT v FROM t WHERE k = 1 => 0; UPDATE t SET v = 1 WHERE k = 1 => #1
        2 [0 20]: SELECT v FROM t WHERE k = 1 => 0; UPDATE t SET v = 2 WHERE k = 1 => #1",
        "mariadb-rr strong-rc rc",
    );
    check(
        "read skew",
        "
        1 [0 30]: SELECT v FROM t WHERE k = 1 => 0; SELECT v FROM t WHERE k = 2 => 1
        2 [5 9]: UPDATE t SET v = 1 => #2",
        "strong-rc rc",
    );
    check(
        "internal inconsistency",
        "
        1 [10 30]: SELECT v FROM t WHERE k = 1 => 1; SELECT v FROM t WHERE k = 1 => 0
        2 [5 12]: UPDATE t SET v = 1 WHERE k = 1 => #1",
        "rc",
    );
}

#[test]
fn snapshot_isolation_allows_write_skew() {
    check(
        "write skew",
        "
        1 [0 20]: SELECT v FROM t WHERE k = 1 => 0; UPDATE t SET v = 1 WHERE k = 2 => #1
        2 [0 20]: SELECT v FROM t WHERE k = 2 => 0; UPDATE t SET v = 1 WHERE k = 1 => #1",
        "ssi si mariadb-rr strong-rc rc",
    );
}

#[test]
fn old_states_are_allowed_by_weak_levels_only() {
    check(
        "stale read",
        "
        1 [0 9]: UPDATE t SET v = 1 WHERE k = 1 => #1
        2 [10 19]: SELECT v FROM t WHERE k = 1 => 0",
        "si rc",
    );
}
