//! What is printed, where it goes, and what happens when nobody listens.

use crate::common;

use std::fs;
use std::process::Stdio;

use common::{GOOD, VIOLATED, file, finish, folder, run, run_on, tristan};
use serde_json::Value;

#[test]
fn one_run_writes_many_outputs() {
    let dir = folder("outputs");
    let (json, text) = (dir.join("v.json"), dir.join("v.txt"));
    let outputs = [format!("json={}", json.display()), format!("text={}", text.display())];
    let run = run(&["check", "--demo", "-l", "ser", "-o", &outputs[0], "-o", &outputs[1]]);
    assert_eq!(run.code, 1);
    assert_eq!(fs::read_to_string(text).expect("the text"), run.out);
    let verdict: Value =
        serde_json::from_str(&fs::read_to_string(json).expect("the JSON")).expect("JSON");
    assert_eq!(verdict["verdict"], "reject");
    assert!(run.out.contains("tristan certify"), "{run:?}");
}

#[test]
fn outputs_can_go_to_standard_output() {
    let json = run(&["check", "--demo", "-l", "ser", "--json"]);
    assert!(serde_json::from_str::<Value>(&json.out).is_ok(), "{json:?}");
    assert_eq!(run(&["check", "--demo", "-l", "ser", "-o", "json=-"]).out, json.out);
    let text = run(&["check", "--demo", "-l", "ser", "-o", "-"]);
    assert!(text.out.starts_with("demo   REJECT"), "{text:?}");
}

/// Every kind of output, with words that tell that it is one.
const KINDS: [(&str, &str); 6] = [
    ("html", "<!doctype html>"),
    ("junit", "<failure type=\"G2-item\""),
    ("github", "::error file=demo"),
    ("markdown", "### REJECT serializable"),
    ("dot", "digraph"),
    ("svg", "<svg xmlns"),
];

#[test]
fn every_kind_of_output_comes_from_the_verdict_alone() {
    let dir = folder("kinds");
    let path = |name: &str| dir.join(name).display().to_string();
    let check = |kind: &str| format!("{kind}={}", path(kind));
    let mut args = vec!["check".to_owned(), "--demo".to_owned(), "-l".to_owned(), "ser".to_owned()];
    let kinds = KINDS.iter().map(|(kind, _)| *kind).chain(["json"]);
    args.extend(kinds.flat_map(|kind| ["-o".to_owned(), check(kind)]));
    let all: Vec<&str> = args.iter().map(String::as_str).collect();
    let text = run(&all);
    assert!(text.code == 1 && text.out.starts_with("demo   REJECT"), "{text:?}");
    for (kind, words) in KINDS {
        let file = fs::read_to_string(dir.join(kind)).expect("the output");
        assert!(file.contains(words), "{kind}: {file}");
        let again = run(&["explain", &path("json"), "-o", kind]);
        assert_eq!((again.code, again.out), (0, file), "{kind}");
    }
}

#[test]
fn a_document_is_about_all_traces() {
    let dir = folder("documents");
    let (good, bad) = (file(&dir, "a.jsonl", GOOD), file(&dir, "b.jsonl", VIOLATED));
    let junit = run(&["check", "-l", "ser", "-o", "junit", &good, &bad]);
    assert_eq!(junit.code, 1);
    assert!(junit.out.contains("tests=\"2\" failures=\"1\""), "{junit:?}");
    assert_eq!(junit.out.matches("<?xml").count(), 1);
    let page = run(&["levels", &bad, "-o", "html"]);
    assert!(page.out.contains("<table class=\"contents\">"), "{page:?}");
    assert!(page.out.len() < 2_000_000);
    let wrong = run(&["check", "-l", "ser", "-o", "pdf=x", &good]);
    assert!(wrong.code == 64 && wrong.err.contains("html=FILE, junit=FILE"), "{wrong:?}");
}

#[test]
fn a_page_knows_more() {
    let page = run(&["check", "--demo", "-l", "ser", "--certify", "-o", "html"]).out;
    for words in [
        "✓ snapshot-isolation",
        "✗ serializable",
        "smallest.jsonl",
        "certified: an independent checker",
        "tristan check --demo --level serializable",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_told_before_solving() {
    let run = run(&["check", "--demo", "-l", "ser", "-o", "json=/no/such/folder/v.json"]);
    assert!(run.code == 64 && run.out.is_empty(), "{run:?}");
}

#[test]
fn several_verdicts_are_one_per_line() {
    let dir = folder("lines");
    let (good, bad) = (file(&dir, "a.jsonl", GOOD), file(&dir, "b.jsonl", VIOLATED));
    let both = run(&["check", "-l", "ser", "--json", &good, &bad]);
    let verdicts: Vec<Value> =
        both.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(verdicts.len(), 2);
    assert_eq!(verdicts[1]["anomaly"]["class"], "G1a");
    let again = run_on(&["explain", "-"], both.out.as_bytes());
    assert!(again.out.contains("ACCEPT") && again.out.contains("REJECT"), "{again:?}");
}

#[test]
fn all_levels_are_one_table() {
    let levels = run(&["levels", "--demo"]);
    assert_eq!(levels.code, 0);
    for words in ["snapshot-isolation", "* weakest violated:", "* strongest that hold:"] {
        assert!(levels.out.contains(words), "{levels:?}");
    }
    let lines = run(&["levels", "--demo", "--json"]).out;
    assert!(lines.lines().count() > 40);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for args in [&["levels", "--demo"][..], &["check", "--demo", "-l", "ser", "--json"]] {
        assert_eq!(run(args).out, run(args).out);
    }
    let levels = |threads| run(&["levels", "--demo", "--json", "--threads", threads]).out;
    assert_eq!(levels("1"), levels("2"));
    assert_eq!(levels("1"), levels("5"));
}

#[test]
fn explain_shows_what_check_showed() {
    let check = run(&["check", "--demo", "-l", "ser"]);
    let json = run(&["check", "--demo", "-l", "ser", "--json"]).out;
    let explain = run_on(&["explain", "-"], json.as_bytes());
    assert_eq!(explain.code, 0);
    let without_hint: Vec<&str> =
        check.out.lines().filter(|line| !line.contains("more:")).collect();
    assert_eq!(explain.out.lines().collect::<Vec<_>>(), without_hint);
}

#[test]
fn certify_accepts_evidence_and_refuses_forgery() {
    let dir = folder("certify");
    let demo = common::root().join("crates/cli/demo/ward.jsonl");
    let demo = demo.to_str().expect("a path in UTF-8");
    for (level, words) in [("ser", "certified REJECT"), ("si", "certified ACCEPT")] {
        let json = run(&["check", demo, "-l", level, "--json"]).out;
        let verdict = file(&dir, level, json.as_bytes());
        let certified = run(&["certify", &verdict, demo]);
        assert!(certified.code == 0 && certified.out.contains(words), "{certified:?}");
    }
    let accept = fs::read_to_string(dir.join("si")).expect("the verdict");
    let mut forged: Value = serde_json::from_str(&accept).expect("JSON");
    forged["level"] = "serializable".into();
    let forged = file(&dir, "forged", forged.to_string().as_bytes());
    let refused = run(&["certify", &forged, demo]);
    assert!(refused.code == 1 && refused.out.contains("refused"), "{refused:?}");
}

#[test]
fn convert_keeps_the_verdict_and_tells_what_is_lost() {
    let dir = folder("convert");
    let demo = common::root().join("crates/cli/demo/ward.jsonl");
    let demo = demo.to_str().expect("a path in UTF-8");
    for form in ["events", "compact", "simple"] {
        let path = dir.join(form);
        let path = path.to_str().expect("a path in UTF-8");
        let converted = run(&["convert", demo, path, "--to", form]);
        assert_eq!(converted.code, 0, "{converted:?}");
        assert_eq!(converted.err.contains("lost: the database"), form == "simple");
        assert_eq!(run(&["check", path, "-l", "ser"]).code, 1);
        let printed = run(&["convert", demo, "-", "--to", form]);
        assert_eq!(printed.out, fs::read_to_string(path).expect("the trace"));
    }
}

#[test]
fn what_the_shell_needs_is_there() {
    for args in [
        &["completions", "bash"][..],
        &["completions", "zsh"],
        &["completions", "fish"],
        &["man"],
        &["man", "check"],
        &["schema", "trace"],
        &["schema", "verdict"],
        &["levels", "--list"],
        &["check", "--demo", "-l", "ser", "--emit", "ir"],
        &["check", "--demo", "-l", "ser", "--emit", "smt2"],
    ] {
        let run = run(args);
        assert!(run.code == 0 && run.out.len() > 5 && run.err.is_empty(), "{args:?} {run:?}");
    }
}

#[test]
fn every_level_is_listed_with_its_names() {
    let list = run(&["levels", "--list"]).out;
    for words in ["serializable: ", "pl-3", "acyclic(", "strong-session-", "read-your-writes: "] {
        assert!(list.contains(words), "{words}");
    }
}

#[test]
fn colours_are_for_those_who_want_them() {
    let coloured = run(&["check", "--demo", "-l", "ser", "--color", "always"]);
    assert!(coloured.out.contains("\u{1b}["), "{coloured:?}");
    for more in [&[][..], &["--color", "never"]] {
        let plain = run(&[&["check", "--demo", "-l", "ser"], more].concat());
        assert!(!plain.out.contains('\u{1b}'), "{plain:?}");
    }
    let mut command = tristan(&["check", "--demo", "-l", "ser"]);
    let quiet = finish(command.env("NO_COLOR", "1").output().expect("the binary starts"));
    assert!(!quiet.out.contains('\u{1b}'), "{quiet:?}");
}

#[test]
fn progress_is_only_for_terminals_and_tools() {
    assert!(run(&["check", "--demo", "-l", "ser"]).err.is_empty());
    let json = run(&["check", "--demo", "-l", "ser", "--progress", "json"]);
    for line in json.err.lines() {
        let event: Value = serde_json::from_str(line).expect("JSON");
        assert!(event["stage"].is_string());
    }
    assert!(json.err.lines().count() > 2);
    let stats = run(&["check", "--demo", "-l", "ser", "--stats"]);
    assert!(stats.err.starts_with("serializable: "), "{stats:?}");
}

#[test]
fn a_reader_that_leaves_early_is_no_tragedy() {
    for args in [&["levels", "--list"][..], &["check", "--demo", "-l", "ser"]] {
        let expected = run(args).code;
        let mut command = tristan(args);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        drop(child.stdout.take());
        let run = finish(child.wait_with_output().expect("it ends"));
        assert_eq!((run.code, run.err.as_str()), (expected, ""), "{args:?}");
    }
}

const HINTED: &str = r#"{"tristan":"trace/1","own":"may"}
{"s":1,"t":"A","op":"begin","stamp":1}
{"s":1,"t":"A","op":"put","k":"x","v":1}
{"s":1,"t":"A","op":"savepoint","name":"p"}
{"s":1,"t":"A","op":"rollback","name":"p"}
{"s":1,"t":"A","op":"get","k":"x","v":1}
{"s":1,"t":"A","op":"commit","stamp":2}
{"s":2,"t":"B","op":"scan","items":[["x",1]],"from":["A"]}
{"s":2,"t":"B","op":"get","k":"y","v":null}
{"s":2,"t":"B","op":"commit"}
{"hint":"order","k":"x","txns":["A"]}
"#;

/// What a check of the demo goes through.
const CHECKED: [&str; 7] = ["reading", "asg", "lower", "saturate", "explain", "certify", "writing"];

#[test]
fn a_log_tells_what_was_done() {
    let plain = run(&["check", "--demo", "-l", "ser"]);
    for (level, told) in [("info", "INFO"), ("debug", "a problem to solve"), ("trace", "TRACE")] {
        let logged = run(&["check", "--demo", "-l", "ser", "--log", level]);
        assert_eq!((logged.code, &logged.out), (1, &plain.out), "{level}");
        assert!(logged.err.contains(told) && logged.err.contains("lower"), "{level} {logged:?}");
        assert_eq!(logged.err.contains("DEBUG"), level != "info", "{level} {logged:?}");
    }
    // Every stage tells how long it took.
    let compared = ["compare", "si", "ser", "--log", "debug"];
    for (args, stages) in [
        (&["check", "--demo", "--log", "debug"][..], &CHECKED[..]),
        (&compared[..], &["prove", "search", "writing"][..]),
    ] {
        let logged = run(args);
        for stage in stages {
            let timed = format!("stage{{name=\"{stage}\" time=");
            assert!(logged.err.contains(&timed), "{stage} {logged:?}");
        }
    }
    // A log that cannot be written changes nothing.
    let mut command = tristan(&["check", "--demo", "-l", "ser", "--log", "trace"]);
    command.stderr(fs::File::create("/dev/full").expect("a device"));
    assert_eq!(command.status().expect("tristan starts").code(), Some(1));
}

#[test]
fn searches_among_levels_show_their_progress() {
    for (args, told) in [
        (
            &["compare", "si", "ser"][..],
            r#"{"levels":"snapshot-isolation and serializable","stage":""#,
        ),
        (&["find", "si & !ser"][..], r#"{"question":"si & !ser","stage":"search""#),
        (&["lattice", "si", "ser", "ra"][..], r#"{"levels":"3 levels","stage":"pairs""#),
    ] {
        let plain = run(args);
        let shown = run(&[args, &["--progress", "json"]].concat());
        assert_eq!((shown.code, &shown.out), (plain.code, &plain.out), "{args:?}");
        assert!(shown.err.contains(told) && plain.err.is_empty(), "{args:?} {shown:?}");
    }
}

#[test]
fn stats_count_what_is_special() {
    let stats = run_on(&["stats", "-"], HINTED.as_bytes());
    for words in [
        "range reads      1, which returned 1 items\n",
        "savepoints       1, 1 rollbacks\n",
        "keys             2 (1 never written)\n",
        "own writes       may (from the trace); read back by 1 of 1 reads, which suggests must\n",
        "hints            1 sources, 1 orders, 1 stamps\n",
    ] {
        assert!(stats.out.contains(words), "{words} {stats:?}");
    }
    let given = run_on(&["stats", "-", "--own-writes", "external"], HINTED.as_bytes());
    assert!(given.out.contains("own writes       external (given)"), "{given:?}");
}

/// The numbers in the table of the page on hints.
#[test]
fn growing_hints_leave_less_open() {
    let page = fs::read_to_string(common::root().join("docs/hints.md")).expect("the page");
    let mut before = usize::MAX;
    for name in ["none", "sources", "order", "times"] {
        let trace = common::root().join(format!("examples-traces/hints-{name}.jsonl"));
        let trace = trace.display().to_string();
        let run = run(&["check", &trace, "-l", "serializable", "--stats", "--certify"]);
        assert_eq!(run.code, 0, "{run:?}");
        let line = run.err.lines().find(|line| line.contains("superpositions:"));
        let words: Vec<usize> = line
            .expect("it is told")
            .split_whitespace()
            .filter_map(|word| word.parse().ok())
            .collect();
        let [reads, sources, links] = words[..] else { panic!("{run:?}") };
        assert!(page.contains(&format!("| {reads} | {sources} | {links} |")), "{name}: {words:?}");
        assert!(sources + links < before, "{name}: {words:?}");
        before = sources + links;
    }
}
