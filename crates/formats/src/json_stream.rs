//! JSON files that are one long value: read piece by piece, never kept as a whole.
//!
//! ```text
//!   BufRead ──► Counted (counts lines) ──► serde_json ──► seeds, which ask for the line
//! ```
//!
//! serde_json reads byte by byte, so the lines counted so far tell where the piece at hand starts.
//! A file that was cut off is an error: there is no line that could be set aside.

use std::cell::Cell;
use std::fmt;
use std::io::{self, BufRead, Read};
use std::marker::PhantomData;

use serde::de::{self, Deserialize, DeserializeSeed, Deserializer};

use crate::TraceError;
use crate::error::ContentError;

/// The line that is being read.
#[derive(Debug, Default)]
pub(crate) struct Line {
    breaks: Cell<u32>,
    /// The line of our own complaint; serde_json reads on before it looks where it is.
    wrong: Cell<Option<u32>>,
}

impl Line {
    /// Its number, counted from 1.
    pub(crate) fn number(&self) -> u32 {
        self.breaks.get().saturating_add(1)
    }

    /// A complaint about this line, as `found …, expected …` without the first word.
    pub(crate) fn error<E: de::Error>(&self, complaint: impl fmt::Display) -> E {
        self.error_on(self.number(), complaint)
    }

    /// A complaint about an earlier line.
    pub(crate) fn error_on<E: de::Error>(&self, number: u32, complaint: impl fmt::Display) -> E {
        self.wrong.set(Some(number));
        E::custom(complaint)
    }

    /// A field that is there twice.
    pub(crate) fn twice<E: de::Error>(&self, field: &str) -> E {
        self.error(format_args!("\"{field}\" twice, expected it once"))
    }

    /// A field that is not there.
    pub(crate) fn missing<E: de::Error>(&self, whole: &str, field: &str, what: &str) -> E {
        self.error(format_args!("{whole} without \"{field}\", expected \"{field}\" ({what})"))
    }

    /// The error for an unknown field.
    pub(crate) fn other_field<E: de::Error>(&self, found: &str, expected: &str) -> E {
        self.error(format_args!("field \"{found}\", expected {expected}"))
    }
}

/// Reads a whole file through a seed.
pub(crate) fn read<S>(
    mut input: impl BufRead,
    line: &Line,
    file: &str,
    seed: S,
) -> Result<(), TraceError>
where
    S: for<'de> DeserializeSeed<'de, Value = ()>,
{
    skip_byte_order_mark(&mut input).map_err(|error| TraceError::io(file, error))?;
    let mut json = serde_json::Deserializer::from_reader(Counted { input, line });
    let read = seed.deserialize(&mut json).and_then(|()| json.end());
    read.map_err(|error| {
        let known = line.wrong.get();
        complaint(file, known.map_or_else(|| error.line(), |known| known as usize), error)
    })
}

/// Reads a value together with the line on which it starts.
pub(crate) struct Located<'a, T> {
    line: &'a Line,
    value: PhantomData<T>,
}

impl<'a, T> Located<'a, T> {
    pub(crate) fn new(line: &'a Line) -> Self {
        Self { line, value: PhantomData }
    }
}

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Located<'_, T> {
    type Value = (u32, T);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(u32, T), D::Error> {
        let line = self.line.number();
        Ok((line, T::deserialize(deserializer)?))
    }
}

/// Counts the lines of what is read.
struct Counted<'a, R> {
    input: R,
    line: &'a Line,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        let breaks = buffer[..length].iter().filter(|&&byte| byte == b'\n').count();
        let breaks = u32::try_from(breaks).unwrap_or(u32::MAX);
        self.line.breaks.set(self.line.breaks.get().saturating_add(breaks));
        Ok(length)
    }
}

fn skip_byte_order_mark(input: &mut impl BufRead) -> io::Result<()> {
    let mark = "\u{feff}".as_bytes();
    if input.fill_buf()?.starts_with(mark) {
        input.consume(mark.len());
    }
    Ok(())
}

/// What the JSON parser complains about, in the words of this crate.
fn complaint(file: &str, line: usize, error: serde_json::Error) -> TraceError {
    if error.is_io() {
        return TraceError::io(file, error.into());
    }
    let line = u32::try_from(line).unwrap_or(u32::MAX).max(1);
    if error.is_data() {
        return ContentError::from_json(&error, "", None).at(file, line);
    }
    if error.is_eof() {
        return TraceError::content(file, line, "the end of the file", "the rest of the JSON text");
    }
    let message = error.to_string();
    let reason = message.rsplit_once(" at line ").map_or(message.as_str(), |(text, _)| text);
    let expected = format!("JSON ({reason} at column {})", error.column());
    TraceError::content(file, line, "something other than JSON", expected)
}
