//! Tables and views that a log defines and alters.

use tristan_audit::AuditLevel;

use crate::common::{judge, word};

const SERIALIZABLE: AuditLevel = AuditLevel::Serializable;

/// The answer, and why statements were not judged.
fn told(text: &str) -> String {
    let verdict = judge(text, SERIALIZABLE);
    let unjudged = verdict.log.unjudged.first().map(|one| format!(", not judged: {}", one.reason));
    word(&verdict) + &unjudged.unwrap_or_default()
}

#[test]
fn a_table_is_followed_through_an_alter() {
    let log = |seen: &str| {
        format!(
            "schema: CREATE TABLE t (id INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 10)
             1 [0 9]: INSERT INTO t VALUES (2, 20) => #1
             2 [10 19]: ALTER TABLE t ADD COLUMN w INT DEFAULT 5
             3 [20 29]: UPDATE t SET w = 6 WHERE id = 2 => #1; SELECT id, w FROM t ORDER BY id => {seen}"
        )
    };
    assert_eq!(told(&log("1, 5 | 2, 6")), "accept");
    assert_eq!(told(&log("1, 5 | 2, 5")), "reject 3");
}

#[test]
fn a_table_that_others_use_while_it_is_altered_is_not_judged() {
    let schema = "schema: CREATE TABLE t (id INT, v INT); CREATE TABLE u (id INT)";
    for other in ["[5 12]", "[11 25]", "[19 25]"] {
        let log = format!(
            "{schema}
             1 {other}: SELECT v FROM t => 99
             2 [10 19]: ALTER TABLE t ADD COLUMN w INT
             3 [30 39]: SELECT id FROM u => ()"
        );
        assert!(told(&log).contains("it is altered while other transactions"), "{other}");
        // The other tables are still judged.
        assert!(told(&log.replace("u => ()", "u => 1")).starts_with("reject 3"), "{other}");
    }
}

#[test]
fn an_alter_that_is_rolled_back_alters_nothing() {
    let log = "schema: CREATE TABLE t (id INT)
               1 aborted [0 9]: ALTER TABLE t ADD COLUMN w INT
               2 [10 19]: SAVEPOINT a; ALTER TABLE t RENAME TO u; ROLLBACK TO a; INSERT INTO t VALUES (1) => #1
               3 [20 29]: SELECT * FROM t => 1";
    assert_eq!(told(log), "accept");
}

#[test]
fn a_new_key_says_something_about_the_rows_before() {
    let log = |first: &str| {
        format!(
            "schema: CREATE TABLE t (id INT)
             1 [0 9]: INSERT INTO t VALUES (1), ({first}) => #2
             2 [10 19]: CREATE UNIQUE INDEX one ON t (id)
             3 [20 29]: INSERT INTO t VALUES (1) => !23505"
        )
    };
    assert_eq!(told(&log("2")), "accept");
    assert_eq!(told(&log("1")), "reject 2");
}

#[test]
fn rows_may_be_twice_before_there_is_a_key() {
    let log = "schema: CREATE TABLE t (id INT)
               1 [0 9]: INSERT INTO t VALUES (1), (1) => #2
               2 [10 19]: DELETE FROM t => #2
               3 [20 29]: CREATE UNIQUE INDEX one ON t (id)
               4 [30 39]: INSERT INTO t VALUES (1) => #1";
    assert_eq!(told(log), "accept");
}

#[test]
fn a_table_that_is_dropped_later_is_judged() {
    let log = |seen: &str| {
        format!(
            "schema: CREATE TABLE t (id INT)
             1 [0 9]: INSERT INTO t VALUES (1) => #1
             2 [10 19]: SELECT id FROM t => {seen}
             3 [20 29]: DROP TABLE t
             4 [30 39]: CREATE TABLE t (id INT, v INT)
             5 [40 49]: SELECT * FROM t => ()"
        )
    };
    assert_eq!(told(&log("1")), "accept");
    assert_eq!(told(&log("2")), "reject 2");
}

#[test]
fn a_view_shows_what_its_tables_hold() {
    let log = |seen: &str| {
        format!(
            "schema: CREATE TABLE t (id INT, v INT); CREATE VIEW big AS SELECT id FROM t WHERE v > 10
             1 [0 9]: INSERT INTO t VALUES (1, 10), (2, 20) => #2
             2 [10 19]: SELECT id FROM big => {seen}
             3 [20 29]: CREATE OR REPLACE VIEW big AS SELECT v FROM t
             4 [30 39]: SELECT * FROM big ORDER BY v => 10 | 20"
        )
    };
    assert_eq!(told(&log("2")), "accept");
    assert_eq!(told(&log("1")), "reject 2");
}

#[test]
fn what_is_written_through_a_view_is_in_its_table() {
    let log = |seen: &str| {
        format!(
            "schema: CREATE TABLE t (id INT); CREATE VIEW v AS SELECT id FROM t
             1 [0 9]: INSERT INTO v VALUES (1) => #1
             2 [10 19]: SELECT id FROM t => {seen}"
        )
    };
    assert_eq!(told(&log("1")), "accept");
    assert_eq!(told(&log("2")), "reject 2");
}

#[test]
fn foreign_keys_delete_rows_of_other_tables() {
    let schema = "schema: CREATE TABLE p (id INT PRIMARY KEY); CREATE TABLE c (id INT, p INT REFERENCES p ON DELETE CASCADE); INSERT INTO p VALUES (1), (2); INSERT INTO c VALUES (1, 1), (2, 2)";
    let log = |seen: &str| {
        format!(
            "{schema}
             1 [0 9]: DELETE FROM p WHERE id = 1 => #1
             2 [10 19]: SELECT id FROM c => {seen}"
        )
    };
    assert_eq!(told(&log("2")), "accept");
    assert!(told(&log("1 | 2")).starts_with("reject 2"));
}

#[test]
fn a_table_that_a_lost_one_changes_is_lost() {
    let log = "schema: CREATE TABLE p (id INT PRIMARY KEY); CREATE TABLE c (id INT, p INT REFERENCES p ON DELETE CASCADE); INSERT INTO p VALUES (1); INSERT INTO c VALUES (1, 1)
               1 [0 9]: DELETE FROM p WHERE ctid IS NOT NULL => #1
               2 [10 19]: SELECT id FROM c => ()";
    let told = told(log);
    assert!(!told.starts_with("reject"), "{told}");
}
