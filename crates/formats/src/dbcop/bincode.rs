//! dbcop's binary form, as serde's bincode 1 lays it out: little-endian, lengths of 64 bits.
//!
//! ```text
//!   u64 id, sessions, keys, transactions per session, events per transaction   what was asked for
//!   text info, text start, text end                        a text is a u64 length and UTF-8
//!   u64 sessions { u64 transactions { u64 events { u8 write, u64 key, u64 value, u8 success }
//!                                     u8 committed } }
//! ```
//!
//! The five numbers at the beginning are what a generator was asked for, and not always true. No
//! memory is set aside for a number of things that a file only claims to have.
//!
//! What other formats call a line is an event here, counted from 1 in the whole file.

use std::io::BufRead;

use crate::TraceError;
use crate::bytes::Bytes;
use crate::listed::{Event, Listed};
use tristan_history::{Datum, History};

/// The longest text accepted, in bytes.
const LONGEST_TEXT: u64 = 1 << 16;

/// Reads a whole file.
pub(super) fn read(input: impl BufRead, file: &str) -> Result<History, TraceError> {
    let mut reader = Reader { bytes: Bytes::new(input, file), listed: Listed::default(), event: 0 };
    reader.header()?;
    reader.sessions()?;
    if !reader.bytes.at_end()? {
        let offset = reader.bytes.offset();
        return Err(reader.bytes.error(offset, "more bytes", "the end of the file"));
    }
    Ok(reader.listed.finish())
}

/// Whether a file starts like this: small numbers, a text, two dates.
pub(super) fn is_likely(head: &[u8]) -> bool {
    let mut rest = head;
    let counts_are_small =
        (0..5).all(|_| next_number(&mut rest).is_some_and(|count| count < 1 << 32));
    counts_are_small
        && next_text(&mut rest).is_some()
        && (0..2).all(|_| next_text(&mut rest).is_some_and(is_date))
}

struct Reader<'a, R> {
    bytes: Bytes<'a, R>,
    listed: Listed,
    /// How many events have been read.
    event: u32,
}

impl<R: BufRead> Reader<'_, R> {
    fn header(&mut self) -> Result<(), TraceError> {
        let numbers = ["sessions", "keys", "transactions per session", "events per transaction"];
        self.number("the number of the history")?;
        for what in numbers {
            self.number(&format!("the number of {what} (8 bytes)"))?;
        }
        let info = self.text("what was observed")?;
        self.text("when it started")?;
        self.text("when it ended")?;
        self.listed.database(info);
        self.listed.every_key_starts_with(Datum::Int(0));
        Ok(())
    }

    fn sessions(&mut self) -> Result<(), TraceError> {
        for _ in 0..self.number("the number of sessions (8 bytes)")? {
            for _ in 0..self.number("the number of transactions (8 bytes)")? {
                self.transaction()?;
            }
            self.listed.next_session();
        }
        Ok(())
    }

    fn transaction(&mut self) -> Result<(), TraceError> {
        let first = self.event.saturating_add(1);
        self.listed.begin(first);
        for _ in 0..self.number("the number of events (8 bytes)")? {
            self.event()?;
        }
        let committed = self.flag("whether the transaction committed")?;
        self.listed.end(committed, self.event.max(first));
        Ok(())
    }

    fn event(&mut self) -> Result<(), TraceError> {
        let write = self.flag("whether the event is a write")?;
        let key = Datum::Int(self.number("a key (8 bytes)")?.into());
        let value = Datum::Int(self.number("a value (8 bytes)")?.into());
        let event = match write {
            true => Event::Write(key, value),
            false => Event::Read(key, Some(value)),
        };
        self.event = self.event.saturating_add(1);
        match self.flag("whether the event took place")? {
            true => self.listed.event(event, self.event),
            false => self.listed.failed(event, self.event),
        }
        Ok(())
    }

    fn number(&mut self, what: &str) -> Result<u64, TraceError> {
        self.bytes.take(what).map(u64::from_le_bytes)
    }

    fn flag(&mut self, what: &str) -> Result<bool, TraceError> {
        let offset = self.bytes.offset();
        match self.bytes.take(&format!("{what} (1 byte)"))? {
            [0] => Ok(false),
            [1] => Ok(true),
            [other] => {
                let found = format!("byte 0x{other:02x}");
                Err(self.bytes.error(offset, &found, &format!("{what}, 0 or 1")))
            }
        }
    }

    fn text(&mut self, what: &str) -> Result<String, TraceError> {
        let start = self.bytes.offset();
        let length = self.number(&format!("the length of a string that says {what} (8 bytes)"))?;
        if length > LONGEST_TEXT {
            let found = format!("a string of {length} bytes");
            let expected = format!("a string that says {what}, of at most {LONGEST_TEXT} bytes");
            return Err(self.bytes.error(start, &found, &expected));
        }
        let start = self.bytes.offset();
        let mut text = vec![0; length as usize];
        self.bytes.fill(&mut text, &format!("a string that says {what}"))?;
        String::from_utf8(text).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let found = format!("byte 0x{:02x}", error.as_bytes()[at]);
            self.bytes.error(start + at as u64, &found, "UTF-8 text")
        })
    }
}

fn next_number(rest: &mut &[u8]) -> Option<u64> {
    let (number, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(u64::from_le_bytes(*number))
}

fn next_text<'a>(rest: &mut &'a [u8]) -> Option<&'a str> {
    let length = usize::try_from(next_number(rest)?).ok()?;
    let (text, after) = rest.split_at_checked(length)?;
    *rest = after;
    std::str::from_utf8(text).ok()
}

/// Whether a text starts like `2019-04-02`.
fn is_date(text: &str) -> bool {
    let shape = text.bytes().take(10).map(|byte| if byte.is_ascii_digit() { b'0' } else { byte });
    shape.eq(*b"0000-00-00")
}
