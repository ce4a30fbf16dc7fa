//! A text read byte by byte, with the place of every byte.

use std::io::{self, Read};

use crate::TraceError;
use crate::lines::LONGEST;

/// How many bytes are read at once.
const CHUNK: usize = 1 << 16;

/// A text being read.
pub(super) struct Text<'a, R> {
    input: R,
    file: &'a str,
    chunk: Vec<u8>,
    /// How many bytes of the chunk have been taken.
    used: usize,
    place: Place,
    /// How many bytes have been taken since [`Text::start_entry`].
    taken: usize,
}

/// Where something stands; both numbers count from 1, columns in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: u32,
    pub(super) column: usize,
}

/// Why reading stopped.
pub(super) enum ElleError {
    /// The text ended too early; this is what to say unless that is forgiven.
    CutOff(TraceError),
    /// Something is wrong.
    Wrong(TraceError),
}

impl From<TraceError> for ElleError {
    fn from(error: TraceError) -> Self {
        Self::Wrong(error)
    }
}

impl Place {
    /// The place, relative to its line.
    pub(super) fn seen_from(self, line: u32) -> String {
        match self.line == line {
            true => format!("at column {}", self.column),
            false => format!("on line {}, column {}", self.line, self.column),
        }
    }
}

impl<'a, R: Read> Text<'a, R> {
    pub(super) fn new(input: R, file: &'a str) -> Self {
        let place = Place { line: 1, column: 1 };
        Self { input, file, chunk: Vec::new(), used: 0, place, taken: 0 }
    }

    /// The name of the input.
    pub(super) fn file(&self) -> &'a str {
        self.file
    }

    /// Where the next byte stands.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// From here on the bytes of a new entry are counted.
    pub(super) fn start_entry(&mut self) {
        self.taken = 0;
    }

    /// The next byte, which stays where it is.
    pub(super) fn peek(&mut self) -> Result<Option<u8>, TraceError> {
        if self.used == self.chunk.len() {
            self.refill()?;
        }
        if self.taken > LONGEST {
            return Err(self.wrong("an entry longer than 64 MiB", "one transaction per entry"));
        }
        Ok(self.chunk.get(self.used).copied())
    }

    /// Takes the byte that was peeked at.
    pub(super) fn take(&mut self) {
        let Some(&byte) = self.chunk.get(self.used) else { return };
        self.used += 1;
        self.taken += 1;
        match byte {
            b'\n' => {
                self.place = Place { line: self.place.line.saturating_add(1), column: 1 };
            }
            _ => self.place.column += 1,
        }
    }

    /// Takes the next byte if it is this one.
    pub(super) fn take_if(&mut self, wanted: u8) -> Result<bool, TraceError> {
        let there = self.peek()? == Some(wanted);
        if there {
            self.take();
        }
        Ok(there)
    }

    /// Takes bytes as long as they pass the test.
    pub(super) fn take_while(&mut self, test: impl Fn(u8) -> bool) -> Result<Vec<u8>, TraceError> {
        let mut bytes = Vec::new();
        while let Some(byte) = self.peek()?.filter(|byte| test(*byte)) {
            bytes.push(byte);
            self.take();
        }
        Ok(bytes)
    }

    /// Passes over bytes as long as they pass the test.
    pub(super) fn skip_while(&mut self, test: impl Fn(u8) -> bool) -> Result<(), TraceError> {
        while self.peek()?.is_some_and(&test) {
            self.take();
        }
        Ok(())
    }

    /// Bytes that started at a place, as text.
    pub(super) fn utf8(&self, bytes: Vec<u8>, at: Place) -> Result<String, TraceError> {
        String::from_utf8(bytes).map_err(|error| {
            let byte = error.as_bytes()[error.utf8_error().valid_up_to()];
            let found = format!("byte 0x{byte:02x} after column {}", at.column);
            TraceError::content(self.file, at.line, &found, "UTF-8 text")
        })
    }

    /// A complaint about the next byte.
    pub(super) fn wrong(&self, found: &str, expected: &str) -> TraceError {
        TraceError::content(self.file, self.place.line, found, expected)
    }

    fn refill(&mut self) -> Result<(), TraceError> {
        self.chunk.resize(CHUNK, 0);
        self.used = 0;
        let length = loop {
            match self.input.read(&mut self.chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.chunk.truncate(*length.as_ref().unwrap_or(&0));
        length.map(drop).map_err(|error| TraceError::io(self.file, error))
    }
}
