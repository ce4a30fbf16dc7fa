//! The catalogue on SQLite, which needs no server.

use std::time::Duration;

use crate::common::litmus::{database, expected, table};
use tristan_record::litmus::{Answer, Finding, PlayError, Stage, Survey, Table, parse, transcript};

const WAL: &str = "
    G0                  aborted
    G1a                 prevented
    G1b                 prevented
    G1c                 aborted
    OTV                 aborted
    PMP                 prevented
    PMP-write           aborted
    P4                  aborted
    G-single            prevented
    G-single-predicate  prevented
    G-single-write-1    aborted
    G-single-write-2    aborted
    long-fork           prevented
    read-only           aborted
    G2-item             aborted
    G2                  aborted
    own-update-newer    aborted
    own-update-phantom  aborted
    delete-unseen       aborted
    locking-read        -
    MDEV-26642          aborted
    MDEV-32898          aborted
    PK-twice            aborted
";

const CASE: &str = "\
name: two-writers
title: two writers at once
meaning: Two transactions have written before either commits.
setup:
    CREATE TABLE t (id INT PRIMARY KEY, value INT)
    @sqlite INSERT INTO t VALUES (1, 10)
    @mysql  INSERT INTO elsewhere VALUES (1, 10)
steps:
    A: begin
    B: begin
    A: UPDATE t SET value = 11
    B: seen = UPDATE t SET value = 12
    B: SELECT value FROM t
    A: commit
    B: commit
after:
    left = SELECT value FROM t
anomaly if: left = 12
";

fn folder(name: &str) -> String {
    let path = tristan_testkit::folder(env!("CARGO_TARGET_TMPDIR"), name);
    path.to_str().expect("a path in UTF-8").to_owned()
}

#[test]
fn sqlite_is_serializable_and_leaves_nothing_behind() {
    let folder = folder("litmus-wal");
    let database = database(&format!("sqlite:{folder}/mine.db"));
    for _ in 0..3 {
        assert_eq!(table(database.as_ref()), expected(WAL));
    }
    assert_eq!(std::fs::read_dir(folder).expect("a folder").count(), 0);
}

#[test]
fn the_old_journal_is_serializable_too() {
    let database = database("sqlite:?journal=delete");
    assert!(database.describe().ends_with("journal delete"));
    let lines = table(database.as_ref());
    assert!(lines.len() == 23 && lines.iter().all(|line| !line.contains("allowed")), "{lines:#?}");
}

#[test]
fn every_step_is_told_with_its_answer() {
    let database = database("sqlite:");
    let case = parse("x.litmus", CASE).expect("a case");
    let mut stage = Stage::new(database.as_ref(), Duration::ZERO).expect("a stage");
    let run = stage.play(&case, &database.levels()[0]).expect("it can be played");
    assert_eq!(run.finding, Finding::Aborted);
    let answers: Vec<&Answer> = run.steps.iter().map(|step| &step.answer).collect();
    let busy = Answer::Refused("database is locked".into());
    let left = Answer::Rows(vec![vec![Some("11".into())]]);
    let done = Answer::Done(1);
    assert_eq!((answers[2], answers[3], answers[7]), (&done, &busy, &left), "{run:#?}");
    assert_eq!((answers[5], answers[6]), (&Answer::Skipped, &Answer::Skipped), "{run:#?}");
    let text = transcript(&run);
    assert!(text.contains("A      UPDATE t SET value = 11         1 row\n"), "{text}");
    assert!(text.contains("B      seen = UPDATE t SET value = 12  refused: data"), "{text}");
    assert!(text.contains("after  left = SELECT value FROM t      (11)\n"), "{text}");
    assert_eq!(text.matches("not sent").count(), 2, "{text}");
}

#[test]
fn a_statement_that_makes_no_sense_is_named() {
    let database = database("sqlite:");
    for (from, to, line) in [
        ("CREATE TABLE", "CRATE TABLE", 5),
        ("B: SELECT value", "B: SELECT velue", 13),
        ("left = SELECT value", "left = SELECT velue", 17),
    ] {
        let case =
            CASE.replace(from, to).replace("B: seen = UPDATE t SET value = 12", "B: SELECT 1");
        let case = parse("x.litmus", &case.replace("left = 12", "left is empty")).expect("a case");
        let mut stage = Stage::new(database.as_ref(), Duration::ZERO).expect("a stage");
        let trouble = stage.play(&case, &database.levels()[0]).expect_err(to);
        let PlayError::Statement { file, line: at, message } = &trouble else {
            panic!("{trouble}");
        };
        assert_eq!((file.as_str(), *at), ("x.litmus", line), "{message}");
        assert!(message.contains("no such column") || message.contains("syntax"), "{message}");
    }
}

#[test]
fn a_broken_promise_is_marked() {
    let database = database("sqlite:");
    // An anomaly that is none: it happens wherever somebody can commit.
    let case = CASE.replace("left = 12", "left = 11\nforbidden at: read-committed");
    let cases = [parse("x.litmus", &case).expect("a case")];
    let mut stage = Stage::new(database.as_ref(), Duration::ZERO).expect("a stage");
    let levels = database.levels();
    for (implied, cell, promise) in [
        (true, "allowed !", "serializable allowed what serializable forbids: two-writers\n"),
        (false, "allowed\n", "serializable allowed nothing that serializable forbids\n"),
    ] {
        let implies = move |stronger: &str, weaker: &str| {
            assert_eq!((stronger, weaker), ("serializable", "read-committed"));
            implied
        };
        let survey = Survey { database: database.as_ref(), levels, repeat: 2, implies: &implies };
        let row = survey.row(&mut stage, &cases[0]).expect("it can be played");
        assert_eq!(row.cells[0].findings(), [(Finding::Allowed, 2)]);
        let table = Table::new(&cases, levels);
        assert!(table.row(&row).contains(cell), "{}", table.row(&row));
        let foot = Table::foot(&[row]);
        assert!(foot.ends_with(promise), "{foot}");
        assert_eq!(foot.contains("\n!  "), implied, "{foot}");
    }
}
