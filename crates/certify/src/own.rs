//! Own writes: what a transaction has written so far, and what its reads of these keys say.

use tristan_history::{KeyId, OwnWrites, TxnId};

use crate::operations::{Cell, Seen};
use crate::reading::{Read, Reading};

/// The own writes of one transaction after the other.
pub(crate) struct OwnLog {
    /// Per key, who wrote it last, and what, up to this transaction.
    last: Vec<LastWrite>,
    /// The writes of this transaction that are not undone.
    log: Vec<Entry>,
}

type LastWrite = Option<(TxnId, Cell)>;

struct Entry {
    op: u32,
    key: KeyId,
    /// What was the last write of the key before.
    before: LastWrite,
}

impl OwnLog {
    /// Nothing was written to any of this many keys.
    pub(crate) fn new(keys: usize) -> Self {
        Self { last: vec![None; keys], log: Vec::new() }
    }

    /// The transaction's last write of the key.
    pub(crate) fn of(&self, txn: TxnId, key: KeyId) -> Option<Cell> {
        self.last[key.index()].filter(|&(writer, _)| writer == txn).map(|(_, cell)| cell)
    }

    /// Notes a write.
    pub(crate) fn write(&mut self, txn: TxnId, op: u32, key: KeyId, cell: Cell) {
        let before = self.last[key.index()].replace((txn, cell));
        self.log.push(Entry { op, key, before });
    }

    /// Takes back the latest writes, as long as `undone` says so.
    pub(crate) fn undo(&mut self, undone: impl Fn(u32) -> bool) {
        while let Some(entry) = self.log.pop_if(|entry| undone(entry.op)) {
            self.last[entry.key.index()] = entry.before;
        }
    }

    /// Ends the transaction: the keys that it has written, with the last write of each.
    pub(crate) fn versions(&mut self, txn: TxnId) -> Vec<(KeyId, Cell)> {
        let mut keys: Vec<KeyId> = self.log.drain(..).map(|entry| entry.key).collect();
        keys.sort_unstable();
        keys.dedup();
        keys.into_iter().filter_map(|key| Some((key, self.of(txn, key)?))).collect()
    }
}

/// What a read says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    /// Nothing: it returned the own write.
    Nothing,
    /// This about what others wrote.
    External(Seen),
    /// It should have returned the own write.
    Violation,
}

impl Reading<'_> {
    /// What the read says, if its transaction's last write of the key at that moment is `own`.
    pub(crate) fn says(&self, read: &Read, own: Option<Cell>) -> Says {
        let policy = self.history.header.own_writes;
        if policy == OwnWrites::External {
            return Says::External(read.seen);
        }
        let visible = match (read.seen, own) {
            (Seen::List(_), _) => {
                self.external_part(read).map(|length| Says::External(Seen::List(length)))
            }
            (seen, None) => Some(Says::External(seen)),
            (seen, Some(cell)) => seen.fits(cell).then_some(Says::Nothing),
        };
        match policy {
            OwnWrites::Must => visible.unwrap_or(Says::Violation),
            OwnWrites::External | OwnWrites::May => visible.unwrap_or(Says::External(read.seen)),
        }
    }
}
