//! A trace that another form can say is judged as before when it is read again.
//!
//! ```text
//!   random history ──► what a narrow form makes of it ──► every form that loses nothing, or nothing
//!                                                        that matters ──► the same verdicts
//! ```
//!
//! Few random histories fit into a narrow form as they are. What such a form makes of them does, so
//! each history is also taken through every narrow form once before it is looked at.

#![allow(clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

use std::collections::BTreeMap;
use std::fs;
use std::mem::{Discriminant, discriminant};
use std::path::{Path, PathBuf};

use tristan_check::{Options, Silent, check_levels};
use tristan_formats::TraceError;
use tristan_formats::{Format, WriteForm, losses, open, read, write, write_to};
use tristan_generate::Rng;
use tristan_history::{History, Op, OpStatus};
use tristan_oracle::random;
use tristan_spec::{Catalog, Level};
use tristan_verdict::Answer;

/// How losses start that change no verdict.
const HARMLESS: [&str; 11] = [
    "the original keys",
    "the original values",
    "keys and values other than natural",
    "that keys start absent",
    "names of ",
    "the names of ",
    "the hints",
    "the numbers that order events",
    "that a read and a write were one operation",
    "that read-modify-writes are one step",
    "which operations of aborted transactions belong together",
];

/// Forms that leave a lot out.
const NARROW: [WriteForm; 5] =
    [WriteForm::Simple, WriteForm::Elle, WriteForm::Cobra, WriteForm::Dbcop, WriteForm::Plume];

/// How many histories: `TRISTAN_HISTORIES`, by default so many that it takes less than a minute.
fn histories() -> u64 {
    std::env::var("TRISTAN_HISTORIES").ok().and_then(|n| n.parse().ok()).unwrap_or(DEFAULT)
}

const DEFAULT: u64 = 150;

#[test]
fn what_a_form_can_say_is_judged_as_before() {
    let (seed, count) = (77_000_000, histories());
    let levels = Catalog::default().levels();
    println!("seed {seed}, {count} histories, {} levels", levels.len());
    let mut judge = Judge { levels, place: place(), compared: BTreeMap::new() };
    for number in 0..count {
        // Most are plain enough for narrow forms to keep something of them.
        let history = random_trace(&mut Rng::new(seed + number), !number.is_multiple_of(4));
        for (through, candidate) in candidates(&judge.place, history) {
            judge.every_form(&candidate, &format!("seed {seed} history {number} {through}"));
        }
    }
    let _ = fs::remove_dir_all(&judge.place);
    println!("{:?}", judge.compared);
    for form in WriteForm::ALL {
        let compared = judge.compared.get(form.name()).copied().unwrap_or_default();
        let enough = compared.whole.min(compared.telling) >= 100.min(count / 4);
        assert!(enough, "{}: only {compared:?}", form.name());
    }
}

fn random_trace(rng: &mut Rng, plain: bool) -> History {
    loop {
        let history = random::history(rng, random::RandomShape::default());
        if is_trace(&history) && (!plain || history.ops.iter().all(is_plain)) {
            return history;
        }
    }
}

/// Whether an operation is about one key, and returned.
fn is_plain(op: &Op) -> bool {
    op.status == OpStatus::Done && op.kind.key().is_some()
}

/// Whether all rollbacks have a savepoint to go back to; some random ones have none, and no reader
/// takes that.
fn is_trace(history: &History) -> bool {
    let mut bytes = Vec::new();
    write(history, WriteForm::Events, &mut bytes).expect("memory takes every byte");
    match read(&bytes[..], "t", Some(Format::Native)) {
        Ok(_) => true,
        Err(error) if error.to_string().contains("found rollback to savepoint") => false,
        Err(error) => panic!("{error}\n{}", show(history)),
    }
}

/// The history as it is, and what narrow forms make of it.
fn candidates(place: &Path, history: History) -> Vec<(String, History)> {
    let made = NARROW.into_iter().filter_map(|form| {
        let made = there_and_back(&history, form, place).ok()?;
        Some((format!("through {}", form.name()), made))
    });
    let made: Vec<_> = made.collect();
    [("as it is".to_owned(), history)].into_iter().chain(made).collect()
}

struct Judge {
    levels: Vec<Level>,
    /// A folder for traces.
    place: PathBuf,
    /// By form.
    compared: BTreeMap<&'static str, Compared>,
}

/// How many histories were compared with what was read again.
#[derive(Clone, Copy, Debug, Default)]
struct Compared {
    /// Nothing was lost.
    whole: u64,
    /// Nothing that matters was lost.
    harmless: u64,
    /// Of all these, some levels hold and some are violated.
    telling: u64,
}

impl Judge {
    fn every_form(&mut self, history: &History, told: &str) {
        let mut before = None;
        for form in WriteForm::ALL {
            let lost = losses(history, form);
            if !lost.iter().all(|loss| HARMLESS.iter().any(|known| loss.starts_with(known))) {
                continue;
            }
            let again = match there_and_back(history, form, &self.place) {
                Ok(again) => again,
                Err(error) => panic!("{told}: {}: {error}\n{}", form.name(), show(history)),
            };
            let before = before.get_or_insert_with(|| self.answers(history));
            let after = self.answers(&again);
            let differs =
                self.levels.iter().zip(before.iter().zip(&after)).find(|(_, (a, b))| a != b);
            if let Some((level, _)) = differs {
                let (name, level) = (form.name(), &level.name);
                panic!("{told}: {name} changes {level}\n{}{}", show(history), show(&again));
            }
            let compared = self.compared.entry(form.name()).or_default();
            *(if lost.is_empty() { &mut compared.whole } else { &mut compared.harmless }) += 1;
            compared.telling += u64::from(after.iter().any(|answer| *answer != after[0]));
        }
    }

    fn answers(&self, history: &History) -> Vec<Discriminant<Answer>> {
        let reports = check_levels(history, &self.levels, &Options::default(), &Silent);
        reports.iter().map(|report| discriminant(&report.verdict.answer)).collect()
    }
}

/// Writes a history in a form and reads it again.
fn there_and_back(history: &History, form: WriteForm, place: &Path) -> Result<History, TraceError> {
    let format = match form {
        WriteForm::Events | WriteForm::Compact => Format::Native,
        other => Format::from_name(other.name()).expect("a form is called like its format"),
    };
    if !form.is_folder() {
        let mut bytes = Vec::new();
        write(history, form, &mut bytes).expect("memory takes every byte");
        return read(&bytes[..], "t", Some(format));
    }
    let _ = fs::remove_dir_all(place);
    write_to(history, form, place).expect("a folder can be written");
    open(place, Some(format))
}

/// An empty folder of this run.
fn place() -> PathBuf {
    let name = format!("round-trip-{}", std::process::id());
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn show(history: &History) -> String {
    let mut text = Vec::new();
    write(history, WriteForm::Compact, &mut text).expect("memory takes every byte");
    String::from_utf8_lossy(&text).into_owned()
}
