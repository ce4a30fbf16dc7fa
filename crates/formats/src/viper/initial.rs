//! Who wrote which value, and what keys held at the start.
//!
//! Both are known only when every line has been read: a value that is never written may be the
//! one that its key started with.

use rustc_hash::FxHashMap;

use super::line::{Item, Seen, Step, TxnLine};
use tristan_history::{Datum, TxnId};

/// Everything that was written, and the state before that.
#[derive(Debug, Default)]
pub(super) struct Values {
    /// By key and value.
    written: FxHashMap<(Datum, Datum), Written>,
    /// By key; what is not there was absent.
    initial: FxHashMap<Datum, Seen>,
    /// Whether the initial state was read as a whole.
    complete: bool,
}

/// How a value was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    Live,
    Tombstone(TxnId),
    /// The write failed, so no transaction can have seen it.
    Never,
}

/// What a read has seen, in words of the model.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Value(Datum),
    /// Nothing; from which transaction or from the initial state, if a tombstone says so.
    Absent(Option<Option<TxnId>>),
}

impl Values {
    /// Notes what a transaction wrote; `None` stands for what tells the initial state.
    pub(super) fn write(&mut self, txn: Option<TxnId>, line: &TxnLine) {
        for step in &line.value {
            match (txn, step) {
                (None, step) => self.begin_with(step),
                (Some(_), Step::Write { key, value, done }) => {
                    self.note(key, value, *done, Written::Live);
                }
                (Some(_), Step::Insert { key, value, done, .. }) => {
                    self.note(key, value, *done, Written::Live);
                }
                (Some(txn), Step::Delete { key, tombstone, done, .. }) => {
                    self.note(key, tombstone, *done, Written::Tombstone(txn));
                }
                (Some(_), Step::Read { .. } | Step::Range { .. } | Step::Commit) => {}
            }
        }
    }

    fn note(&mut self, key: &Datum, value: &Datum, done: bool, how: Written) {
        let how = if done { how } else { Written::Never };
        let entry = self.written.entry((key.clone(), value.clone())).or_insert(how);
        if *entry == Written::Never {
            *entry = how;
        }
    }

    /// Takes what an operation says about the initial state.
    fn begin_with(&mut self, step: &Step) {
        match step {
            Step::Read { key, seen } => self.starts_as(key, seen),
            Step::Write { key, value, done: true }
            | Step::Insert { key, value, done: true, .. } => {
                self.starts_as(key, &Seen::Live(value.clone()));
            }
            Step::Delete { key, tombstone, done: true, .. } => {
                self.starts_as(key, &Seen::Dead(tombstone.clone()));
            }
            Step::Range { from, to, live, dead } => {
                self.complete |= is_everything(from.as_ref(), to.as_ref());
                self.starts_with(live, Seen::Live);
                self.starts_with(dead, Seen::Dead);
            }
            Step::Write { .. } | Step::Insert { .. } | Step::Delete { .. } | Step::Commit => {}
        }
    }

    fn starts_with(&mut self, rows: &[Item], how: fn(Datum) -> Seen) {
        rows.iter().for_each(|row| self.starts_as(&row.id, &how(row.val.clone())));
    }

    fn starts_as(&mut self, key: &Datum, seen: &Seen) {
        self.initial.entry(key.clone()).or_insert_with(|| seen.clone());
    }

    /// Takes what a transaction read and no transaction wrote for the initial state; every write must
    /// have been noted before.
    pub(super) fn guess(&mut self, line: &TxnLine) {
        if self.complete {
            return;
        }
        for step in &line.value {
            match step {
                Step::Read { key, seen }
                | Step::Insert { key, seen, .. }
                | Step::Delete { key, seen, .. } => self.guess_one(key, seen),
                Step::Range { live, dead, .. } => {
                    for row in live {
                        self.guess_one(&row.id, &Seen::Live(row.val.clone()));
                    }
                    for row in dead {
                        self.guess_one(&row.id, &Seen::Dead(row.val.clone()));
                    }
                }
                Step::Write { .. } | Step::Commit => {}
            }
        }
    }

    fn guess_one(&mut self, key: &Datum, seen: &Seen) {
        let unwritten = match seen {
            Seen::Nothing => false,
            Seen::Live(value) => self.how(key, value).is_none() && *value != NOTHING,
            Seen::Dead(value) => self.how(key, value).is_none(),
        };
        if unwritten {
            self.starts_as(key, seen);
        }
    }

    /// What the key held at the start.
    pub(super) fn initial_values(&self) -> Vec<(&Datum, &Datum)> {
        let starts = self.initial.iter();
        let live = starts.filter_map(|(key, seen)| match seen {
            Seen::Live(value) if !self.is_nothing(key, value) => Some((key, value)),
            _ => None,
        });
        let mut live: Vec<_> = live.collect();
        live.sort();
        live
    }

    /// What a read has seen.
    pub(super) fn meaning(&self, key: &Datum, seen: &Seen) -> Meaning {
        match seen {
            Seen::Nothing => Meaning::Absent(None),
            Seen::Live(value) if self.is_nothing(key, value) => Meaning::Absent(None),
            Seen::Live(value) => Meaning::Value(value.clone()),
            Seen::Dead(value) => match self.how(key, value) {
                Some(Written::Tombstone(txn)) => Meaning::Absent(Some(Some(txn))),
                None if self.initial.get(key) == Some(seen) => Meaning::Absent(Some(None)),
                _ => Meaning::Value(Datum::Text(format!("tombstone {value}").into())),
            },
        }
    }

    fn how(&self, key: &Datum, value: &Datum) -> Option<Written> {
        self.written.get(&(key.clone(), value.clone())).copied()
    }

    /// Zero is the hash of no row at all, unless a transaction writes it.
    fn is_nothing(&self, key: &Datum, value: &Datum) -> bool {
        *value == NOTHING && self.how(key, value).is_none()
    }
}

/// The hash of a row that is not there.
const NOTHING: Datum = Datum::Int(0);

/// Whether a range leaves no key out. One of the layouts has no word for a missing bound and
/// writes the smallest and the largest integer.
fn is_everything(from: Option<&Datum>, to: Option<&Datum>) -> bool {
    from.is_none_or(|from| *from <= Datum::from(i64::MIN))
        && to.is_none_or(|to| matches!(to, Datum::Int(to) if *to >= i64::MAX.into()))
}
