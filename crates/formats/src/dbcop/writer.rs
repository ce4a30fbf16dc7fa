//! Prints a history in dbcop's binary form.

use std::io::{self, Write};

use crate::listed::place_name;
use crate::plain::{self, Event, Plain, Words};
use tristan_history::{Datum, History, TxnId};

/// A time that a date library accepts and that is obviously not a real one.
const NO_TIME: &str = "1970-01-01T00:00:00.000000000+00:00";

/// As much of the name of the database is kept, in bytes.
const LONGEST_INFO: usize = 1 << 10;

/// Prints the whole history, session by session.
pub(crate) fn write(history: &History, out: &mut impl Write) -> io::Result<()> {
    let plain = Plain::of(history);
    header(history, out)?;
    number(history.sessions.len(), out)?;
    for session in &history.sessions {
        number(session.txns.len(), out)?;
        for &id in &session.txns {
            let events: Vec<Event> = plain.events(id).collect();
            number(events.len(), out)?;
            events.into_iter().try_for_each(|one| event(one, out))?;
            flag(plain.committed(id), out)?;
        }
    }
    Ok(())
}

/// What the format cannot say.
pub(crate) fn losses(history: &History) -> Vec<String> {
    let mut lost = plain::losses(history, Words { database: true, failures: true });
    let long = history.header.database.as_ref().is_some_and(|name| name.len() > LONGEST_INFO);
    lost.say(long, "the end of the name of the database, which is very long");
    let renamed = !named_by_place(history);
    lost.say(renamed, "names of sessions and transactions (they are numbered)");
    lost.finish()
}

/// The five numbers are those of the largest session and transaction, as a generator would have
/// been asked for them.
fn header(history: &History, out: &mut impl Write) -> io::Result<()> {
    let largest = |counts: &mut dyn Iterator<Item = usize>| counts.max().unwrap_or(0);
    number(0, out)?;
    number(history.sessions.len(), out)?;
    number(history.keys.len(), out)?;
    number(largest(&mut history.sessions.iter().map(|session| session.txns.len())), out)?;
    number(largest(&mut history.txns.iter().map(|txn| txn.op_count as usize)), out)?;
    let info = history.header.database.as_deref().unwrap_or_default();
    text(&info[..info.floor_char_boundary(LONGEST_INFO)], out)?;
    text(NO_TIME, out)?;
    text(NO_TIME, out)
}

fn event(event: Event, out: &mut impl Write) -> io::Result<()> {
    flag(event.write, out)?;
    out.write_all(&event.key.to_le_bytes())?;
    out.write_all(&event.value.to_le_bytes())?;
    flag(event.success, out)
}

fn number(number: usize, out: &mut impl Write) -> io::Result<()> {
    out.write_all(&(number as u64).to_le_bytes())
}

fn flag(flag: bool, out: &mut impl Write) -> io::Result<()> {
    out.write_all(&[u8::from(flag)])
}

fn text(text: &str, out: &mut impl Write) -> io::Result<()> {
    number(text.len(), out)?;
    out.write_all(text.as_bytes())
}

/// Whether everything is called as it will be when it is read again.
fn named_by_place(history: &History) -> bool {
    history.sessions.iter().enumerate().all(|(index, session)| {
        let called = |(place, id): (usize, &TxnId)| {
            let name = history.txn(*id).name.as_ref();
            name.is_none_or(|name| **name == place_name(index, place))
        };
        session.name == Datum::Int(index as i128) && session.txns.iter().enumerate().all(called)
    })
}
