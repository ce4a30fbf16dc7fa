//! `tristan shrink`: what is left of a trace, and whether its script shows on a real database what
//! the clients saw.

#![allow(clippy::print_stdout, reason = "says why a test did nothing")]

use crate::common;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use common::{GOOD, OPEN, file, folder, run, run_on, text};
use tristan_record::sql::{self, SqlClient, SqlDatabase};

/// Two doctors on call; each goes home because the other is there.
const SKEW: &[u8] = b"{\"initial\":{\"alice\":\"on call\",\"bob\":\"on call\"}}\n\
{\"s\":1,\"id\":\"A\",\"st\":\"c\",\"ops\":[[\"r\",\"bob\",\"on call\"],[\"w\",\"alice\",\"home\"]]}\n\
{\"s\":2,\"id\":\"B\",\"st\":\"c\",\"ops\":[[\"r\",\"alice\",\"on call\"],[\"w\",\"bob\",\"home\"]]}\n";
/// Both read 10, both sell one.
const LOST: &[u8] = b"{\"initial\":{\"stock\":10}}\n\
{\"s\":1,\"id\":\"sale 1\",\"st\":\"c\",\"ops\":[[\"r\",\"stock\",10],[\"w\",\"stock\",9]]}\n\
{\"s\":2,\"id\":\"sale 2\",\"st\":\"c\",\"ops\":[[\"r\",\"stock\",10],[\"w\",\"stock\",8]]}\n";
/// An audit sees one account before a transfer and the other after it.
const TORN: &[u8] = b"{\"initial\":{\"checking\":50,\"savings\":50}}\n\
{\"s\":1,\"id\":\"audit\",\"st\":\"c\",\"ops\":[[\"r\",\"checking\",50],[\"r\",\"savings\",80]]}\n\
{\"s\":2,\"id\":\"move\",\"st\":\"c\",\"ops\":[[\"w\",\"checking\",20],[\"w\",\"savings\",80]]}\n";
/// What is read was never committed.
const DIRTY: &[u8] =
    b"{\"s\":1,\"id\":\"draft\",\"st\":\"a\",\"ops\":[[\"w\",\"title\",\"it's a \\\\ draft\"]]}\n\
{\"s\":2,\"id\":\"page\",\"st\":\"c\",\"ops\":[[\"r\",\"title\",\"it's a \\\\ draft\"]]}\n";
/// Each sees that the list has room, and appends.
const LISTS: &[u8] = b"{\"s\":1,\"id\":\"first\",\"st\":\"c\",\"ops\":[[\"a\",\"seats\",1]]}\n\
{\"s\":1,\"id\":\"A\",\"st\":\"c\",\"ops\":[[\"l\",\"seats\",[1]],[\"a\",\"taken\",\"a\"]]}\n\
{\"s\":2,\"id\":\"B\",\"st\":\"c\",\"ops\":[[\"l\",\"taken\",null],[\"a\",\"seats\",2]]}\n\
{\"s\":1,\"id\":\"C\",\"st\":\"c\",\"ops\":[[\"l\",\"seats\",[1,2]],[\"l\",\"taken\",[\"a\"]]]}\n";
/// Each finds no booking, and books.
const PHANTOM: &[u8] =
    b"{\"s\":1,\"id\":\"A\",\"st\":\"c\",\"ops\":[[\"s\",10,20,[]],[\"w\",11,1]]}\n\
{\"s\":2,\"id\":\"B\",\"st\":\"c\",\"ops\":[[\"s\",10,20,[]],[\"w\",12,2]]}\n";

/// The order in which A and B appended to x is shown by what C read.
const SHOWN: &[u8] =
    b"{\"s\":1,\"id\":\"A\",\"st\":\"c\",\"ops\":[[\"a\",\"x\",1],[\"a\",\"y\",1]]}\n\
{\"s\":2,\"id\":\"B\",\"st\":\"c\",\"ops\":[[\"a\",\"x\",2],[\"l\",\"y\",null]]}\n\
{\"s\":3,\"id\":\"C\",\"st\":\"c\",\"ops\":[[\"l\",\"x\",[1,2]]]}\n";

/// The sales among many transactions that have nothing to do with them.
fn haystack() -> Vec<u8> {
    let mut text = String::from("{\"initial\":0}\n");
    for number in 0..200 {
        let (key, sale) = (number % 20, (number == 70 || number == 130).then_some(number));
        let _ = match sale {
            Some(_) => writeln!(
                text,
                r#"{{"s":{number},"id":"sale {number}","st":"c","ops":[["r","a{key}",null],["r","stock",0],["w","stock",{}]]}}"#,
                number + 1000,
            ),
            None => writeln!(
                text,
                r#"{{"s":{},"st":"c","ops":[["w","k{number}",1],["r","k{number}",1]]}}"#,
                number % 7,
            ),
        };
    }
    text.replace("null", "0").into_bytes()
}

#[test]
fn only_the_anomaly_is_left() {
    let place = folder("shrink-haystack");
    let trace = file(&place, "run.jsonl", &haystack());
    let small = place.join("small.jsonl");
    let done = run(&["shrink", &trace, "--level", "si", "-o", text(&small)]);
    assert_eq!(done.code, 0, "{done:#?}");
    assert!(done.err.contains("from 200 transactions to 2, from 402 operations to 4"), "{done:#?}");
    assert!(done.out.contains("REJECT") && done.out.contains("lines 72"), "{}", done.out);
    assert!(done.out.contains("4 operations · 1 key\n"), "{}", done.out);
    let left = fs::read_to_string(&small).expect("a trace");
    for told in ["sale 70 was on line 72", "sale 130 was on line 132"] {
        assert!(left.contains(told), "{told}: {left}");
    }
    assert!(!left.contains("\"a10\""), "{left}");
    let again = run(&["check", text(&small), "--level", "si", "--certify"]);
    assert_eq!(again.code, 1, "{again:#?}");
    assert!(again.out.contains("lost update"), "{}", again.out);
}

#[test]
fn the_read_that_shows_an_order_is_part_of_what_is_left() {
    let done = run_on(&["check", "-", "--level", "serializable", "--certify"], SHOWN);
    let words: Vec<&str> = done.out.split_whitespace().collect();
    let told = words.join(" ");
    let because = "because C read list x → [1 2], with what A appended before what B appended. \
                   (lines 1, 2, 3)";
    assert!(told.contains(because), "{}", done.out);
    assert!(told.contains("core: 3 of 3 transactions (A, B, C); all of them are needed"));
    let done = run_on(&["shrink", "-", "--level", "serializable"], SHOWN);
    assert!(done.err.contains("from 3 transactions to 3"), "{done:#?}");
}

#[test]
fn the_same_trace_comes_out_every_time() {
    let place = folder("shrink-again");
    let trace = file(&place, "run.jsonl", &haystack());
    let once = |threads| run(&["shrink", &trace, "--level", "si", "--threads", threads]).out;
    let first = once("1");
    assert!(first.contains("\"sale 70\""), "{first}");
    assert_eq!(first, once("1"));
    assert_eq!(first, once("4"));
}

#[test]
fn what_does_not_fail_is_not_made_smaller() {
    assert_eq!(run_on(&["shrink", "-", "--level", "si"], GOOD).code, 65);
    assert_eq!(run_on(&["shrink", "-", "--level", "si"], OPEN).code, 2);
    assert_eq!(run_on(&["shrink", "-", "--level", "si", "--time", "1ns"], LOST).code, 2);
    assert_eq!(run_on(&["shrink", "-"], LOST).code, 64);
    assert_eq!(run_on(&["shrink", "-", "--level", "nonsense"], LOST).code, 64);
    let place = folder("shrink-two");
    let (one, two) = (file(&place, "1.jsonl", LOST), file(&place, "2.jsonl", LOST));
    assert_eq!(run(&["shrink", &one, &two, "--level", "si"]).code, 64);
}

fn script(trace: &[u8], level: &str, dialect: &str) -> String {
    let done = run_on(&["shrink", "-", "--level", level, "--sql", dialect], trace);
    assert_eq!(done.code, 0, "{done:#?}");
    done.out
}

#[test]
fn a_script_says_what_was_seen_and_what_would_have_been_right() {
    let told = script(SKEW, "serializable", "postgres");
    let expected = "\
-- G2-item (write skew) at serializable.
-- These transactions have no valid order: A before B (rw bob), but B before A (rw alice).
-- A was on line 2
-- B was on line 3
--
-- A correct PostgreSQL shows this at REPEATABLE READ. Replace it with SERIALIZABLE to see whether
-- that level prevents it.
-- Type each line into the terminal that it names.

DROP TABLE IF EXISTS tristan;                                      -- set-up
CREATE TABLE tristan (k TEXT COLLATE \"C\" PRIMARY KEY, v TEXT);     -- set-up
INSERT INTO tristan VALUES ('alice', 'on call'), ('bob', 'on call');  -- set-up

BEGIN ISOLATION LEVEL REPEATABLE READ;                             -- terminal 1: A begins
SELECT v FROM tristan WHERE k = 'bob';                             -- terminal 1: saw on call
UPDATE tristan SET v = 'home' WHERE k = 'alice';                   -- terminal 1
BEGIN ISOLATION LEVEL REPEATABLE READ;                             -- terminal 2: B begins
SELECT v FROM tristan WHERE k = 'alice';                           -- terminal 2: saw on call
COMMIT;                                                            -- terminal 1: A commits
UPDATE tristan SET v = 'home' WHERE k = 'bob';                     -- terminal 2
COMMIT;                                                            -- terminal 2: B commits

-- A correct execution, for example, runs A and B one after the other. Then
-- - B's read of alice returns home instead of on call
";
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&told), words(expected), "{told}");
}

#[test]
fn a_script_names_a_level_that_shows_it() {
    for (trace, level, dialect, shows) in [
        (LOST, "si", "postgres", "BEGIN ISOLATION LEVEL READ COMMITTED;"),
        (TORN, "si", "mysql", "TRANSACTION ISOLATION LEVEL READ COMMITTED;"),
        (DIRTY, "rc", "mysql", "TRANSACTION ISOLATION LEVEL READ UNCOMMITTED;"),
        (DIRTY, "rc", "postgres", "No known level of a correct PostgreSQL shows this"),
        (SKEW, "ser", "mysql", "START TRANSACTION WITH CONSISTENT SNAPSHOT;"),
    ] {
        let told = script(trace, level, dialect);
        assert!(told.contains(shows), "{dialect} {level}: {told}");
    }
}

#[test]
fn names_cannot_break_out_of_a_comment() {
    let trace = String::from_utf8(LOST.to_vec()).expect("text");
    let trace = trace.replace("sale 1", "x\\nDROP TABLE users; --");
    let told = script(trace.as_bytes(), "si", "postgres");
    assert!(!told.lines().any(|line| line.starts_with("DROP TABLE users")), "{told}");
}

/// Types a script into terminals, and compares what is seen.
struct Terminals {
    database: Box<dyn SqlDatabase>,
    place: String,
    clients: BTreeMap<String, Box<dyn SqlClient>>,
}

impl Terminals {
    fn on(variable: &str, name: &str) -> Option<Self> {
        let server = common::server_at(variable)?;
        let place = format!("tristan_{name}_{}", std::process::id());
        let database = sql::open(&server.parse().expect("an address")).expect("a server");
        database.create(&place).expect("a place of our own");
        Some(Self { database, place, clients: BTreeMap::new() })
    }

    /// Runs all lines; returns how many reads there were.
    fn play(&mut self, script: &str) -> usize {
        self.clients.clear();
        let mut reads = 0;
        for line in script.lines().filter(|line| !line.is_empty() && !line.starts_with("--")) {
            let (statement, remark) = line.rsplit_once(" -- ").expect("a remark");
            let (terminal, saw) = remark.split_once(": saw ").unwrap_or((remark, ""));
            let terminal = terminal.split(':').next().unwrap_or_default().to_owned();
            let told = self.type_in(&terminal, statement.trim().trim_end_matches(';'));
            if !saw.is_empty() {
                assert_eq!(told, saw, "{line}\nin\n{script}");
                reads += 1;
            }
        }
        reads
    }

    fn type_in(&mut self, terminal: &str, statement: &str) -> String {
        let (database, place) = (&self.database, &self.place);
        let client = self
            .clients
            .entry(terminal.to_owned())
            .or_insert_with(|| database.connect(place).expect("a connection"));
        let outcome = client.execute(statement).unwrap_or_else(|failure| {
            unreachable!("{terminal}: {statement}: {failure:?}");
        });
        let shown = |row: &Vec<Option<String>>| {
            let cells = row.iter().map(|cell| cell.clone().unwrap_or_default());
            cells.collect::<Vec<_>>().join(" → ")
        };
        match (outcome.columns, outcome.rows.as_slice()) {
            (0, _) => format!("{} rows changed", outcome.affected),
            (1, []) => "no row".to_owned(),
            (_, []) => "no rows".to_owned(),
            (_, rows) => rows.iter().map(shown).collect::<Vec<_>>().join(", "),
        }
    }
}

impl Drop for Terminals {
    fn drop(&mut self) {
        self.clients.clear();
        // What cannot be removed is gone with the server.
        let _ = self.database.remove(&self.place);
    }
}

#[test]
fn postgres_shows_what_a_script_says() {
    let Some(mut terminals) = Terminals::on("TRISTAN_POSTGRES", "script_pg") else { return };
    for (trace, level, reads) in
        [(SKEW, "ser", 2), (LOST, "si", 2), (TORN, "si", 2), (LISTS, "ser", 2), (PHANTOM, "ser", 2)]
    {
        let told = script(trace, level, "postgres");
        assert!(terminals.play(&told) >= reads, "{told}");
    }
}

#[test]
fn mariadb_shows_what_a_script_says() {
    let Some(mut terminals) = Terminals::on("TRISTAN_MARIADB", "script_maria") else { return };
    for (trace, level, reads) in [
        (SKEW, "ser", 2),
        (LOST, "si", 2),
        (TORN, "si", 2),
        (DIRTY, "rc", 1),
        (LISTS, "ser", 2),
        (PHANTOM, "ser", 2),
    ] {
        let told = script(trace, level, "mysql");
        assert!(terminals.play(&told) >= reads, "{told}");
    }
}
