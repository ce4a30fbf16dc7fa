//! Traces of other checkers: read, printed, and judged as before.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{file, folder, root, run, run_on, tristan};

const LEVELS: [&str; 5] = [
    "read-committed",
    "causal",
    "snapshot-isolation",
    "serializable",
    "strong-session-serializable",
];

/// Losses that change no verdict at a level without clocks, if hints, times and names are lost.
const HARMLESS: [&str; 12] = [
    "keys as they are",
    "values as they are",
    "that keys start absent",
    "names of ",
    "the database",
    "the claimed level",
    "the notes",
    "the hints",
    "times of transactions",
    "that a read and a write were one operation",
    "which operations of aborted transactions belong together",
    "errors of transactions",
];

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

fn verdicts(trace: &str) -> Vec<i32> {
    LEVELS.map(|level| run(&["check", trace, "--level", level, "--certify"]).code).to_vec()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[test]
fn a_converted_trace_is_judged_as_before() {
    let place = folder("converted");
    let mut compared = 0;
    for trace in traces() {
        let before = verdicts(text(&trace));
        for form in ["dbcop", "plume"] {
            let converted = place.join(form);
            let told = run(&["convert", text(&trace), text(&converted), "--to", form]);
            assert_eq!(told.code, 0, "{told:?}");
            let prefix = format!("{}: lost: ", trace.display());
            let harmless = |line: &str| {
                let loss = line.strip_prefix(&prefix).unwrap_or(line);
                HARMLESS.iter().any(|known| loss.starts_with(known))
            };
            if told.err.lines().all(harmless) {
                assert_eq!(verdicts(text(&converted)), before, "{form}: {}", trace.display());
                compared += 1;
            }
        }
    }
    assert!(compared >= 20, "only {compared} were compared");
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
fn a_folder_may_hold_traces_of_all_kinds() {
    let place = folder("kinds");
    file(&place, "a.txt", b"w 1 1\n");
    file(&place, "b.hist", b"[x:=1]\n");
    file(&place, "c.txt", b"w(1,1,1,1)\n");
    file(&place, "notes.txt", b"remember the milk\n");
    let checked = run(&["check", text(&place), "--level", "ser"]);
    assert_eq!(checked.code, 0, "{checked:?}");
    assert_eq!(checked.out.matches("ACCEPT").count(), 3, "{checked:?}");
    assert!(checked.err.contains("notes.txt: skipped, this is no trace"), "{checked:?}");
}
