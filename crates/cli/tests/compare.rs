//! Written levels on the command line: compared, searched, drawn, checked, laid out.

#![allow(clippy::panic, reason = "helpers of tests")]

use crate::common;

use std::fs;

use common::{file, folder, run, run_on};
use serde_json::Value;

fn json(args: &[&str]) -> Value {
    let run = run(args);
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{args:?}: {error}\n{run:#?}"))
}

#[test]
fn a_comparison_is_proved_one_way_and_refuted_the_other() {
    let told = json(&["compare", "si", "ser", "--json"]);
    assert_eq!(told["one_is"], "weaker");
    assert_eq!(told["implications"][0]["answer"], "refuted");
    assert_eq!(
        told["implications"][0]["separation"]["size"],
        "2 transactions, 2 keys, 4 operations"
    );
    assert_eq!(told["implications"][1]["answer"], "proved");
    let searched = json(&["compare", "si", "ser", "--json", "--no-proof", "--txns", "3"]);
    assert_eq!(searched["implications"][1]["answer"], "none-found");
    assert_eq!(searched["implications"][1]["scope"], "3 non-empty transactions, 3 keys");
}

#[test]
fn equivalent_and_incomparable_levels_are_called_so() {
    assert_eq!(json(&["compare", "be-cc", "tap-cc", "--json"])["one_is"], "equivalent");
    assert_eq!(json(&["compare", "causal", "update-atomic", "--json"])["one_is"], "incomparable");
}

const THREE_STEPS: &str = "/// Causal, as far as three steps reach.\n\
    level three-steps : commit-order {\n    title \"three steps of causality\"\n    \
    strength session\n    arb(b | b ; b | b ; b ; b)\n}\n";

#[test]
fn levels_without_a_known_difference_are_not_called_equivalent() {
    let spec = file(&folder("three-steps"), "own.iso", THREE_STEPS.as_bytes());
    let compare = |rest: &[&str]| {
        let args = ["compare", "three-steps", "be-cc", "--spec", &spec];
        run(&[args.as_slice(), rest].concat())
    };
    let text = compare(&[]);
    assert_eq!(text.code, 2, "{text:?}");
    let headline = "No difference between three-steps and be-cc was found up to 4 non-empty";
    assert!(text.out.starts_with(headline), "{}", text.out);
    let told: Value = serde_json::from_str(&compare(&["--json"]).out).expect("JSON");
    assert_eq!(told["one_is"], "no-difference-found");
    let larger = compare(&["--txns", "6", "--keys", "2"]);
    assert_eq!(larger.code, 0, "{larger:?}");
    assert!(larger.out.starts_with("three-steps is weaker than be-cc."), "{}", larger.out);
    let lattice = run(&["lattice", "three-steps", "be-cc", "--spec", &spec]);
    assert_eq!(lattice.code, 2, "{lattice:?}");
    assert!(!lattice.out.contains(" = "), "{}", lattice.out);
}

#[test]
fn transactions_without_operations_are_searched_if_asked_for() {
    let text = "/// Doc.\nlevel busy { title \"no transaction is empty\"  [Txn] in [R | W] }\n";
    let spec = file(&folder("empty"), "own.iso", text.as_bytes());
    let find = |rest: &[&str]| run(&[&["find", "!busy", "--spec", &spec], rest].concat());
    assert_eq!(find(&[]).code, 1);
    let found = find(&["--empty"]);
    assert_eq!(found.code, 0, "{found:?}");
    assert!(found.out.starts_with("1. 1 transaction, 0 keys, 0 operations"), "{}", found.out);
}

#[test]
fn a_search_says_if_sessions_were_left_aside() {
    let plain = run(&["find", "si & !ser", "--txns", "2", "--keys", "2", "--count", "9"]);
    assert!(plain.out.contains("do not depend on sessions"), "{}", plain.out);
    let session = run(&["find", "!read-atomic", "--txns", "2", "--keys", "2", "--count", "9"]);
    assert!(session.out.ends_with("There is no other history of this size.\n"), "{}", session.out);
}

#[test]
fn traces_of_found_histories_are_judged_in_the_same_way() {
    let pairs = [
        ("si", "ser"),
        ("ra", "cc"),
        ("cc", "pc"),
        ("psi", "ss-si"),
        ("ss-ser", "strong-ser"),
        ("si", "gsi"),
        ("monotonic-reads", "read-your-writes"),
        ("read-committed", "monotonic-atomic-view"),
        ("plain-psi", "cursor-stability"),
        ("update-serializable", "ser"),
    ];
    for (number, (one, other)) in pairs.iter().enumerate() {
        let dir = folder(&format!("compared-{number}"));
        let place = dir.display().to_string();
        let told = json(&["compare", one, other, "--trace", &place, "--json"]);
        for implication in told["implications"].as_array().expect("two of them") {
            let (from, to) = (implication["from"].as_str(), implication["to"].as_str());
            let (from, to) = (from.expect("a name"), to.expect("a name"));
            if implication["answer"] != "refuted" {
                continue;
            }
            let trace = dir.join(format!("{from}-but-not-{to}.jsonl")).display().to_string();
            let check = |level: &str| run(&["check", &trace, "--level", level, "--certify"]).code;
            assert_eq!((check(from), check(to)), (0, 1), "{trace}\n{implication:#}");
        }
    }
}

#[test]
fn a_search_finds_distinct_smallest_histories() {
    let question = "!read-atomic";
    let found = json(&["find", question, "--count", "9", "--txns", "2", "--keys", "2", "--json"]);
    assert_eq!(found["complete"], true);
    let histories = found["histories"].as_array().expect("some");
    let lines: Vec<&str> = histories.iter().filter_map(|one| one["history"].as_str()).collect();
    assert_eq!(lines, ["r(x,2) > w(x)", "w(x) > r(x,0)"]);
    let blind = run(&["find", "nlu-x & !ser"]);
    assert_eq!(blind.code, 64, "{blind:?}");
}

#[test]
fn a_search_without_an_answer_ends_with_one() {
    let none = run(&["find", "ser & !si", "--txns", "3", "--keys", "2"]);
    assert_eq!(
        (none.code, none.out.as_str()),
        (1, "No history within the scope (3 non-empty transactions, 2 keys) matches.\n")
    );
    assert_eq!(run(&["find", "si & "]).code, 64);
}

#[test]
fn options_narrow_the_search() {
    let found = json(&["find", "si & !ser", "--no-blind-writes", "--json"]);
    let line = found["histories"][0]["history"].as_str().expect("a history");
    assert!(line.contains("r(x,0) r(y,0) w("), "{line}");
    let none = run(&["find", "!causal", "--sessions", "1", "--txns", "1"]);
    assert_eq!(none.code, 1, "{none:?}");
}

#[test]
fn the_lattice_is_the_published_matrix() {
    let dir = folder("lattice");
    let svg = dir.join("levels.svg").display().to_string();
    let out = [format!("svg={svg}"), format!("dot={svg}.dot"), format!("json={svg}.json")];
    let run = run(&["lattice", "-o", &out[0], "-o", &out[1], "-o", &out[2]]);
    assert_eq!(run.code, 0, "{run:?}");
    let rows: Vec<Vec<&str>> = run
        .out
        .lines()
        .skip(1)
        .take(10)
        .map(|line| line.split_whitespace().skip(2).collect())
        .collect();
    let expected = [
        ".   2,1 2,1 2,1 2,1 2,1 2,1 2,1 2,1 2,1",
        "-   .   2,1 2,1 3,1 2,1 3,1 2,1 2,1 2,1",
        "-   -   .   3,2 3,1 3,1 3,1 3,1 2,2 2,2",
        "-   -   -   .   3,1 3,1 3,1 3,1 2,2 2,2",
        "-   -   2,1 2,1 .   2,1 4,2 2,1 2,1 2,1",
        "-   -   -   -   -   .   4,2 4,2 2,2 2,2",
        "-   -   2,1 2,1 -   2,1 .   2,1 2,1 2,1",
        "-   -   -   -   -   -   -   .   2,2 2,2",
        "-   2,1 2,1 2,1 2,1 2,1 2,1 2,1 .   2,1",
        "-   -   -   -   -   -   -   -   -   .",
    ];
    for (row, expected) in rows.iter().zip(expected) {
        assert_eq!(row.join(" "), expected.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    let drawn = fs::read_to_string(&svg).expect("a picture");
    assert!(drawn.starts_with("<svg") && drawn.matches("class=\"box\"").count() == 10, "{drawn}");
    assert!(fs::read_to_string(format!("{svg}.dot")).expect("a graph").starts_with("digraph"));
    let all: Value =
        serde_json::from_str(&fs::read_to_string(format!("{svg}.json")).expect("JSON"))
            .expect("it");
    assert_eq!(all["implications"].as_array().map(Vec::len), Some(90));
}

#[test]
fn one_thread_or_two_give_the_same_lattice() {
    let lattice =
        |threads| run(&["lattice", "ra", "cc", "ss-si", "-o", "json", "--threads", threads]);
    assert_eq!(lattice("1").out, lattice("2").out);
}

const OWN: &str =
    "/// Doc.\nlevel my-own : dependency {\n    title \"mine\"\n    acyclic wr | ww | rw\n}\n";

#[test]
fn a_level_of_ones_own_is_compared_checked_and_certified() {
    let dir = folder("own");
    let spec = file(&dir, "own.iso", OWN.as_bytes());
    assert_eq!(
        json(&["compare", "my-own", "ser", "--spec", &spec, "--json"])["one_is"],
        "equivalent"
    );
    let verdict = dir.join("verdict.json").display().to_string();
    let to = format!("json={verdict}");
    let trace = "examples-traces/lost-update.jsonl";
    let checked = run(&["check", trace, "--spec", &spec, "-o", &to]);
    assert_eq!(checked.code, 1, "{checked:?}");
    let certified = run(&["certify", &verdict, trace, "--spec", &spec]);
    assert_eq!(certified.code, 0, "{certified:?}");
}

#[test]
fn other_forms_are_judged_from_their_axioms() {
    let trace = "examples-traces/lost-update.jsonl";
    let rejected = run(&["check", trace, "--level", "cerone-si"]);
    assert_eq!(rejected.code, 1, "{rejected:?}");
    assert!(rejected.out.contains("checked against its axioms"), "{rejected:?}");
    assert_eq!(run(&["check", trace, "--level", "cerone-cc"]).code, 0);
    let told = json(&["check", trace, "--level", "be-si", "--json"]);
    assert_eq!((&told["answer"], &told["level"]), (&"reject".into(), &"be-si".into()));
    assert_eq!(run(&["check", trace, "--level", "be-si", "--certify"]).code, 64);
}

#[test]
fn bad_specs_are_told_with_their_place() {
    let dir = folder("bad-specs");
    let bad: [(&str, &[u8], &str); 6] = [
        ("unbound", b"level a : dependency { acyclic wx }", "unbound.iso:1:"),
        ("arity", b"level a : commit-order { arb(wr, so) }", "arity.iso:1:"),
        ("cyclic", b"let a = b1\nlet b1 = a\nlevel l : dependency { acyclic a }", "cyclic.iso:"),
        ("bytes", b"level a\xff : dependency { acyclic wr }", "bytes.iso"),
        ("kind", b"level a : dependency { acyclic W }", "kind.iso:1:"),
        ("taken", b"level si : dependency { acyclic wr }", "taken.iso:1:"),
    ];
    for (name, text, place) in bad {
        let spec = file(&dir, &format!("{name}.iso"), text);
        for args in [&["spec", "check", &spec][..], &["compare", "si", "ser", "--spec", &spec]] {
            let run = run(args);
            assert_eq!(run.code, 65, "{name}: {run:?}");
            assert!(run.err.contains(place), "{name}: {run:?}");
        }
    }
    let deep =
        format!("level a : dependency {{ acyclic {}wr{} }}", "(".repeat(9_999), ")".repeat(9_999));
    let deep = file(&dir, "deep.iso", deep.as_bytes());
    assert_eq!(run(&["spec", "check", &deep]).code, 65);
    assert_eq!(run(&["spec", "check", "no-such-file.iso"]).code, 66);
}

#[test]
fn level_files_are_laid_out() {
    let dir = folder("fmt");
    let squeezed = OWN.replace("    ", "").replace("{\n", "{");
    let spec = file(&dir, "own.iso", squeezed.as_bytes());
    assert_eq!(run(&["spec", "fmt", "--check", &spec]).code, 1);
    assert_eq!(run(&["spec", "fmt", &spec]).code, 0);
    assert_eq!(fs::read_to_string(&spec).expect("a file"), OWN);
    assert_eq!(run(&["spec", "fmt", "--check", &spec]).code, 0);
    assert_eq!(run_on(&["spec", "fmt", "-"], squeezed.as_bytes()).out, OWN);
}

#[test]
fn a_level_is_shown_with_what_it_forbids() {
    let shown = run(&["spec", "show", "psi"]);
    assert_eq!(shown.code, 0, "{shown:?}");
    for part in ["irreflexive (b | ww)+ ; rw", "lost update", "smallest history it rejects"] {
        assert!(shown.out.contains(part), "{part}: {shown:?}");
    }
    assert!(!shown.out.contains("long fork over sessions,"), "{shown:?}");
    let listed = run(&["spec", "list"]);
    for level in ["snapshot-isolation", "be-si", "cerone-si", "crooks-si", "tap-ra"] {
        assert!(listed.out.contains(level), "{level}");
    }
    assert_eq!(run(&["spec", "show", "sii"]).code, 64);
}
