//! Definitions: tables that are altered, views, foreign keys with actions, generated columns, partial keys.

use tristan_sql::Dialect;

use crate::shown::{check, last};

const POSTGRES: Dialect = Dialect::PostgreSql;
const MARIADB: Dialect = Dialect::MariaDb;

#[test]
fn rows_of_an_altered_table_get_its_new_shape() {
    let t = "CREATE TABLE t (a INT, b INT, c INT); INSERT INTO t VALUES (1, 2, 3);";
    for (alter, expected) in [
        ("ALTER TABLE t ADD COLUMN d TEXT; SELECT * FROM t", "1,2,3,NULL"),
        ("ALTER TABLE t ADD COLUMN d INT NOT NULL DEFAULT 7; SELECT * FROM t", "1,2,3,7"),
        ("ALTER TABLE t DROP COLUMN b; SELECT * FROM t", "1,3"),
        ("ALTER TABLE t DROP COLUMN b; SELECT b FROM t", "error 42703"),
        ("ALTER TABLE t RENAME COLUMN b TO x; SELECT x FROM t", "2"),
        ("ALTER TABLE t RENAME TO u; SELECT b FROM u", "2"),
        ("ALTER TABLE t RENAME TO u; SELECT b FROM t", "error 42P01"),
        (
            "ALTER TABLE t ADD COLUMN d INT DEFAULT 5, DROP COLUMN b; INSERT INTO t (a) VALUES (9); SELECT * FROM t ORDER BY a",
            "1,3,5 9,NULL,5",
        ),
    ] {
        for dialect in [POSTGRES, MARIADB] {
            assert_eq!(last(dialect, &format!("{t} {alter}")), expected, "{dialect:?}: {alter}");
        }
    }
}

#[test]
fn keys_and_conditions_follow_their_columns() {
    let t = "CREATE TABLE t (a INT, b INT UNIQUE, c INT CHECK (c > 0), d INT DEFAULT 4);";
    for (more, expected) in [
        ("ALTER TABLE t DROP COLUMN a; INSERT INTO t (b, c) VALUES (1, 1), (1, 2)", "error 23505"),
        ("ALTER TABLE t DROP COLUMN a; INSERT INTO t (b, c) VALUES (1, 0)", "error 23514"),
        (
            "ALTER TABLE t DROP COLUMN a; INSERT INTO t (b, c) VALUES (1, 1); SELECT * FROM t",
            "1,1,4",
        ),
    ] {
        for dialect in [POSTGRES, MARIADB] {
            assert_eq!(last(dialect, &format!("{t} {more}")), expected, "{dialect:?}: {more}");
        }
    }
    check(
        POSTGRES,
        &[
            (
                "CREATE TABLE t (a INT, b INT, UNIQUE (a, b), CHECK (a < b)); ALTER TABLE t DROP COLUMN b; INSERT INTO t VALUES (1), (1); SELECT COUNT(*) FROM t",
                "2",
            ),
            (
                "CREATE TABLE t (a INT UNIQUE); ALTER TABLE t DROP CONSTRAINT t_a_key; INSERT INTO t VALUES (1), (1); SELECT COUNT(*) FROM t",
                "2",
            ),
            (
                "CREATE TABLE t (a INT CHECK (a > 0)); ALTER TABLE t DROP CONSTRAINT t_a_check; INSERT INTO t VALUES (-1); SELECT a FROM t",
                "-1",
            ),
            (
                "CREATE TABLE t (a INT, b INT, CHECK (a > b)); ALTER TABLE t DROP CONSTRAINT t_check; INSERT INTO t VALUES (-1, 1); SELECT a FROM t",
                "-1",
            ),
        ],
    );
}

#[test]
fn what_is_demanded_from_now_on_is_checked_for_old_rows() {
    let t = "CREATE TABLE t (a INT, b INT); INSERT INTO t VALUES (1, NULL), (1, -5);";
    for (alter, expected) in [
        ("ALTER TABLE t ADD CONSTRAINT u UNIQUE (a)", "error 23505"),
        ("ALTER TABLE t ADD CONSTRAINT u UNIQUE (b)", "done"),
        ("CREATE UNIQUE INDEX u ON t (a)", "error 23505"),
        ("ALTER TABLE t ADD CONSTRAINT k CHECK (b > 0)", "error 23514"),
        (
            "ALTER TABLE t ADD CONSTRAINT u UNIQUE (a); INSERT INTO t VALUES (1, 1); SELECT COUNT(*) FROM t",
            "3",
        ),
        ("ALTER TABLE t ADD CONSTRAINT u UNIQUE (b); INSERT INTO t VALUES (1, -5)", "error 23505"),
    ] {
        for dialect in [POSTGRES, MARIADB] {
            assert_eq!(last(dialect, &format!("{t} {alter}")), expected, "{dialect:?}: {alter}");
        }
    }
    check(
        POSTGRES,
        &[
            (&format!("{t} ALTER TABLE t ALTER COLUMN b SET NOT NULL"), "error 23502"),
            (
                &format!(
                    "{t} ALTER TABLE t ADD CONSTRAINT k CHECK (b > 0) NOT VALID; INSERT INTO t VALUES (1, -1)"
                ),
                "error 23514",
            ),
            (
                &format!(
                    "{t} ALTER TABLE t ADD CONSTRAINT k CHECK (b > 0) NOT VALID; ALTER TABLE t VALIDATE CONSTRAINT k"
                ),
                "error 23514",
            ),
            (
                &format!(
                    "{t} ALTER TABLE t ADD CONSTRAINT k CHECK (b > 0) NOT VALID; ALTER TABLE t ADD COLUMN c INT; SELECT COUNT(*) FROM t"
                ),
                "2",
            ),
        ],
    );
}

#[test]
fn types_change_as_by_an_assignment_or_by_using() {
    check(
        POSTGRES,
        &[
            (
                "CREATE TABLE t (v NUMERIC(10,4)); INSERT INTO t VALUES (3.14159); ALTER TABLE t ALTER v SET DATA TYPE NUMERIC(6,2); SELECT v FROM t",
                "3.14",
            ),
            (
                "CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('42'), ('7'); ALTER TABLE t ALTER COLUMN v TYPE INTEGER USING v::INTEGER; SELECT SUM(v) FROM t",
                "49",
            ),
            (
                "CREATE TABLE t (v VARCHAR(5)); INSERT INTO t VALUES ('abcd'); ALTER TABLE t ALTER COLUMN v TYPE VARCHAR(3)",
                "error 22001",
            ),
            (
                "CREATE TABLE t (v INT DEFAULT 7); ALTER TABLE t ALTER COLUMN v TYPE TEXT; INSERT INTO t DEFAULT VALUES; SELECT v || 'x' FROM t",
                "7x",
            ),
        ],
    );
}

#[test]
fn a_view_is_its_query() {
    let t = "CREATE TABLE t (id INT, n INT); INSERT INTO t VALUES (1, 10), (2, 20); CREATE VIEW v AS SELECT id, n + 1 AS more FROM t WHERE n > 10;";
    for (more, expected) in [
        ("SELECT * FROM v", "2,21"),
        ("SELECT v.more, t.id FROM v JOIN t ON t.id < v.id", "21,1"),
        ("CREATE VIEW w (x) AS SELECT more FROM v; SELECT x + 1 FROM w AS q", "22"),
        ("WITH t AS (SELECT 5 AS id, 50 AS n) SELECT * FROM v", "2,21"),
        ("CREATE OR REPLACE VIEW v AS SELECT 7 AS more; SELECT * FROM v", "7"),
        ("DROP VIEW v; SELECT * FROM v", "error 42P01"),
        ("DROP VIEW IF EXISTS nothing; SELECT COUNT(*) FROM v", "1"),
        ("CREATE VIEW v AS SELECT 1", "error 42P07"),
    ] {
        for dialect in [POSTGRES, MARIADB] {
            assert_eq!(last(dialect, &format!("{t} {more}")), expected, "{dialect:?}: {more}");
        }
    }
    for more in [
        "INSERT INTO v VALUES (1, 2)",
        "SELECT * FROM v FOR UPDATE",
        "ALTER TABLE t ADD COLUMN z INT; SELECT * FROM v",
    ] {
        let told = last(POSTGRES, &format!("{t} {more}"));
        assert!(told.contains("not supported"), "{more}: {told}");
    }
}

#[test]
fn foreign_keys_act_through_several_tables() {
    let tables = |action: &str| {
        format!(
            "CREATE TABLE p (id INT PRIMARY KEY); CREATE TABLE c (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES p (id) {action}); \
             CREATE TABLE g (id INT PRIMARY KEY, c INT, FOREIGN KEY (c) REFERENCES c (id) {action}); \
             INSERT INTO p VALUES (1), (2); INSERT INTO c VALUES (10, 1), (11, 1), (12, 2); INSERT INTO g VALUES (100, 10), (101, 12);"
        )
    };
    for (action, more, expected) in [
        ("ON DELETE CASCADE", "DELETE FROM p WHERE id = 1; SELECT id FROM c", "12"),
        ("ON DELETE CASCADE", "DELETE FROM p WHERE id = 1; SELECT id FROM g", "101"),
        (
            "ON DELETE SET NULL",
            "DELETE FROM p WHERE id = 1; SELECT * FROM c ORDER BY id",
            "10,NULL 11,NULL 12,2",
        ),
        (
            "ON DELETE SET NULL",
            "DELETE FROM p WHERE id = 1; SELECT * FROM g ORDER BY id",
            "100,10 101,12",
        ),
        (
            "ON UPDATE CASCADE",
            "UPDATE p SET id = 5 WHERE id = 1; SELECT * FROM c ORDER BY id",
            "10,5 11,5 12,2",
        ),
        (
            "ON UPDATE SET NULL",
            "UPDATE p SET id = 5 WHERE id = 1; SELECT * FROM c ORDER BY id",
            "10,NULL 11,NULL 12,2",
        ),
        (
            "ON UPDATE CASCADE",
            "UPDATE p SET id = id; SELECT * FROM c ORDER BY id",
            "10,1 11,1 12,2",
        ),
    ] {
        for dialect in [POSTGRES, MARIADB] {
            let statements = format!("{} {more}", tables(action));
            assert_eq!(last(dialect, &statements), expected, "{dialect:?}: {action}: {more}");
        }
    }
    check(
        POSTGRES,
        &[
            (
                "CREATE TABLE p (id INT PRIMARY KEY); CREATE TABLE c (id INT, p INT DEFAULT 0 REFERENCES p ON DELETE SET DEFAULT); INSERT INTO p VALUES (0), (1); INSERT INTO c VALUES (1, 1); DELETE FROM p WHERE id = 1; SELECT * FROM c",
                "1,0",
            ),
            (
                "CREATE TABLE t (id INT PRIMARY KEY, up INT REFERENCES t ON DELETE CASCADE); INSERT INTO t VALUES (1, NULL), (2, 1), (3, 2), (4, NULL); DELETE FROM t WHERE id = 1; SELECT id FROM t",
                "4",
            ),
            (
                "CREATE TABLE p (id INT PRIMARY KEY); CREATE TABLE c (p INT REFERENCES p ON DELETE CASCADE); INSERT INTO p VALUES (1); INSERT INTO c VALUES (1); ALTER TABLE p ADD COLUMN x INT; DELETE FROM p; SELECT COUNT(*) FROM c",
                "0",
            ),
            (
                "CREATE TABLE p (id INT PRIMARY KEY); CREATE TABLE c (p INT REFERENCES p); INSERT INTO p VALUES (1); INSERT INTO c VALUES (1); TRUNCATE p RESTART IDENTITY CASCADE; SELECT COUNT(*) FROM c",
                "0",
            ),
        ],
    );
}

#[test]
fn generated_columns_are_computed_again() {
    let t = "CREATE TABLE t (price DECIMAL(8,2), amount INT, total DECIMAL(12,2) GENERATED ALWAYS AS (price * amount) STORED); INSERT INTO t (price, amount) VALUES (2.50, 4);";
    for (more, expected) in [
        ("SELECT * FROM t", "2.50,4,10.00"),
        ("UPDATE t SET amount = 6; SELECT total FROM t", "15.00"),
        ("INSERT INTO t (total) VALUES (1)", "error 428C9"),
        ("INSERT INTO t VALUES (1, 2, DEFAULT); SELECT total FROM t ORDER BY total", "2.00 10.00"),
    ] {
        for dialect in [POSTGRES, MARIADB] {
            assert_eq!(last(dialect, &format!("{t} {more}")), expected, "{dialect:?}: {more}");
        }
    }
}

#[test]
fn a_key_may_be_about_some_rows_only() {
    let t = "CREATE TABLE t (id INT, owner INT, gone BOOLEAN); CREATE UNIQUE INDEX one ON t (owner) WHERE NOT gone; INSERT INTO t VALUES (1, 7, true), (2, 7, true), (3, 7, false);";
    check(
        POSTGRES,
        &[
            (&format!("{t} INSERT INTO t VALUES (4, 7, false)"), "error 23505"),
            (&format!("{t} UPDATE t SET gone = false WHERE id = 1"), "error 23505"),
            (&format!("{t} UPDATE t SET gone = true; SELECT COUNT(*) FROM t"), "3"),
            (
                &format!(
                    "{t} INSERT INTO t VALUES (4, 7, false) ON CONFLICT DO NOTHING; SELECT COUNT(*) FROM t"
                ),
                "3",
            ),
            (
                "CREATE TABLE t (a INT, UNIQUE NULLS NOT DISTINCT (a)); INSERT INTO t VALUES (NULL); INSERT INTO t VALUES (NULL)",
                "error 23505",
            ),
            (
                "CREATE TABLE t (a INT); CREATE UNIQUE INDEX i ON t (a); DROP INDEX i; INSERT INTO t VALUES (1), (1); SELECT COUNT(*) FROM t",
                "2",
            ),
        ],
    );
}

#[test]
fn a_table_may_be_made_from_a_query() {
    check(
        POSTGRES,
        &[(
            "CREATE TABLE t (id INT, n INT); INSERT INTO t VALUES (1, 10), (2, 20); CREATE TABLE u AS SELECT id, n * 2 AS twice FROM t WHERE n > 10; SELECT * FROM u",
            "2,40",
        )],
    );
}

#[test]
fn xmax_tells_new_rows_from_updated_ones() {
    let t = "CREATE TABLE t (id INT PRIMARY KEY, n INT); INSERT INTO t VALUES (1, 1);";
    let upsert = "INSERT INTO t VALUES (1, 5), (2, 6) ON CONFLICT (id) DO UPDATE SET n = EXCLUDED.n RETURNING";
    for (shown, expected) in [
        ("id, (xmax = 0) AS inserted", "1,false 2,true"),
        ("*, t.xmax <> 0", "1,5,true 2,6,false"),
        ("xmax::text = '0'", "false true"),
        ("CASE WHEN xmax::text::bigint > 0 THEN 'updated' ELSE 'new' END", "updated new"),
    ] {
        assert_eq!(last(POSTGRES, &format!("{t} {upsert} {shown}")), expected, "{shown}");
    }
    for statement in [
        "INSERT INTO t VALUES (3, 3) RETURNING xmax",
        "INSERT INTO t VALUES (3, 3) RETURNING xmax = 7",
        "UPDATE t SET n = 2 RETURNING xmax = 0",
        "DELETE FROM t WHERE ctid = '(0,1)'",
        "SELECT tableoid FROM t",
    ] {
        let answer = last(POSTGRES, &format!("{t} {statement}"));
        assert!(answer.contains("the system column"), "{statement}: {answer}");
    }
    let skipped =
        "INSERT INTO t VALUES (1, 4), (3, 3) ON CONFLICT DO NOTHING RETURNING id, xmax = 0";
    assert_eq!(last(POSTGRES, &format!("{t} {skipped}")), "3,true");
}

#[test]
fn sequences_count_as_they_are_defined() {
    check(
        POSTGRES,
        &[
            ("CREATE SEQUENCE s; SELECT nextval('s'), nextval('s')", "1,2"),
            ("CREATE SEQUENCE s START 5 INCREMENT BY 3; SELECT nextval('s'), nextval('s')", "5,8"),
            ("CREATE SEQUENCE s INCREMENT -1; SELECT nextval('s'), nextval('s')", "-1,-2"),
            (
                "CREATE SEQUENCE s MAXVALUE 2 CYCLE; SELECT nextval('s'), nextval('s'), nextval('s')",
                "1,2,1",
            ),
            (
                "CREATE SEQUENCE s MAXVALUE 1; SELECT nextval('s'); SELECT nextval('s')",
                "error 2200H",
            ),
            (
                "CREATE SEQUENCE s; SELECT nextval('s'); ALTER SEQUENCE s RESTART 20; SELECT nextval('s')",
                "20",
            ),
            ("CREATE SEQUENCE s; SELECT setval('s', 7); SELECT nextval('public.s'::regclass)", "8"),
            ("CREATE SEQUENCE s; SELECT setval('s', 7, false); SELECT nextval('s')", "7"),
            (
                "CREATE TABLE t (id serial, a INT); SELECT nextval('t_id_seq'); INSERT INTO t (a) VALUES (1) RETURNING id",
                "2",
            ),
            (
                "CREATE TABLE t (id INT GENERATED BY DEFAULT AS IDENTITY (START WITH 9 INCREMENT BY 2), a INT); INSERT INTO t (a) VALUES (1), (2) RETURNING id",
                "9 11",
            ),
            (
                "CREATE TABLE t (id serial, a INT); INSERT INTO t VALUES (41, 1); SELECT setval(pg_get_serial_sequence('t', 'id'), max(id)) FROM t; INSERT INTO t (a) VALUES (2) RETURNING id",
                "42",
            ),
            (
                "CREATE TABLE t (id serial, a INT); INSERT INTO t (a) VALUES (1); TRUNCATE t RESTART IDENTITY; INSERT INTO t (a) VALUES (1) RETURNING id",
                "1",
            ),
        ],
    );
}

#[test]
fn identity_columns_take_values_only_if_told_so() {
    let t = "CREATE TABLE t (id INT GENERATED ALWAYS AS IDENTITY, a INT);";
    for (insert, expected) in [
        ("INSERT INTO t VALUES (5, 1)", "error 428C9"),
        ("INSERT INTO t SELECT 5, 1", "error 428C9"),
        ("INSERT INTO t VALUES (DEFAULT, 1) RETURNING id", "1"),
        ("INSERT INTO t (id, a) OVERRIDING SYSTEM VALUE VALUES (5, 1) RETURNING id", "5"),
        ("INSERT INTO t OVERRIDING SYSTEM VALUE VALUES (5, 1) RETURNING id", "5"),
        ("INSERT INTO t (id, a) OVERRIDING USER VALUE VALUES (5, 1) RETURNING id", "1"),
    ] {
        assert_eq!(last(POSTGRES, &format!("{t} {insert}")), expected, "{insert}");
    }
}

#[test]
fn statements_write_through_views_of_one_table() {
    let base = "CREATE TABLE t (id INT PRIMARY KEY, age INT, note VARCHAR(20) DEFAULT 'new');
        INSERT INTO t (id, age) VALUES (1, 10), (2, 20);";
    let views = "CREATE VIEW grown AS SELECT age AS years, id FROM t WHERE age >= 18;
        CREATE VIEW checked AS SELECT id, age FROM t WHERE age >= 18 WITH LOCAL CHECK OPTION;
        CREATE VIEW upper AS SELECT id, years FROM grown WHERE years < 90 WITH CASCADED CHECK OPTION;
        CREATE VIEW counted AS SELECT age, COUNT(*) AS n FROM t GROUP BY age;";
    let all = "SELECT * FROM t ORDER BY id";
    for (statement, expected) in [
        ("INSERT INTO grown VALUES (30, 3)", "1,10,new 2,20,new 3,30,new"),
        ("INSERT INTO grown (id) VALUES (3)", "1,10,new 2,20,new 3,NULL,new"),
        ("INSERT INTO grown VALUES (5, 3)", "1,10,new 2,20,new 3,5,new"),
        ("UPDATE grown SET years = years + 1", "1,10,new 2,21,new"),
        ("UPDATE upper SET years = 19 WHERE id < 9", "1,10,new 2,19,new"),
        ("DELETE FROM grown", "1,10,new"),
        ("DELETE FROM grown WHERE years = 10", "1,10,new 2,20,new"),
    ] {
        for dialect in [POSTGRES, MARIADB] {
            assert_eq!(
                last(dialect, &format!("{base}{views}{statement};{all}")),
                expected,
                "{statement}"
            );
        }
    }
    for (statement, expected) in [
        ("INSERT INTO checked VALUES (3, 17)", "error 44000"),
        ("INSERT INTO checked VALUES (3, NULL)", "error 44000"),
        ("INSERT INTO checked VALUES (2, 17)", "error 23505"),
        ("UPDATE checked SET age = 1", "error 44000"),
        ("UPDATE upper SET years = 95", "error 44000"),
        ("UPDATE upper SET years = 5", "error 44000"),
        ("UPDATE checked SET age = 30 RETURNING *", "2,30"),
        ("UPDATE checked SET note = 'x'", "error 42703"),
        ("INSERT INTO checked (id, age) SELECT id + 10, age FROM checked RETURNING id", "12"),
    ] {
        assert_eq!(last(POSTGRES, &format!("{base}{views}{statement}")), expected, "{statement}");
    }
}

#[test]
fn auto_increment_follows_the_rows() {
    let t = "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT)";
    for (statements, expected) in [
        (
            "; INSERT INTO t VALUES (NULL, 1), (0, 2), (DEFAULT, 3); SELECT id FROM t ORDER BY id",
            "1 2 3",
        ),
        (
            "; INSERT INTO t VALUES (10, 1); INSERT INTO t (a) VALUES (2); SELECT MAX(id) FROM t",
            "11",
        ),
        (" AUTO_INCREMENT = 50; INSERT INTO t (a) VALUES (2); SELECT id FROM t", "50"),
        ("; ALTER TABLE t AUTO_INCREMENT = 7; INSERT INTO t (a) VALUES (2); SELECT id FROM t", "7"),
        (
            "; INSERT INTO t (a) VALUES (2); TRUNCATE TABLE t; INSERT INTO t (a) VALUES (2); SELECT id FROM t",
            "1",
        ),
    ] {
        assert_eq!(last(MARIADB, &format!("{t}{statements}")), expected, "{statements}");
    }
    check(
        MARIADB,
        &[
            ("CREATE SEQUENCE s START WITH 5; SELECT NEXT VALUE FOR s, NEXTVAL(s)", "5,6"),
            (
                "CREATE SEQUENCE s; CREATE TABLE t (id BIGINT DEFAULT (NEXT VALUE FOR s), a INT); INSERT INTO t (a) VALUES (1), (2); SELECT id FROM t ORDER BY id",
                "1 2",
            ),
        ],
    );
}

#[test]
fn unique_indexes_may_be_over_expressions() {
    let t = "CREATE TABLE t (id INT, name TEXT); CREATE UNIQUE INDEX i ON t (lower(name));
        INSERT INTO t VALUES (1, 'Ada'), (2, NULL);";
    for (statement, expected) in [
        ("INSERT INTO t VALUES (3, 'aDA')", "error 23505"),
        ("INSERT INTO t VALUES (3, NULL); SELECT COUNT(*) FROM t", "3"),
        ("UPDATE t SET name = 'ADA' WHERE id = 1; SELECT name FROM t WHERE id = 1", "ADA"),
        ("UPDATE t SET name = 'ADA' WHERE id = 2", "error 23505"),
        (
            "INSERT INTO t VALUES (3, 'ADA') ON CONFLICT (lower(name)) DO UPDATE SET id = 9; SELECT id FROM t ORDER BY 1",
            "2 9",
        ),
        ("INSERT INTO t VALUES (3, 'ADA') ON CONFLICT DO NOTHING; SELECT COUNT(*) FROM t", "2"),
        ("INSERT INTO t VALUES (3, 'ADA') ON CONFLICT (name) DO NOTHING", "error 42P10"),
        ("DELETE FROM t; INSERT INTO t VALUES (1, 'b'), (2, 'B')", "error 23505"),
    ] {
        assert_eq!(last(POSTGRES, &format!("{t}{statement}")), expected, "{statement}");
    }
}

#[test]
fn tables_are_divided_into_partitions() {
    let ranges = "CREATE TABLE e (day DATE, n INT NOT NULL) PARTITION BY RANGE (day);
        CREATE TABLE old PARTITION OF e FOR VALUES FROM (MINVALUE) TO ('2024-01-01');
        CREATE TABLE new PARTITION OF e FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
        INSERT INTO e VALUES ('2023-12-31', 1), ('2024-01-01', 2);";
    let lists = "CREATE TABLE e (day TEXT, n INT) PARTITION BY LIST (day);
        CREATE TABLE old PARTITION OF e FOR VALUES IN ('a', NULL);
        CREATE TABLE rest PARTITION OF e DEFAULT;
        INSERT INTO e VALUES ('a', 1), (NULL, 2), ('z', 3);";
    let hashes = "CREATE TABLE e (day INT, n INT) PARTITION BY HASH (day);
        CREATE TABLE h0 PARTITION OF e FOR VALUES WITH (MODULUS 2, REMAINDER 0);";
    for (setup, statement, expected) in [
        (ranges, "SELECT n FROM old", "1"),
        (ranges, "SELECT n FROM e ORDER BY n", "1 2"),
        (ranges, "INSERT INTO e VALUES ('2025-01-01', 3)", "error 23514"),
        (ranges, "INSERT INTO e VALUES (NULL, 3)", "error 23514"),
        (ranges, "INSERT INTO new VALUES ('2023-01-01', 3)", "error 23514"),
        (ranges, "INSERT INTO new VALUES ('2024-05-01', NULL)", "error 23502"),
        (ranges, "INSERT INTO new VALUES ('2024-05-01', 3); SELECT n FROM e ORDER BY n", "1 2 3"),
        (
            ranges,
            "UPDATE e SET day = '2024-02-02' WHERE n = 1; SELECT n FROM new ORDER BY n",
            "1 2",
        ),
        (ranges, "UPDATE old SET day = '2024-02-02'", "error 23514"),
        (ranges, "UPDATE e SET day = '2026-02-02'", "error 23514"),
        (ranges, "DELETE FROM old; SELECT n FROM e", "2"),
        (ranges, "DROP TABLE old; SELECT n FROM e", "2"),
        (ranges, "DROP TABLE old; INSERT INTO e VALUES ('2023-12-31', 1)", "error 23514"),
        (ranges, "DROP TABLE e; SELECT n FROM old", "error 42P01"),
        (lists, "SELECT n FROM old ORDER BY n", "1 2"),
        (lists, "SELECT n FROM rest", "3"),
        (lists, "INSERT INTO rest VALUES ('a', 4)", "error 23514"),
        (
            lists,
            "CREATE TABLE b PARTITION OF e FOR VALUES IN ('b'); INSERT INTO rest VALUES ('b', 4)",
            "error 23514",
        ),
        (
            hashes,
            "CREATE TABLE h1 PARTITION OF e FOR VALUES WITH (MODULUS 2, REMAINDER 1); INSERT INTO e VALUES (1, 1), (2, 2); SELECT COUNT(*) FROM e",
            "2",
        ),
    ] {
        assert_eq!(last(POSTGRES, &format!("{setup}{statement}")), expected, "{statement}");
    }
    let open = last(POSTGRES, &format!("{hashes}INSERT INTO e VALUES (1, 1)"));
    assert!(open.contains("not supported"), "{open}");
    let hidden = last(POSTGRES, &format!("{hashes}SELECT * FROM h0"));
    assert!(hidden.contains("not supported"), "{hidden}");
}

#[test]
fn tables_are_made_from_queries_and_like_others() {
    let t = "CREATE TABLE t (id INT PRIMARY KEY, s TEXT NOT NULL DEFAULT 'open' CHECK (s <> ''));
        INSERT INTO t VALUES (1, 'a'), (2, 'b');";
    for (statement, expected) in [
        ("SELECT id, upper(s) AS s INTO c FROM t; SELECT * FROM c ORDER BY id", "1,A 2,B"),
        ("SELECT id INTO t FROM t", "error 42P07"),
        (
            "CREATE TABLE c (x INT, LIKE t INCLUDING ALL); INSERT INTO c (id) VALUES (1); SELECT * FROM c",
            "NULL,1,open",
        ),
        ("CREATE TABLE c (LIKE t INCLUDING ALL); INSERT INTO c VALUES (1), (1)", "error 23505"),
        ("CREATE TABLE c (LIKE t INCLUDING ALL); INSERT INTO c VALUES (1, '')", "error 23514"),
        ("CREATE TABLE c (LIKE t); INSERT INTO c (id) VALUES (1)", "error 23502"),
        (
            "CREATE TABLE c (LIKE t); INSERT INTO c VALUES (1, ''), (1, ''); SELECT COUNT(*) FROM c",
            "2",
        ),
        (
            "CREATE MATERIALIZED VIEW m AS SELECT MAX(id) AS most FROM t; INSERT INTO t VALUES (3, 'c'); SELECT most FROM m",
            "2",
        ),
        (
            "CREATE MATERIALIZED VIEW m (most) AS SELECT MAX(id) FROM t; INSERT INTO t VALUES (3, 'c'); REFRESH MATERIALIZED VIEW m; SELECT most FROM m",
            "3",
        ),
        (
            "CREATE RECURSIVE VIEW v (n) AS SELECT 1 UNION ALL SELECT n + 1 FROM v WHERE n < 3; SELECT n FROM v",
            "1 2 3",
        ),
        (
            "CREATE SCHEMA s; CREATE TABLE s.t (id INT); INSERT INTO s.t VALUES (7); SELECT a.id, b.id FROM t a, s.t b WHERE a.id = 1",
            "1,7",
        ),
        ("CREATE SCHEMA s; ALTER TABLE t SET SCHEMA s; SELECT id FROM s.t ORDER BY id", "1 2"),
        ("CREATE SCHEMA s; ALTER TABLE t SET SCHEMA s; SELECT id FROM t", "error 42P01"),
        (
            "CREATE SCHEMA s; ALTER TABLE t SET SCHEMA s; DROP SCHEMA s CASCADE; SELECT id FROM s.t",
            "error 42P01",
        ),
    ] {
        assert_eq!(last(POSTGRES, &format!("{t}{statement}")), expected, "{statement}");
    }
}
