//! What formats can say that know only reads and writes of whole numbers.
//!
//! ```text
//!   History ──► Plain: transactions that took effect or not, steps (read or write, key, value)
//! ```
//!
//! Keys and values are numbers of 64 bits, and every key starts with 0. If keys or values are
//! something else, or if 0 is taken, they are numbered; a read then still sees the same writes as
//! before, so no verdict changes. A key that starts absent starts with 0 here, and a delete writes
//! what stands for absent.
//!
//! What cannot be said is left out or made certain; [`losses`] tells what.

mod losses;
mod numbers;
mod outcomes;
mod steps;

pub(crate) use losses::{Words, losses};
use numbers::Numbers;
use steps::Step;
use tristan_history::{History, KeyId, Observed, TxnId};

/// A history in plain words.
pub(crate) struct Plain<'a> {
    history: &'a History,
    numbers: Numbers,
    committed: Vec<bool>,
}

/// A read or write, in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) write: bool,
    pub(crate) key: u64,
    pub(crate) value: u64,
    /// Whether it took place.
    pub(crate) success: bool,
}

impl<'a> Plain<'a> {
    pub(crate) fn of(history: &'a History) -> Self {
        let (numbers, committed) = (Numbers::of(history), outcomes::committed(history));
        Self { history, numbers, committed }
    }

    /// Whether a transaction took effect.
    pub(crate) fn committed(&self, id: TxnId) -> bool {
        self.committed[id.index()]
    }

    /// What a transaction did.
    pub(crate) fn events(&self, id: TxnId) -> impl Iterator<Item = Event> {
        steps::of_txn(self.history, id).into_iter().map(|step| self.event(step))
    }

    fn event(&self, step: Step) -> Event {
        let number = |key: KeyId, seen: Observed| self.numbers.value(self.history, key, seen);
        let (write, key, value, success) = match step {
            Step::Read(key, seen) => (false, key, number(key, seen), true),
            Step::Write(key, value) => (true, key, number(key, value), true),
            // A read that failed comes with a 0 that means nothing.
            Step::FailedRead(key) => (false, key, 0, false),
            Step::FailedWrite(key, value) => (true, key, number(key, value), false),
        };
        Event { write, key: self.numbers.key(self.history, key), value, success }
    }
}
