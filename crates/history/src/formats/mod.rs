//! Trace files: one reader and one writer per format.
//!
//! ```text
//!   native  one line per call and per return, or one line per operation
//!   simple  one line per transaction
//! ```
//!
//! [`read`] finds out which of them it is looking at from the first line. [`write`](fn@write) prints a
//! history again; what a form has no words for is listed by [`losses`] beforehand.

mod choice;
mod lines;
mod native;
mod object;
mod pair;
mod savepoints;
mod simple;

use std::io::{self, BufRead, Write};

use crate::{History, TraceError};
use lines::Lines;

/// The JSON Schema of a line of the native trace format.
pub const TRACE_SCHEMA: &str = include_str!("../../schema/trace.schema.json");

/// A trace format this crate reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Calls and returns, or whole operations, one per line after a header.
    Native,
    /// Whole transactions, one per line.
    Simple,
}

impl Format {
    /// Every format, in the order they are tried.
    pub const ALL: [Self; 2] = [Self::Native, Self::Simple];

    /// The name people type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Simple => "simple",
        }
    }

    /// The format with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// The ways to print a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WriteForm {
    /// Native, one line per call and one per return.
    Events,
    /// Native, one line per operation.
    Compact,
    /// One line per transaction.
    Simple,
}

/// The format a trace with this first line is in.
///
/// ```
/// use tristan_history::formats::{Format, detect};
/// assert_eq!(detect(r#"{"tristan":"trace/1"}"#), Some(Format::Native));
/// assert_eq!(detect(r#"{"s":1,"st":"c","ops":[]}"#), Some(Format::Simple));
/// assert_eq!(detect("r(1,2,3,4)"), None);
/// ```
pub fn detect(first_line: &str) -> Option<Format> {
    let keys: TopLevelKeys = serde_json::from_str(first_line).ok()?;
    match keys {
        TopLevelKeys { tristan: Some(_), .. } => Some(Format::Native),
        TopLevelKeys { initial: Some(_), .. }
        | TopLevelKeys { own: Some(_), .. }
        | TopLevelKeys { order: Some(_), .. }
        | TopLevelKeys { ops: Some(_), .. } => Some(Format::Simple),
        TopLevelKeys { .. } => None,
    }
}

/// Reads a trace. `name` stands for the input in errors; without a format the first line
/// decides.
///
/// # Errors
/// When the input cannot be read, or says something its format does not allow.
pub fn read(
    input: impl BufRead,
    name: &str,
    format: Option<Format>,
) -> Result<History, TraceError> {
    let mut lines = Lines::new(input, name);
    let found = match lines.first()? {
        None => return Err(lines.error("an empty file", "a trace")),
        Some(first) => format.or_else(|| detect(first)).ok_or_else(|| crate::error::quote(first)),
    };
    match found {
        Ok(Format::Native) => native::read(lines),
        Ok(Format::Simple) => simple::read(lines),
        Err(first) => {
            Err(lines.error(&first, "a header {\"tristan\":\"trace/1\"} or a format by name"))
        }
    }
}

/// Prints a history in the given form, dropping what [`losses`] lists.
///
/// # Errors
/// When `out` refuses the bytes.
pub fn write(history: &History, form: WriteForm, out: &mut impl Write) -> io::Result<()> {
    match form {
        WriteForm::Events => native::write_events(history, out),
        WriteForm::Compact => native::write_compact(history, out),
        WriteForm::Simple => simple::write(history, out),
    }
}

/// What [`write`](fn@write) would drop, one sentence each; empty when the form can say everything.
pub fn losses(history: &History, form: WriteForm) -> Vec<String> {
    match form {
        WriteForm::Events | WriteForm::Compact => native::losses(history),
        WriteForm::Simple => simple::losses(history),
    }
}

/// The fields that give a format away.
#[derive(serde::Deserialize)]
struct TopLevelKeys {
    tristan: Option<serde::de::IgnoredAny>,
    initial: Option<serde::de::IgnoredAny>,
    own: Option<serde::de::IgnoredAny>,
    order: Option<serde::de::IgnoredAny>,
    ops: Option<serde::de::IgnoredAny>,
}
