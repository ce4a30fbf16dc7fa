//! The text format of AWDIT: sessions between lines of `=`, transactions between lines of `-`.
//!
//! ```text
//!   w 0 1       the first transaction of the first session writes 1 to key 0
//!   r 1 0       and reads 0 from key 1
//!   -----
//!   w 1 2
//!   =====
//!   r 1 2
//! ```
//!
//! There is no initial state: keys are absent until a transaction writes them. A trace whose keys start
//! with 0 has a transaction that writes it. All transactions committed.

use std::io::BufRead;

use crate::TraceError;
use crate::error::ContentError;
use crate::lines::Lines;
use crate::listed::{Event, Listed};
use tristan_history::integer::integer;
use tristan_history::{Datum, History};

/// Reads a whole trace.
pub(crate) fn read<R: BufRead>(mut lines: Lines<'_, R>) -> Result<History, TraceError> {
    let mut reader = Reader::default();
    let cut_off =
        lines.each_parsed(|text, _| line(text.trim()), |number, line| reader.line(number, line))?;
    reader.end();
    let mut history = reader.listed.finish();
    if history.txns.is_empty() {
        return Err(lines.error("a file without operations", "an operation"));
    }
    history.warnings.extend(cut_off);
    Ok(history)
}

/// Whether a file starts like this.
pub(crate) fn is_likely(head: &[u8]) -> bool {
    let lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let mut events = lines.filter(|line| !line.iter().all(|byte| b"-=".contains(byte)));
    let first = events.next().and_then(|line| std::str::from_utf8(line).ok());
    first.is_some_and(|line| event(line).is_ok())
}

#[derive(Default)]
struct Reader {
    listed: Listed,
    /// The last line of the transaction being read.
    open: Option<u32>,
}

impl Reader {
    fn line(&mut self, number: u32, line: Line) -> Result<(), ContentError> {
        let event = match line {
            Line::EndOfTxn => {
                self.end();
                return Ok(());
            }
            Line::EndOfSession => {
                self.end();
                self.listed.next_session();
                return Ok(());
            }
            Line::Event(event) => event,
        };
        if self.open.replace(number).is_none() {
            self.listed.begin(number);
        }
        self.listed.event(event, number);
        Ok(())
    }

    fn end(&mut self) {
        if let Some(line) = self.open.take() {
            self.listed.end(true, line);
        }
    }
}

/// What a line says.
enum Line {
    EndOfTxn,
    EndOfSession,
    Event(Event),
}

fn line(text: &str) -> Result<Line, ContentError> {
    match text {
        _ if text.bytes().all(|byte| byte == b'-') => Ok(Line::EndOfTxn),
        _ if text.bytes().all(|byte| byte == b'=') => Ok(Line::EndOfSession),
        _ => event(text).map(Line::Event),
    }
}

fn event(text: &str) -> Result<Event, ContentError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let number = |text: &str| integer(text).map(Datum::Int);
    let event = match fields[..] {
        ["r", key, value] => number(key).zip(number(value)).map(|(k, v)| Event::Read(k, Some(v))),
        ["w", key, value] => number(key).zip(number(value)).map(|(k, v)| Event::Write(k, v)),
        _ => None,
    };
    let expected = "an operation like r 1 2, or a line of - or =";
    event.ok_or_else(|| ContentError::malformed(text, expected))
}
