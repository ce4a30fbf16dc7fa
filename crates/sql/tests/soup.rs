//! Whatever the text, nothing panics: random words of SQL are refused, or carried out.

use tristan_sql::{Dialect, Memory};
use tristan_testkit::Random;

const WORDS: &[&str] = &[
    "SELECT",
    "FROM",
    "WHERE",
    "GROUP",
    "BY",
    "HAVING",
    "ORDER",
    "LIMIT",
    "OFFSET",
    "INSERT",
    "INTO",
    "VALUES",
    "UPDATE",
    "SET",
    "DELETE",
    "CREATE",
    "TABLE",
    "DROP",
    "PROCEDURE",
    "FUNCTION",
    "BEGIN",
    "END",
    "IF",
    "THEN",
    "ELSE",
    "WHILE",
    "LOOP",
    "FOR",
    "IN",
    "DECLARE",
    "RETURN",
    "CALL",
    "t",
    "u",
    "a",
    "b",
    "id",
    "x",
    "*",
    ",",
    "(",
    ")",
    ";",
    "=",
    "<",
    ">",
    "<>",
    "+",
    "-",
    "/",
    "%",
    ".",
    "'a'",
    "''",
    "1",
    "0",
    "-1",
    "1.5",
    "NULL",
    "NOT",
    "AND",
    "OR",
    "IS",
    "BETWEEN",
    "LIKE",
    "EXISTS",
    "UNION",
    "ALL",
    "JOIN",
    "LEFT",
    "ON",
    "AS",
    "COUNT",
    "SUM",
    "MIN",
    "AVG",
    "CASE",
    "WHEN",
    "CAST",
    "INT",
    "DECIMAL",
    "TEXT",
    "DISTINCT",
    "DEFAULT",
    "PRIMARY",
    "KEY",
    "UNIQUE",
    "CONFLICT",
    "DUPLICATE",
    "DO",
    "NOTHING",
    "RETURNING",
    "$1",
    "?",
    "$$",
    "@x",
    ":=",
    "..",
    "INTERVAL",
    "DATE",
    "'2024-02-30'",
    "9223372036854775807",
    "99999999999999999999",
    "1e400",
    "ROUND",
    "SUBSTRING",
    "COALESCE",
    "ANY",
    "USING",
    "NATURAL",
];

const SHAPES: &[&str] = &[
    "SELECT # FROM t WHERE #",
    "SELECT # FROM t x LEFT JOIN u ON # GROUP BY # HAVING #",
    "INSERT INTO t VALUES (#, #)",
    "UPDATE t SET a = # WHERE #",
    "DELETE FROM t WHERE # IN (SELECT # FROM u)",
    "SELECT (SELECT # FROM u WHERE #) FROM t ORDER BY # LIMIT #",
    "CREATE PROCEDURE p(a INT) BEGIN DECLARE x INT; # ; END",
    "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN # ; RETURN # ; END $$",
];

fn soup(random: &mut Random, most: usize) -> String {
    let count = 1 + random.below(most);
    (0..count).map(|_| *random.pick(WORDS)).collect::<Vec<_>>().join(" ")
}

fn statement(random: &mut Random) -> String {
    if random.once_in(3) {
        return soup(random, 14);
    }
    random.pick(SHAPES).split('#').fold(String::new(), |text, part| {
        let filling = if text.is_empty() { String::new() } else { soup(random, 4) };
        format!("{text} {filling} {part}")
    })
}

#[test]
fn token_soup_never_panics() {
    for dialect in [Dialect::PostgreSql, Dialect::MySql, Dialect::MariaDb] {
        let mut random = Random::new(1);
        let mut database = Memory::new(dialect);
        let setup = [
            "CREATE TABLE t (id INT PRIMARY KEY, a DECIMAL(6,2))",
            "CREATE TABLE u (id INT, b VARCHAR(10), c DATE)",
        ];
        for statement in setup {
            database.run(statement).expect(statement).answer.expect(statement);
        }
        for number in 0..20_000 {
            let text = statement(&mut random);
            let _ = database.run(&text);
            if number % 500 == 0 {
                let _ = database.run("DELETE FROM t");
                let _ = database.run("INSERT INTO t VALUES (1, 1.5), (2, NULL)");
                let _ = database
                    .run("INSERT INTO u VALUES (1, 'a', DATE '2024-01-01'), (NULL, NULL, NULL)");
            }
        }
    }
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [
        ("(", ")"),
        ("NOT ", ""),
        ("- ", ""),
        ("(SELECT ", ")"),
        ("1 + ", ""),
        ("CASE WHEN ", " THEN 1 END"),
    ] {
        let text = format!("SELECT {}1{}", open.repeat(5000), close.repeat(5000));
        for dialect in [Dialect::PostgreSql, Dialect::MySql] {
            let mut database = Memory::new(dialect);
            let _ = database.run(&text);
        }
    }
}
