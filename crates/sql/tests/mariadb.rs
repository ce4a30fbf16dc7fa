//! What MariaDB alone has: its types of columns, its ALTER TABLE, changes of several tables. All answers are those
//! of a real server.

use tristan_sql::Dialect;

use crate::shown::{check, last};

/// Appends each statement to a beginning, and compares the last answers.
fn check_after(begin: &str, cases: &[(&str, &str)]) {
    for (statements, expected) in cases {
        check(Dialect::MariaDb, &[(&format!("{begin} {statements}"), *expected)]);
    }
}

#[test]
fn columns_come_between_others_and_are_defined_again() {
    let m = "CREATE TABLE m (a INT NOT NULL DEFAULT 5, b VARCHAR(10) UNIQUE, c DECIMAL(5,2));
        INSERT INTO m VALUES (1, 'x', 1.55), (2, 'y', 2.45);";
    check_after(
        m,
        &[
            (
                "ALTER TABLE m MODIFY a BIGINT, MODIFY c DECIMAL(5,1) FIRST, CHANGE b bb VARCHAR(20) AFTER c,
                    ADD COLUMN IF NOT EXISTS zz INT DEFAULT 3 AFTER bb;
                 INSERT INTO m (bb) VALUES ('q'); SELECT * FROM m",
                "1.6,x,3,1 2.5,y,3,2 NULL,q,3,NULL",
            ),
            ("ALTER TABLE m MODIFY c DECIMAL(5,2) FIRST; INSERT INTO m VALUES (1, 3, 'x')", "error 23505"),
            ("ALTER TABLE m ADD COLUMN n INT NOT NULL FIRST; SELECT * FROM m", "0,1,x,1.55 0,2,y,2.45"),
            ("ALTER TABLE m ADD COLUMN IF NOT EXISTS a TEXT; SELECT a FROM m", "1 2"),
            ("RENAME TABLE m TO k; CREATE TABLE m (z INT); RENAME TABLE m TO x, k TO m; SELECT a FROM m", "1 2"),
        ],
    );
}

#[test]
fn special_columns_are_texts_or_numbers() {
    let t = "CREATE TABLE t (e ENUM('a', 'c', 'b') NOT NULL, s SET('r', 'w', 'x'), y YEAR, b BIT(4), v VARBINARY(5));
        INSERT INTO t VALUES ('b', 'x,r', 2024, b'1010', 'ab'), (2, '', 99, 6, x'00');";
    check_after(
        t,
        &[
            (
                "SELECT e, e + 0, e / 2, s, s + 0, y + 1, b + 0, HEX(v), LENGTH(v), BIN(b) FROM t ORDER BY e",
                "c,2,1.0000,,0,2000,6,00,1,110 b,3,1.5000,r,x,5,2025,10,6162,2,1010",
            ),
            ("SELECT COUNT(*) FROM t WHERE e = 'b' AND y = 2024 AND v = 'ab' AND b = 10", "1"),
            ("INSERT INTO t (e) VALUES ('zz')", "error 22P02"),
            ("INSERT INTO t (s) VALUES ('r,zz')", "error 22P02"),
            ("INSERT INTO t (y) VALUES (1900)", "error 22003"),
            ("INSERT INTO t (b) VALUES (16)", "error 22001"),
            ("INSERT INTO t (v) VALUES ('abcdef')", "error 22001"),
            ("INSERT INTO t (y) VALUES (2000); SELECT e FROM t WHERE y = 2000", "a"),
            ("SELECT CONCAT(e, '!'), UPPER(e) FROM t WHERE s IS NOT NULL ORDER BY e", "c!,C b!,B"),
        ],
    );
}

#[test]
fn several_tables_change_at_once() {
    let t = "CREATE TABLE t (id INT PRIMARY KEY, total INT DEFAULT 0);
        CREATE TABLE c (t_id INT, n INT, seen BOOLEAN DEFAULT FALSE);
        INSERT INTO t (id) VALUES (1), (2); INSERT INTO c (t_id, n) VALUES (1, 5), (2, 7), (2, 8);";
    let update = "UPDATE t JOIN c ON c.t_id = t.id SET t.total = 7, c.seen = TRUE WHERE c.n > 5;";
    let delete = "DELETE t, c FROM t LEFT JOIN c ON c.t_id = t.id AND c.n > 7 WHERE t.id >= 1;";
    check_after(
        t,
        &[
            (&format!("{update} SELECT * FROM t"), "1,0 2,7"),
            (&format!("{update} SELECT * FROM c"), "1,5,0 2,7,1 2,8,1"),
            ("UPDATE t, c SET n = 9 WHERE c.t_id = t.id; SELECT n FROM c", "9 9 9"),
            ("UPDATE t, c SET nothing = 9", "error 42703"),
            (&format!("{delete} SELECT * FROM c"), "1,5,0 2,7,0"),
            (&format!("{delete} SELECT COUNT(*) FROM t"), "0"),
        ],
    );
}

#[test]
fn ignored_errors_change_values() {
    let g = "CREATE TABLE g (a TINYINT, v VARCHAR(3) NOT NULL, n INT NOT NULL, d DECIMAL(4,2), u TINYINT UNSIGNED);";
    check_after(
        g,
        &[
            (
                "INSERT IGNORE INTO g VALUES (500, 'abcdef', NULL, 1234.5, -5); SELECT * FROM g",
                "127,abc,0,99.99,0",
            ),
            (
                "INSERT IGNORE INTO g VALUES (-500, NULL, 'abc', -1234.5, 300); SELECT * FROM g",
                "-128,,0,-99.99,255",
            ),
            ("INSERT IGNORE INTO g (a) VALUES ('12a'); SELECT * FROM g", "12,,0,NULL,NULL"),
        ],
    );
}

#[test]
fn insert_ignore_looks_for_the_rows_that_new_ones_refer_to() {
    let tables = "CREATE TABLE p (id INT PRIMARY KEY); INSERT INTO p VALUES (1), (2);
        CREATE TABLE c (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES p (id));
        CREATE TABLE s (id INT PRIMARY KEY, s INT, FOREIGN KEY (s) REFERENCES s (id));
        CREATE TABLE e (id INT, x INT, FOREIGN KEY (x) REFERENCES unknown (id));";
    let open = "INSERT IGNORE of a row that refers to no other one is not supported";
    let unknown =
        "INSERT IGNORE into a table that refers to one that is not known is not supported";
    let told = |why: &str, text: &str| format!("{why}: {text}");
    let missing = "INSERT IGNORE INTO c VALUES (1, 3)";
    let itself = "INSERT IGNORE INTO s VALUES (1, 1)";
    let elsewhere = "INSERT IGNORE INTO e VALUES (1, NULL)";
    check_after(
        tables,
        &[
            (
                "INSERT IGNORE INTO c VALUES (1, 1), (1, 3), (2, NULL); SELECT * FROM c",
                "1,1 2,NULL",
            ),
            ("INSERT IGNORE INTO c SELECT id + 4, id FROM p; SELECT * FROM c", "5,1 6,2"),
            ("INSERT IGNORE INTO s VALUES (1, NULL); SELECT * FROM s", "1,NULL"),
            (missing, &told(open, missing)),
            (itself, &told(open, itself)),
            (elsewhere, &told(unknown, elsewhere)),
        ],
    );
}

#[test]
fn json_is_collected() {
    let j = "CREATE TABLE j (k VARCHAR(5), v INT, x VARCHAR(9));
        INSERT INTO j VALUES ('a', 1, 'q\"t'), (NULL, 3, 'z');";
    check_after(
        j,
        &[
            (
                "SELECT JSON_ARRAYAGG(v ORDER BY v DESC), JSON_OBJECTAGG(k, x) FROM j",
                "[3,1],{\"a\":\"q\\\"t\"}",
            ),
            ("SELECT JSON_ARRAYAGG(v) FROM j WHERE v > 99", "NULL"),
        ],
    );
}

#[test]
fn logarithms_are_known_if_all_libraries_agree() {
    check_after(
        "CREATE TABLE t (n INT); INSERT INTO t VALUES (100);",
        &[
            (
                "SELECT ROUND(EXP(1), 8), ROUND(LN(n), 8), LOG10(n), LOG2(8), ROUND(LOG(2, 8), 8) FROM t",
                "2.71828183,4.60517019,2,3,3",
            ),
            (
                "SELECT LN(n) FROM t",
                "EXP or a logarithm, which depend on the C library is not supported: SELECT LN(n) FROM t",
            ),
        ],
    );
}

#[test]
fn addresses_are_kept_as_texts() {
    check_after(
        "CREATE TABLE t (id INT, a INET6); INSERT INTO t VALUES (1, '2001:DB8::ff'), (2, '::1');",
        &[("SELECT a FROM t ORDER BY id", "2001:db8::ff ::1")],
    );
}

#[test]
fn a_view_without_a_check_option_forgets_that_of_the_view_below() {
    let v = "CREATE TABLE t (id INT PRIMARY KEY, n INT); INSERT INTO t VALUES (1, 1);
        CREATE VIEW v AS SELECT id, n FROM t WHERE n = 1 WITH CHECK OPTION;
        CREATE VIEW plain AS SELECT id, n FROM v;
        CREATE VIEW own AS SELECT id, n FROM v WHERE id < 9 WITH LOCAL CHECK OPTION;
        CREATE VIEW every AS SELECT id, n FROM v WHERE id < 9 WITH CASCADED CHECK OPTION;";
    check_after(
        v,
        &[
            ("INSERT INTO v VALUES (2, 5)", "error 44000"),
            ("INSERT INTO plain VALUES (2, 5); SELECT * FROM t", "1,1 2,5"),
            ("UPDATE plain SET n = 7; SELECT * FROM t", "1,7"),
            ("INSERT INTO own VALUES (2, 5); SELECT * FROM t", "1,1 2,5"),
            ("INSERT INTO own VALUES (9, 1)", "error 44000"),
            ("INSERT INTO every VALUES (2, 5)", "error 44000"),
        ],
    );
}

#[test]
fn null_makes_a_double_of_a_whole_number() {
    let large = |what: &str| {
        last(Dialect::MariaDb, &format!("SELECT 9223372036854775807 UNION SELECT {what}"))
    };
    for what in [
        "LEAST(5, NULL)",
        "GREATEST(5, COALESCE(NULL, NULL))",
        "5 + NULL",
        "5 + NULLIF(NULL, 1)",
        "-NULL",
    ] {
        assert_eq!(large(what), "9223372036854776000 NULL", "{what}");
    }
    for what in
        ["ABS(NULL)", "FLOOR(NULL)", "CEIL(NULL)", "ROUND(NULL)", "MOD(5, NULL)", "SUM(NULL)"]
    {
        assert_eq!(large(what), "9223372036854776000 NULL", "{what}");
    }
    for what in
        ["NULLIF(5, 5)", "SIGN(NULL)", "5 DIV NULL", "IF(1, NULL, 5)", "LEAST(5, NULLIF(1, 1))"]
    {
        assert_eq!(large(what), "9223372036854775807 NULL", "{what}");
    }
}

#[test]
fn numbers_beside_dates_are_dates() {
    let t = "CREATE TABLE t (id INT, d DATE, m DATETIME);
        INSERT INTO t VALUES (1, '2024-01-01', '2024-01-01 10:00:00'), (2, '1999-12-31', '1999-12-31 12:34:56');";
    check_after(
        t,
        &[
            ("SELECT id FROM t WHERE m < 20250101", "1 2"),
            ("SELECT id FROM t WHERE m <= 20240101", "2"),
            ("SELECT id FROM t WHERE 20240101100000 = m", "1"),
            ("SELECT id FROM t WHERE d IN (20240101, 20240102)", "1"),
        ],
    );
    for number in ["9223372036854775807", "40000", "5", "20240230", "id", "TRUE", "20240101.5"] {
        let answer = last(Dialect::MariaDb, &format!("{t} SELECT id FROM t WHERE m >= {number}"));
        assert!(answer.contains("not supported"), "{number}: {answer}");
    }
}

#[test]
fn window_functions_compute_what_no_row_shows() {
    let t = "CREATE TABLE t (id INT); INSERT INTO t VALUES (1);";
    for call in ["LEAD(id + 9223372036854775807, 2)", "LAG(id + 9223372036854775807)"] {
        let query = format!("{t} SELECT {call} OVER (ORDER BY id) FROM t");
        assert!(last(Dialect::MariaDb, &query).contains("not supported"), "{call}");
    }
}

#[test]
fn equal_values_may_be_overlooked_by_a_key_of_hashes() {
    let t = "CREATE TABLE t (id INT, b BLOB, v VARBINARY(9)); INSERT INTO t VALUES (1, NULL, ''), (2, 'a', 'b');";
    for change in ["ALTER TABLE t ADD UNIQUE (b)", "CREATE UNIQUE INDEX i ON t (b)"] {
        assert!(
            last(Dialect::MariaDb, &format!("{t} {change}")).contains("not supported"),
            "{change}"
        );
    }
    check_after(t, &[("ALTER TABLE t ADD UNIQUE (v); SELECT id FROM t", "1 2")]);
}

#[test]
fn one_of_several_constants_has_too_few_digits() {
    let t = "CREATE TABLE t (id INT); INSERT INTO t VALUES (1);";
    for number in
        ["CASE id WHEN 1 THEN 7 ELSE 8 END", "IF(id = 1, 7, 7)", "ABS(7)", "NULLIF(7, id)"]
    {
        let answer = last(Dialect::MariaDb, &format!("{t} SELECT DISTINCT 7.0 * {number} FROM t"));
        assert!(answer.contains("not supported"), "{number}: {answer}");
    }
    for number in ["7", "(3 + 4)", "CASE id WHEN 1 THEN id + 6 ELSE 8 END"] {
        let query = format!("{t} SELECT 7.0 * {number} FROM t");
        check(Dialect::MariaDb, &[(query.as_str(), "49.0")]);
    }
}

#[test]
fn a_year_that_a_view_compares_may_be_stored() {
    let t = "CREATE TABLE t (id INT, y YEAR, n INT); CREATE VIEW v AS SELECT id, y FROM t WHERE y = 2024;
        CREATE VIEW w AS SELECT id, y FROM t WHERE n = 7;";
    let answer = last(Dialect::MariaDb, &format!("{t} INSERT INTO v (id) SELECT 1"));
    assert!(answer.contains("not supported"), "{answer}");
    let given = "INSERT INTO v SELECT 1, 2000; INSERT INTO v (id) VALUES (2);";
    let other = "INSERT INTO w (id) SELECT 3; SELECT id, y, n FROM t ORDER BY id";
    check_after(t, &[(&format!("{given} {other}"), "1,2000,NULL 2,NULL,NULL 3,NULL,NULL")]);
}
