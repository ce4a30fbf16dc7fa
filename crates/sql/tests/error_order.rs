//! Which of several errors PostgreSQL finds first, and errors that it may find although no row is affected.

use tristan_sql::Dialect;

use crate::shown::{check, last};

#[test]
fn types_are_settled_before_columns_that_only_the_server_fills() {
    let t = "CREATE TABLE t (id INT GENERATED ALWAYS AS IDENTITY, b BOOLEAN, n NUMERIC(4,4)); ";
    for (statement, expected) in [
        ("INSERT INTO t VALUES (7, TRUE), (DEFAULT, -3)", "error 42804"),
        ("INSERT INTO t VALUES (7, TRUE, 99.5)", "error 428C9"),
        ("INSERT INTO t (id, b) SELECT 1, 2", "error 42804"),
        ("SELECT jsonb_agg('a' ORDER BY id) FROM t", "error 42804"),
        ("SELECT jsonb_set('[]'::jsonb, '{a}', '1'::jsonb) FROM t", "error 22P02"),
        ("SELECT (jsonb_set('[]'::jsonb, '{a}', '1'::jsonb) #>> '{b,0}') FROM t", "error 22P02"),
    ] {
        check(Dialect::PostgreSql, &[(&format!("{t}{statement}"), expected)]);
    }
    let lone =
        format!("{t}UPDATE t SET n = w.v FROM (VALUES (0, 99.995)) AS w (k, v) WHERE w.k = t.id");
    assert!(last(Dialect::PostgreSql, &lone).contains("not supported"));
}

#[test]
fn a_domain_is_checked_before_columns_are_computed() {
    let t = "CREATE DOMAIN small AS INT CHECK (VALUE < 9);
        CREATE TABLE t (n small, m INT GENERATED ALWAYS AS (n + 1) STORED); INSERT INTO t VALUES (1);";
    for statement in ["INSERT INTO t VALUES (2147483647)", "UPDATE t SET n = 2147483647"] {
        check(Dialect::PostgreSql, &[(&format!("{t} {statement}"), "error 23514")]);
    }
}

#[test]
fn constants_are_stored_late_behind_an_order_and_extremes_of_them_need_one_row() {
    let t = "CREATE TABLE t (id INT, n NUMERIC(4,4)); ";
    for statement in [
        "INSERT INTO t SELECT 1, 99.5 FROM t WHERE FALSE ORDER BY t.id",
        "INSERT INTO t VALUES (0); SELECT MIN(NULL) FROM t WHERE 1 / id > 0",
    ] {
        let answer = last(Dialect::PostgreSql, &format!("{t}{statement}"));
        assert!(answer.contains("not supported"), "{statement}: {answer}");
    }
    let fine = format!("{t}INSERT INTO t VALUES (1); SELECT MIN(7) FROM t WHERE 1 / id > 0");
    assert_eq!(last(Dialect::PostgreSql, &fine), "7");
}

#[test]
fn a_view_of_postgresql_has_defaults_of_its_own() {
    let update = "CREATE TABLE t (id INT, n INT DEFAULT 7); CREATE VIEW v AS SELECT id, n FROM t;
        UPDATE v SET n = DEFAULT";
    assert!(last(Dialect::PostgreSql, update).contains("not supported"));
}

#[test]
fn constants_of_do_update_are_computed_before_those_of_several_rows() {
    let t = "CREATE TABLE t (id INT PRIMARY KEY, s VARCHAR(4), n NUMERIC(4,4)); ";
    let update = "ON CONFLICT (id) DO UPDATE SET s = 'too long'";
    for (rows, expected) in
        [("(1, 'a', 1.25), (2, 'b', 0)", "error 22001"), ("(1, 'a', 1.25)", "error 22003")]
    {
        let insert = format!("{t}INSERT INTO t VALUES {rows} {update}");
        check(Dialect::PostgreSql, &[(&insert, expected)]);
    }
}
