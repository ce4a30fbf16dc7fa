//! Own writes: what a transaction has written so far, without what it rolled back.

use tristan_history::{KeyId, TxnId};

use crate::operations::Cell;

/// The own writes of one transaction after the other.
pub(crate) struct OwnLog {
    /// Per key, the transaction that wrote it last, and what it wrote, up to this transaction.
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
