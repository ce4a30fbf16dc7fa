//! Numbers for keys and values: the ones they are, if that can be, else new ones.

use super::steps::{self, Step};
use tristan_history::{History, Initial, KeyId, Observed};

/// How keys and values become numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    /// Keys are numbered in the order in which they first occur.
    pub(super) new_keys: bool,
    /// Values are numbered from 1 on, and 0 is what the key starts with.
    pub(super) new_values: bool,
    /// Keys are used that start absent.
    pub(super) from_nothing: bool,
}

impl Numbers {
    pub(super) fn of(history: &History) -> Self {
        let mut numbers = Self { new_keys: false, new_values: false, from_nothing: false };
        for id in history.txn_ids() {
            for step in steps::of_txn(history, id) {
                let (key, value) = match step {
                    Step::Read(key, value)
                    | Step::Write(key, value)
                    | Step::FailedWrite(key, value) => (key, Some(value)),
                    Step::FailedRead(key) => (key, None),
                };
                numbers.new_keys |= history.key(key).natural().is_none();
                numbers.new_values |= value.is_some_and(|value| !keeps(history, key, value));
                numbers.from_nothing |= initial(history, key) == Observed::Absent;
            }
        }
        numbers
    }

    /// The number of a key.
    pub(super) fn key(self, history: &History, key: KeyId) -> u64 {
        let new = u64::from(key.0);
        if self.new_keys { new } else { history.key(key).natural().unwrap_or(new) }
    }

    /// The number of a value of a key.
    pub(super) fn value(self, history: &History, key: KeyId, value: Observed) -> u64 {
        if value == initial(history, key) {
            return 0;
        }
        let absent = history.values.len() as u64 + 1;
        match value {
            Observed::Value(id) if self.new_values => u64::from(id.0) + 1,
            Observed::Value(id) => history.value(id).natural().unwrap_or(absent),
            Observed::Absent | Observed::Unknown => absent,
        }
    }
}

/// The initial value of a key. If it is unknown, the key is taken to be absent.
fn initial(history: &History, key: KeyId) -> Observed {
    match history.header.initial {
        Initial::Unknown => Observed::Absent,
        _ => history.initial_of(key).unwrap_or(Observed::Absent),
    }
}

/// Whether a value of a key can stay the number it is.
fn keeps(history: &History, key: KeyId, value: Observed) -> bool {
    let number = |value: Observed| match value {
        Observed::Value(id) => history.value(id).natural(),
        Observed::Absent | Observed::Unknown => None,
    };
    match (number(value), initial(history, key)) {
        // Only what the key starts with may be 0.
        (Some(0), initial) => initial == value,
        (Some(_), Observed::Absent) => true,
        (Some(_), initial) => number(initial) == Some(0),
        (None, initial) => value == Observed::Absent && initial == Observed::Absent,
    }
}
