//! Expressions on which servers differ, with the answers that PostgreSQL 15, MariaDB 10.11 and MySQL 9
//! give.

use tristan_sql::{
    Answer, Collation, Dialect, FirstChoice, Memory, Statement, StatementOutcome, Value,
};

use crate::shown::rows_of;

const POSTGRES: Dialect = Dialect::PostgreSql;
const MARIADB: Dialect = Dialect::MariaDb;
const MYSQL: Dialect = Dialect::MySql;

/// The databases that the answers come from: PostgreSQL's was made with the locale `C`.
fn collated(dialect: Dialect) -> Memory {
    let mut database = Memory::new(dialect);
    if dialect == POSTGRES {
        database.collate(Collation::Bytes);
    }
    database
}

/// The values of the only row, with commas between them, or the code of the error.
fn answer(database: &mut Memory, query: &str) -> String {
    shown_or_failed(&database.run(query).expect(query))
}

fn shown_or_failed(outcome: &StatementOutcome) -> String {
    match &outcome.answer {
        Ok(answer) => shown(answer),
        Err(failure) => format!("error {}", failure.class.sqlstate()),
    }
}

fn shown(answer: &Answer) -> String {
    let Some(table) = &answer.rows else {
        return answer.count.map_or(String::new(), |count| format!("{} rows", count.changed));
    };
    rows_of(table, ",").join(" ")
}

/// An expression, and what it is in PostgreSQL, MariaDB and MySQL.
const EXPRESSIONS: &[(&str, &str, &str, &str)] = &[
    // Three values of truth.
    ("NULL = NULL", "NULL", "NULL", "NULL"),
    ("NULL OR TRUE", "true", "1", "1"),
    ("NULL AND FALSE", "false", "0", "0"),
    ("2 IN (1, NULL)", "NULL", "NULL", "NULL"),
    ("2 NOT IN (1, NULL)", "NULL", "NULL", "NULL"),
    ("CASE WHEN NULL THEN 1 ELSE 2 END", "2", "2", "2"),
    ("NOT 1 = 2", "true", "1", "1"),
    ("1 AND 1", "error 42804", "1", "1"),
    ("NULL IS NOT TRUE", "true", "1", "1"),
    // Numbers.
    ("7 / 2", "3", "3.5000", "3.5000"),
    ("-7 / 2", "-3", "-3.5000", "-3.5000"),
    ("1 / 0", "error 22012", "NULL", "NULL"),
    ("1 % 0", "error 22012", "NULL", "NULL"),
    ("5 / 2 * 2", "4", "5.0000", "5.0000"),
    ("mod(-7, 3)", "-1", "-1", "-1"),
    ("CAST(7 AS DECIMAL(12,2)) / 3", "2.3333333333333333", "2.333333", "2.333333"),
    ("round(2.5)", "3", "3", "3"),
    ("round(-2.5)", "-3", "-3", "-3"),
    ("round(0.125, 2)", "0.13", "0.13", "0.13"),
    ("round(1.5, 3)", "1.500", "1.500", "1.5"),
    ("CAST(1.005 AS DECIMAL(10,2))", "1.01", "1.01", "1.01"),
    ("0.1 + 0.2", "0.3", "0.3", "0.3"),
    ("0.1e0 + 0.2e0 = 0.3e0", "true", "0", "0"),
    ("2147483647 + 1", "error 22003", "2147483648", "2147483648"),
    ("9223372036854775807 + 1", "error 22003", "error 22003", "error 22003"),
    ("1.10", "1.10", "1.10", "1.10"),
    ("100 / 3.0", "33.3333333333333333", "33.3333", "33.3333"),
    ("1.0 = 1", "true", "1", "1"),
    ("-2147483648", "-2147483648", "-2147483648", "-2147483648"),
    // Texts.
    ("'a' = 'A'", "false", "1", "1"),
    ("'a' = 'a '", "false", "1", "0"),
    ("'a' < 'B'", "false", "1", "1"),
    ("'abc' LIKE 'ABC'", "false", "1", "1"),
    ("length('é')", "1", "2", "2"),
    ("'é' = 'e'", "false", "1", "1"),
    ("concat('a', NULL)", "a", "NULL", "NULL"),
    ("substr('hello', 0, 2)", "h", "", ""),
    ("substring('hello', 2, 2)", "el", "el", "el"),
    ("trim('  a ') = 'a'", "true", "1", "1"),
    ("'A' IN ('a', 'b')", "false", "1", "1"),
    ("'10' < '9'", "true", "1", "1"),
    // Texts and numbers.
    ("1 = '1'", "true", "1", "1"),
    ("1 = '1abc'", "error 22P02", "1", "1"),
    ("0 = 'abc'", "error 22P02", "1", "1"),
    ("10 < '9'", "false", "0", "0"),
    ("1 = TRUE", "error 42883", "1", "1"),
    ("2 = TRUE", "error 42883", "0", "0"),
    ("TRUE + TRUE", "error 42883", "2", "2"),
    ("1 < 2 < 3", "error 42601", "1", "1"),
    ("3 > 2 > 1", "error 42601", "0", "0"),
    // Functions.
    ("greatest(1, NULL, 2)", "2", "NULL", "NULL"),
    ("coalesce(NULL, 1)", "1", "1", "1"),
    ("nullif(1, 1)", "NULL", "NULL", "NULL"),
    // Dates.
    ("DATE '2024-01-31' + INTERVAL '1' MONTH", "2024-02-29 00:00:00", "2024-02-29", "2024-02-29"),
    ("'2024-01-01' < DATE '2024-02-01'", "true", "1", "1"),
];

#[test]
fn expressions_are_what_each_server_says() {
    for (expression, postgres, mariadb, mysql) in EXPRESSIONS {
        for (dialect, expected) in [(POSTGRES, postgres), (MARIADB, mariadb), (MYSQL, mysql)] {
            let mut database = collated(dialect);
            let query = format!("SELECT {expression}");
            assert_eq!(answer(&mut database, &query), **expected, "{dialect:?}: {query}");
        }
    }
}

/// Statements one after the other, and what they answer in PostgreSQL and MariaDB.
const STATEMENTS: &[(&str, &str, &str)] = &[
    ("CREATE TABLE pu (id INT PRIMARY KEY, u INT UNIQUE)", "", ""),
    ("INSERT INTO pu VALUES (1, 1), (2, 20), (3, 30)", "3 rows", "3 rows"),
    ("INSERT INTO pu VALUES (1, 5)", "error 23505", "error 23505"),
    ("INSERT INTO pu VALUES (NULL, 5)", "error 23502", "error 23502"),
    ("UPDATE pu SET u = u * 10, id = u + 100 WHERE id = 1", "1 rows", "1 rows"),
    ("SELECT id, u FROM pu WHERE id > 100", "101,10", "110,10"),
    ("UPDATE pu SET u = u WHERE id = 2", "0 rows", "0 rows"),
    ("UPDATE pu SET u = 2147483647 + 1 WHERE id = 2", "error 22003", "error 22003"),
    ("UPDATE pu SET u = 20 WHERE id = 3", "error 23505", "error 23505"),
    ("DELETE FROM pu WHERE u = NULL", "0 rows", "0 rows"),
    ("CREATE TABLE pt (id INT PRIMARY KEY, a INT, b VARCHAR(4))", "", ""),
    ("INSERT INTO pt VALUES (1, 10, 'a'), (2, NULL, 'B'), (3, 30, NULL)", "3 rows", "3 rows"),
    ("SELECT id FROM pt ORDER BY a", "1 3 2", "2 1 3"),
    ("SELECT id FROM pt ORDER BY a DESC", "2 3 1", "3 1 2"),
    ("SELECT b FROM pt ORDER BY b", "B a NULL", "NULL a B"),
    ("SELECT max(b), min(b) FROM pt", "a,B", "B,a"),
    (
        "SELECT count(a), count(*), sum(a), avg(a) FROM pt",
        "2,3,40,20.0000000000000000",
        "2,3,40,20.0000",
    ),
    ("SELECT sum(a), max(a), count(*) FROM pt WHERE id > 99", "NULL,NULL,0", "NULL,NULL,0"),
    ("SELECT id FROM pt WHERE 2", "error 42804", "1 2 3"),
    ("INSERT INTO pt (id, a) VALUES (4, 'x')", "error 22P02", "error 22P02"),
    ("INSERT INTO pt (id, b) VALUES (4, 'abcde')", "error 22001", "error 22001"),
    ("INSERT INTO pt (id, a) VALUES (4, 3.7)", "1 rows", "1 rows"),
    ("SELECT a FROM pt WHERE id = 4", "4", "4"),
    ("SELECT (SELECT a FROM pt)", "error 21000", "error 21000"),
    ("SELECT id FROM pt x JOIN pt y ON TRUE", "error 42702", "error 42702"),
    ("SELECT nothing FROM pt", "error 42703", "error 42703"),
    ("SELECT * FROM nowhere", "error 42P01", "error 42P01"),
    ("SELECT x.id FROM pt x LEFT JOIN pu y ON x.id = y.id WHERE y.u IS NULL", "1 4", "1 4"),
    ("SELECT 'b' < DATE '2024-01-01'", "error 22007", "1"),
    ("SELECT id FROM pt WHERE id % (id - 1) NOT IN (NULL, id)", "", ""),
    ("UPDATE pt SET a = b, b = CASE NULL WHEN 1 THEN 'a' END WHERE FALSE", "error 42883", "0 rows"),
    ("UPDATE pu SET id = DEFAULT WHERE FALSE", "0 rows", "error 23502"),
    ("INSERT INTO pt (id, a, b) VALUES (9, 3000000000, 'abcde')", "error 22003", "error 22003"),
    (
        "SELECT * FROM pt JOIN pu USING (id) JOIN pt z ON z.id = pu.id WHERE pt.id = 3",
        "3,30,NULL,30,3,30,NULL",
        "3,30,NULL,30,3,30,NULL",
    ),
    ("SELECT 7.00 INTERSECT SELECT 7", "7.00", "7.00"),
    ("SELECT ROUND(NULL, 3) UNION ALL SELECT 1.5", "NULL 1.5", "NULL 1.5"),
];

#[test]
fn statements_do_what_each_server_does() {
    for (dialect, which) in [(POSTGRES, 0), (MARIADB, 1)] {
        let mut database = collated(dialect);
        for (statement, postgres, mariadb) in STATEMENTS {
            let expected = if which == 0 { postgres } else { mariadb };
            assert_eq!(answer(&mut database, statement), **expected, "{dialect:?}: {statement}");
        }
    }
}

#[test]
fn outer_joins_make_no_rows_that_a_condition_drops() {
    let mut postgres = Memory::new(POSTGRES);
    for (statement, expected) in [
        ("CREATE TABLE a (id INT PRIMARY KEY, x INT)", ""),
        ("CREATE TABLE b (id INT PRIMARY KEY)", ""),
        ("INSERT INTO a VALUES (1, 0), (2, 2)", "2 rows"),
        ("INSERT INTO b VALUES (2)", "1 rows"),
        ("SELECT a.id FROM a FULL JOIN b ON a.id = b.id WHERE 4 / a.x = b.id", "2"),
        ("SELECT a.id FROM a LEFT JOIN b ON a.id = b.id WHERE 4 / a.x = b.id", "2"),
        ("SELECT a.id FROM a LEFT JOIN b ON a.id = b.id WHERE 4 / a.x = 2", "error 22012"),
    ] {
        assert_eq!(answer(&mut postgres, statement), expected, "{statement}");
    }
}

#[test]
fn minus_zero_is_refused() {
    assert_eq!(answer(&mut Memory::new(POSTGRES), "SELECT -1.00 % 0.50"), "0.00");
    let refused = Memory::new(MARIADB).run("SELECT -1.00 % 0.50").expect_err("minus zero");
    assert!(refused.to_string().contains("minus zero"), "{refused}");
}

#[test]
fn a_parameter_is_as_long_as_its_value() {
    let mut postgres = Memory::new(POSTGRES);
    for statement in
        ["CREATE TABLE k (c CHAR(3) PRIMARY KEY)", "INSERT INTO k VALUES ('a'), ('ab'), ('abc')"]
    {
        assert!(postgres.run(statement).expect(statement).answer.is_ok(), "{statement}");
    }
    for (statement, param, expected) in [
        ("SELECT c FROM k WHERE c = $1", "ab ", "ab "),
        ("SELECT c FROM k WHERE c = $1", "abcd", ""),
        ("SELECT c FROM k WHERE c = $1::text", "ab ", ""),
        ("SELECT c FROM k WHERE c = $1::varchar", "ab ", "ab "),
        ("SELECT c FROM k WHERE c LIKE $1", "ab", ""),
        ("SELECT $1::varchar(2)", "abc", "ab"),
        ("SELECT $1::char(2)", "abc", "ab"),
        ("SELECT $1::char(2)", "a", "a "),
        ("INSERT INTO k VALUES ($1)", "abcd", "error 22001"),
        ("INSERT INTO k VALUES ($1)", "abc  ", "error 23505"),
    ] {
        let prepared = Statement::prepare(statement, POSTGRES).expect(statement);
        let plan = prepared.plan(postgres.catalog(), &[]).expect(statement);
        let outcome = postgres.try_out(&plan, &[Value::text(param)], &mut FirstChoice::default());
        let answer = shown_or_failed(&outcome.expect(statement));
        assert_eq!(answer, expected, "{statement} with {param:?}");
    }
}

#[test]
fn upserts_count_as_their_server_counts() {
    let mut maria = Memory::new(MARIADB);
    for (statement, expected) in [
        ("CREATE TABLE pu (id INT PRIMARY KEY, u INT)", ""),
        ("INSERT INTO pu VALUES (1, 1) ON DUPLICATE KEY UPDATE u = 5", "1 rows"),
        ("INSERT INTO pu VALUES (1, 1) ON DUPLICATE KEY UPDATE u = 5", "2 rows"),
        ("INSERT INTO pu VALUES (1, 1) ON DUPLICATE KEY UPDATE u = 5", "0 rows"),
        ("INSERT INTO pu VALUES (1, 7) ON DUPLICATE KEY UPDATE u = u + VALUES(u)", "2 rows"),
        ("SELECT * FROM pu", "1,12"),
        ("REPLACE INTO pu VALUES (1, 2), (2, 3)", "3 rows"),
        ("INSERT IGNORE INTO pu VALUES (1, 9), (3, 9)", "1 rows"),
    ] {
        assert_eq!(answer(&mut maria, statement), expected, "{statement}");
    }
    let mut postgres = Memory::new(POSTGRES);
    for (statement, expected) in [
        ("CREATE TABLE pu (id INT PRIMARY KEY, u INT)", ""),
        ("INSERT INTO pu VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET u = 5", "1 rows"),
        (
            "INSERT INTO pu VALUES (1, 7) ON CONFLICT (id) DO UPDATE SET u = pu.u + excluded.u",
            "1 rows",
        ),
        ("INSERT INTO pu VALUES (1, 7), (2, 2) ON CONFLICT DO NOTHING", "1 rows"),
        (
            "INSERT INTO pu VALUES (4, 7), (4, 2) ON CONFLICT (id) DO UPDATE SET u = 0",
            "error 21000",
        ),
        ("INSERT INTO pu VALUES (4, 7) ON CONFLICT (u) DO NOTHING", "error 42P10"),
        ("SELECT * FROM pu ORDER BY id", "1,8 2,2"),
    ] {
        assert_eq!(answer(&mut postgres, statement), expected, "{statement}");
    }
}

#[test]
fn postgresql_counts_days_in_integers_only() {
    for (days, expected) in [("1", "2026-01-02"), ("CAST(1 AS BIGINT)", "error 42883")] {
        let query = format!("SELECT DATE '2026-01-01' + {days}");
        assert_eq!(answer(&mut collated(POSTGRES), &query), expected, "{query}");
    }
}
