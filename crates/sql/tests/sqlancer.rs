//! Wrong answers that SQLancer found in real servers: the right one is explained, the wrong one is not.

use tristan_sql::{Dialect, Memory, ObservedValue};

/// A row of numbers and texts; `NULL` is NULL.
fn row(text: &str) -> Vec<ObservedValue> {
    text.split(',')
        .map(|value| match value.trim() {
            "NULL" => ObservedValue::Null,
            other => ObservedValue::Text(other.to_owned()),
        })
        .collect()
}

struct Case {
    name: &'static str,
    setup: &'static [&'static str],
    query: &'static str,
    right: &'static [&'static str],
    wrong: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        name: "TiDB 1: NOT NOT c0 is a truth",
        setup: &["CREATE TABLE t0 (c0 INT)", "INSERT INTO t0 VALUES (2)"],
        query: "SELECT c0 FROM t0 WHERE (NOT NOT c0) = c0",
        right: &[],
        wrong: &["2"],
    },
    Case {
        name: "TiDB 3: 0.4 is true",
        setup: &["CREATE TABLE t0 (c0 BOOL)", "INSERT INTO t0 VALUES (0)"],
        query: "SELECT * FROM t0 WHERE 1 AND 0.4",
        right: &["0"],
        wrong: &[],
    },
    Case {
        name: "TiDB 10: zero is minus zero",
        setup: &[
            "CREATE TABLE t0 (c0 FLOAT)",
            "CREATE TABLE t1 (c0 FLOAT)",
            "INSERT INTO t0 VALUES (0)",
            "INSERT INTO t1 VALUES (0)",
        ],
        query: "SELECT t1.c0 FROM t1, t0 WHERE t0.c0 = -t1.c0",
        right: &["0"],
        wrong: &[],
    },
    Case {
        name: "TiDB 13: a key holds NULL twice",
        setup: &[
            "CREATE TABLE t0 (t0 INT UNIQUE)",
            "CREATE TABLE t1 (c0 FLOAT)",
            "INSERT INTO t0 VALUES (NULL), (NULL)",
            "INSERT INTO t1 VALUES (0)",
        ],
        query: "SELECT t1.c0 FROM t1 LEFT JOIN t0 ON 1",
        right: &["0", "0"],
        wrong: &["0"],
    },
    Case {
        name: "MySQL 2: NULL IN some rows",
        setup: &[
            "CREATE TABLE t0 (c0 INT UNIQUE, c1 INT, c2 INT, c3 INT UNIQUE)",
            "INSERT INTO t0 (c0) VALUES (DEFAULT), (0)",
            "INSERT IGNORE INTO t0 (c3) VALUES (0), (1)",
            "REPLACE INTO t0 (c1, c0, c3) VALUES (1, 2, 3), (1, 4, 0)",
        ],
        query: "SELECT (NULL) IN (SELECT c3 FROM t0 WHERE c0)",
        right: &["NULL"],
        wrong: &["0"],
    },
    Case {
        name: "MySQL 3: NULL IN no rows",
        setup: &["CREATE TABLE t0 (c0 INT UNIQUE)", "INSERT INTO t0 VALUES (DEFAULT), (0)"],
        query: "SELECT (NULL) IN (SELECT c0 FROM t0 WHERE ((c0) OR TRUE) IS NULL)",
        right: &["0"],
        wrong: &["NULL"],
    },
    Case {
        name: "MySQL 9: 0.1 from IF is true",
        setup: &["CREATE TABLE t0 (c0 INT)", "INSERT INTO t0 VALUES (1)"],
        query: "SELECT * FROM t0 WHERE IF(FALSE, c0, 0.1)",
        right: &["1"],
        wrong: &[],
    },
    Case {
        name: "MySQL 15: the text 0.9 is true",
        setup: &["CREATE TABLE t0 (c0 TEXT)", "INSERT INTO t0 VALUES (0.9)"],
        query: "SELECT * FROM t0 WHERE t0.c0",
        right: &["0.9"],
        wrong: &[],
    },
    Case {
        name: "MySQL 16: -1 as UNSIGNED is true",
        setup: &["CREATE TABLE t0 (c0 BIGINT UNSIGNED)", "INSERT INTO t0 VALUES (NULL)"],
        query: "SELECT * FROM t0 WHERE CAST(COALESCE(c0, -1) AS UNSIGNED)",
        right: &["NULL"],
        wrong: &[],
    },
    Case {
        name: "MySQL 16 with IFNULL",
        setup: &["CREATE TABLE t0 (c0 BIGINT UNSIGNED)", "INSERT INTO t0 VALUES (NULL)"],
        query: "SELECT * FROM t0 WHERE CAST(IFNULL(c0, -1) AS UNSIGNED)",
        right: &["NULL"],
        wrong: &[],
    },
    Case {
        name: "MySQL 18: the text 0.5 is true in AND",
        setup: &["CREATE TABLE t0 (c0 TEXT)", "INSERT INTO t0 VALUES ('0.5')"],
        query: "SELECT * FROM t0 WHERE c0 AND 1",
        right: &["0.5"],
        wrong: &[],
    },
    Case {
        name: "MySQL 18: the text 0.5 is true in OR",
        setup: &["CREATE TABLE t0 (c0 TEXT)", "INSERT INTO t0 VALUES ('0.5')"],
        query: "SELECT * FROM t0 WHERE c0 OR 0",
        right: &["0.5"],
        wrong: &[],
    },
    Case {
        name: "MySQL 18: the text 0.5 is true in XOR",
        setup: &["CREATE TABLE t0 (c0 TEXT)", "INSERT INTO t0 VALUES ('0.5')"],
        query: "SELECT * FROM t0 WHERE c0 XOR 0",
        right: &["0.5"],
        wrong: &[],
    },
    Case {
        name: "MySQL 19: white space before a number, and",
        setup: &[],
        query: "SELECT '\n1' & 1, '\n1' | 0, '\n1' ^ 1",
        right: &["1, 1, 0"],
        wrong: &["0, 0, 1"],
    },
    Case {
        name: "MariaDB: half is no whole number, also with a key",
        setup: &["CREATE TABLE t0 (c0 INT UNIQUE)", "INSERT INTO t0 VALUES (1), (0)"],
        query: "SELECT * FROM t0 WHERE 0.5 = c0",
        right: &[],
        wrong: &["1"],
    },
    Case {
        name: "MariaDB: 123 is not the truth of 123",
        setup: &[],
        query: "SELECT 123 != (NOT (NOT 123))",
        right: &["1"],
        wrong: &["0"],
    },
    Case {
        name: "MySQL: NOT of a comparison that takes NULL",
        setup: &["CREATE TABLE t0 (c0 INT)", "INSERT INTO t0 VALUES (NULL)"],
        query: "SELECT * FROM t0 WHERE NOT (c0 <=> 2035382037)",
        right: &["NULL"],
        wrong: &[],
    },
    Case {
        name: "MySQL: a text in numbers",
        setup: &[],
        query: "SELECT 'a' IN (0)",
        right: &["1"],
        wrong: &["0"],
    },
];

#[test]
fn right_answers_are_explained_and_wrong_ones_are_not() {
    for dialect in [Dialect::MySql, Dialect::MariaDb] {
        for case in CASES {
            let mut database = Memory::new(dialect);
            for statement in case.setup {
                let outcome = database.run(statement).expect(case.name);
                outcome.answer.expect(case.name);
            }
            let answer = database.run(case.query).expect(case.name).answer.expect(case.name);
            let rows = |rows: &[&str]| rows.iter().map(|text| row(text)).collect::<Vec<_>>();
            assert!(answer.explains(&rows(case.right)), "{}: {answer:?}", case.name);
            assert!(!answer.explains(&rows(case.wrong)), "{}: {answer:?}", case.name);
        }
    }
}
