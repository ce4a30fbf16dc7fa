//! The write history: the versions of every key, and the writes that never became versions.

use std::ops::Range;

use tristan_history::{History, KeyId, Observed, Outcome, TxnId, ValueId};

use super::Seen;
use super::own_writes::LastByKey;
use super::program::{Undone, written};
use crate::threads::{Threads, cut};

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

/// Who wrote a value, among all versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// There is no version with it.
    Nobody,
    /// The only version with it is of this key, by this transaction.
    One(KeyId, TxnId),
    /// There are several.
    Many,
}

/// All writes of a history, by key.
#[derive(Debug, Default)]
pub struct WriteHistory {
    /// Versions, sorted by key, content and transaction.
    versions: Vec<Version>,
    /// First version of each key; one entry more than there are keys.
    first: Vec<u32>,
    /// Per value, the key and the transaction of its only version, or [`NONE`], or [`MANY`].
    holders: Vec<(KeyId, TxnId)>,
    /// Writes that no committed transaction's version shows: of aborted transactions, and
    /// overwritten within their transaction. Sorted like versions.
    hidden: Vec<HiddenWrite>,
    /// Per key, whether anybody ever wrote it.
    touched: Vec<bool>,
}

impl WriteHistory {
    /// Collects the register writes (put, delete, read-modify-write) of a history. Appends are
    /// versions of lists and live in [`super::lists`].
    pub fn collect(history: &History, threads: Threads) -> Self {
        let keys = history.keys.len();
        let parts = threads.each(history.txns.len(), |txns| Part::collect(history, txns));
        let mut hidden = Vec::new();
        let mut touched = vec![false; keys];
        for part in &parts {
            hidden.extend_from_slice(&part.hidden);
            part.hidden.iter().for_each(|write| touched[write.version.key.index()] = true);
        }
        hidden.sort_unstable_by_key(|write| order(&write.version));
        let (mut versions, first) = by_key(parts, keys);
        for key in 0..keys {
            touched[key] |= first[key] < first[key + 1];
        }
        sort_contents(&mut versions, &first, threads);
        let holders = holders(&versions, history.values.len());
        Self { versions, first, holders, hidden, touched }
    }

    /// Whether anybody ever wrote the key, whatever became of it.
    pub fn touches(&self, key: KeyId) -> bool {
        self.touched[key.index()]
    }

    /// The versions of a key, by content, then by transaction.
    pub fn of_key(&self, key: KeyId) -> &[Version] {
        &self.versions[self.first[key.index()] as usize..self.first[key.index() + 1] as usize]
    }

    /// Who wrote a value. Values that are written once are found without a search.
    pub fn holder(&self, value: ValueId) -> Holder {
        match self.holders[value.index()] {
            (_, NONE) => Holder::Nobody,
            (_, MANY) => Holder::Many,
            (key, txn) => Holder::One(key, txn),
        }
    }

    /// The versions of a key with the content that was seen.
    pub fn matching(&self, key: KeyId, seen: Seen) -> &[Version] {
        if let Seen::Value(value) = seen
            && match self.holder(value) {
                Holder::Nobody => true,
                Holder::One(of, _) => of != key,
                Holder::Many => false,
            }
        {
            return &[];
        }
        let (start, end) = (self.first[key.index()] as usize, self.first[key.index() + 1] as usize);
        let (low, high) = match seen {
            Seen::Absent => (code(Observed::Absent), code(Observed::Absent)),
            Seen::Value(value) => (code(Observed::Value(value)), code(Observed::Value(value))),
            Seen::Present => (code(Observed::Absent) + 1, u64::MAX),
            Seen::List(_) => return &[],
        };
        let versions = &self.versions[start..end];
        let from = versions.partition_point(|version| code(version.content) < low);
        let rest = &versions[from..];
        // Nearly always there is one.
        let fits = |version: &Version| code(version.content) <= high;
        let count = match rest.get(1) {
            Some(next) if fits(next) => rest.partition_point(fits),
            _ => usize::from(rest.first().is_some_and(fits)),
        };
        &rest[..count]
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

/// Instead of a transaction: there is none.
const NONE: TxnId = TxnId(u32::MAX);
/// Instead of a transaction: there are several.
const MANY: TxnId = TxnId(u32::MAX - 1);

fn holders(versions: &[Version], values: usize) -> Vec<(KeyId, TxnId)> {
    let mut holders = vec![(KeyId(0), NONE); values];
    for version in versions {
        if let Observed::Value(value) = version.content {
            let (key, txn) = &mut holders[value.index()];
            (*key, *txn) = (version.key, if *txn == NONE { version.txn } else { MANY });
        }
    }
    holders
}

fn order(version: &Version) -> (KeyId, u64, TxnId) {
    (version.key, code(version.content), version.txn)
}

/// The writes of some transactions, in their order.
#[derive(Default)]
struct Part {
    versions: Vec<Version>,
    hidden: Vec<HiddenWrite>,
}

impl Part {
    fn collect(history: &History, txns: Range<usize>) -> Self {
        let mut part = Self::default();
        let mut last = LastByKey::default();
        for txn in txns.map(TxnId::new) {
            last.clear();
            part.add(history, txn, &mut last);
        }
        part
    }

    /// Adds the writes of a transaction; `last` says where its version of a key stands.
    fn add(&mut self, history: &History, txn: TxnId, last: &mut LastByKey<u32>) {
        let aborted = history.txn(txn).outcome == Outcome::Aborted;
        let ops = history.ops_of(txn);
        let undone = Undone::find(ops);
        for (at, op) in ops.iter().enumerate() {
            let Some((key, content)) = written(op) else { continue };
            let aborted = aborted || undone.contains(at);
            let version = Version { key, content, txn };
            if aborted {
                self.hidden.push(HiddenWrite { version, aborted });
            } else if let Some(place) = last.get(key) {
                let version = std::mem::replace(&mut self.versions[place as usize], version);
                self.hidden.push(HiddenWrite { version, aborted });
            } else {
                last.set(key, self.versions.len() as u32);
                self.versions.push(version);
            }
        }
    }
}

/// The versions by key, those of one key in the order of transactions, and where each key's begin.
fn by_key(parts: Vec<Part>, keys: usize) -> (Vec<Version>, Vec<u32>) {
    let mut first = vec![0u32; keys + 1];
    for version in parts.iter().flat_map(|part| &part.versions) {
        first[version.key.index() + 1] += 1;
    }
    for key in 0..keys {
        first[key + 1] += first[key];
    }
    let mut next = first.clone();
    let nothing = Version { key: KeyId(0), content: Observed::Unknown, txn: TxnId(0) };
    let mut versions = vec![nothing; first[keys] as usize];
    for part in parts {
        for version in part.versions {
            let place = &mut next[version.key.index()];
            versions[*place as usize] = version;
            *place += 1;
        }
    }
    (versions, first)
}

/// Sorts the versions of each key by content.
fn sort_contents(versions: &mut [Version], first: &[u32], threads: Threads) {
    // Cut where a key ends.
    let cuts = threads.pieces(versions.len()).into_iter().map(|piece| {
        first.partition_point(|&from| (from as usize) < piece.end).min(first.len() - 1)
    });
    let mut ends: Vec<usize> = cuts.map(|key| first[key] as usize).collect();
    ends.dedup();
    threads.run(cut(versions, ends.into_iter()), |piece| {
        for of_key in piece.chunk_by_mut(|a, b| a.key == b.key) {
            of_key.sort_unstable_by_key(order);
        }
    });
}
