//! Questions about the schema and the session: counted, not compared, and without effects.

use tristan_verdict::audit::AuditVerdict;

use crate::common::{judged, word};

/// The verdict on these statements, after which `t` has to hold the rows of the start.
fn after(dialect: &str, statements: &[&str]) -> AuditVerdict {
    let call = |sql: &&str| serde_json::json!({"sql": sql, "rows": [["something"]]}).to_string();
    let calls: Vec<String> = statements.iter().map(call).collect();
    let lines = format!(
        r#"
{{"schema":"CREATE TABLE t (id INT PRIMARY KEY, v INT)"}}
{{"rows":"t","values":[[1,10]]}}
{{"txn":1,"do":[{}]}}
{{"txn":2,"do":[{{"sql":"SELECT v FROM t","rows":[[10]]}}]}}
"#,
        calls.join(",")
    );
    judged(dialect, &lines)
}

#[test]
fn questions_are_counted_apart() {
    let asked = [
        "SELECT c.relname FROM pg_class c JOIN pg_index t ON t.indrelid = c.oid",
        "WITH t AS (SELECT oid FROM pg_class) SELECT count(*) FROM t",
        "SELECT pg_try_advisory_lock(42)",
        "SELECT current_setting('app.user')",
    ];
    let verdict = after("postgresql", &asked);
    assert_eq!(word(&verdict), "accept", "{verdict:?}");
    let log = &verdict.log;
    assert_eq!((log.questions, log.unjudged.len(), log.partly), (4, 0, 0), "{verdict:?}");
    let asked = [
        "SELECT VERSION(), CONNECTION_ID()",
        "SELECT table_name FROM information_schema.tables",
        "SHOW TABLES",
        "SELECT @@autocommit",
    ];
    let verdict = after("mariadb", &asked);
    assert_eq!((word(&verdict).as_str(), verdict.log.questions), ("accept", 3), "{verdict:?}");
}

#[test]
fn queries_on_tables_are_no_questions() {
    let joined = "SELECT t.v FROM t JOIN pg_class c ON c.oid = t.id";
    let verdict = after("postgresql", &[joined]);
    let log = &verdict.log;
    assert_eq!((log.questions, log.unjudged.len(), log.partly), (0, 1, 1), "{verdict:?}");
}

#[test]
fn what_is_filled_from_a_catalog_is_excluded() {
    let filled = "INSERT INTO t SELECT oid, 1 FROM pg_class";
    let verdict = after("postgresql", &[filled]);
    assert_eq!((word(&verdict).as_str(), verdict.log.questions), ("accept", 0), "{verdict:?}");
    assert_eq!((verdict.log.unjudged.len(), verdict.log.partly), (2, 2), "{verdict:?}");
    // Unknown functions may change any table.
    let verdict = after("postgresql", &["SELECT pay(oid) FROM pg_class"]);
    assert!(word(&verdict).starts_with("unknown"), "{verdict:?}");
}
