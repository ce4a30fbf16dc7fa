//! Transactions out of single requests.
//!
//! ```text
//!   begin        nothing is sent
//!   first read   of the newest revision: the transaction is pinned to it
//!   other reads  at that revision; what was read or written before is answered from memory
//!   writes       are kept
//!   commit       one request: compare, and if all of it holds, write everything
//! ```
//!
//! What has to be compared? *Serializable*: that every key read was last written by the revision
//! that wrote what was read. Then all reads are true at the moment of the commit, and the transaction
//! might as well have run there in one go. A key that was read as absent compares as written by
//! revision 0, which also holds if it came and went in between: just as true. A transaction that
//! wrote nothing needs no request, for it belongs at the revision that it is pinned to.
//!
//! *Snapshot*: that no other transaction has written, since the revision of the reads, what this transaction
//! writes. Here it is not enough to ask for the key's revision, because a key that was
//! deleted has none: the deletion would be overwritten unseen. Therefore every deletion also
//! writes a key that stays (its *grave*), and that one is compared too. If nothing was read, the
//! snapshot may be as late as the commit and nothing is compared.

use std::collections::BTreeMap;

use super::Keys;
use super::api::{Api, Change, Compare, Found};
use crate::connection::Committed;
use crate::{Connection, DatabaseError};

/// What is promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Isolation {
    Serializable,
    Snapshot,
    ReadCommitted,
}

/// A client's connection.
pub(super) struct Client {
    api: Api,
    keys: Keys,
    isolation: Isolation,
    running: Running,
}

/// The transaction under way.
#[derive(Default)]
struct Running {
    /// The revision that reads are of.
    pinned: Option<i64>,
    /// What was read from the server.
    reads: BTreeMap<i64, Read>,
    /// What is to be written; `None` is a deletion.
    writes: BTreeMap<i64, Option<i64>>,
}

#[derive(Clone, Copy)]
struct Read {
    value: Option<i64>,
    /// The revision that wrote it.
    written: i64,
}

impl Client {
    pub(super) fn new(api: Api, keys: Keys, isolation: Isolation) -> Self {
        Self { api, keys, isolation, running: Running::default() }
    }

    /// Reads a key from the server, and remembers it.
    fn fetch(&mut self, key: i64) -> Result<Option<i64>, DatabaseError> {
        let Found { value, written, newest } =
            self.api.range(&self.keys.value(key), self.running.pinned)?;
        let read = Read { value: value.as_deref().map(number).transpose()?, written };
        if self.isolation != Isolation::ReadCommitted {
            self.running.pinned.get_or_insert(newest);
            self.running.reads.insert(key, read);
        }
        Ok(read.value)
    }

    /// What must hold for the transaction to commit.
    fn conditions(&self) -> Vec<Compare> {
        let Some(pinned) = self.running.pinned else { return Vec::new() };
        let mut conditions = Vec::new();
        if self.isolation == Isolation::Serializable {
            for (key, read) in &self.running.reads {
                conditions.push(Compare::written_by(&self.keys.value(*key), read.written));
            }
        }
        for key in self.running.writes.keys() {
            conditions.push(Compare::not_written_after(&self.keys.value(*key), pinned));
            conditions.push(Compare::not_written_after(&self.keys.grave(*key), pinned));
        }
        conditions
    }

    fn changes(&self) -> Vec<Change> {
        let mut changes = Vec::new();
        for (key, value) in &self.running.writes {
            match value {
                Some(value) => {
                    changes.push(Change::put(&self.keys.value(*key), &value.to_string()));
                }
                None => {
                    changes.push(Change::delete(&self.keys.value(*key)));
                    changes.push(Change::put(&self.keys.grave(*key), ""));
                }
            }
        }
        changes
    }
}

impl Connection for Client {
    fn begin(&mut self) -> Result<(), DatabaseError> {
        self.running = Running::default();
        Ok(())
    }

    fn get(&mut self, key: i64, lock: bool) -> Result<Option<i64>, DatabaseError> {
        if lock {
            return Err(DatabaseError::Unsupported("etcd has no locking reads".into()));
        }
        if let Some(own) = self.running.writes.get(&key) {
            return Ok(*own);
        }
        match self.running.reads.get(&key) {
            Some(read) => Ok(read.value),
            None => self.fetch(key),
        }
    }

    fn put(&mut self, key: i64, value: i64) -> Result<(), DatabaseError> {
        self.running.writes.insert(key, Some(value));
        Ok(())
    }

    fn delete(&mut self, key: i64) -> Result<Option<u64>, DatabaseError> {
        self.running.writes.insert(key, None);
        Ok(None)
    }

    fn commit(&mut self) -> Result<Committed, DatabaseError> {
        if self.running.writes.is_empty() {
            return Ok(Committed::default());
        }
        match self.api.txn(&self.conditions(), &self.changes())? {
            Some(revision) => Ok(Committed { stamp: Some(revision), tag: None }),
            None => Err(DatabaseError::Refused("a compared key has changed".into())),
        }
    }

    fn abort(&mut self) -> Result<(), DatabaseError> {
        self.running = Running::default();
        Ok(())
    }
}

fn number(bytes: &[u8]) -> Result<i64, DatabaseError> {
    let text = String::from_utf8_lossy(bytes);
    text.parse().map_err(|_| DatabaseError::Failed(format!("found \"{text}\", expected a number")))
}
