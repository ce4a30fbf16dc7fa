//! Files for sessions and ids for transactions: the names they have, where those fit.

use rustc_hash::FxHashSet;

use super::marks::Mark;
use tristan_history::{Datum, History};

/// What sessions and transactions are called in the logs.
pub(super) struct Names {
    /// Per session, the name of its file without extension.
    pub(super) files: Vec<String>,
    /// Per transaction, its id.
    pub(super) txns: Vec<u64>,
    /// An id that no transaction has.
    pub(super) unwritten: u64,
    /// How many sessions are not called as before.
    pub(super) renamed_sessions: usize,
    /// How many transactions had another name.
    pub(super) renamed_txns: usize,
}

impl Names {
    pub(super) fn of(history: &History) -> Self {
        let wanted = |name: Option<&Datum>, read: fn(&str) -> Option<u64>| match name {
            Some(Datum::Text(text)) => read(text),
            _ => None,
        };
        let sessions = history.sessions.iter().map(|session| wanted(Some(&session.name), thread));
        let (threads, _) = distinct(sessions.collect());
        let named = history.txns.iter().map(|txn| wanted(txn.name.as_deref(), id));
        let (txns, unwritten) = distinct(named.collect());
        let files: Vec<String> = threads.iter().map(|thread| format!("T{thread}")).collect();
        let is = |name: &Datum, text: &str| matches!(name, Datum::Text(name) if **name == *text);
        let sessions = history.sessions.iter().zip(&files);
        let renamed_sessions = sessions.filter(|(session, file)| !is(&session.name, file)).count();
        let names = history.txns.iter().map(|txn| &txn.name).zip(&txns);
        let renamed = |name: &Datum, id: u64| !is(name, &format!("{id:x}"));
        let renamed_txns = names
            .filter(|(name, id)| name.as_ref().is_some_and(|name| renamed(name, **id)))
            .count();
        Self { files, txns, unwritten, renamed_sessions, renamed_txns }
    }
}

/// The number in the usual name of a file.
fn thread(name: &str) -> Option<u64> {
    let number: u64 = name.strip_prefix('T')?.parse().ok()?;
    (name == format!("T{number}")).then_some(number)
}

/// The number that a name spells in hexadecimal digits, as the reader does.
fn id(name: &str) -> Option<u64> {
    let number = u64::from_str_radix(name, 16).ok()?;
    (name == format!("{number:x}")).then_some(number)
}

/// The numbers wanted, where they are free and no marks; else the smallest that are free. Also
/// one more that is.
fn distinct(wanted: Vec<Option<u64>>) -> (Vec<u64>, u64) {
    let mut taken = FxHashSet::default();
    let granted = |wish: Option<u64>| wish.filter(|wish| Mark::of(*wish).is_none());
    let granted: Vec<Option<u64>> =
        wanted.into_iter().map(|wish| granted(wish).filter(|wish| taken.insert(*wish))).collect();
    let mut next = 0;
    let mut free = || {
        next += 1;
        while taken.contains(&next) || Mark::of(next).is_some() {
            next += 1;
        }
        next
    };
    let numbers = granted.into_iter().map(|wish| wish.unwrap_or_else(&mut free)).collect();
    (numbers, free())
}
