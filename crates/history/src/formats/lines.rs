//! Reads a trace line by line, never holding more than one line and never a monstrous one.
//!
//! ```text
//!   BufRead ──► Lines ──► (number, text, complete?) ──► step ──► Result<(), Problem>
//! ```
//!
//! A recorder that is killed leaves half a line behind. So a last line without a line break
//! that is not JSON is set aside with a warning; the same text anywhere else is an error.

use std::io::BufRead;

use crate::error::{Problem, TraceError, quote};

/// The longest line accepted, in bytes.
pub(crate) const LONGEST: usize = 64 << 20;

/// A trace being read.
pub(crate) struct Lines<'a, R> {
    input: R,
    file: &'a str,
    buffer: Vec<u8>,
    number: u32,
    /// The current line ended with a line break.
    complete: bool,
}

impl<'a, R: BufRead> Lines<'a, R> {
    pub(crate) fn new(input: R, file: &'a str) -> Self {
        Self { input, file, buffer: Vec::new(), number: 0, complete: false }
    }

    /// Shows every line that is not blank to `step`; returns a warning if the last was cut off.
    pub(crate) fn each(
        &mut self,
        mut step: impl FnMut(u32, &str) -> Result<(), Problem>,
    ) -> Result<Option<String>, TraceError> {
        let mut seen_any = false;
        while self.advance()? {
            if self.blank() {
                continue;
            }
            let text = self.text()?;
            match step(self.number, text) {
                Ok(()) => seen_any = true,
                Err(problem) if problem.malformed && !self.complete && seen_any => {
                    return Ok(Some(format!(
                        "line {} is cut off and was ignored: {}",
                        self.number,
                        quote(text)
                    )));
                }
                Err(problem) => return Err(problem.at(self.file, self.number)),
            }
        }
        Ok(None)
    }

    /// The name of the input.
    pub(crate) fn file(&self) -> &'a str {
        self.file
    }

    /// An error on the current line.
    pub(crate) fn error(&self, found: &str, expected: &str) -> TraceError {
        TraceError::content(self.file, self.number.max(1), found, expected)
    }

    fn blank(&self) -> bool {
        self.buffer.iter().all(u8::is_ascii_whitespace)
    }

    /// The current line as text. A last line cut within a character keeps what is whole.
    fn text(&self) -> Result<&str, TraceError> {
        match std::str::from_utf8(&self.buffer) {
            Ok(text) => Ok(text),
            Err(error) if error.error_len().is_none() && !self.complete => {
                let whole = &self.buffer[..error.valid_up_to()];
                Ok(std::str::from_utf8(whole).unwrap_or_default())
            }
            Err(error) => {
                let byte = self.buffer[error.valid_up_to()];
                let found = format!("byte 0x{byte:02x} at column {}", error.valid_up_to() + 1);
                Err(self.error(&found, "text in UTF-8"))
            }
        }
    }

    /// Moves to the next line; false at the end.
    fn advance(&mut self) -> Result<bool, TraceError> {
        self.buffer.clear();
        self.complete = false;
        self.number = self.number.saturating_add(1);
        while !self.complete {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(TraceError::io(self.file, error)),
            };
            if chunk.is_empty() {
                break;
            }
            let line_break = chunk.iter().position(|&byte| byte == b'\n');
            let piece = &chunk[..line_break.unwrap_or(chunk.len())];
            if self.buffer.len() + piece.len() > LONGEST {
                return Err(self.error("a line longer than 64 MiB", "one event per line"));
            }
            make_room(&mut self.buffer, piece.len());
            self.buffer.extend_from_slice(piece);
            let used = line_break.map_or(chunk.len(), |at| at + 1);
            self.complete = line_break.is_some();
            self.input.consume(used);
        }
        if self.number == 1 && self.buffer.starts_with(BYTE_ORDER_MARK) {
            self.buffer.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(self.complete || !self.buffer.is_empty())
    }
}

/// Some editors put this in front of a text file.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Doubles the capacity as a vector would, but never beyond the longest line.
fn make_room(buffer: &mut Vec<u8>, extra: usize) {
    let needed = buffer.len() + extra;
    if needed > buffer.capacity() {
        let wanted = needed.max(2 * buffer.capacity()).min(LONGEST);
        buffer.reserve_exact(wanted - buffer.len());
    }
}
