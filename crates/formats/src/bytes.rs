//! Reads binary traces: integers and texts of a known length, and the offset of what is wrong.

use std::io::BufRead;

use crate::TraceError;

/// A binary file being read.
pub(crate) struct Bytes<'a, R> {
    input: R,
    file: &'a str,
    offset: u64,
}

impl<'a, R: BufRead> Bytes<'a, R> {
    pub(crate) fn new(input: R, file: &'a str) -> Self {
        Self { input, file, offset: 0 }
    }

    /// How many bytes have been read.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether everything has been read.
    pub(crate) fn at_end(&mut self) -> Result<bool, TraceError> {
        match self.input.fill_buf() {
            Ok(rest) => Ok(rest.is_empty()),
            Err(error) => Err(TraceError::io(self.file, error)),
        }
    }

    /// The next `N` bytes, which `what` names in the error if the file ends before.
    pub(crate) fn take<const N: usize>(&mut self, what: &str) -> Result<[u8; N], TraceError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes, what)?;
        Ok(bytes)
    }

    /// Fills a buffer with what comes next.
    pub(crate) fn fill(&mut self, buffer: &mut [u8], what: &str) -> Result<(), TraceError> {
        match self.input.read_exact(buffer) {
            Ok(()) => {
                self.offset += buffer.len() as u64;
                Ok(())
            }
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                Err(self.error(self.offset, "the end of the file", what))
            }
            Err(error) => Err(TraceError::io(self.file, error)),
        }
    }

    /// A complaint about what starts at an offset.
    pub(crate) fn error(&self, offset: u64, found: &str, expected: &str) -> TraceError {
        TraceError::bytes(self.file, offset, found, expected)
    }
}
