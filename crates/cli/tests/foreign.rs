//! Traces of other checkers: read, printed, and judged as before.

use crate::common;

use std::fs;
use std::path::PathBuf;

use common::{file, folder, only_harmless, root, run, run_on, text, tristan, verdicts};

/// All traces that come with the repository.
fn traces() -> Vec<PathBuf> {
    let mut traces = Vec::new();
    let mut folders = vec![root().join("corpus"), root().join("examples-traces")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false => traces.push(path),
            }
        }
    }
    traces.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    traces.sort();
    traces
}

#[test]
fn a_converted_trace_is_judged_as_before() {
    let place = folder("converted");
    let mut compared = 0;
    for trace in traces() {
        let before = verdicts(&trace);
        for form in ["elle", "cobra", "dbcop", "plume"] {
            let converted = place.join(form);
            let _ = fs::remove_dir_all(&converted);
            let told = run(&["convert", text(&trace), text(&converted), "--to", form]);
            assert_eq!(told.code, 0, "{told:?}");
            if only_harmless(&trace, &told.err) {
                assert_eq!(verdicts(&converted), before, "{form}: {}", trace.display());
                compared += 1;
            }
        }
    }
    assert!(compared >= 40, "only {compared} were compared");
}

#[test]
fn a_binary_form_reaches_standard_output_unharmed() {
    let lost_update = root().join("examples-traces/lost-update.jsonl");
    let path = folder("binary").join("history.bincode");
    run(&["convert", text(&lost_update), text(&path), "--to", "dbcop"]);
    let printed = tristan(&["convert", text(&lost_update), "-", "--to", "dbcop"]);
    let printed = { printed }.output().expect("the binary starts").stdout;
    assert_eq!(printed, fs::read(&path).expect("a file"));
    assert_eq!(run_on(&["check", "-", "--level", "si"], &printed).code, 1);
}

#[test]
fn keys_can_start_in_another_way() {
    let trace = file(&folder("initial"), "t.txt", b"r 7 0\n-\nw 7 1\n");
    let check = |flags: &[&str]| {
        run(&[&["check", &trace, "--level", "serializable", "--certify"], flags].concat())
    };
    let cases = [
        (&[][..], 1),
        (&["--initial", "absent"], 1),
        (&["--initial", "0"], 0),
        (&["--initial", "-1"], 1),
        (&["--initial", "unknown"], 0),
        (&["--initial", "unwritten"], 0),
        (&["--initial", "\"0\""], 1),
    ];
    for (flags, code) in cases {
        assert_eq!(check(flags).code, code, "{flags:?}");
    }
    let told = check(&["--initial", "\"0\""]).out.replace('\n', " ");
    assert!(told.contains("--initial='\"0\"';"), "{told}");
    assert!(told.contains("(given)"), "{told}");
    let stats = run(&["stats", &trace, "--initial", "\"zero\""]);
    assert!(stats.out.contains("initial state    every key holds zero"), "{stats:?}");
    let converted = run(&["convert", &trace, "-", "--to", "simple", "--initial", "0"]);
    assert!(converted.out.starts_with("{\"initial\":0}\n"), "{converted:?}");
}

#[test]
fn a_verdict_is_certified_with_the_state_it_was_given_for() {
    let place = folder("initial-certified");
    let trace = file(&place, "t.txt", b"r 7 0\n-\nw 7 1\n");
    let verdict = run(&["check", &trace, "--level", "ser", "--initial", "0", "--json"]).out;
    let verdict = file(&place, "v.json", verdict.as_bytes());
    assert_eq!(run(&["certify", &verdict, &trace, "--initial", "0"]).code, 0);
    assert_eq!(run(&["certify", &verdict, &trace]).code, 1);
}
