//! Values that the server chooses: they are given by the log or predicted, and nothing is rejected because of them.

use tristan_audit::log::TextSource;
use tristan_audit::{AuditLevel, AuditOptions, audit};
use tristan_verdict::audit::{AuditAnswer, AuditVerdict};

/// What is said of the statements of one session with their results.
fn judged(dialect: &str, statements: &[(&str, &str)]) -> AuditVerdict {
    let mut log =
        format!("{{\"tristan\":\"sql-log/1\",\"dialect\":\"{dialect}\",\"timezone\":\"UTC\"}}\n");
    for (number, (sql, result)) in statements.iter().enumerate() {
        let sql = serde_json::Value::from(*sql);
        let comma = if result.is_empty() { "" } else { "," };
        log += &format!("{{\"txn\":{},\"do\":[{{\"sql\":{sql}{comma}{result}}}]}}\n", number + 1);
    }
    let source = TextSource::new("a log", log.into_bytes());
    audit(&source, &AuditOptions::new(AuditLevel::Serializable)).expect("a log")
}

/// The answer to the statements of one session with their results, and why some of them were not judged.
fn told(dialect: &str, statements: &[(&str, &str)]) -> String {
    let verdict = judged(dialect, statements);
    let unjudged = verdict.log.unjudged.first().map(|one| format!(", not judged: {}", one.reason));
    let answer = match &verdict.answer {
        AuditAnswer::Accept { .. } => "accept",
        AuditAnswer::Reject { .. } => "reject",
        AuditAnswer::Unknown { reason, .. } => reason,
    };
    answer.to_owned() + &unjudged.unwrap_or_default()
}

const T: (&str, &str) = ("CREATE TABLE t (id serial PRIMARY KEY, name text)", "");
const TWO: (&str, &str) = ("INSERT INTO t (name) VALUES ('a'), ('b')", "\"affected\":2");

#[test]
fn numbers_that_are_not_shown_follow_from_the_sequence() {
    let third = ("INSERT INTO t (name) VALUES ('c') RETURNING id", "\"rows\":[[3]]");
    let all = ("SELECT id, name FROM t ORDER BY id", "\"rows\":[[1,\"a\"],[2,\"b\"],[3,\"c\"]]");
    assert_eq!(told("postgresql", &[T, TWO, third, all]), "accept");
}

#[test]
fn gaps_in_a_sequence_are_no_reason_to_reject() {
    let gap = ("SELECT id, name FROM t ORDER BY id", "\"rows\":[[5,\"a\"],[9,\"b\"]]");
    let told = told("postgresql", &[T, TWO, gap]);
    assert!(
        told.starts_with("accept, not judged: the server chose values of the column t.id"),
        "{told}"
    );
}

#[test]
fn what_cannot_be_explained_with_predicted_values_is_said() {
    let wrong = ("SELECT name FROM t ORDER BY id", "\"rows\":[[\"b\"],[\"a\"]]");
    let verdict = judged("postgresql", &[T, TWO, wrong]);
    let expected = "with the values that were predicted for t, nothing explains transaction 3: \
                    either the server chose others, or an answer is wrong";
    assert_eq!(verdict.warnings.first().map(String::as_str), Some(expected));
    let right = ("SELECT name FROM t ORDER BY id", "\"rows\":[[\"a\"],[\"b\"]]");
    assert!(judged("postgresql", &[T, TWO, right]).warnings.is_empty());
}

#[test]
fn numbers_that_are_shown_are_kept() {
    let shown = ("INSERT INTO t (name) VALUES ('c') RETURNING id", "\"rows\":[[7]]");
    let seen = |id: u32| format!("\"rows\":[[{id}]]");
    for (id, expected) in [(7, "accept"), (8, "reject")] {
        let seen = seen(id);
        let found = ("SELECT id FROM t", seen.as_str());
        assert_eq!(told("postgresql", &[T, shown, found]), expected);
    }
}

#[test]
fn two_columns_that_count_are_told_apart() {
    let create = ("CREATE TABLE u (a serial, b serial, c int)", "");
    let insert = ("INSERT INTO u (c) VALUES (1), (2) RETURNING a, b", "\"rows\":[[4,20],[5,21]]");
    let all = ("SELECT a, b, c FROM u ORDER BY a", "\"rows\":[[4,20,1],[5,21,2]]");
    assert_eq!(told("postgresql", &[create, insert, all]), "accept");
}

#[test]
fn sequences_are_followed() {
    let create = ("CREATE SEQUENCE s START 10 INCREMENT 5 MAXVALUE 20", "");
    let next = |shown: &'static str| ("SELECT nextval('s')", shown);
    let last = ("SELECT currval('s'), lastval()", "\"rows\":[[15,15]]");
    let end = next("\"error\":{\"code\":\"2200H\"}");
    let log = [
        create,
        next("\"rows\":[[10]]"),
        next("\"rows\":[[15]]"),
        last,
        next("\"rows\":[[20]]"),
        end,
    ];
    assert_eq!(told("postgresql", &log), "accept");
    // Another session may have been given numbers.
    let log = [create, next("\"rows\":[[10]]"), next("\"rows\":[[20]]"), end];
    assert_eq!(told("postgresql", &log), "accept");
    let wrong = ("SELECT currval('s'), 1", "\"rows\":[[11,1]]");
    let told = told("postgresql", &[create, next("\"rows\":[[10]]"), wrong]);
    assert!(told.starts_with("accept, not judged: it returns a value"), "{told}");
}

#[test]
fn a_query_with_the_time_is_judged_if_the_time_does_not_matter_much() {
    let create = ("CREATE TABLE u (id int, at timestamptz DEFAULT now())", "");
    let insert = ("INSERT INTO u (id) VALUES (1)", "\"affected\":1");
    let count = |rows: &'static str| {
        ("SELECT count(*) FROM u WHERE at <= now() AND at > now() - interval '1 hour'", rows)
    };
    assert_eq!(told("postgresql", &[create, insert, count("\"rows\":[[1]]")]), "accept");
    let told = told("postgresql", &[create, insert, count("\"rows\":[[0]]")]);
    assert!(told.starts_with("accept, not judged: it returns a value"), "{told}");
}

#[test]
fn a_time_that_is_returned_is_kept() {
    let create = ("CREATE TABLE u (id int, at timestamptz DEFAULT now())", "");
    let insert =
        ("INSERT INTO u (id) VALUES (1) RETURNING at", "\"rows\":[[\"2026-11-17 12:00:00.5+00\"]]");
    for (seen, expected) in [("12:00:00.5", "accept"), ("12:00:01", "reject")] {
        let seen = format!("\"rows\":[[\"2026-11-17 {seen}+00\"]]");
        let select = ("SELECT at FROM u", seen.as_str());
        assert_eq!(told("postgresql", &[create, insert, select]), expected);
    }
}

#[test]
fn auto_increment_goes_on_behind_the_largest_number() {
    let log = [
        ("CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v INT)", ""),
        ("INSERT INTO t (v) VALUES (1), (2)", "\"affected\":2"),
        ("INSERT INTO t (id, v) VALUES (10, 3)", "\"affected\":1"),
        ("INSERT INTO t VALUES (NULL, 4)", "\"affected\":1"),
        ("SELECT LAST_INSERT_ID()", "\"rows\":[[11]]"),
        ("SELECT id FROM t ORDER BY id", "\"rows\":[[1],[2],[10],[11]]"),
        ("TRUNCATE TABLE t", ""),
        ("INSERT INTO t (v) VALUES (5)", "\"affected\":1"),
        ("SELECT id FROM t", "\"rows\":[[1]]"),
    ];
    assert_eq!(told("mariadb", &log), "accept");
}

#[test]
fn counts_of_the_statement_before_follow_from_its_result() {
    let log = |count: &'static str| {
        [
            ("CREATE TABLE t (id INT)", ""),
            ("INSERT INTO t VALUES (1), (2), (3)", "\"affected\":3"),
            ("SELECT ROW_COUNT()", count),
            ("SELECT SQL_CALC_FOUND_ROWS id FROM t ORDER BY id LIMIT 1", "\"rows\":[[1]]"),
            ("SELECT FOUND_ROWS()", "\"rows\":[[3]]"),
        ]
    };
    assert_eq!(told("mariadb", &log("\"rows\":[[3]]")), "accept");
    assert!(told("mariadb", &log("\"rows\":[[2]]")).starts_with("accept, not judged"));
}
