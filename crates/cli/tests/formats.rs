//! Every foreign format through the binary: found out or named, damaged, missing, converted.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Run, file, folder, only_harmless, root, run, text, verdicts};

/// An example of the documentation: its format, and the exit code at snapshot isolation.
struct Sample {
    name: &'static str,
    format: &'static str,
    code: i32,
}

const SAMPLES: [Sample; 12] = [
    Sample { name: "elle.edn", format: "elle", code: 1 },
    Sample { name: "elle.json", format: "elle", code: 1 },
    Sample { name: "cobra", format: "cobra", code: 1 },
    Sample { name: "viper", format: "viper", code: 0 },
    Sample { name: "history.bincode", format: "dbcop", code: 1 },
    Sample { name: "dbcop.yaml", format: "dbcop", code: 1 },
    Sample { name: "dbcop.json", format: "dbcop", code: 1 },
    Sample { name: "dbcop.hist", format: "dbcop", code: 1 },
    Sample { name: "plume.txt", format: "plume", code: 1 },
    Sample { name: "tapir.csv", format: "plume", code: 1 },
    Sample { name: "awdit.txt", format: "awdit", code: 1 },
    Sample { name: "timekiller.json", format: "timekiller", code: 1 },
];

fn example(name: &str) -> PathBuf {
    root().join("docs/examples").join(name)
}

fn check(trace: &Path, more: &[&str]) -> Run {
    run(&[&["check", text(trace), "--level", "si", "--certify"], more].concat())
}

#[test]
fn a_format_is_found_out_or_named() {
    for Sample { name, format, code } in SAMPLES {
        let found_out = check(&example(name), &[]);
        assert_eq!(found_out.code, code, "{name} {found_out:?}");
        let named = check(&example(name), &["--from", format]);
        assert_eq!((named.code, &named.out), (code, &found_out.out), "{name} {named:?}");
    }
}

#[test]
fn a_wrong_name_is_believed() {
    for Sample { name, .. } in SAMPLES {
        let trace = example(name);
        let other = if trace.is_dir() { "elle" } else { "native" };
        let run = run(&["convert", text(&trace), "-", "--to", "compact", "--from", other]);
        assert_eq!(run.code, 65, "{name} {run:?}");
        assert!(run.err.starts_with(&format!("{}:1: found ", trace.display())), "{name} {run:?}");
    }
}

/// What is done to a file, and the place of the complaint about it: a line, or `byte N`.
struct Damage {
    name: &'static str,
    change: Change,
    place: &'static str,
}

enum Change {
    /// Writes something else where the first text stands.
    Write(&'static [u8], &'static [u8]),
    /// Leaves so many bytes.
    Cut(usize),
}

const fn write(
    name: &'static str,
    old: &'static str,
    new: &'static str,
    line: &'static str,
) -> Damage {
    Damage { name, change: Change::Write(old.as_bytes(), new.as_bytes()), place: line }
}

const fn cut(name: &'static str, length: usize, place: &'static str) -> Damage {
    Damage { name, change: Change::Cut(length), place }
}

const DAMAGED: [Damage; 26] = [
    write("elle.edn", ":ok, :process 0", ":okay, :process 0", "4"),
    write("elle.edn", "[:append :cart 2]", "[:prepend :cart 2]", "2"),
    cut("elle.edn", 50, "1"),
    write("elle.json", "\"w\",\"x\",2", "\"w\",\"x\",2.5", "2"),
    cut("elle.json", 200, "3"),
    Damage {
        name: "cobra/T2.log",
        change: Change::Write(b"C\0\0\0\0\0\0\0\xb1", b"X\0\0\0\0\0\0\0\xb1"),
        place: "byte 67",
    },
    Damage {
        name: "cobra/T2.log",
        change: Change::Write(b"C\0\0\0\0\0\0\0\xb1", b"C\0\0\0\0\0\0\0\xb9"),
        place: "byte 67",
    },
    cut("cobra/T2.log", 70, "byte 68"),
    write("viper/J1.log", "\"d\"", "\"x\"", "1"),
    write("viper/J1.log", "\"range\",1", "\"range\",true", "2"),
    cut("viper/J1.log", 80, "2"),
    cut("viper/J2.log", 20, "1"),
    Damage {
        name: "history.bincode",
        change: Change::Write(b"\x01\x01\0\0\0\0\0\0\0\x0b", b"\x07\x01\0\0\0\0\0\0\0\x0b"),
        place: "byte 176",
    },
    cut("history.bincode", 200, "byte 195"),
    write("dbcop.yaml", "variable: 1, value: 11", "variable: x, value: 11", "3"),
    cut("dbcop.yaml", 100, "3"),
    write("dbcop.json", "\"committed\":true}],", "\"committed\":maybe}],", "1"),
    cut("dbcop.json", 150, "2"),
    write("dbcop.hist", "cart:=2", "cart=2", "4"),
    cut("dbcop.hist", 50, "1"),
    write("plume.txt", "r(1,0,2,2)", "r(1,0,2,2", "3"),
    cut("plume.txt", 5, "1"),
    write("tapir.csv", "18,2,w", "18,2,x", "5"),
    write("awdit.txt", "r 1 12", "r 1", "6"),
    write("timekiller.json", "\"t\":\"w\",\"k\":1,\"v\":12", "\"t\":\"w\",\"k\":1", "2"),
    cut("timekiller.json", 200, "2"),
];

#[test]
fn damage_has_a_place() {
    for (number, damage) in DAMAGED.iter().enumerate() {
        let place = folder(&format!("damaged-{number}"));
        let (trace, damaged) = damage.apply(&place);
        let format = SAMPLES.iter().find(|sample| damage.name.starts_with(sample.name));
        let format = format.expect("a sample").format;
        let checked = check(&trace, &["--from", format]);
        assert_eq!(checked.code, 65, "{} {checked:?}", damage.name);
        let separator = if damage.place.starts_with("byte") { ": " } else { ":" };
        let prefix = format!("{}{separator}{}: found ", damaged.display(), damage.place);
        assert!(checked.err.starts_with(&prefix), "expected {prefix}, got {checked:?}");
        assert!(checked.err.contains(", expected ") && checked.out.is_empty(), "{checked:?}");
    }
}

impl Damage {
    /// Damages a copy; returns the trace, and the file in it that is damaged.
    fn apply(&self, place: &Path) -> (PathBuf, PathBuf) {
        let mut bytes = fs::read(example(self.name)).expect("an example");
        match self.change {
            Change::Cut(length) => bytes.truncate(length),
            Change::Write(old, new) => {
                let at = bytes.windows(old.len()).position(|window| window == old);
                let at = at.expect("what is to be changed");
                bytes.splice(at..at + old.len(), new.iter().copied());
            }
        }
        let Some((trace, name)) = self.name.split_once('/') else {
            let file = PathBuf::from(file(place, self.name, &bytes));
            return (file.clone(), file);
        };
        let trace = copy(&example(trace), &place.join(trace));
        let file = file(&trace, name, &bytes);
        (trace, file.into())
    }
}

/// Copies a folder of files.
fn copy(from: &Path, to: &Path) -> PathBuf {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
    }
    to.to_owned()
}

#[test]
fn a_last_line_that_is_cut_off_is_forgiven_where_recorders_append() {
    let place = folder("torn");
    for (name, length) in [
        ("elle.edn", 500),
        ("dbcop.hist", 75),
        ("plume.txt", 30),
        ("tapir.csv", 100),
        ("awdit.txt", 21),
    ] {
        let bytes = fs::read(example(name)).expect("an example");
        let checked = check(Path::new(&file(&place, name, &bytes[..length])), &[]);
        assert!(checked.code < 2, "{name} {checked:?}");
        assert!(checked.err.contains("is cut off and was ignored"), "{name} {checked:?}");
    }
}

#[test]
fn a_log_that_ends_after_a_whole_transaction_is_fine() {
    let (trace, _) = cut("cobra/T2.log", 76, "nowhere").apply(&folder("whole"));
    let checked = check(&trace, &[]);
    assert_eq!((checked.code, checked.err.as_str()), (1, ""), "{checked:?}");
}

#[test]
fn what_is_not_there_is_missing_in_every_format() {
    let nowhere = folder("missing").join("nowhere");
    for Sample { format, .. } in SAMPLES {
        let checked = check(&nowhere, &["--from", format]);
        assert_eq!(checked.code, 66, "{format} {checked:?}");
        assert!(checked.err.starts_with(text(&nowhere)), "{format} {checked:?}");
    }
    assert_eq!(check(&nowhere, &[]).code, 66);
}

#[test]
fn examples_are_judged_as_before_in_every_form() {
    let place = folder("every-form");
    let mut compared = 0;
    for Sample { name, .. } in SAMPLES {
        let before = verdicts(&example(name));
        for form in ["events", "compact", "simple", "arrow", "elle", "cobra", "dbcop", "plume"] {
            let there = place.join(format!("{name}.{form}"));
            let told = run(&["convert", text(&example(name)), text(&there), "--to", form]);
            assert_eq!(told.code, 0, "{name} {form} {told:?}");
            if !only_harmless(&example(name), &told.err) {
                continue;
            }
            assert_eq!(verdicts(&there), before, "{name} {form}");
            let back = place.join(format!("{name}.{form}.jsonl"));
            let told = run(&["convert", text(&there), text(&back), "--to", "events"]);
            assert_eq!((told.code, told.err.as_str()), (0, ""), "{name} {form}");
            assert_eq!(verdicts(&back), before, "{name} {form} and back");
            compared += 1;
        }
    }
    assert!(compared >= 50, "only {compared} were compared");
}

#[test]
fn a_folder_full_of_traces_is_checked_trace_by_trace() {
    let place = folder("mixed-formats");
    for Sample { name, .. } in SAMPLES {
        let (from, to) = (example(name), place.join(name));
        match from.is_dir() {
            true => drop(copy(&from, &to)),
            false => drop(fs::copy(from, to).expect("a copy")),
        }
    }
    file(&place, "bank.jsonl", &fs::read(root().join("examples-traces/bank.jsonl")).expect("it"));
    file(&place, "notes.md", b"remember the milk\n");
    let checked = check(&place, &[]);
    assert_eq!(checked.code, 1, "{checked:?}");
    assert_eq!(checked.out.matches("   REJECT   ").count(), 11, "{checked:?}");
    assert_eq!(checked.out.matches("   ACCEPT   ").count(), 2, "{checked:?}");
    let skipped = format!("{}: skipped: not a trace\n", place.join("notes.md").display());
    assert_eq!(checked.err, skipped);
}

#[test]
fn a_folder_that_holds_traces_is_not_one_to_convert() {
    let place = root().join("docs/examples");
    let run = run(&["convert", text(&place), "-", "--to", "compact"]);
    assert_eq!(run.code, 65, "{run:?}");
    assert!(run.err.contains("found a folder that is not a trace"), "{run:?}");
}

#[test]
fn a_word_that_initial_does_not_know_is_a_mistake() {
    let trace = example("awdit.txt");
    for command in [&["check", "--level", "si"][..], &["levels"], &["stats"]] {
        for word in ["absnet", "zero", ""] {
            let refused = run(&[command, &[text(&trace), "--initial", word]].concat());
            assert_eq!(refused.code, 64, "{command:?} {word} {refused:?}");
            assert!(refused.err.contains("expected absent, unknown, unwritten"), "{refused:?}");
        }
    }
    let convert = ["convert", text(&trace), "-", "--to", "simple", "--initial", "absnet"];
    assert_eq!(run(&convert).code, 64);
}

#[test]
fn a_form_that_is_a_folder_needs_a_name_and_a_folder_of_its_own() {
    let trace = example("plume.txt");
    let refused = run(&["convert", text(&trace), "-", "--to", "cobra"]);
    assert_eq!(refused.code, 64, "{refused:?}");
    assert!(refused.err.contains("this format is a folder"), "{refused:?}");
    let place = folder("taken-by-another");
    file(&place, "T1.log", b"");
    let refused = run(&["convert", text(&trace), text(&place), "--to", "cobra"]);
    assert_eq!(refused.code, 64, "{refused:?}");
    assert!(refused.err.contains("the folder is not empty"), "{refused:?}");
}
