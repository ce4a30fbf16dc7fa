//! dbcop's text form, for people.
//!
//! ```text
//!   // a remark
//!   [x:=1 y==?] [x==1]!       two transactions: writes x, finds no y; reads x, and does not commit
//!   ---                       the next session
//!   [y:=2]
//! ```
//!
//! Keys are words, versions are whole numbers.

use std::io::BufRead;

use crate::TraceError;
use crate::error::ContentError;
use crate::lines::Lines;
use crate::listed::{Event, Listed};
use tristan_history::integer::integer;
use tristan_history::{Datum, History};

/// Reads a whole file.
pub(super) fn read(input: impl BufRead, file: &str) -> Result<History, TraceError> {
    let (mut lines, mut listed) = (Lines::new(input, file), Listed::default());
    let cut_off = lines.each(|number, text| line(&mut listed, number, text.trim()))?;
    let mut history = listed.finish();
    history.warnings.extend(cut_off);
    Ok(history)
}

/// Whether a line starts like one with transactions.
pub(super) fn is_likely(line: &str) -> bool {
    let word = line.strip_prefix('[').and_then(split_word);
    word.is_some_and(|(_, rest)| rest.starts_with(":=") || rest.starts_with("=="))
}

fn line(listed: &mut Listed, number: u32, text: &str) -> Result<(), ContentError> {
    if text.starts_with("//") {
        return Ok(());
    }
    if text.bytes().all(|byte| byte == b'-') {
        listed.next_session();
        return Ok(());
    }
    // A line that is wrong at its end must leave nothing behind.
    let mut transactions = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (transaction, after) = transaction(rest)?;
        transactions.push(transaction);
        rest = after.trim_start();
    }
    for (events, committed) in transactions {
        listed.begin(number);
        events.into_iter().for_each(|event| listed.event(event, number));
        listed.end(committed, number);
    }
    Ok(())
}

/// The events of the first transaction of a text, whether it committed, and the rest.
fn transaction(text: &str) -> Result<((Vec<Event>, bool), &str), ContentError> {
    let found_no = |what| move || ContentError::malformed(text, what);
    let inside = text.strip_prefix('[').ok_or_else(found_no("a transaction like [x:=1 y==2]"))?;
    let (inside, rest) = inside.split_once(']').ok_or_else(found_no("] at its end"))?;
    let events = inside.split_whitespace().map(event).collect::<Result<_, _>>()?;
    Ok(match rest.strip_prefix('!') {
        Some(rest) => ((events, false), rest),
        None => ((events, true), rest),
    })
}

fn event(text: &str) -> Result<Event, ContentError> {
    let parsed = split_word(text).and_then(|(word, rest)| {
        let key = Datum::from(word);
        if let Some(version) = rest.strip_prefix(":=") {
            return Some(Event::Write(key, self::version(version)?));
        }
        match rest.strip_prefix("==")? {
            "?" => Some(Event::Read(key, None)),
            version => Some(Event::Read(key, Some(self::version(version)?))),
        }
    });
    parsed.ok_or_else(|| ContentError::malformed(text, "an event like x:=1, x==1 or x==?"))
}

fn version(text: &str) -> Option<Datum> {
    integer(text).filter(|number| *number >= 0).map(Datum::Int)
}

/// The word at the beginning of a text, and the rest.
fn split_word(text: &str) -> Option<(&str, &str)> {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let end = text.find(|letter| !is_letter(letter)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}
