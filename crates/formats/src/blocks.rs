//! Cuts an input into blocks of whole lines.
//!
//! ```text
//!   BufRead ──► Blocks ──► [line ⏎ line ⏎ …] [line ⏎ …] … [line ⏎ half a li]
//! ```
//!
//! Only the last block may end without a line break.

use std::io::{self, BufRead, ErrorKind};

use crate::error::ContentError;

/// The longest line accepted, in bytes.
pub(crate) const LONGEST: usize = 64 << 20;

/// How many bytes a block has, unless a line is longer or it is the last one. Small enough for what
/// is parsed from it to stay in the cache.
const BLOCK: usize = 128 << 10;

/// Some editors put this in front of a text file.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// An input being cut.
pub(crate) struct Blocks<R> {
    input: R,
    /// The start of a line that goes on.
    rest: Vec<u8>,
    under_way: bool,
}

/// Some lines.
#[derive(Debug)]
pub(crate) struct Block {
    bytes: Vec<u8>,
}

/// Why there is no next block.
#[derive(Debug)]
pub(crate) enum BlockError {
    Io(io::Error),
    /// The next line is too long.
    LineTooLong,
}

pub(crate) struct BlockLine<'a> {
    /// How many lines of the block come before.
    pub(crate) place: u32,
    /// It ended with a line break.
    pub(crate) complete: bool,
    /// Its text, or a complaint about it.
    pub(crate) text: Result<&'a str, ContentError>,
}

impl<R: BufRead> Blocks<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input, rest: Vec::new(), under_way: false }
    }

    /// The next block, if there is one.
    pub(crate) fn next(&mut self) -> Result<Option<Block>, BlockError> {
        let mut bytes = std::mem::take(&mut self.rest);
        // Where the last whole line ends.
        let mut whole = 0;
        while (whole == 0 || bytes.len() < BLOCK) && bytes.len() - whole <= LONGEST {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(BlockError::Io(error)),
            };
            if chunk.is_empty() {
                break;
            }
            let length = chunk.len().min(BLOCK);
            let line_break = chunk[..length].iter().rposition(|&byte| byte == b'\n');
            whole = line_break.map_or(whole, |at| bytes.len() + at + 1);
            make_room(&mut bytes, length);
            bytes.extend_from_slice(&chunk[..length]);
            self.input.consume(length);
        }
        if whole == 0 && bytes.len() > LONGEST {
            return Err(BlockError::LineTooLong);
        }
        if whole > 0 {
            self.rest = bytes.split_off(whole);
        }
        if !std::mem::replace(&mut self.under_way, true) && bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        Ok((!bytes.is_empty()).then_some(Block { bytes }))
    }
}

impl Block {
    /// The number of bytes.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// How many lines there are.
    pub(crate) fn count(&self) -> u32 {
        let breaks = self.bytes.iter().filter(|&&byte| byte == b'\n').count() as u32;
        breaks + u32::from(!self.bytes.ends_with(b"\n"))
    }

    /// The lines that are not blank.
    pub(crate) fn lines(&self) -> impl Iterator<Item = BlockLine<'_>> {
        let lines = self.bytes.split_inclusive(|&byte| byte == b'\n');
        let lines = (0..).zip(lines).filter(|(_, line)| !line.iter().all(u8::is_ascii_whitespace));
        lines.map(|(place, line)| {
            let (line, complete) = match line.strip_suffix(b"\n") {
                Some(line) => (line, true),
                None => (line, false),
            };
            BlockLine { place, complete, text: text(line, complete) }
        })
    }
}

/// A line as text. A last line cut within a character keeps what is whole.
fn text(line: &[u8], complete: bool) -> Result<&str, ContentError> {
    if line.len() > LONGEST {
        return Err(line_too_long());
    }
    match std::str::from_utf8(line) {
        Ok(text) => Ok(text),
        Err(error) if error.error_len().is_none() && !complete => {
            let whole = &line[..error.valid_up_to()];
            Ok(std::str::from_utf8(whole).unwrap_or_default())
        }
        Err(error) => {
            let byte = line[error.valid_up_to()];
            let found = format!("byte 0x{byte:02x} at column {}", error.valid_up_to() + 1);
            Err(ContentError::new(found, "UTF-8 text"))
        }
    }
}

/// The complaint about a line that is too long.
pub(crate) fn line_too_long() -> ContentError {
    ContentError::new("a line longer than 64 MiB", "one event per line")
}

/// Doubles the capacity as a vector would, but hardly beyond the longest line.
fn make_room(buffer: &mut Vec<u8>, extra: usize) {
    let needed = buffer.len() + extra;
    if needed > buffer.capacity() {
        let wanted = (2 * buffer.capacity()).clamp(BLOCK + extra, LONGEST + BLOCK).max(needed);
        buffer.reserve_exact(wanted - buffer.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_whole_lines() {
        let lines: Vec<String> = (0..50_000).map(|number| "x".repeat(number % 40)).collect();
        for text in [lines.join("\n"), lines.join("\n") + "\n", "\n".repeat(300_000)] {
            let input = io::BufReader::with_capacity(777, text.as_bytes());
            let (mut blocks, mut bytes, mut count) = (Blocks::new(input), Vec::new(), 0);
            while let Some(block) = blocks.next().expect("memory can be read") {
                assert!(bytes.is_empty() || bytes.ends_with(b"\n"));
                count += block.count();
                bytes.extend_from_slice(&block.bytes);
            }
            assert!(bytes == text.as_bytes());
            assert_eq!(count as usize, text.lines().count());
        }
    }
}
