//! Functions of PostgreSQL, with the answers that PostgreSQL 15 gives.
//!
//! `differential/probes` has many more, for a test with a server.

use tristan_sql::{Collation, Dialect, Memory};

use crate::shown::rows_of;

/// An expression, and its value or the code of its error.
const EXPRESSIONS: &[(&str, &str)] = &[
    // Dates and times, in a session whose time zone is UTC.
    ("date_trunc('week', TIMESTAMP '2024-08-15 13:45:30.25')", "2024-08-12 00:00:00"),
    ("date_trunc('quarter', TIMESTAMPTZ '2024-08-15 01:45:30+02')", "2024-07-01 00:00:00+00"),
    ("date_trunc('month', DATE '2024-08-15')", "2024-08-01 00:00:00+00"),
    ("EXTRACT(SECOND FROM TIMESTAMP '2024-02-29 13:45:30.25')", "30.250000"),
    ("EXTRACT(EPOCH FROM TIMESTAMP '1969-12-31 23:59:59.5')", "-0.500000"),
    ("EXTRACT(WEEK FROM DATE '2021-01-03')", "53"),
    ("EXTRACT(ISOYEAR FROM DATE '2021-01-03')", "2020"),
    ("EXTRACT(DOW FROM DATE '2024-02-29')", "4"),
    ("EXTRACT(CENTURY FROM DATE '2000-12-31')", "20"),
    ("EXTRACT(HOUR FROM DATE '2024-02-29')", "error 0A000"),
    ("date_part('second', TIMESTAMP '2024-02-29 13:45:30.25')", "30.25"),
    ("TIMESTAMPTZ '2024-01-01 12:00:00+02' AT TIME ZONE 'UTC'", "2024-01-01 10:00:00"),
    ("TIMESTAMP '2024-01-01 12:00:00' AT TIME ZONE 'UTC'", "2024-01-01 12:00:00+00"),
    ("make_date(2024, 2, 29)", "2024-02-29"),
    ("make_date(2023, 2, 29)", "error 22008"),
    ("make_timestamp(2024, 1, 1, 23, 59, 60)", "2024-01-02 00:00:00"),
    ("to_timestamp(0.5)", "1970-01-01 00:00:00.5+00"),
    ("to_date('05/03/2024', 'DD/MM/YYYY')", "2024-03-05"),
    ("to_date('2024-02-30', 'YYYY-MM-DD')", "error 22008"),
    (
        "to_char(TIMESTAMP '2024-03-05 16:07:08.009', 'FMDay, FMDD FMMonth YYYY')",
        "Tuesday, 5 March 2024",
    ),
    (
        "to_char(TIMESTAMP '2024-03-05 16:07:08.009', 'Dy Mon MS US HH12:MI AM')",
        "Tue Mar 009 009000 04:07 PM",
    ),
    ("to_char(TIMESTAMP '2024-03-05 16:07:08.009', 'IYYY-IW Q DDD')", "2024-10 1 065"),
    // Extensions.
    ("unaccent('Ünïcödé žluťoučký ab')", "Unicode zlutoucky ab"),
    ("unaccent(NULL)", "NULL"),
    ("similarity('postgres', 'postgre') BETWEEN 0.69 AND 0.7", "true"),
    ("similarity('postgres', 'postgre') = 0.7", "false"),
    ("similarity('a_b c-d', 'A b')", "0.5"),
    ("similarity('The quick', 'quick the')", "1"),
    ("similarity('word', 'two words') > 0.36", "true"),
    ("similarity('abc', '')", "0"),
    // Strings.
    ("split_part('a,b,c', ',', -1)", "c"),
    ("split_part('a,b,c', ',', 0)", "error 22023"),
    ("position('' IN 'abc')", "1"),
    ("strpos('user@example.org', '@')", "5"),
    ("initcap('hello wORLD-x2y')", "Hello World-X2y"),
    ("translate('banana', 'abn', 'xy')", "yxxx"),
    ("overlay('abcdef' PLACING 'X' FROM 3 FOR -1)", "abXbcdef"),
    ("overlay('abc' PLACING 'X' FROM 0)", "error 22011"),
    ("chr(233)", "é"),
    ("to_hex(-1)", "ffffffff"),
    ("to_hex(255::bigint)", "ff"),
    ("btrim('xyTomyx', 'xy')", "Tom"),
    ("trim(LEADING 'x' FROM 'xax')", "ax"),
    ("bit_length('é')", "16"),
    ("quote_literal('it''s \\ x')", "E'it''s \\\\ x'"),
    ("quote_ident('select')", "\"select\""),
    ("quote_ident('a b')", "\"a b\""),
    ("quote_nullable(NULL)", "NULL"),
    ("format('%2$s-%1$s|%5s|%-5s|', 'a', 'b', 'c', 'd')", "b-a|    b|c    |"),
    ("format('%s %L', NULL, NULL)", " NULL"),
    ("format('%s')", "error 22023"),
    ("md5('hello')", "5d41402abc4b2a76b9719d911017c592"),
    ("left('abc', 2::bigint)", "error 42883"),
    ("1048576.25::real::text", "1.0485762e+06"),
    ("5e22::float8::text", "4.9999999999999996e+22"),
    ("'B' COLLATE \"C\" < 'a'", "true"),
    // Regular expressions.
    ("'abc' ~ 'a|x'", "true"),
    ("'ABC' ~* '^[a-c]+$'", "true"),
    ("'abc' !~ '[[:digit:]]'", "true"),
    ("E'a\\nb' ~ '^b'", "false"),
    ("'abd' SIMILAR TO 'ab(c|d)'", "true"),
    ("'abc' SIMILAR TO 'a.c'", "false"),
    ("regexp_replace('tel 555-12', '(\\d+)-(\\d+)', '\\2/\\1')", "tel 12/555"),
    ("regexp_replace('abc', 'b*', 'X', 'g')", "XaXXcX"),
    ("substring('foobar' FROM 'o(.)b')", "o"),
    ("substring('foobar', 'o|ooba')", "ooba"),
    ("regexp_count('a1b22c333', '\\d+')", "3"),
    ("regexp_substr('a1b22c333', '\\d+', 1, 2)", "22"),
    // Numbers.
    ("power(2, 10)", "1024"),
    ("2 ^ 3", "8"),
    ("power(1.5, 2)", "2.2500000000000000"),
    ("sqrt(2)", "1.4142135623730951"),
    ("sqrt(20000::numeric)", "141.4213562373095"),
    ("sqrt(0.0002)", "0.01414213562373095"),
    ("div(-17, 5)", "-3"),
    ("div(1, 0)", "error 22012"),
    ("gcd(-12, 18)", "6"),
    ("lcm(4, 6)", "12"),
    ("factorial(20)", "2432902008176640000"),
    ("factorial(-1)", "error 22003"),
    ("width_bucket(5.35, 0.024, 10.06, 5)", "3"),
    ("width_bucket(10, 0, 10, 4)", "5"),
    ("trunc(1999.9, -2)", "1900"),
    ("@ -2.50", "2.50"),
    // Intervals, times of day, JSON, arrays, bytes, statistics.
    ("INTERVAL '1 year 14 months -3 days 04:05:06.7'", "2 years 2 mons -3 days +04:05:06.7"),
    ("INTERVAL '1 hour 30 minutes' / 3", "00:30:00"),
    ("INTERVAL '1 month' * 1.5", "1 mon 15 days"),
    ("TIMESTAMP '2024-01-31 10:00' + INTERVAL '1 month'", "2024-02-29 10:00:00"),
    ("TIMESTAMP '2024-03-01 06:00' - TIMESTAMP '2024-02-27 18:30:15'", "2 days 11:29:45"),
    ("TIME '23:30' + INTERVAL '45 minutes'", "00:15:00"),
    ("DATE '2024-01-31' + TIME '12:30'", "2024-01-31 12:30:00"),
    ("age(TIMESTAMP '2024-03-15', TIMESTAMP '1990-05-20')", "33 years 9 mons 26 days"),
    ("justify_interval(INTERVAL '35 days 30 hours')", "1 mon 6 days 06:00:00"),
    (
        "date_bin('15 minutes', TIMESTAMP '2024-01-01 10:22', TIMESTAMP '2024-01-01')",
        "2024-01-01 10:15:00",
    ),
    ("EXTRACT(EPOCH FROM INTERVAL '1 year 1 day')", "31644000.000000"),
    (
        "(DATE '2024-01-01', DATE '2024-01-10') OVERLAPS (DATE '2024-01-10', DATE '2024-01-20')",
        "false",
    ),
    ("INTERVAL '1 day' = INTERVAL '24 hours'", "true"),
    ("5 BETWEEN SYMMETRIC 10 AND 2 + 1", "true"),
    (
        "jsonb_set('{\"a\": {\"b\": 1}, \"l\": [1, 2]}', '{l,-7}', '\"x\"')",
        "{\"a\": {\"b\": 1}, \"l\": [\"x\", 1, 2]}",
    ),
    ("jsonb_insert('{\"l\": [1, 2]}', '{l,1}', '\"in\"', true)", "{\"l\": [1, 2, \"in\"]}"),
    ("'{\"a\": [1, {\"b\": 2}]}'::jsonb #- '{a,1,b}'", "{\"a\": [1, {}]}"),
    (
        "jsonb_build_object('id', 1, 'name', 'a\"b', 'ok', NULL)",
        "{\"id\": 1, \"ok\": null, \"name\": \"a\\\"b\"}",
    ),
    ("json_build_object('k', 1, 'l', ARRAY[1, 2])", "{\"k\" : 1, \"l\" : [1,2]}"),
    ("to_jsonb(TIMESTAMP '2024-01-02 03:04:05')", "\"2024-01-02T03:04:05\""),
    (
        "jsonb_path_query_array('{\"items\": [{\"price\": 5}, {\"price\": 15}]}', '$.items[*] ? (@.price > 10)')",
        "[{\"price\": 15}]",
    ),
    ("jsonb_pretty('{\"a\": [], \"b\": 1}')", "{\n    \"a\": [\n    ],\n    \"b\": 1\n}"),
    ("array_remove(ARRAY[5, 6, NULL, 5], 5)", "{6,NULL}"),
    ("(ARRAY[1, 2, 3, 4])[2:3]", "{2,3}"),
    ("array_to_string(string_to_array('a,b,,c', ',', ''), '-', '?')", "a-b-?-c"),
    (
        "encode(sha256('hello'), 'hex')",
        "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
    ),
    ("encode('\\xdeadbeef'::bytea, 'base64')", "3q2+7w=="),
    ("regexp_match('key=value', '(\\w+)=(\\w+)')", "{key,value}"),
    ("to_char(-1234567.891, 'FM9,999,990.00')", "-1,234,567.89"),
    ("to_char(12, 'S0000')", "+0012"),
    ("to_number('1,234.50', '9,999.99')", "1234.50"),
    ("(SELECT stddev(n) FROM unnest(ARRAY[2, 4, 4, 4, 5, 5, 7, 9]) AS n)", "2.1380899352993951"),
    (
        "(SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY n) FROM unnest(ARRAY[1, 2, 3, 10]) AS n)",
        "2.5",
    ),
    ("pg_typeof(ARRAY[1.5])", "numeric[]"),
    ("trim(TRAILING FROM ' x ')", " x"),
    ("'infinity'::timestamp", "infinity"),
];

/// The only value of a query, or the code of its error.
fn answer(database: &mut Memory, query: &str) -> String {
    let answer = match database.run(query).expect(query).answer {
        Ok(answer) => answer,
        Err(failure) => return format!("error {}", failure.class.sqlstate()),
    };
    let table = answer.rows.expect("rows");
    rows_of(&table, ",").swap_remove(0)
}

#[test]
fn functions_give_what_postgresql_gives() {
    let mut database = Memory::new(Dialect::PostgreSql);
    database.collate(Collation::Bytes);
    database.set_utc();
    for (expression, wanted) in EXPRESSIONS {
        assert_eq!(answer(&mut database, &format!("SELECT {expression}")), *wanted, "{expression}");
    }
}

#[test]
fn what_depends_on_the_time_zone_is_refused_unless_it_is_utc() {
    let mut database = Memory::new(Dialect::PostgreSql);
    for query in [
        "SELECT date_trunc('day', DATE '2024-01-01')",
        "SELECT date_trunc('day', TIMESTAMPTZ '2024-01-01 00:00:00+00')",
        "SELECT EXTRACT(HOUR FROM TIMESTAMPTZ '2024-01-01 00:00:00+00')",
        "SELECT to_char(TIMESTAMPTZ '2024-01-01 00:00:00+00', 'YYYY')",
        "SELECT to_char(DATE '2024-01-01', 'HH24')",
        "SELECT to_timestamp('2024-01-01', 'YYYY-MM-DD')",
        "SELECT DATE '2024-01-01' AT TIME ZONE 'UTC'",
    ] {
        assert!(database.run(query).is_err(), "{query}");
    }
    for query in [
        "SELECT EXTRACT(EPOCH FROM TIMESTAMPTZ '2024-01-01 00:00:00+00')",
        "SELECT TIMESTAMPTZ '2024-01-01 00:00:00+00' AT TIME ZONE 'UTC'",
        "SELECT date_trunc('day', TIMESTAMPTZ '2024-01-01 00:00:00+00', 'UTC')",
        "SELECT to_char(DATE '2024-01-01', 'YYYY')",
    ] {
        assert!(database.run(query).is_ok(), "{query}");
    }
}
