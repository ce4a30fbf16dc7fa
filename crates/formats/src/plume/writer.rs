//! Prints a history in this format.

use std::io::{self, Write};

use rustc_hash::FxHashSet;

use crate::plain::{self, Plain, Words};
use tristan_history::{Datum, History, Outcome, SessionId, Txn, TxnId};

/// Prints one line per operation, session by session.
pub(crate) fn write(history: &History, out: &mut impl Write) -> io::Result<()> {
    let (plain, names) = (Plain::of(history), Names::of(history));
    for id in history.sessions.iter().flat_map(|session| session.txns.iter().copied()) {
        let session = names.session(history, history.txn(id).session);
        let txn = match plain.committed(id) {
            true => names.txn(history, id).to_string(),
            false => "-1".to_owned(),
        };
        for event in plain.events(id).filter(|event| event.success) {
            let tag = if event.write { 'w' } else { 'r' };
            writeln!(out, "{tag}({},{},{session},{txn})", event.key, event.value)?;
        }
    }
    Ok(())
}

/// What the format cannot say.
pub(crate) fn losses(history: &History) -> Vec<String> {
    let mut lost = plain::losses(history, Words { database: false, failures: false });
    let names = Names::of(history);
    lost.say(names.new_sessions, "names of sessions (they are numbered)");
    let is_named = history.txns.iter().any(|txn| txn.name.is_some());
    lost.say(names.new_txns && is_named, "names of transactions (they are numbered)");
    lost.txns(
        "which operations of aborted transactions belong together, and their sessions",
        |txn| txn.outcome == Outcome::Aborted && txn.op_count > 0,
    );
    lost.txns("transactions without operations", |txn| txn.op_count == 0);
    lost.finish()
}

/// How sessions and transactions become numbers.
struct Names {
    new_sessions: bool,
    new_txns: bool,
}

impl Names {
    fn of(history: &History) -> Self {
        let mut taken = FxHashSet::default();
        // No transaction is called 0: readers take one of that name for the initial state.
        let mut usable = |txn: &Txn| {
            txn.name.as_deref().and_then(number).is_some_and(|name| name > 0 && taken.insert(name))
        };
        let new_txns = !history.txns.iter().all(&mut usable);
        let new_sessions = history.sessions.iter().any(|session| number(&session.name).is_none());
        Self { new_sessions, new_txns }
    }

    fn session(&self, history: &History, id: SessionId) -> u64 {
        let known = number(&history.sessions[id.index()].name).filter(|_| !self.new_sessions);
        known.unwrap_or(id.0.into())
    }

    fn txn(&self, history: &History, id: TxnId) -> u64 {
        let known = history.txn(id).name.as_deref().and_then(number).filter(|_| !self.new_txns);
        known.unwrap_or(u64::from(id.0) + 1)
    }
}

/// A name that is a number which fits everywhere; some readers keep it in 63 bits.
fn number(name: &Datum) -> Option<u64> {
    match name {
        Datum::Int(number) => i64::try_from(*number).ok()?.try_into().ok(),
        Datum::Text(_) | Datum::Bytes(_) | Datum::Json(_) => None,
    }
}
