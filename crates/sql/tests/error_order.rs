//! Which of several errors a server finds first, and errors that it may find although no row is affected.

use tristan_sql::{Dialect, Memory};

use crate::shown::{answers, check, last};

#[test]
fn types_are_settled_before_columns_that_only_the_server_fills() {
    let t = "CREATE TABLE t (id INT GENERATED ALWAYS AS IDENTITY, b BOOLEAN, n NUMERIC(4,4)); ";
    for (statement, expected) in [
        ("INSERT INTO t VALUES (7, TRUE), (DEFAULT, -3)", "error 42804"),
        ("INSERT INTO t VALUES (7, TRUE, 99.5)", "error 428C9"),
        ("INSERT INTO t (id, b) SELECT 1, 2", "error 42804"),
        ("INSERT INTO t VALUES (1, TRUE, 2, ~ NULL)", "error 42725"),
        ("INSERT INTO t (b) VALUES (TRUE, 2), (~ NULL)", "error 42601"),
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
        "INSERT INTO t VALUES (0); SELECT BOOL_AND(FALSE) FROM t WHERE 1 / id > 0",
    ] {
        let answer = last(Dialect::PostgreSql, &format!("{t}{statement}"));
        assert!(answer.contains("not supported"), "{statement}: {answer}");
    }
    let fine = format!("{t}INSERT INTO t VALUES (1); SELECT MIN(7) FROM t WHERE 1 / id > 0");
    assert_eq!(last(Dialect::PostgreSql, &fine), "7");
}

#[test]
fn defaults_that_do_not_fit_fail_without_rows() {
    let t = "CREATE TABLE t (id INT, n NUMERIC(4,4)); ALTER TABLE t ALTER COLUMN n SET DEFAULT 2.5;
        CREATE TABLE u (id INT); ";
    for statement in [
        "INSERT INTO t (id) SELECT id FROM t",
        "WITH d AS (DELETE FROM u RETURNING id) INSERT INTO t (id) SELECT id FROM d",
    ] {
        check(Dialect::PostgreSql, &[(&format!("{t}{statement}"), "error 22003")]);
    }
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

#[test]
fn groups_may_be_computed_row_by_row_or_after_all_keys() {
    let t = "CREATE TABLE t (id INT PRIMARY KEY, n INT); INSERT INTO t VALUES (2147483647, NULL), (1, 0)";
    let query = "SELECT id % n, avg(id + 1) FROM t GROUP BY id % n";
    for query in [query.to_owned(), format!("{query} ORDER BY 2 LIMIT 2")] {
        assert_eq!(answers(Dialect::PostgreSql, t, &query), ["error 22003", "error 22012"]);
    }
    let filtered = "SELECT id + 1 FROM t WHERE 1 / coalesce(n, 1) > 0";
    assert_eq!(answers(Dialect::PostgreSql, t, filtered), ["error 22003", "error 22012"]);
    let rows = "SELECT id FROM t WHERE CASE WHEN n = 0 THEN 1 / n > 0 ELSE id + 1 > 0 END";
    assert_eq!(answers(Dialect::PostgreSql, t, rows), ["error 22003", "error 22012"]);
    let early = "SELECT 1 / sum(id - 1) FROM t GROUP BY id % n";
    assert!(last(Dialect::PostgreSql, &format!("{t}; {early}")).contains("not supported"));
}

#[test]
fn a_row_may_fail_before_the_condition_of_the_next_one_does() {
    let t =
        "CREATE TABLE t (id INT PRIMARY KEY, n INT); INSERT INTO t VALUES (2147483647, 1), (1, 0)";
    let update = "UPDATE t SET id = id + 1 WHERE 1 / n > 0";
    assert_eq!(answers(Dialect::PostgreSql, t, update), ["error 22003", "error 22012"]);
}

#[test]
fn a_subquery_of_mariadb_may_warn_only_and_an_assignment_fail() {
    let t = "CREATE TABLE t (id INT PRIMARY KEY, n INT); INSERT INTO t VALUES (1, 0);
        CREATE TABLE u (id INT, s VARCHAR(8)); INSERT INTO u VALUES (5, 'b')";
    let update =
        "UPDATE t SET n = MOD(n, ABS(n)) WHERE id NOT IN (SELECT id FROM u WHERE NOT (7 = s))";
    let answers = answers(Dialect::MariaDb, t, update);
    assert!(answers.iter().any(|answer| answer == "error 22012"), "{answers:?}");
}

#[test]
fn what_a_trigger_assigns_goes_by_its_text_before_the_row_is_checked() {
    let mut database = Memory::new(Dialect::PostgreSql);
    let insert = "INSERT INTO t VALUES (1, '{}', '{}'), (2, '{}', NULL)";
    for statement in [
        "CREATE TABLE t (id INT PRIMARY KEY, a JSONB, b JSONB NOT NULL)",
        "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.a := TRUE; RETURN NEW; END $$",
        "CREATE TRIGGER b BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION f()",
    ] {
        database.run(statement).expect("a definition").answer.expect("it works");
    }
    let failure = database.run(insert).expect("it is supported").answer.expect_err("it fails");
    assert_eq!(failure.class.sqlstate(), "22P02", "t is no JSON");
}

#[test]
fn triggers_of_mariadb_may_fail_before_the_next_row_does() {
    let mut database = Memory::new(Dialect::MariaDb);
    for statement in [
        "CREATE TABLE l (id INT, d DATE)",
        "CREATE TABLE t (id INT PRIMARY KEY, a INT UNIQUE)",
        "INSERT INTO t VALUES (1, 10), (2, 20)",
        "CREATE TRIGGER b AFTER UPDATE ON t FOR EACH ROW INSERT INTO l VALUES (NEW.id)",
    ] {
        database.run(statement).expect("a statement").answer.expect("it works");
    }
    assert!(database.run("UPDATE t SET a = 7 ORDER BY id DESC").is_err(), "1136, not 1062");
    let lone = database.run("UPDATE t SET a = 20 WHERE id = 1").expect("it is supported").answer;
    assert_eq!(lone.expect_err("it fails").class.sqlstate(), "23505");
}

/// MariaDB changes tied rows forwards (a sort) or backwards (a range of an index, in descending order).
#[test]
fn rows_that_an_order_leaves_tied_take_over_keys_in_any_order() {
    let t = "CREATE TABLE t (id INT NOT NULL, c VARCHAR(4), PRIMARY KEY (id, c));
        INSERT INTO t VALUES (7, ''), (7, 'A'), (6, '')";
    let (works, fails) = ("done", "error 23505");
    for (update, expected) in [
        ("c = CONCAT('A', c) ORDER BY id DESC", &[works, fails][..]),
        ("c = CONCAT('A', c) WHERE id > 6 ORDER BY id", &[works, fails]),
        ("c = CONCAT('A', c) ORDER BY id DESC LIMIT 2", &[works, fails]),
        ("c = CONCAT('A', c) ORDER BY c DESC", &[works]),
        ("c = CONCAT('A', c) ORDER BY c", &[fails]),
        ("c = IF(c = '', 'A', '') ORDER BY id", &[fails]),
        ("id = id + 1 ORDER BY id DESC", &[works]),
        ("id = id + 1 ORDER BY id", &[fails]),
        ("c = CONCAT('B', c) ORDER BY id", &[works]),
    ] {
        for dialect in [Dialect::MySql, Dialect::MariaDb] {
            let update = format!("UPDATE t SET {update}");
            assert_eq!(answers(dialect, t, &update), expected, "{update}");
        }
    }
}

#[test]
fn conditions_of_changes_may_meet_rows_that_are_joined_with_nothing() {
    let t = "CREATE TABLE t (id INT PRIMARY KEY, n INT, s VARCHAR(8));
        CREATE TABLE u (id INT PRIMARY KEY, n INT);
        INSERT INTO t VALUES (1, 1, 'a'); INSERT INTO u VALUES (2, 2)";
    for statement in [
        "UPDATE u JOIN t ON t.id = u.id SET u.n = 3 WHERE 0 <> t.s",
        "UPDATE t LEFT JOIN u ON t.id = u.id SET u.n = 3 WHERE t.n > 'a' AND t.id > 9",
        "DELETE u FROM u JOIN t ON t.id = u.id WHERE 0 <> t.s",
    ] {
        assert_eq!(answers(Dialect::MariaDb, t, statement), ["done", "error 22P02"], "{statement}");
    }
    let refused = |answer: &String| answer.contains("not supported");
    for several in [
        "UPDATE u LEFT JOIN t ON t.id = u.id SET u.n = 3, t.n = 4 WHERE 0 <> t.s",
        "UPDATE u JOIN t ON t.id = u.id SET u.n = 3, t.n = 4 WHERE t.n > 'a' AND t.id > 9",
    ] {
        assert!(answers(Dialect::MariaDb, t, several).iter().any(refused), "{several}");
    }
}

/// A server that finds no row in one table of a join need not look at the other, nor compute what OFFSET leaves out.
#[test]
fn an_error_may_be_passed_by() {
    let t = "CREATE TABLE t (a INT); CREATE TABLE u (b INT); INSERT INTO t VALUES (1); INSERT INTO u VALUES (0)";
    let join = "SELECT a FROM t JOIN u ON 1 / b > 0 WHERE a > 7";
    assert!(answers(Dialect::PostgreSql, t, join).contains(&String::new()), "no rows");
    let t = "CREATE TABLE t (a INT UNSIGNED); INSERT INTO t VALUES (1), (NULL)";
    let query = "SELECT a * -2 FROM t ORDER BY a DESC LIMIT 4 OFFSET 1";
    assert!(last(Dialect::MariaDb, &format!("{t}; {query}")).contains("not supported"));
}

/// What a server does depends on which table it reads first, and on what it leaves out.
#[test]
fn conditions_of_joins_may_never_meet_a_row() {
    let t = "CREATE TABLE t (a INT, s VARCHAR(8)); CREATE TABLE u (b INT, c INT);
        CREATE TABLE k (id INT PRIMARY KEY, n INT); CREATE TABLE e (y INT);
        INSERT INTO t VALUES (1, 'a'); INSERT INTO u VALUES (0, 1), (2, 1); INSERT INTO k VALUES (1, 1)";
    let fails = "error 22012";
    for (statement, expected) in [
        ("SELECT a FROM t JOIN u ON 1 / b > 0 WHERE RTRIM(s) > 'z'", &["", fails][..]),
        ("SELECT a FROM t JOIN u ON 1 / b >= 0 WHERE RTRIM(s) = 'a'", &[fails]),
        ("SELECT a FROM t LEFT JOIN u ON 1 / b > 0 WHERE RTRIM(s) > 'z'", &["", fails]),
        ("SELECT a FROM t LEFT JOIN u ON 1 / b >= 0 WHERE RTRIM(s) = 'a'", &[fails]),
        ("SELECT a FROM t JOIN u ON 1 / (b - 2) < a LIMIT 1", &["1", fails]),
        ("SELECT a FROM t LEFT JOIN k ON k.id = t.a AND 1 / (n - 1) > 0", &["1", fails]),
        ("SELECT a, n FROM t LEFT JOIN k ON k.id = t.a AND 1 / (n - 1) > 0", &[fails]),
        ("SELECT * FROM u LEFT JOIN e ON 1 / b = y", &["0,1,NULL 2,1,NULL", fails]),
        ("SELECT * FROM u FULL JOIN e ON 1 / b = y", &["0,1,NULL 2,1,NULL", fails]),
        ("UPDATE t SET a = 5 FROM u WHERE 1 / b > 0 AND RTRIM(s) > 'z'", &["done", fails]),
        ("UPDATE t SET a = 5 FROM u LEFT JOIN e ON 1 / b > 0 WHERE RTRIM(s) > 'z'", &["done"]),
        ("DELETE FROM t USING u LEFT JOIN k ON 1 / b > 0 WHERE RTRIM(s) > 'z'", &["done", fails]),
        ("MERGE INTO e USING u ON 1 / b = y WHEN MATCHED THEN DELETE", &["done", fails]),
        ("SELECT a FROM t JOIN u ON 1 / b > 0 JOIN k ON MOD(n, a - 1) > 0", &[fails]),
        ("SELECT * FROM u WHERE NOT EXISTS (SELECT 1 FROM e WHERE 1 / b = y)", &["0,1 2,1", fails]),
        ("SELECT * FROM u WHERE EXISTS (SELECT 1 FROM e WHERE 1 / b = y)", &["", fails]),
        ("SELECT * FROM u WHERE 1 / b IN (SELECT y FROM e)", &["", fails]),
        ("SELECT * FROM e WHERE y IN (SELECT 1 / b FROM u)", &["", fails]),
        ("SELECT * FROM e WHERE EXISTS (SELECT 1 FROM u WHERE 1 / b > 0 AND c = y)", &["", fails]),
        ("SELECT id FROM k WHERE n IN (SELECT 2 / b FROM u)", &["1", fails]),
        ("SELECT * FROM e WHERE y IN (SELECT 1 / b FROM u WHERE b > 0)", &[""]),
        ("SELECT * FROM e WHERE y IN (SELECT 1 / b FROM u WHERE b > 0 AND c = y)", &[""]),
        ("SELECT a FROM e JOIN (t JOIN u ON 1 / (a * b) > 0) ON TRUE", &["", fails]),
        ("SELECT a FROM e, t, u WHERE 1 / (a * b) = c", &["", fails]),
        ("SELECT a FROM e, t, u WHERE 1 / (a * c) = c", &[""]),
        ("SELECT a FROM t JOIN u ON c = a LEFT JOIN e ON 1 / (a * b) = y", &["1 1", fails]),
        ("SELECT id FROM k WHERE n + 1 IN (SELECT 2 / b FROM u)", &[fails]),
    ] {
        assert_eq!(answers(Dialect::PostgreSql, t, statement), expected, "{statement}");
    }
    let two = "SELECT a FROM t JOIN u ON 1 / b > 0 JOIN k ON k.id + 2147483647 > 0";
    assert_eq!(answers(Dialect::PostgreSql, t, two), ["error 22003", fails]);
    for statement in [
        "SELECT MIN(id) FROM k WHERE 1 / (n - 1) > 0",
        "SELECT b FROM u WHERE 1 / b > 0 GROUP BY b HAVING b > 10",
    ] {
        assert!(last(Dialect::PostgreSql, &format!("{t}; {statement}")).contains("not supported"));
    }
}

/// PostgreSQL makes one query of a view and the query around it, and decides the cheapest condition first.
#[test]
fn conditions_on_a_view_may_meet_rows_that_it_drops() {
    let t = "CREATE TABLE u (id INT PRIMARY KEY, b INT, s VARCHAR(8)); INSERT INTO u VALUES (1, 0, 'a'), (2, 2, 'z');
        CREATE VIEW v AS SELECT b, s FROM u WHERE RTRIM(s) > 'b'; CREATE VIEW w AS SELECT b FROM v WHERE b < 9;
        CREATE VIEW one AS SELECT b FROM u WHERE id = 2; CREATE VIEW first AS SELECT b FROM u ORDER BY id DESC LIMIT 1";
    let fails = "error 22012";
    for (statement, expected) in [
        ("SELECT b FROM v WHERE 1 / b IS NOT NULL", &["2", fails][..]),
        ("SELECT b FROM w WHERE 1 / b IS NOT NULL", &["2", fails]),
        ("SELECT b FROM one WHERE 1 / b IS NOT NULL", &["2", fails]),
        ("SELECT b FROM (SELECT b FROM u WHERE s = 'z') q WHERE 1 / b IS NOT NULL", &["2", fails]),
        ("SELECT b FROM (SELECT b FROM u WHERE s = 'z') q WHERE 1 / (b + 1) IS NOT NULL", &["2"]),
        ("SELECT b FROM v WHERE b IS NOT NULL", &["2"]),
        ("SELECT b FROM first WHERE 1 / b IS NOT NULL", &["2"]),
    ] {
        assert_eq!(answers(Dialect::PostgreSql, t, statement), expected, "{statement}");
    }
}

#[test]
fn what_depends_on_the_order_of_rows_or_checks_is_refused() {
    let keys = "CREATE TABLE t (id INT PRIMARY KEY); \
        CREATE TABLE u (id INT PRIMARY KEY, t INT, FOREIGN KEY (t) REFERENCES t (id) ON DELETE CASCADE); \
        INSERT INTO t VALUES (1), (2); INSERT INTO u VALUES (2, 1)";
    let delete = "DELETE y FROM t y LEFT JOIN u z ON y.id = z.id WHERE (z.t > 0) IS NOT TRUE";
    assert!(last(Dialect::MariaDb, &format!("{keys}; {delete}")).contains("looks for rows"));
    let inside = "DELETE FROM t WHERE id = 1 OR EXISTS (SELECT 1 FROM u WHERE u.id = t.id)";
    assert!(last(Dialect::MariaDb, &format!("{keys}; {inside}")).contains("looks for rows"));
    let orphans = "DELETE y FROM t y LEFT JOIN u z ON y.id = z.t WHERE z.id IS NULL";
    assert_eq!(last(Dialect::MariaDb, &format!("{keys}; {orphans}")), "done");
    let merge = "CREATE DOMAIN small AS INT CHECK (VALUE > 0); CREATE TABLE t (id INT, n small, s VARCHAR(4)); \
        MERGE INTO t USING (VALUES (1)) AS v (k) ON t.id = v.k \
        WHEN NOT MATCHED THEN INSERT VALUES (v.k, v.k - 5, 'number ' || v.k)";
    assert!(last(Dialect::PostgreSql, merge).contains("not supported"));
    let keys = "CREATE TABLE t (id INT PRIMARY KEY, k INT UNIQUE); INSERT INTO t VALUES (1, 5); \
        MERGE INTO t USING (VALUES (1, 9), (2, K)) AS v (i, k) ON t.id = v.i \
        WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (v.i, v.k)";
    assert!(last(Dialect::PostgreSql, &keys.replace("K)", "5)")).contains("not supported"));
    assert_eq!(last(Dialect::PostgreSql, &keys.replace("K)", "6)")), "done");
    let days = "CREATE TABLE t (d DATE, p DECIMAL(4,4)); \
        SELECT p FROM t UNION SELECT DAYOFWEEK(d) FROM t";
    assert!(last(Dialect::MariaDb, days).contains("a day of the week"));
}
