//! Types of PostgreSQL beyond numbers and texts: ranges, time zones, addresses, rows, enumerations and domains.
//!
//! The results of the expressions are those of PostgreSQL 15.

use tristan_sql::{Dialect, Memory};

use crate::shown::rows_of;

const EXPRESSIONS: &[(&str, &str)] = &[
    ("'[1,5]'::int4range", "[1,6)"),
    ("int4range(1, 5, '(]')", "[2,6)"),
    ("int4range(NULL, 5)", "(,5)"),
    ("int8range(5, 1)", "error 22000"),
    ("int4range(2147483646, 2147483647, '[]')", "error 22003"),
    ("numrange(1.0, 2.50, '[]')", "[1.0,2.50]"),
    ("'(1.0,1.00)'::numrange", "empty"),
    ("'[1.0,1.00]'::numrange", "[1.0,1.00]"),
    ("'[a,b)'::int4range", "error 22P02"),
    ("'[1,2'::int4range", "error 22P02"),
    ("' ( , 3 ] '::int4range", "error 22P02"),
    ("int4range(1,5) @> 4", "true"),
    ("int4range(1,5) @> 5", "false"),
    ("int4range(1,5) @> int4range(2,3)", "true"),
    ("3 <@ int4range(1,5)", "true"),
    ("int4range(1,5) && int4range(5,8)", "false"),
    ("int4range(1,5) -|- int4range(5,8)", "true"),
    ("int4range(1,5) << int4range(5,8)", "true"),
    ("int4range(1,5) &< int4range(3,8)", "true"),
    ("int4range(1,5) &> int4range(0,8)", "true"),
    ("int4range(1,5) + int4range(5,8)", "[1,8)"),
    ("int4range(1,5) + int4range(6,8)", "error 22000"),
    ("int4range(1,5) - int4range(3,8)", "[1,3)"),
    ("int4range(1,9) - int4range(3,5)", "error 22000"),
    ("int4range(1,9) * int4range(3,15)", "[3,9)"),
    ("int4range(1,3) * int4range(3,15)", "empty"),
    ("range_merge(int4range(1,3), int4range(7,9))", "[1,9)"),
    ("lower(int4range(1,5))", "1"),
    ("upper(int4range(1,NULL))", "NULL"),
    ("upper_inf(int4range(1,NULL))", "true"),
    ("lower_inc('(1,2)'::numrange)", "false"),
    ("isempty(int4range(1,1))", "true"),
    ("lower('empty'::int4range)", "NULL"),
    ("int4range(1,5) < int4range(1,6)", "true"),
    ("'empty'::int4range < int4range(1,6)", "true"),
    ("numrange(1.0,2.0) = numrange(1.00,2.00)", "true"),
    ("'[2024-01-01,2024-01-31]'::daterange", "[2024-01-01,2024-02-01)"),
    ("daterange('2024-01-01','2024-02-01') @> date '2024-01-31'", "true"),
    (
        "'[2024-01-01 09:00,2024-01-01 10:00)'::tsrange",
        r#"["2024-01-01 09:00:00","2024-01-01 10:00:00")"#,
    ),
    (
        "tsrange('2024-01-01','2024-01-02') * tsrange('2024-01-01 12:00',NULL)",
        r#"["2024-01-01 12:00:00","2024-01-02 00:00:00")"#,
    ),
    ("pg_typeof(int4range(1,2))", "int4range"),
    ("timestamp '2024-07-01 12:00' AT TIME ZONE 'Europe/Berlin'", "2024-07-01 10:00:00+00"),
    ("timestamptz '2024-01-01 12:00:00+00' AT TIME ZONE 'america/new_york'", "2024-01-01 07:00:00"),
    (
        "timestamptz '2024-01-01 12:00:00+00' AT TIME ZONE interval '-3 hours'",
        "2024-01-01 09:00:00",
    ),
    ("timestamp '2024-03-10 02:30' AT TIME ZONE 'America/New_York'", "2024-03-10 07:30:00+00"),
    ("timestamp '2024-11-03 01:30' AT TIME ZONE 'America/New_York'", "2024-11-03 06:30:00+00"),
    ("timestamp '2024-10-06 02:30' AT TIME ZONE 'Australia/Sydney'", "2024-10-05 16:30:00+00"),
    ("timestamp '2024-04-07 02:30' AT TIME ZONE 'Australia/Sydney'", "2024-04-06 16:30:00+00"),
    ("timestamp '2024-04-07 02:30' AT TIME ZONE 'Pacific/Auckland'", "2024-04-06 14:30:00+00"),
    (
        "date_trunc('day', timestamptz '2024-07-01 02:00:00+00', 'America/New_York')",
        "2024-06-30 04:00:00+00",
    ),
    (
        "date_trunc('hour', timestamptz '2024-11-03 06:30:00+00', 'America/New_York')",
        "2024-11-03 06:00:00+00",
    ),
    (
        "date_trunc('hour', timestamptz '2024-11-03 05:30:00+00', 'America/New_York')",
        "2024-11-03 05:00:00+00",
    ),
    (
        "date_trunc('month', timestamptz '2024-11-30 05:30:00+00', 'Europe/Berlin')",
        "2024-10-31 23:00:00+00",
    ),
    (
        "date_trunc('hour', timestamptz '2024-01-01 05:40:00+00', 'Asia/Kolkata')",
        "2024-01-01 05:30:00+00",
    ),
    ("round(sin(1)::numeric, 8)", "0.84147098"),
    ("round(cos(0::float8)::numeric, 8)", "1.00000000"),
    ("round(atan2(1, 2)::numeric, 6)", "0.463648"),
    ("round(tan(-1.5)::numeric, 5)", "-14.10142"),
    ("round(cbrt(27.0::float8))", "3"),
    ("round(exp(2::float8)::numeric, 3)", "7.389"),
    ("round(ln(2::float8)::numeric)", "1"),
    ("similarity('postgres', 'postgre')", "0.7"),
    (r#"ROW(1, 'a, b', NULL, true, '', 'x"y')"#, r#"(1,"a, b",,t,"","x""y")"#),
    ("'10.1.2.3'::inet", "10.1.2.3"),
    ("'10.1.2.3'::inet::text", "10.1.2.3/32"),
    ("'192.168.0.1/24'::inet", "192.168.0.1/24"),
    ("inet '2001:db8::1'", "2001:db8::1"),
    ("cidr '10.0.0.0/8'", "10.0.0.0/8"),
    ("cidr '10.0.0.1/8'", "error 22P02"),
    ("inet '10.1.2.3' << cidr '10.0.0.0/8'", "true"),
    ("inet '10.1.2.3' <<= inet '10.1.2.3'", "true"),
    ("cidr '10.0.0.0/8' >> inet '10.1.2.3'", "true"),
    ("inet '10.0.0.0/8' && inet '10.1.0.0/16'", "true"),
    ("inet '10.1.2.3/8' < inet '10.1.2.3'", "true"),
    ("inet '10.1.2.3/24' < inet '10.1.2.4/16'", "false"),
    ("inet '10.1.2.3' < inet '::1'", "true"),
    ("inet '10.1.2.3' = cidr '10.1.2.3'", "true"),
    ("host(inet '10.1.2.3/8')", "10.1.2.3"),
    ("masklen(inet '10.1.2.3/8')", "8"),
    ("family(inet '::1')", "6"),
    ("network(inet '10.1.2.3/8')", "10.0.0.0/8"),
    ("netmask(inet '10.1.2.3/9')", "255.128.0.0"),
    ("broadcast(inet '10.1.2.3/9')", "10.127.255.255/9"),
    ("inet '1:0:0:2:0:0:0:3'", "1:0:0:2::3"),
    ("inet '1:0:2:3:4:5:6:7'", "1:0:2:3:4:5:6:7"),
];

/// What a statement answers, row by row, or its error, or that it is not supported.
fn answer(database: &mut Memory, statement: &str) -> String {
    match database.run(statement) {
        Err(error) => error.to_string(),
        Ok(outcome) => match &outcome.answer {
            Err(failure) => format!("error {}", failure.class.sqlstate()),
            Ok(answer) => {
                let Some(table) = &answer.rows else { return "done".to_owned() };
                rows_of(table, ";").join(" ")
            }
        },
    }
}

fn check(cases: &[(&str, &str)]) {
    let mut database = Memory::new(Dialect::PostgreSql);
    database.set_utc();
    for (statement, wanted) in cases {
        assert_eq!(answer(&mut database, statement), *wanted, "{statement}");
    }
}

#[test]
fn expressions_give_what_postgresql_gives() {
    let mut database = Memory::new(Dialect::PostgreSql);
    database.set_utc();
    for (expression, wanted) in EXPRESSIONS {
        let got = answer(&mut database, &format!("SELECT {expression}"));
        let same = match (got.parse::<f64>(), wanted.parse::<f64>()) {
            (Ok(a), Ok(b)) if expression.starts_with("similarity") => (a - b).abs() < 1e-6,
            _ => got == *wanted,
        };
        assert!(same, "{expression}: {got} instead of {wanted}");
    }
}

#[test]
fn enumerations_are_ordered_as_they_are_defined() {
    check(&[
        ("CREATE TYPE mood AS ENUM ('sad', 'ok')", "done"),
        ("ALTER TYPE mood ADD VALUE 'happy'", "done"),
        ("ALTER TYPE mood ADD VALUE 'calm' BEFORE 'ok'", "done"),
        ("ALTER TYPE mood RENAME VALUE 'ok' TO 'fine'", "done"),
        ("SELECT enum_range(NULL::mood)", "{sad,calm,fine,happy}"),
        ("SELECT enum_first(NULL::mood), enum_last(NULL::mood)", "sad;happy"),
        ("CREATE TABLE t (id int, m mood DEFAULT 'fine')", "done"),
        ("INSERT INTO t VALUES (1, 'happy'), (2, 'sad'), (3, NULL)", "done"),
        ("INSERT INTO t (id) VALUES (4)", "done"),
        ("INSERT INTO t VALUES (5, 'Sad')", "error 22P02"),
        ("SELECT id FROM t ORDER BY m, id", "2 4 1 3"),
        ("SELECT id FROM t WHERE m > 'calm' ORDER BY id", "1 4"),
        ("SELECT count(*) FROM t WHERE m = 'bored'", "error 22P02"),
    ]);
}

#[test]
fn domains_are_checked_before_all_else() {
    check(&[
        ("CREATE DOMAIN positive AS int DEFAULT 7 CHECK (VALUE > 0)", "done"),
        ("CREATE TABLE t (id int NOT NULL, n positive)", "done"),
        ("INSERT INTO t VALUES (1, 5), (2, NULL)", "done"),
        ("INSERT INTO t VALUES (NULL, -5)", "error 23514"),
        ("INSERT INTO t VALUES (NULL, 5)", "error 23502"),
        ("INSERT INTO t (id) VALUES (3)", "done"),
        ("UPDATE t SET n = n - 6 WHERE id = 1", "error 23514"),
        ("SELECT n + 1 FROM t ORDER BY id", "6 NULL 8"),
    ]);
}

#[test]
fn a_row_can_be_shown() {
    check(&[
        ("CREATE TABLE t (id int, name text)", "done"),
        ("INSERT INTO t VALUES (1, 'a, b'), (2, NULL)", "done"),
        ("SELECT t FROM t ORDER BY id", "(1,\"a, b\") (2,)"),
        ("SELECT (t).name, ROW(id, 'x') FROM t ORDER BY id", "a, b;(1,x) NULL;(2,x)"),
    ]);
    let mut database = Memory::new(Dialect::PostgreSql);
    for statement in ["CREATE TABLE t (id int)", "INSERT INTO t VALUES (NULL)"] {
        answer(&mut database, statement);
    }
    for query in ["SELECT t IS NULL FROM t", "SELECT 1 FROM t ORDER BY t"] {
        assert!(answer(&mut database, query).contains("not supported"), "{query}");
    }
}

#[test]
fn a_char_is_cast_with_its_spaces_or_not_at_all() {
    let mut database = Memory::new(Dialect::PostgreSql);
    for statement in ["CREATE TABLE c (a CHAR(4))", "INSERT INTO c VALUES ('12')"] {
        assert_eq!(answer(&mut database, statement), "done");
    }
    assert_eq!(answer(&mut database, "SELECT a::int, a::text FROM c"), "12;12");
    assert!(answer(&mut database, "SELECT a::bytea FROM c").contains("not supported"));
}
