//! Statements that servers refuse whatever rows there are, and what MariaDB computes in several ways.
//!
//! `differential/probes` asks real servers the same.

use tristan_sql::{Dialect, Memory};

use crate::shown::{check, last};

const TABLES: &str = "CREATE TABLE t (id INT PRIMARY KEY, a INT, b VARCHAR(20));
    CREATE TABLE u (id INT PRIMARY KEY, t_id INT REFERENCES t (id), s VARCHAR(20));
    INSERT INTO t VALUES (1, 10, 'x'), (2, 20, 'y'); INSERT INTO u VALUES (1, 1, 'q');";

fn check_after(dialect: Dialect, cases: &[(&str, &str)]) {
    for (statement, expected) in cases {
        check(dialect, &[(&format!("{TABLES} {statement}"), *expected)]);
    }
}

#[test]
fn a_condition_of_a_join_does_not_see_tables_before_a_comma() {
    let cases = [
        ("SELECT t.id FROM t, u JOIN t AS w ON t.id = w.id", "error 42P01"),
        ("SELECT t.id FROM t, u JOIN t AS w ON u.id = w.id", "1 2"),
        ("SELECT u.id FROM t, u JOIN t AS w ON a = 10", "1 1"),
    ];
    check_after(Dialect::PostgreSql, &cases);
    let cases = [
        ("SELECT t.id FROM t, u JOIN t AS w ON t.id = w.id", "error 42703"),
        ("SELECT t.id FROM t, u JOIN t AS w ON u.id = w.id", "1 2"),
        ("SELECT u.id FROM t, u JOIN t AS w ON a = 10", "1 1"),
        ("UPDATE t JOIN u ON t.id = u.id SET id = 5", "error 42702"),
    ];
    check_after(Dialect::MariaDb, &cases);
}

#[test]
fn postgresql_refuses_values_without_a_type_and_locks_of_groups() {
    let cases = [
        ("SELECT array_agg(NULL) FROM t", "error 42725"),
        ("SELECT jsonb_agg('x') FROM t", "error 42804"),
        ("SELECT mode() WITHIN GROUP (ORDER BY NULL) FROM t", "error 42804"),
        ("SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY 'x') FROM t", "error 42804"),
        ("SELECT lead('x') OVER (ORDER BY id) FROM t", "error 42804"),
        ("SELECT first_value(NULL) OVER (ORDER BY id) FROM t", "error 42804"),
        ("SELECT lag('x', 1, 'y') OVER (ORDER BY id) FROM t", "y x"),
        ("SELECT ~ NULL", "error 42725"),
        ("SELECT count(*) FROM t FOR UPDATE", "error 0A000"),
        ("SELECT a FROM t GROUP BY a FOR UPDATE", "error 0A000"),
        ("SELECT DISTINCT a FROM t FOR SHARE", "error 0A000"),
        ("SELECT row_number() OVER () FROM t FOR UPDATE", "error 0A000"),
        ("SELECT id FROM t WHERE id = 1 FOR UPDATE", "1"),
        ("TRUNCATE t", "error 0A000"),
        ("TRUNCATE t, u; SELECT count(*) FROM t", "0"),
        ("TRUNCATE t CASCADE; SELECT count(*) FROM u", "0"),
    ];
    check_after(Dialect::PostgreSql, &cases);
}

#[test]
fn what_mariadb_computes_in_several_ways_is_known_or_refused() {
    let cases = [
        ("SELECT a / 7, a / 7 * 3, round(a / 7, 6) FROM t WHERE id = 1", "1.4286,4.2857,1.428571"),
        ("SELECT coalesce(a / 7, 0) FROM t WHERE id = 1", "1.4286"),
        ("SELECT a / 7 = 1.4286, a / 7 > 1.4286 FROM t WHERE id = 1", "1,0"),
        ("SELECT z FROM (SELECT a / 7 AS z FROM t) q WHERE z < 1.5", "1.4286"),
        ("SELECT max(z) FROM (SELECT a / 7 AS z FROM t) q", "2.8571"),
        ("SELECT avg(a) * 3 FROM t", "45.0000"),
    ];
    check_after(Dialect::MariaDb, &cases);
    let mut database = Memory::new(Dialect::MariaDb);
    for statement in TABLES.split(';').filter(|text| !text.trim().is_empty()) {
        database.run(statement).expect(statement).answer.expect(statement);
    }
    for query in [
        "SELECT coalesce(a / 7, 'x') FROM t",
        "SELECT if(id = 1, a / 7, 'x') FROM t",
        "SELECT a / 7 FROM t UNION ALL SELECT b FROM t",
        "SELECT concat(avg(a)) FROM t",
        "SELECT concat(min(a / 7)) FROM t",
        "SELECT a / 7 LIKE '1%' FROM t",
        "SELECT b = a / 7 FROM t",
        "SELECT a / 7 < 1.5e0 FROM t",
        "SELECT a / 7 IN (1.4286, 2) FROM t",
        "SELECT a / 7 BETWEEN 1 AND 2 FROM t",
        "SELECT CASE a / 7 WHEN 1.4286 THEN 1 END FROM t",
        "SELECT coalesce(a / 7, 0) * 3 FROM t",
        "SELECT round(greatest(a / 7, 0), 6) FROM t",
        "SELECT (SELECT a / 7 FROM t WHERE id = 1) * 7",
        "SELECT z * 3 FROM (SELECT a / 7 AS z FROM t) q",
        "SELECT concat(z) FROM (SELECT a / 7 AS z FROM t) q",
        "SELECT avg(z) FROM (SELECT a / 7 AS z FROM t) q",
        "SELECT round(z, 6) FROM (SELECT y AS z FROM (SELECT a / 7 AS y FROM t) p) q",
        "SELECT a / 7 AS k, count(*) FROM t GROUP BY k HAVING k * 7 = 10",
        "INSERT INTO u (id, s) SELECT id + 10, a / 7 FROM t",
        "SELECT DISTINCT 1 FROM t LIMIT 1 OFFSET 1",
        "SELECT json_merge_patch(NULL, '1')",
        "UPDATE u SET s = (SELECT a / 7 FROM t WHERE id = 1)",
    ] {
        let answer = database.run(query);
        assert!(answer.is_err(), "{query}: {answer:?}");
    }
}

#[test]
fn a_cast_that_shortens_a_text_may_fail_where_rows_are_changed() {
    let insert = "INSERT INTO u (id, s) VALUES (5, CAST('long text' AS CHAR(4)))";
    check_after(Dialect::MariaDb, &[(insert, "error 22P02")]);
    check_after(Dialect::MariaDb, &[("SELECT CAST('long text' AS CHAR(4))", "long")]);
}

#[test]
fn errors_in_queries_in_from_are_refused() {
    let mut database = Memory::new(Dialect::PostgreSql);
    for statement in TABLES.split(';').filter(|text| !text.trim().is_empty()) {
        database.run(statement).expect(statement).answer.expect(statement);
    }
    for query in [
        "SELECT k FROM (SELECT avg(4 / (id - 1)), count(*) AS k FROM t) q",
        "SELECT 1 FROM (SELECT 1 / (id - 1) AS x FROM t) q",
    ] {
        assert!(database.run(query).is_err(), "{query}");
    }
}

#[test]
fn what_mariadb_stores_and_looks_up_in_its_own_way_is_refused() {
    let t = "CREATE TABLE n (id INT AUTO_INCREMENT PRIMARY KEY, a DECIMAL(10,2) UNIQUE, d DECIMAL(4,4), s VARCHAR(9),
        e ENUM('x', 'y') NOT NULL, big BIGINT); INSERT INTO n (a, e, big) VALUES (3.14, 'y', 9223372036854775807);
        CREATE VIEW w AS SELECT * FROM n WHERE id > 0 WITH CHECK OPTION;";
    for statement in [
        "SELECT a - a FROM n UNION SELECT s FROM n",
        "UPDATE n SET s = a - a",
        "SELECT d FROM n UNION SELECT s FROM n",
        "UPDATE n SET e = DEFAULT",
        "SELECT id FROM n WHERE a IN (SELECT 3.1415 FROM n)",
        "SELECT id FROM n WHERE big + 1 NOT IN (d)",
        "INSERT INTO w (a, e) VALUES (1, 'x')",
    ] {
        let answer = last(Dialect::MariaDb, &format!("{t} {statement}"));
        assert!(answer.contains("not supported"), "{statement}: {answer}");
    }
    let fine = [
        ("SELECT a - a FROM n UNION SELECT big FROM n WHERE id > 5", "0.00"),
        ("SELECT id FROM n WHERE a IN (SELECT 3.14 FROM n)", "1"),
        ("SELECT id FROM n WHERE big + 1 NOT IN (1)", "error 22003"),
    ];
    for (statement, expected) in fine {
        check(Dialect::MariaDb, &[(&format!("{t} {statement}"), expected)]);
    }
}

#[test]
fn a_range_without_an_end_is_no_reason_to_drop_a_row_of_an_outer_join() {
    let query = "SELECT t.id FROM t LEFT JOIN u ON u.id = t.id
        WHERE int4range(t.id, u.id) > 'empty'::int4range";
    check_after(Dialect::PostgreSql, &[(query, "2")]);
}
