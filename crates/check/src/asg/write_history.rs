//! The write history: the versions of every key, and the writes that never became versions.

use tristan_history::{History, KeyId, Observed, Outcome, TxnId, ValueId};

use super::Seen;
use super::program::{Undone, written};

/// A version of a key: the last write of the key by a transaction that may have taken effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// The key.
    pub key: KeyId,
    /// A value, or absent after a delete.
    pub content: Observed,
    /// Who installed it.
    pub txn: TxnId,
}

/// A write that never became a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HiddenWrite {
    /// What it would have been.
    pub version: Version,
    /// Whether it was undone, with its transaction or by a rollback to a savepoint; if not, its
    /// transaction overwrote it.
    pub aborted: bool,
}

/// All writes of a history, by key.
#[derive(Debug, Default)]
pub struct WriteHistory {
    /// Versions, sorted by key, content and transaction.
    versions: Vec<Version>,
    /// The content of each version as a number, close together to search in.
    codes: Vec<u64>,
    /// First version of each key; one entry more than there are keys.
    first: Vec<u32>,
    /// Per value, the only version that holds it, or [`NONE`], or [`MANY`].
    holders: Vec<u32>,
    /// Writes that no committed transaction's version shows: of aborted transactions, and
    /// overwritten within their transaction. Sorted like versions.
    hidden: Vec<HiddenWrite>,
    /// Per key, whether anybody ever wrote it.
    touched: Vec<bool>,
}

impl WriteHistory {
    /// Collects the register writes (put, delete, read-modify-write) of a history. Appends are
    /// versions of lists and live in [`super::lists`].
    pub fn collect(history: &History) -> Self {
        let mut versions = Vec::new();
        let mut hidden = Vec::new();
        let mut touched = vec![false; history.keys.len()];
        // Per key: the transaction that wrote it last and where its version stands.
        let mut last: Vec<(u32, u32)> = vec![(u32::MAX, 0); history.keys.len()];
        for txn in history.txn_ids() {
            let aborted = history.txn(txn).outcome == Outcome::Aborted;
            let ops = history.ops_of(txn);
            let undone = Undone::find(ops);
            for (at, op) in ops.iter().enumerate() {
                let Some((key, content)) = written(op) else { continue };
                touched[key.index()] = true;
                let aborted = aborted || undone.contains(at);
                let version = Version { key, content, txn };
                if aborted {
                    hidden.push(HiddenWrite { version, aborted });
                } else if last[key.index()].0 == txn.0 {
                    let slot: &mut Version = &mut versions[last[key.index()].1 as usize];
                    let version = std::mem::replace(slot, version);
                    hidden.push(HiddenWrite { version, aborted });
                } else {
                    last[key.index()] = (txn.0, versions.len() as u32);
                    versions.push(version);
                }
            }
        }
        versions.sort_unstable_by_key(order);
        hidden.sort_unstable_by_key(|write| order(&write.version));
        let first = first_per_key(&versions, history.keys.len());
        let codes = versions.iter().map(|version| code(version.content)).collect();
        let holders = holders(&versions, history.values.len());
        Self { versions, codes, first, holders, hidden, touched }
    }

    /// Whether anybody ever wrote the key, whatever became of it.
    pub fn touches(&self, key: KeyId) -> bool {
        self.touched[key.index()]
    }

    /// The versions of a key, by content, then by transaction.
    pub fn of_key(&self, key: KeyId) -> &[Version] {
        &self.versions[self.first[key.index()] as usize..self.first[key.index() + 1] as usize]
    }

    /// The versions of a key with the content that was seen.
    pub fn matching(&self, key: KeyId, seen: Seen) -> &[Version] {
        if let Seen::Value(value) = seen {
            match self.holders[value.0 as usize] {
                NONE => return &[],
                MANY => {}
                only => {
                    let only = only as usize;
                    let fits = usize::from(self.versions[only].key == key);
                    return &self.versions[only..only + fits];
                }
            }
        }
        let (start, end) = (self.first[key.index()] as usize, self.first[key.index() + 1] as usize);
        let (low, high) = match seen {
            Seen::Absent => (code(Observed::Absent), code(Observed::Absent)),
            Seen::Value(value) => (code(Observed::Value(value)), code(Observed::Value(value))),
            Seen::Present => (code(Observed::Absent) + 1, u64::MAX),
            Seen::List(_) => return &[],
        };
        let codes = &self.codes[start..end];
        let from = codes.partition_point(|&code| code < low);
        // Nearly always there is one.
        let to = match codes.get(from + 1) {
            Some(&next) if next <= high => codes.partition_point(|&code| code <= high),
            _ => from + usize::from(codes.get(from).is_some_and(|&code| code <= high)),
        };
        &self.versions[start + from..start + to]
    }

    /// A write of the content to the key that never became a version: the first by another
    /// transaction than `reader`, else one by the reader itself.
    pub fn hidden(&self, key: KeyId, seen: Seen, reader: TxnId) -> Option<HiddenWrite> {
        let from = self.hidden.partition_point(|write| write.version.key < key);
        let of_key = self.hidden[from..].iter().take_while(|write| write.version.key == key);
        let mut own = None;
        for write in of_key.filter(|write| seen.matches(write.version.content)) {
            if write.version.txn != reader {
                return Some(*write);
            }
            own = Some(*write);
        }
        own
    }
}

fn code(content: Observed) -> u64 {
    match content {
        Observed::Unknown | Observed::Absent => 0,
        Observed::Value(ValueId(value)) => u64::from(value) + 1,
    }
}

/// Instead of a version: there is none.
const NONE: u32 = u32::MAX;
/// Instead of a version: there are several.
const MANY: u32 = u32::MAX - 1;

fn holders(versions: &[Version], values: usize) -> Vec<u32> {
    let mut holders = vec![NONE; values];
    for (index, version) in versions.iter().enumerate() {
        if let Observed::Value(value) = version.content {
            let holder = &mut holders[value.0 as usize];
            *holder = if *holder == NONE { index as u32 } else { MANY };
        }
    }
    holders
}

fn order(version: &Version) -> (KeyId, u64, TxnId) {
    (version.key, code(version.content), version.txn)
}

fn first_per_key(versions: &[Version], keys: usize) -> Vec<u32> {
    let mut first = vec![0u32; keys + 1];
    for version in versions {
        first[version.key.index() + 1] += 1;
    }
    for key in 0..keys {
        first[key + 1] += first[key];
    }
    first
}
