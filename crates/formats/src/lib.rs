//! Trace files: one reader and one writer per format.
//!
//! ```text
//!   native      one line per call and per return, or one line per operation
//!   simple      one line per transaction
//!   arrow       a columnar file, one row per transaction
//!   elle        one entry per call and per return of a transaction, in EDN or JSON
//!   cobra       a folder with a binary file per session
//!   viper       a folder with a JSON file per session
//!   dbcop       sessions of transactions: binary, JSON, YAML or text
//!   plume       one line per operation
//!   awdit       one line per operation, with lines between transactions and sessions
//!   timekiller  a JSON array of transactions with timestamps
//! ```
//!
//! [`read`] finds out which of them it is looking at from the first bytes. [`write`](fn@write) prints a
//! history again; what a form has no words for is listed by [`losses`] beforehand.

mod arrow;
mod awdit;
mod blocks;
mod bytes;
mod choice;
mod cobra;
mod content;
mod dbcop;
mod detect;
mod elements;
mod elle;
mod error;
mod folder;
mod format;
mod head;
mod initial;
mod json_stream;
mod limited;
mod lines;
mod listed;
mod milliseconds;
mod native;
mod object;
mod pair;
mod plain;
mod plume;
mod rollback;
mod savepoints;
mod sentences;
mod simple;
mod timekiller;
mod viper;

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use tristan_ground::{Budget, unzip};

pub use detect::detect;
pub use error::TraceError;
pub use folder::Folder;
pub use format::{Format, WriteForm};
pub use initial::{InitialRule, InitialRuleError};
use limited::Limited;
pub use limited::stop_behind;
use lines::Lines;
use tristan_history::History;

/// The JSON Schema of a line of the native trace format.
pub const TRACE_SCHEMA: &str = include_str!("../schema/trace.schema.json");

/// Reads a trace from one stream. `name` stands for the input in errors; without a format the
/// first bytes decide.
///
/// # Errors
/// When the input cannot be read, or says something its format does not allow.
pub fn read(
    input: impl BufRead,
    name: &str,
    format: Option<Format>,
) -> Result<History, TraceError> {
    read_within(input, name, format, &Budget::default())
}

/// The same, as long as the budget allows.
///
/// # Errors
/// As [`read`], and [`TraceError::Stopped`] when a limit is reached.
pub fn read_within(
    mut input: impl BufRead,
    name: &str,
    format: Option<Format>,
    budget: &Budget,
) -> Result<History, TraceError> {
    read_stream(Limited::new(&mut input, budget, 0), name, format)
}

/// Readers are compiled for this one kind of stream, not again for each kind that a caller has.
fn read_stream(
    input: Limited<&mut dyn Read>,
    name: &str,
    format: Option<Format>,
) -> Result<History, TraceError> {
    let unzipped = unzip(BufReader::with_capacity(1 << 16, input));
    let mut input = unzipped.map_err(|error| TraceError::io(name, error))?;
    let head = head::read(&mut input).map_err(|error| TraceError::io(name, error))?;
    if head.trim_ascii().is_empty() {
        return Err(TraceError::content(name, 1, "an empty file", "a trace"));
    }
    if detect::is_sql_log(&head) {
        let expected = "a trace; run `tristan audit` for SQL logs";
        return Err(TraceError::content(name, 1, "a SQL log", expected));
    }
    let format = format.or_else(|| detect(&head)).ok_or_else(|| unrecognised(&head, name))?;
    let input = head.as_slice().chain(input);
    match format {
        Format::Native => native::read(Lines::new(input, name)),
        Format::Simple => simple::read(Lines::new(input, name)),
        Format::Arrow => arrow::read(input, name),
        Format::Elle => elle::read(input, name),
        Format::Cobra => cobra::read(&Folder::of_one(input, name)?),
        Format::Viper => viper::read(&Folder::of_one(input, name)?),
        Format::Dbcop => dbcop::read(input, &head, name),
        Format::Plume => plume::read(Lines::new(input, name)),
        Format::Awdit => awdit::read(Lines::new(input, name)),
        Format::TimeKiller => timekiller::read(input, name),
    }
}

/// Reads the trace in a file, or the one that a folder is.
///
/// # Errors
/// As [`read`].
pub fn open(path: &Path, format: Option<Format>) -> Result<History, TraceError> {
    open_within(path, format, &Budget::default())
}

/// The same, as long as the budget allows.
///
/// # Errors
/// As [`read`], and [`TraceError::Stopped`] when a limit is reached.
pub fn open_within(
    path: &Path,
    format: Option<Format>,
    budget: &Budget,
) -> Result<History, TraceError> {
    let name = path.display().to_string();
    if path.is_dir() {
        return read_folder(&Folder::open(path)?.within(budget), format);
    }
    let mut file = File::open(path).map_err(|error| TraceError::io(&name, error))?;
    let total = file.metadata().map_or(0, |about| about.len());
    read_stream(Limited::new(&mut file, budget, total), &name, format)
}

/// Reads a trace that is a folder; without a format, its files decide.
///
/// # Errors
/// As [`read`], and when the folder is no trace.
pub fn read_folder(folder: &Folder, format: Option<Format>) -> Result<History, TraceError> {
    let format = match format {
        Some(format) => Some(format),
        None => detect::detect_folder(folder)?,
    };
    match format {
        Some(Format::Cobra) => cobra::read(folder),
        Some(Format::Viper) => viper::read(folder),
        Some(format) => {
            let expected = format!("a file, because {} traces are files", format.name());
            Err(TraceError::content(folder.name(), 1, "a folder", expected))
        }
        None => {
            let expected = "one *.log file per session, as Cobra and Viper write them";
            Err(TraceError::content(folder.name(), 1, "a folder that is not a trace", expected))
        }
    }
}

/// Whether a folder is one trace, rather than a folder with traces in it.
pub fn is_trace_folder(path: &Path) -> bool {
    Folder::open(path)
        .and_then(|folder| detect::detect_folder(&folder))
        .is_ok_and(|found| found.is_some())
}

/// Whether a file starts like a trace.
pub fn is_trace_file(path: &Path) -> bool {
    let file = File::open(path).and_then(|file| unzip(BufReader::new(file)));
    let head = file.and_then(|mut file| head::read(&mut file));
    head.is_ok_and(|head| detect(&head).is_some())
}

/// The complaint about a stream that starts like no trace.
fn unrecognised(head: &[u8], name: &str) -> TraceError {
    let text = String::from_utf8_lossy(head);
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let expected = "a header {\"tristan\":\"trace/1\"} or a format by name";
    TraceError::content(name, 1, &error::quote(first), expected)
}

/// Prints a history in the given form, dropping what [`losses`] lists.
///
/// # Errors
/// When `out` refuses the bytes, and for a form that is a folder.
pub fn write(history: &History, form: WriteForm, out: &mut impl Write) -> io::Result<()> {
    let mut out = BufWriter::new(out as &mut dyn Write);
    write_stream(history, form, &mut out)?;
    out.flush()
}

/// A history as a small file of one line per operation, in memory.
pub fn compact(history: &History) -> String {
    let mut text = Vec::new();
    write(history, WriteForm::Compact, &mut text).expect("writing to memory does not fail");
    String::from_utf8(text).expect("a native trace is text")
}

/// Writers, too, are compiled for one kind of stream.
fn write_stream(
    history: &History,
    form: WriteForm,
    out: &mut BufWriter<&mut dyn Write>,
) -> io::Result<()> {
    match form {
        WriteForm::Events => native::write_events(history, out),
        WriteForm::Compact => native::write_compact(history, out),
        WriteForm::Simple => simple::write(history, out),
        WriteForm::Arrow => arrow::write(history, out),
        WriteForm::Elle => elle::write(history, out),
        WriteForm::Dbcop => dbcop::write(history, out),
        WriteForm::Plume => plume::write(history, out),
        WriteForm::Cobra => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "this format is a folder, not a file"))
        }
    }
}

/// Prints a history into a folder, which is made unless it is there and empty; a form that is
/// no folder becomes a file. What [`losses`] lists is dropped.
///
/// # Errors
/// When the folder has something in it, or the system refuses to write.
pub fn write_to(history: &History, form: WriteForm, path: &Path) -> io::Result<()> {
    write_to_within(history, form, path, &Budget::default())
}

/// The same, as long as the budget allows. What was written by then stays.
///
/// # Errors
/// As [`write_to`]; [`stop_behind`] tells whether a limit was the cause.
pub fn write_to_within(
    history: &History,
    form: WriteForm,
    path: &Path,
    budget: &Budget,
) -> io::Result<()> {
    budget.check().map_err(io::Error::other)?;
    if form.is_folder() {
        folder::make(path)?;
    }
    match form {
        WriteForm::Cobra => cobra::write(history, path),
        form => write(history, form, &mut Limited::new(File::create(path)?, budget, 0)),
    }
}

/// What [`write`](fn@write) would drop, one sentence each; empty when the form can say everything.
pub fn losses(history: &History, form: WriteForm) -> Vec<String> {
    match form {
        WriteForm::Events | WriteForm::Compact => native::losses(history),
        WriteForm::Simple => simple::losses(history),
        WriteForm::Arrow => Vec::new(),
        WriteForm::Elle => elle::losses(history),
        WriteForm::Cobra => cobra::losses(history),
        WriteForm::Dbcop => dbcop::losses(history),
        WriteForm::Plume => plume::losses(history),
    }
}

/// The example of the README, which is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
