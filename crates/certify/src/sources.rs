//! Possible sources of external reads.
//!
//! A read can come from the initial state or from a version that looks like what it saw. The
//! versions are sorted by key and content, so the candidates of a read are a slice of them.

use tristan_history::{Initial, KeyId, Outcome, TxnId};
use tristan_verdict::Source;

use crate::operations::{Cell, Seen};
use crate::reading::{Read, Reading};

impl Reading<'_> {
    /// Whether the initial state can have looked like this.
    pub(crate) fn initial_fits(&self, key: KeyId, seen: Seen) -> bool {
        self.initial(key).is_none_or(|cell| seen.fits(cell))
    }

    /// What the key held at the start; `None` if the trace does not say.
    pub(crate) fn initial(&self, key: KeyId) -> Option<Cell> {
        match &self.history.header.initial {
            Initial::Unknown => None,
            Initial::Empty => Some(Cell::Absent),
            Initial::Uniform(value) => Some(Cell::Value(*value)),
            Initial::Given(start) => {
                Some(start.get(&key).map_or(Cell::Absent, |&value| Cell::Value(value)))
            }
        }
    }

    /// Every possible source of a read.
    pub(crate) fn sources(&self, read: &Read) -> Vec<Source> {
        self.some_sources(read, usize::MAX)
    }

    /// The source of a read that has exactly one.
    pub(crate) fn only_source(&self, read: &Read) -> Option<Source> {
        match self.some_sources(read, 2)[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Whether nothing explains the read.
    pub(crate) fn is_unexplained(&self, read: &Read) -> bool {
        match read.seen {
            Seen::List(_) if self.is_dirty(read.txn) => self.elements_exist_once(read).is_err(),
            _ => self.some_sources(read, 1).is_empty(),
        }
    }

    /// Whether the read can have come from there.
    pub(crate) fn allows(&self, read: &Read, source: Source) -> bool {
        if let Seen::List(_) = read.seen {
            return self.only_source(read) == Some(source);
        }
        match source {
            Source::Initial => self.initial_fits(read.key, read.seen),
            Source::Txn(number) => {
                let writer = TxnId(number);
                writer != read.txn
                    && match self.is_dirty(read.txn) {
                        false => {
                            self.history.txn(writer).outcome != Outcome::Aborted
                                && self
                                    .install(writer, read.key)
                                    .is_some_and(|slot| read.seen.fits(self.installs[slot].1))
                        }
                        true => self.writers(read).iter().any(|&(_, _, txn)| txn == writer),
                    }
            }
        }
    }

    /// Up to `most` possible sources.
    fn some_sources(&self, read: &Read, most: usize) -> Vec<Source> {
        if let Seen::List(_) = read.seen {
            return self.list_source(read).into_iter().collect();
        }
        let initial = self.initial_fits(read.key, read.seen).then_some(Source::Initial);
        let others = self.writers(read).iter().filter(|&&(_, _, txn)| txn != read.txn);
        let all = initial.into_iter().chain(others.map(|&(_, _, txn)| Source::Txn(txn.0)));
        if !self.is_dirty(read.txn) || read.seen != Seen::Present {
            return all.take(most).collect();
        }
        // A transaction that wrote several values is here several times for a row count.
        let mut sources: Vec<Source> = all.collect();
        sources.sort_unstable();
        sources.dedup();
        sources
    }

    /// All transactions that wrote what the read saw, including the reader.
    fn writers(&self, read: &Read) -> &[(KeyId, Cell, TxnId)] {
        let all = if self.is_dirty(read.txn) { &self.dirty } else { &self.finals };
        matching(all, read.key, read.seen)
    }
}

/// Those of the sorted versions that look like `seen`.
fn matching(all: &[(KeyId, Cell, TxnId)], key: KeyId, seen: Seen) -> &[(KeyId, Cell, TxnId)] {
    let first = |key: KeyId, cell: Cell| all.partition_point(|&(k, c, _)| (k, c) < (key, cell));
    let past = |key: KeyId, cell: Cell| all.partition_point(|&(k, c, _)| (k, c) <= (key, cell));
    match seen {
        Seen::Absent => &all[first(key, Cell::Absent)..past(key, Cell::Absent)],
        Seen::Value(value) => {
            let cell = Cell::Value(value);
            &all[first(key, cell)..past(key, cell)]
        }
        Seen::Present => &all[past(key, Cell::Absent)..first(key, Cell::List)],
        Seen::List(_) => &[],
    }
}
