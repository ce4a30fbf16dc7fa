//! The number the shell sees, for every way a run can end.

use crate::common;

use common::{BROKEN, GOOD, OPEN, VIOLATED, file, folder, run, run_on};

const SER: [&str; 3] = ["check", "--level", "serializable"];

fn check(more: &[&str]) -> common::Run {
    run(&[&SER[..], more].concat())
}

#[test]
fn verdicts_have_codes() {
    let dir = folder("verdicts");
    assert_eq!(check(&[&file(&dir, "good.jsonl", GOOD)]).code, 0);
    assert_eq!(check(&[&file(&dir, "violated.jsonl", VIOLATED)]).code, 1);
    assert_eq!(check(&["--demo"]).code, 1);
    assert_eq!(run(&["check", "--demo", "--level", "si"]).code, 0);
    assert_eq!(check(&[&file(&dir, "open.jsonl", OPEN)]).code, 2);
}

#[test]
fn mixed_levels_need_promises() {
    let dir = folder("mixed");
    let mixed = |name: &str, more: &[&str]| {
        let trace = SKEW.replace("LEVEL", name);
        let trace = file(&dir, "skew.jsonl", trace.as_bytes());
        run(&[&["check", "--level", "mixed", &trace], more].concat())
    };
    assert_eq!(mixed("REPEATABLE READ", &["--certify"]).code, 1);
    let accepted = mixed("read committed", &["--certify", "-o", "json=-"]);
    assert_eq!(accepted.code, 0);
    assert!(accepted.out.contains("wr ; [C] | [I] ; rwi | [S] ; rw"), "{accepted:?}");
    for more in [&[][..], &["--emit", "ir"], &["--emit", "smt2"]] {
        let refused = mixed("snapshot isolation", more);
        assert_eq!(refused.code, 65, "{refused:?}");
        let place = "skew.jsonl:3: transaction B: found level \"snapshot isolation\"";
        assert!(refused.err.contains(place), "{refused:?}");
    }
}

/// A write skew between a serializable transaction and one of another level.
const SKEW: &str = r#"{"tristan":"trace/1","level":"serializable"}
{"s":"a","t":"A","op":"get","k":"x","v":null}
{"s":"b","t":"B","op":"begin","level":"LEVEL"}
{"s":"b","t":"B","op":"get","k":"y","v":null}
{"s":"a","t":"A","op":"put","k":"y","v":1}
{"s":"b","t":"B","op":"put","k":"x","v":1}
{"s":"a","t":"A","op":"commit"}
{"s":"b","t":"B","op":"commit"}
"#;

#[test]
fn limits_end_in_unknown() {
    for limit in [["--time", "0s"], ["--memory", "1"]] {
        let run = check(&[&["--demo"], &limit[..]].concat());
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.out.contains("UNKNOWN") && run.out.contains("next step:"), "{run:?}");
    }
    assert_eq!(check(&["--demo", "--time", "60s", "--memory", "4G"]).code, 1);
}

#[test]
fn the_user_decides_what_unknown_means() {
    let dir = folder("unknown-as");
    let open = file(&dir, "open.jsonl", OPEN);
    assert_eq!(check(&[&open, "--unknown-as", "accept"]).code, 0);
    assert_eq!(check(&[&open, "--unknown-as", "reject"]).code, 1);
    assert_eq!(run(&["levels", &open]).code, 2);
    assert_eq!(run(&["levels", &open, "--unknown-as", "accept"]).code, 0);
}

#[test]
fn usage_mistakes_are_64() {
    let cases: [&[&str]; 12] = [
        &[],
        &["chekc"],
        &["check", "--levle", "si", "--demo"],
        &["check"],
        &["check", "--demo", "also.jsonl"],
        &["check", "--demo", "--time", "5"],
        &["check", "--demo", "--memory", "much"],
        &["check", "--demo", "--passes", "fast"],
        &["check", "--demo", "--from", "edn"],
        &["check", "--demo", "--output", "pdf=x.pdf"],
        &["check", "--demo", "--emit", "ir"],
        &["man", "dance"],
    ];
    for case in cases {
        let run = run(case);
        assert_eq!(run.code, 64, "{case:?} {run:?}");
        assert!(!run.err.is_empty() && run.out.is_empty(), "{case:?} {run:?}");
    }
}

#[test]
fn an_unknown_level_gets_suggestions() {
    let run = run(&["check", "--demo", "--level", "serialisable"]);
    assert_eq!(run.code, 64);
    assert!(run.err.contains("did you mean serializable"), "{run:?}");
}

#[test]
fn help_and_version_are_no_mistakes() {
    for flag in ["--help", "--version"] {
        let run = run(&[flag]);
        assert!(run.code == 0 && !run.out.is_empty(), "{run:?}");
    }
}

#[test]
fn missing_inputs_are_66() {
    let empty = folder("nothing-here");
    for path in ["no/such/trace.jsonl", empty.to_str().expect("a path in UTF-8")] {
        for command in [&SER[..], &["levels"], &["stats"]] {
            let run = run(&[command, &[path]].concat());
            assert_eq!(run.code, 66, "{run:?}");
            assert!(run.err.contains(path), "{run:?}");
        }
    }
    assert_eq!(run(&["explain", "no-such.json"]).code, 66);
    assert_eq!(run(&["certify", "no-such.json", "no-such.jsonl"]).code, 66);
    assert_eq!(run(&["convert", "no-such.jsonl", "-", "--to", "simple"]).code, 66);
}

#[test]
fn a_verdict_file_can_be_bad() {
    let dir = folder("bad-verdicts");
    for (name, content) in
        [("empty", &b""[..]), ("text", b"hello"), ("other", b"{}"), ("binary", b"\xff\xfe\x00")]
    {
        let path = file(&dir, name, content);
        let run = run(&["explain", &path]);
        assert_eq!(run.code, 65, "{run:?}");
        assert!(run.err.contains(name), "{run:?}");
    }
    let verdict = run(&["check", "--demo", "--level", "si", "--json"]).out;
    let newer = verdict.replace("tristan/verdict/1", "tristan/verdict/9");
    let run = run(&["explain", &file(&dir, "newer", newer.as_bytes())]);
    assert!(run.code == 65 && run.err.contains("expected \"tristan/verdict/1\""), "{run:?}");
}

#[test]
fn reject_wins_over_error_over_unknown_over_accept() {
    let dir = folder("many");
    let good = file(&dir, "good.jsonl", GOOD);
    let violated = file(&dir, "violated.jsonl", VIOLATED);
    let broken = file(&dir, "broken.jsonl", BROKEN);
    let open = file(&dir, "open.jsonl", OPEN);
    assert_eq!(check(&[&good, &open]).code, 2);
    assert_eq!(check(&[&open, &broken, &good]).code, 65);
    assert_eq!(check(&[&good, "no-such.jsonl"]).code, 66);
    let all = check(&[&broken, &violated, &open, &good]);
    assert_eq!(all.code, 1);
    assert!(all.out.contains("ACCEPT") && all.out.contains("UNKNOWN"), "{all:?}");
}

#[test]
fn a_folder_stands_for_its_traces_in_order() {
    let dir = folder("folder");
    file(&dir, "b.jsonl", VIOLATED);
    file(&dir, "a.jsonl", GOOD);
    file(&dir, "notes.txt", BROKEN);
    let run = check(&[dir.to_str().expect("a path in UTF-8")]);
    assert_eq!(run.code, 1);
    let (first, second) = (run.out.find("a.jsonl"), run.out.find("b.jsonl"));
    assert!(first.is_some() && first < second, "{run:?}");
}

#[test]
fn standard_input_is_a_trace_too() {
    let run = run_on(&["check", "--level", "ser", "-"], VIOLATED);
    assert!(run.code == 1 && run.out.starts_with("stdin   REJECT"), "{run:?}");
    assert_eq!(run_on(&["stats", "-"], GOOD).code, 0);
}

#[test]
fn every_pass_can_be_left_out() {
    for passes in ["all", "none", "-saturate", "guess,localise"] {
        assert_eq!(check(&["--demo", "--certify", "--passes", passes]).code, 1, "{passes}");
    }
}
