//! The text form of the IR round-trips, and the solver decides hand-written problems.

#![allow(clippy::panic)]

use std::path::{Path, PathBuf};

use tristan_check::budget::{Budget, Limits};
use tristan_check::internals::{is_satisfiable, lowered, parse, print, verify};
use tristan_check::ir::{Edge, Ir, Reason, Unit};
use tristan_check::{Options, Pass, Passes, emit};
use tristan_generate::Rng;
use tristan_history::Datum;
use tristan_oracle::random::{self, RandomShape};
use tristan_spec::{Catalog, Rel};

#[test]
fn lowered_irs_round_trip() {
    let seed = 31;
    println!("seed {seed}");
    let mut rng = Rng::new(seed);
    let mut levels = Catalog::default().levels();
    levels.push(Catalog::default().find("strong-mixed").expect("it has a name"));
    for round in 0..200 {
        let shape = RandomShape { levels: true, ..RandomShape::default() };
        let history = random::history(&mut rng, shape);
        for level in &levels {
            let drift = round % 3;
            let passes = Passes::default().without(Pass::Merge);
            let options = Options { drift, passes, ..Options::default() };
            let ir = lowered(&history, level, &options).expect("all have promises");
            let text = print(&ir);
            assert_eq!(parse(&text).as_ref(), Ok(&ir), "{text}");
            assert_eq!(emit::ir(&history, level, &options).as_deref(), Ok(&text[..]));
        }
    }
}

#[test]
fn keys_reasons_and_instants_round_trip_at_their_limits() {
    let text = r#"ir 1
formula acyclic((wr | so) ; rw?), irreflexive(none)
drift -9223372036854775808
unit 0 txn=4294967295 sure reads writes begin=[-9223372036854775808,_] end=[_,9223372036854775807]
unit 1 txn=0 maybe unknown
unit 2 txn=1 sure writes promise=repeatable-read end=[1,2]
order 0 "a \"quoted\" \\ key;\n\r\t\u{7}\u{85} ü" : 0
order 1 -170141183460469231731687303715884105728 :
order 2 "" :
read 0 unit=1 op=0 order=2 oneof
read 1 unit=0 op=7 order=1 oneof initial 1 claim=present shows=[]
read 2 unit=0 op=8 order=1 oneof initial claim=4294967295
edge 0 -> 1 ww reason=listed order=1 reader=4 op=0
edge 1 -> 0 otv reason=assumed
edge 0 -> 1 so reason=module "m \"1\"; second"
"#;
    let ir = parse(text).expect("it is well formed");
    assert_eq!(ir.orders[0].key, Datum::from("a \"quoted\" \\ key;\n\r\t\u{7}\u{85} ü"));
    assert_eq!(print(&ir), text);
}

#[test]
fn comments_and_blanks_do_not_count() {
    let text = "; first\n\nir 1 ; one\n  formula acyclic(ww ; rw)\ndrift 5;five\n\
                unit 0 txn=0 sure writes ; \"unfinished\norder 0 \"x;y\" : 0;end\n";
    let ir = parse(text).expect("it is well formed");
    assert_eq!(ir.orders[0].key, Datum::from("x;y"));
    assert_eq!((ir.drift, ir.units.len()), (5, 1));
    assert_eq!(print(&parse(&print(&ir)).expect("it was printed")), print(&ir));
}

#[test]
fn an_empty_formula_round_trips() {
    let ir = parse("ir 1\nformula\ndrift 0\n").expect("nothing is required");
    assert!(ir.formula.constraints.is_empty());
    assert_eq!(print(&ir), "ir 1\nformula\ndrift 0\n");
}

#[test]
fn errors_name_the_line_and_both_sides() {
    let head = "ir 1\nformula acyclic(ww)\ndrift 0\n";
    for (text, message) in [
        ("", "line 1: found the end of the line, expected 'ir'"),
        ("ir 2", "line 1: found '2', expected '1'"),
        ("ir 1\ndrift 0", "line 2: found 'drift', expected 'formula'"),
        (
            "ir 1\n formula acyclic(wx)",
            "line 2: found 'wx' in column 18, expected a relation \
             (wr ww rw so rt cc bc otv cursor o b), '[' or '('",
        ),
        ("ir 1\nformula\ndrift x", "line 3: found 'x', expected nanoseconds"),
        ("unit 1 txn=0 sure", "line 4: found '1', expected '0'"),
        ("unit 0 txn=0", "line 4: found the end of the line, expected 'sure' or 'maybe'"),
        ("unit 0 txn=-1 sure", "line 4: found '-1', expected 'txn=' and a number"),
        ("unit 0 txn=0 sure begin=[1]", "line 4: found 1 numbers, expected two instants"),
        ("unit 0 txn=0 sure begin=1", "line 4: found '1', expected numbers in brackets"),
        ("unit 0 txn=0 sure wirtes", "line 4: found 'wirtes', expected the end of the line"),
        (
            "unit 0 txn=0 sure promise=si",
            "line 4: found 'si', expected read-uncommitted, read-committed, repeatable-read or \
             serializable",
        ),
        ("order 0 x : 0", "line 4: found 'x', expected a key"),
        ("order 0 \"x : 0", "line 4: found the end of the line, expected '\"'"),
        ("order 0 \"\\u{d800}\" :", "line 4: found '\\u{d800}', expected a character"),
        ("read 0 unit=0 op=0 order=0 oneof x", "line 4: found 'x', expected 'initial' or a unit"),
        (
            "edge 0 -> 1 so",
            "line 4: found the end of the line, expected reason=session, reason=listed, reason=assumed or reason=module",
        ),
        ("edge 0 -> 1 xx reason=session", "line 4: found 'xx', expected a relation"),
        ("node 0", "line 4: found 'node', expected 'unit', 'order', 'read' or 'edge'"),
    ] {
        let text = match text.starts_with("ir") || text.is_empty() {
            true => text.to_owned(),
            false => format!("{head}{text}\n"),
        };
        assert_eq!(parse(&text).map_err(|error| error.to_string()), Err(message.to_owned()));
    }
}

#[test]
fn a_module_edge_survives() {
    let mut ir = parse("ir 1\nformula acyclic(so)\ndrift 0\nunit 0 txn=0 sure\nunit 1 txn=1 sure")
        .expect("it is well formed");
    let reason = Reason::Module("two\nlines".to_owned());
    ir.edges.push(Edge { from: Unit(0), to: Unit(1), rel: Rel::So, reason });
    assert_eq!(parse(&print(&ir)), Ok(ir));
}

/// What the header of a file test expects: `; solve: accept`, `; solve: reject` or
/// `; verify: message`.
fn expectations(text: &str) -> Vec<(String, String)> {
    let header = text.lines().take_while(|line| line.starts_with(';'));
    let pairs = header.filter_map(|line| line.trim_start_matches([';', ' ']).split_once(": "));
    let known = pairs.filter(|(what, _)| ["solve", "verify"].contains(what));
    known.map(|(what, answer)| (what.to_owned(), answer.trim().to_owned())).collect()
}

fn answer(ir: &Ir, what: &str, passes: &Passes) -> String {
    if let Err(broken) = verify(ir) {
        return broken.to_string();
    }
    if what == "verify" {
        return "nothing is wrong".to_owned();
    }
    let budget = Budget::start(&Limits::default());
    match is_satisfiable(ir, passes, &budget) {
        Ok(true) => "accept".to_owned(),
        Ok(false) => "reject".to_owned(),
        Err(stop) => format!("{stop:?}"),
    }
}

fn file_tests() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../filetests");
    let entries = std::fs::read_dir(folder).expect("the folder of file tests is there");
    let paths = entries.map(|entry| entry.expect("it can be listed").path());
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ext| ext == "ir")).collect();
    files.sort();
    files
}

#[test]
fn file_tests_are_decided_as_they_say() {
    let files = file_tests();
    assert!(files.len() >= 8, "{files:?}");
    for file in files {
        let text = std::fs::read_to_string(&file).expect("it can be read");
        let ir = parse(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert_eq!(parse(&print(&ir)).as_ref(), Ok(&ir), "{}", file.display());
        let expected = expectations(&text);
        assert!(!expected.is_empty(), "{}: no expectation", file.display());
        for (what, expected) in expected {
            for passes in [Passes::default(), Passes::only(&[])] {
                assert_eq!(answer(&ir, &what, &passes), expected, "{}", file.display());
            }
        }
    }
}
