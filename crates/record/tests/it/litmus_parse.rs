//! Cases as text: what is understood, and how exactly the rest is refused.

use tristan_record::litmus::{Action, Operand, Test, catalogue, parse};
use tristan_record::sql::Dialect;

const GOOD: &str = "\
# A comment, then fields in any order.
title: lost update
name: P4
meaning: Two transactions read a row
    and write it back.
forbidden at: cursor-stability,
    update-atomic
only on: postgres, mysql

setup:
    CREATE TABLE t (id INT PRIMARY KEY, value INT)
    @mysql INSERT INTO t VALUES (1, 10) -- here
    @postgres INSERT INTO t VALUES (1, 10)

steps:
    A: begin
    B: begin
    # Indented comments are comments, too.
    A: a = SELECT value FROM t WHERE id = 1
    @postgres B: b = SELECT value FROM t WHERE id = 1 FOR SHARE
    @mysql    B: b = SELECT value FROM t WHERE id = 1 LOCK IN SHARE MODE
    A: UPDATE t SET value = 11
    A: commit
    B: rollback

after:
    left = SELECT value FROM t

anomaly if: a = 10 and b = (10) and A committed
    or left = (1, 'x') (NULL, -2.5) and left != a and b is not empty and a is empty
    or left has 2 rows and a affected 1 row and B aborted
";

#[test]
fn a_case_is_read_as_it_is_written() {
    let case = parse("p4.litmus", GOOD).expect("a case");
    assert_eq!((case.name.as_str(), case.title.as_str()), ("P4", "lost update"));
    assert_eq!(case.meaning, "Two transactions read a row and write it back.");
    assert_eq!(case.forbidden, ["cursor-stability", "update-atomic"]);
    assert!(case.is_for(Dialect::Mysql) && !case.is_for(Dialect::Sqlite));
    assert_eq!(case.setup[1].dialects, [Dialect::Mysql]);
    assert_eq!(case.setup[1].sql, "INSERT INTO t VALUES (1, 10) -- here");
    assert_eq!(case.sessions_in(Dialect::Postgres), ["A", "B"]);
    assert_eq!(case.steps_in(Dialect::Postgres).count(), 7);
    let step = case.steps_in(Dialect::Mysql).nth(3).expect("a fourth step");
    let sql = "SELECT value FROM t WHERE id = 1 LOCK IN SHARE MODE".to_owned();
    assert_eq!(step.action, Action::Sql { label: Some("b".into()), sql });
    let update = case.steps_in(Dialect::Mysql).nth(4).expect("a fifth step");
    assert_eq!(update.action.text(), "UPDATE t SET value = 11");
    assert_eq!((case.after[0].label.as_str(), case.after[0].line), ("left", 27));
}

#[test]
fn and_binds_tighter_than_or() {
    let case = parse("p4.litmus", GOOD).expect("a case");
    let [first, second, third] = case.anomaly.alternatives.as_slice() else {
        panic!("three alternatives: {:?}", case.anomaly);
    };
    let ten = || Operand::Rows(vec![vec![Some("10".into())]]);
    let expected = [
        Test::Equal("a".into(), ten()),
        Test::Equal("b".into(), ten()),
        Test::Committed("A".into()),
    ];
    assert_eq!(*first, expected);
    let text = |text: &str| Some(text.to_owned());
    let rows = vec![vec![text("1"), text("x")], vec![None, text("-2.5")]];
    let expected = [
        Test::Equal("left".into(), Operand::Rows(rows)),
        Test::Different("left".into(), Operand::Answer("a".into())),
        Test::NotEmpty("b".into()),
        Test::Empty("a".into()),
    ];
    assert_eq!(*second, expected);
    let expected =
        [Test::Rows("left".into(), 2), Test::Affected("a".into(), 1), Test::Aborted("B".into())];
    assert_eq!(*third, expected);
}

/// The good case with one line replaced.
fn changed(from: &str, to: &str) -> String {
    assert_eq!(GOOD.matches(from).count(), 1, "{from}");
    GOOD.replace(from, to)
}

#[test]
fn mistakes_are_told_with_their_place() {
    for (from, to, told) in [
        ("name: P4", "nmae: P4", "x:3: found \"nmae: P4\", expected one of name:, title:,"),
        ("name: P4", "name:", "x:3: found nothing, expected a value after \"name:\""),
        ("name: P4\n", "", "x:30: found the end of the file, expected the field \"name:\""),
        ("name: P4", "name: lost update", "x:3: found \"lost update\", expected a name of letters"),
        ("name: P4", "title: P4", "x:3: found \"title\" a second time, expected every field once"),
        ("# A comment", "    A comment", "x:1: found an indented line, expected a field"),
        ("postgres, mysql", "oracle", "x:8: found \"oracle\", expected postgres, mysql, sqlite"),
        ("@mysql INSERT", "@maria INSERT", "x:12: found \"maria\", expected postgres, mysql, sql"),
        ("@mysql    B:", "@mysql", "x:21: found \"b = SELECT value"),
        ("    A: begin", "    begin", "x:16: found \"begin\", expected a step, as in \"A: SELECT"),
        (
            "    A: begin",
            "    A:",
            "x:16: found nothing to do, expected begin, commit, rollback or",
        ),
        ("    A: begin", "    B: begin", "x:17: found \"B: begin\", expected one transaction per"),
        (
            "    A: begin\n",
            "",
            "x:18: found \"A: SELECT value FROM t WHERE id = 1\", expected begin",
        ),
        (
            "    A: commit",
            "    A: SELECT 1",
            "x:23: found \"A: SELECT 1\", expected commit or roll",
        ),
        ("A: UPDATE t SET value = 11", "A: commit", "x:22: found \"A: commit\", expected nothing"),
        ("left = SELECT", "SELECT", "x:27: found \"SELECT value FROM t\", expected a label"),
        ("left = SELECT", "a = SELECT", "x:27: found the label \"a\" again, expected every label"),
        ("@postgres B: b", "@postgres B: c", "x:29: found \"b\", expected a label of postgres: a"),
        ("a = 10 and", "a = 10 und", "x:29: found \"und\", expected and, or, or the end"),
        ("a = 10 and", "a = 10 and and", "x:29: found \"and\", expected a test, as in \"A comm"),
        ("a = 10 and", "a 10 and", "x:29: found \"10\", expected =, !=, is, has, affected"),
        ("b = (10)", "b = (10", "x:29: found \"and\", expected , or )"),
        (
            "b = (10)",
            "b = ()",
            "x:29: found \")\", expected a number, a string in single quotes or",
        ),
        ("b = (10)", "b > 10", "x:29: found \">\", expected a name, a value, = or !="),
        ("A committed", "C committed", "x:29: found \"C\", expected a session of postgres: A, B"),
        ("(1, 'x')", "(1, 'x)", "x:30: found 'x) (NULL, -2.5)"),
        ("is not empty", "is not there", "x:30: found \"there\", expected empty"),
        ("has 2 rows", "has two rows", "x:31: found \"two\", expected a number of rows"),
        ("has 2 rows", "has 2", "x:31: found \"and\", expected rows"),
        ("B aborted", "B", "x:31: found the end of the condition, expected =, !=, is"),
    ] {
        let error = parse("x", &changed(from, to)).expect_err(to).to_string();
        assert!(error.starts_with(told), "{from} → {to}\n  {error}\n  {told}");
    }
}

#[test]
fn the_catalogue_is_in_order() {
    let cases = catalogue().expect("cases that can be read");
    assert_eq!(cases.len(), 23);
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/litmus"));
    assert_eq!(files.expect("a folder").count(), cases.len(), "every file is in the catalogue");
    for case in &cases {
        assert_eq!(case.file, format!("{}.litmus", case.name.to_lowercase()));
        assert!(case.meaning.ends_with('.') && !case.title.ends_with('.'), "{}", case.name);
        assert!(case.anomaly.tests().any(|test| !test.labels().is_empty()), "{}", case.name);
        let same = cases.iter().filter(|other| other.title == case.title).count();
        assert_eq!(same, 1, "{}", case.title);
    }
}
