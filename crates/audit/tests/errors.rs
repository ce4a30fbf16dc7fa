//! Errors that depend on no rows: judged where the audit expects them, and otherwise only counted.

use crate::common::{judged, word};

const START: &str = r#"{"schema":"CREATE TABLE t (id INT PRIMARY KEY, v INT); CREATE TABLE u (id INT PRIMARY KEY)"}
{"rows":"t","values":[[1,10]]}
{"rows":"u","values":[[1]]}"#;

/// The verdict on an answer, after which `t` has to hold the rows of the start, and how many statements were not judged.
fn after(dialect: &str, answer: &str) -> (String, usize) {
    let check = r#"{"txn":2,"do":[{"sql":"SELECT v FROM t","rows":[[10]]}]}"#;
    let lines = format!("\n{START}\n{{\"txn\":1,\"do\":[{answer}]}}\n{check}\n");
    let verdict = judged(dialect, &lines);
    (word(&verdict), verdict.log.unjudged.len())
}

#[test]
fn errors_that_the_audit_expects_are_judged() {
    let missing = r#"{"sql":"SELECT missing FROM t","error":{"code":"1054"}}"#;
    assert_eq!(after("mariadb", missing), ("accept".to_owned(), 0));
    let comma = r#"{"sql":"SELECT 1 FROM t, u JOIN u w ON t.id = w.id","error":{"code":"1054"}}"#;
    assert_eq!(after("mariadb", comma), ("accept".to_owned(), 0));
}

#[test]
fn errors_that_the_audit_does_not_expect_are_counted() {
    let refused = [
        ("mariadb", r#"{"sql":"SELECT * FROM (SELECT 1, 1) q","error":{"code":"1060"}}"#),
        ("mariadb", r#"{"sql":"UPDATE t SET v = 11","error":{"code":"1235"}}"#),
        ("mariadb", r#"{"sql":"INSERT INTO nowhere VALUES (1)","error":{"code":"1471"}}"#),
    ];
    for (dialect, answer) in refused {
        assert_eq!(after(dialect, answer), ("accept".to_owned(), 1), "{answer}");
    }
    let accepted = r#"{"sql":"SELECT DISTINCT v FROM t ORDER BY id","rows":[[10]]}"#;
    assert_eq!(after("postgresql", accepted), ("accept".to_owned(), 1));
}

#[test]
fn errors_that_depend_on_rows_are_judged() {
    let twice = r#"{"sql":"INSERT INTO t VALUES (2, 2)","error":{"code":"1062"}}"#;
    assert!(after("mariadb", twice).0.starts_with("reject"), "{twice}");
}
