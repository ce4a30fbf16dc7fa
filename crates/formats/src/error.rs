//! What can be wrong with a trace, told so that a person can go and fix it.
//!
//! Every complaint about content has the same shape, `FILE:LINE: found …, expected …`
//! (`FILE: byte N: …` for binary files).
//! Inner layers know neither file nor line; they return a `ContentError` and the read loop puts
//! the place in front of it.

use std::io;

use tristan_ground::Stop;

use crate::stop_behind;
use tristan_history::Datum;

/// Why a trace could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// A line says something a trace of this format cannot say.
    #[error("{file}:{line}: found {found}, expected {expected}")]
    Content {
        /// The name the caller gave to the input.
        file: String,
        /// The line, counted from 1.
        line: u32,
        /// What the line says, folded to a readable length.
        found: String,
        /// What it should have said.
        expected: String,
    },
    /// A binary file says something a trace of this format cannot say.
    #[error("{file}: byte {offset}: found {found}, expected {expected}")]
    Bytes {
        /// The name the caller gave to the input.
        file: String,
        /// How many bytes come before the place.
        offset: u64,
        /// What stands there.
        found: String,
        /// What should have stood there.
        expected: String,
    },
    /// A limit was reached before the end of the trace.
    #[error("{file}: {stop} while the trace was read")]
    Stopped {
        /// The name the caller gave to the input.
        file: String,
        /// Which limit.
        stop: Stop,
    },
    /// The input could not be read at all.
    #[error("{file}: {source}")]
    Io {
        /// The name the caller gave to the input.
        file: String,
        /// What the system said.
        source: io::Error,
    },
}

impl TraceError {
    /// A complaint about one line; `found` is folded to a readable length.
    pub fn content(file: &str, line: u32, found: &str, expected: impl Into<String>) -> Self {
        Self::Content {
            file: file.to_owned(),
            line,
            found: fold(found, WIDTH),
            expected: expected.into(),
        }
    }

    /// A complaint about a place in a binary file.
    pub fn bytes(file: &str, offset: u64, found: &str, expected: &str) -> Self {
        let (found, expected) = (fold(found, WIDTH), expected.to_owned());
        Self::Bytes { file: file.to_owned(), offset, found, expected }
    }

    /// A failure of the input itself, or of the budget behind it.
    pub fn io(file: &str, source: io::Error) -> Self {
        match stop_behind(&source) {
            Some(stop) => Self::Stopped { file: file.to_owned(), stop },
            None => Self::Io { file: file.to_owned(), source },
        }
    }

    /// The line the error points at, if it points at one.
    pub fn line(&self) -> Option<u32> {
        match self {
            Self::Content { line, .. } => Some(*line),
            Self::Bytes { .. } | Self::Stopped { .. } | Self::Io { .. } => None,
        }
    }
}

/// Something wrong on the line at hand.
#[derive(Debug)]
pub(crate) struct ContentError {
    pub(crate) found: String,
    pub(crate) expected: String,
    /// The text is not in the format at all, as in a line that was cut off.
    pub(crate) malformed: bool,
}

impl ContentError {
    pub(crate) fn new(found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { found: found.into(), expected: expected.into(), malformed: false }
    }

    /// A text that is not in the format at all, as if it had been cut off.
    pub(crate) fn malformed(text: &str, expected: impl Into<String>) -> Self {
        Self { malformed: true, ..Self::new(quote(text), expected) }
    }

    /// Translates what the JSON parser says about `text`; `inside` names the field it was in.
    pub(crate) fn from_json(error: &serde_json::Error, text: &str, inside: Option<&str>) -> Self {
        let message = error.to_string();
        let reason = message.rsplit_once(" at line ").map_or(message.as_str(), |(text, _)| text);
        if !error.is_data() {
            let expected = format!("JSON ({reason} at column {})", error.column());
            return Self { found: quote(text), expected, malformed: true };
        }
        let (found, expected) = found_and_expected(reason);
        match inside {
            Some(field) => Self::new(format!("{found} in \"{field}\""), expected),
            None => Self::new(found, expected),
        }
    }

    pub(crate) fn at(self, file: &str, line: u32) -> TraceError {
        TraceError::content(file, line, &self.found, self.expected)
    }
}

/// Takes a message of the JSON parser apart.
fn found_and_expected(reason: &str) -> (String, String) {
    if let Some(field) = reason.strip_prefix("missing field ") {
        return (format!("a line without {field}"), format!("{field} on every line"));
    }
    if let Some(field) = reason.strip_prefix("duplicate field ") {
        return (format!("{field} twice"), "it once".to_owned());
    }
    let (found, expected) = reason.split_once(", expected ").unwrap_or((reason, "a trace line"));
    let found = found.strip_prefix("invalid type: ").unwrap_or(found);
    let found = found.strip_prefix("invalid value: ").unwrap_or(found);
    if let Some(length) = found.strip_prefix("invalid length ") {
        return (format!("{length} elements"), expected.to_owned());
    }
    (found.to_owned(), expected.to_owned())
}

/// Readable length of quoted content, in characters.
const WIDTH: usize = 80;

/// A piece of the trace between backquotes.
pub(crate) fn quote(text: &str) -> String {
    format!("`{}`", fold(text.trim(), WIDTH - 2))
}

/// A name from the trace, short enough to stand in a sentence.
pub(crate) fn short(name: &Datum) -> String {
    fold(&name.to_string(), WIDTH / 2)
}

/// Cuts a text to a number of characters, with an ellipsis where something is missing, and
/// hides control characters from the terminal.
fn fold(text: &str, width: usize) -> String {
    let visible = |letter: char| if letter.is_control() { '\u{fffd}' } else { letter };
    match text.char_indices().nth(width) {
        None => text.chars().map(visible).collect(),
        Some(_) => text.chars().take(width - 1).map(visible).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_content_is_folded_and_its_quotes_stay_closed() {
        let quoted = quote(&"x".repeat(500));
        assert_eq!(quoted, format!("`{}…`", "x".repeat(77)));
        let error = TraceError::content("a.jsonl", 3, &"é".repeat(500), "less");
        assert_eq!(
            error.to_string(),
            format!("a.jsonl:3: found {}…, expected less", "é".repeat(79))
        );
    }

    #[test]
    fn control_characters_cannot_reach_a_terminal() {
        assert_eq!(quote("a\u{1b}[31mb"), "`a\u{fffd}[31mb`");
    }
}
