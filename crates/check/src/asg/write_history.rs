//! The write history: the versions of every key, and the writes that never became versions.

use std::ops::Range;

use tristan_ground::{Threads, joined};
use tristan_history::{History, KeyId, Observed, Outcome, TxnId, ValueId};

use super::Seen;
use super::own_writes::LastByKey;
use super::program::{Undone, written};

/// A version of a key: the last write of the key by a transaction that may have taken effect.
/// There is one for nearly every write of a trace, so it takes little room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version {
    content: Content,
    /// The transaction that installed it.
    pub(crate) txn: TxnId,
}

/// The number of a value, or [`ABSENT`] after a delete.
type Content = u32;

/// Instead of a number: the key was deleted.
const ABSENT: Content = u32::MAX;

/// What a transaction wrote to a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Write {
    pub(crate) key: KeyId,
    content: Content,
    /// The transaction that wrote it.
    pub(crate) txn: TxnId,
}

/// A write that never became a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HiddenWrite {
    pub(crate) write: Write,
    /// Whether it was undone, with its transaction or by a rollback to a savepoint; if not, its
    /// transaction overwrote it.
    pub(crate) aborted: bool,
}

/// The writers of a value, among all versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    /// There is no version with it.
    None,
    /// The only version with it is of this key, by this transaction.
    One(KeyId, TxnId),
    /// There are several.
    Many,
}

/// All writes of a history, by key.
#[derive(Debug, Default)]
pub(crate) struct WriteHistory {
    /// Versions, sorted by key, content and transaction.
    versions: Vec<Version>,
    /// First version of each key; one entry more than there are keys.
    first: Vec<u32>,
    /// Per value, the key and the transaction of its only version, or [`NONE`], or [`MANY`].
    holders: Vec<(KeyId, TxnId)>,
    /// Writes that no committed transaction's version shows: of aborted transactions, and
    /// overwritten within their transaction. Sorted like versions.
    hidden: Vec<HiddenWrite>,
    /// Per key, whether any transaction ever wrote it.
    touched: Vec<bool>,
    /// Per transaction, whether it installs a version.
    installs: Vec<bool>,
}

impl WriteHistory {
    /// Collects the register writes (put, delete, read-modify-write) of a history. Appends are
    /// versions of lists and live in [`super::lists`].
    pub(crate) fn collect(history: &History, threads: Threads) -> Self {
        let keys = history.keys.len();
        let shares = threads.each(history.txns.len(), |txns| Share::collect(history, txns));
        let hidden = hidden(&shares);
        let installs = shares.iter().flat_map(|share| &share.installs).copied().collect();
        let (versions, first) = by_key(&shares, keys, threads);
        let mut touched: Vec<bool> = first.windows(2).map(|ends| ends[0] < ends[1]).collect();
        hidden.iter().for_each(|hidden| touched[hidden.write.key.index()] = true);
        let holders = holders(&shares, history.values.len(), threads);
        Self { versions, first, holders, hidden, touched, installs }
    }

    /// Whether a transaction installs a version.
    pub(crate) fn has(&self, txn: TxnId) -> bool {
        self.installs[txn.index()]
    }

    /// Whether any transaction ever wrote the key, even if it aborted.
    pub(crate) fn touches(&self, key: KeyId) -> bool {
        self.touched[key.index()]
    }

    /// The versions of a key, by content, then by transaction.
    pub(crate) fn of_key(&self, key: KeyId) -> &[Version] {
        &self.versions[self.first[key.index()] as usize..self.first[key.index() + 1] as usize]
    }

    /// The writers of a value. Values that are written once are found without a search.
    pub(crate) fn holder(&self, value: ValueId) -> Holder {
        match self.holders[value.index()] {
            (_, NONE) => Holder::None,
            (_, MANY) => Holder::Many,
            (key, txn) => Holder::One(key, txn),
        }
    }

    /// The versions of a key with the content that was seen.
    pub(crate) fn matching(&self, key: KeyId, seen: Seen) -> &[Version] {
        if let Seen::Value(value) = seen
            && match self.holder(value) {
                Holder::None => true,
                Holder::One(of, _) => of != key,
                Holder::Many => false,
            }
        {
            return &[];
        }
        let (start, end) = (self.first[key.index()] as usize, self.first[key.index() + 1] as usize);
        let (low, high) = match seen {
            Seen::Absent => (ABSENT, ABSENT),
            Seen::Value(ValueId(value)) => (value, value),
            Seen::Present => (0, ABSENT - 1),
            Seen::List(_) => return &[],
        };
        let versions = &self.versions[start..end];
        let from = versions.partition_point(|version| version.content < low);
        let rest = &versions[from..];
        // Nearly always there is one.
        let fits = |version: &Version| version.content <= high;
        let count = match rest.get(1) {
            Some(next) if fits(next) => rest.partition_point(fits),
            _ => usize::from(rest.first().is_some_and(fits)),
        };
        &rest[..count]
    }

    /// A write of the content to the key that never became a version: the first by another
    /// transaction than `reader`, else one by the reader itself.
    pub(crate) fn hidden(&self, key: KeyId, seen: Seen, reader: TxnId) -> Option<HiddenWrite> {
        let from = self.hidden.partition_point(|hidden| hidden.write.key < key);
        let of_key = self.hidden[from..].iter().take_while(|hidden| hidden.write.key == key);
        let mut own = None;
        for hidden in of_key.filter(|hidden| seen.matches(hidden.write.observed())) {
            if hidden.write.txn != reader {
                return Some(*hidden);
            }
            own = Some(*hidden);
        }
        own
    }
}

impl Write {
    fn new(key: KeyId, content: Observed, txn: TxnId) -> Self {
        let content = match content {
            Observed::Unknown | Observed::Absent => ABSENT,
            Observed::Value(ValueId(value)) => value,
        };
        Self { key, content, txn }
    }

    fn observed(self) -> Observed {
        match self.content {
            ABSENT => Observed::Absent,
            value => Observed::Value(ValueId(value)),
        }
    }
}

/// Instead of a transaction: there is none.
const NONE: TxnId = TxnId(u32::MAX);
/// Instead of a transaction: there are several.
const MANY: TxnId = TxnId(u32::MAX - 1);

/// The writes of some transactions, in their order.
#[derive(Default)]
struct Share {
    /// Those that are versions.
    versions: Vec<Write>,
    hidden: Vec<HiddenWrite>,
    /// Per transaction, whether it installs a version.
    installs: Vec<bool>,
}

impl Share {
    fn collect(history: &History, txns: Range<usize>) -> Self {
        let mut share = Self::default();
        let mut last = LastByKey::default();
        for txn in txns.map(TxnId::new) {
            last.clear();
            let before = share.versions.len();
            share.add(history, txn, &mut last);
            share.installs.push(share.versions.len() > before);
        }
        share
    }

    /// Adds the writes of a transaction; `last` says where its version of a key stands.
    fn add(&mut self, history: &History, txn: TxnId, last: &mut LastByKey<u32>) {
        let aborted = history.txn(txn).outcome == Outcome::Aborted;
        let ops = history.ops_of(txn);
        let undone = Undone::find(ops);
        for (at, op) in ops.iter().enumerate() {
            let Some((key, content)) = written(op) else { continue };
            let aborted = aborted || undone.contains(at);
            let write = Write::new(key, content, txn);
            if aborted {
                self.hidden.push(HiddenWrite { write, aborted });
            } else if let Some(place) = last.get(key) {
                let write = std::mem::replace(&mut self.versions[place as usize], write);
                self.hidden.push(HiddenWrite { write, aborted });
            } else {
                last.set(key, self.versions.len() as u32);
                self.versions.push(write);
            }
        }
    }
}

fn hidden(shares: &[Share]) -> Vec<HiddenWrite> {
    let mut hidden: Vec<_> = shares.iter().flat_map(|share| &share.hidden).copied().collect();
    hidden.sort_unstable_by_key(|hidden| hidden.write);
    hidden
}

/// The versions by key, those of one key by content, and where each key's begin. Every thread
/// puts the versions of its own keys in their places.
fn by_key(shares: &[Share], keys: usize, threads: Threads) -> (Vec<Version>, Vec<u32>) {
    let count = shares.iter().map(|share| share.versions.len()).sum();
    let shelves = threads.run(threads.shares(keys, count), |keys| shelve(shares, keys));
    let mut first = vec![0];
    let mut versions = Vec::with_capacity(shelves.len());
    for (of_keys, starts) in shelves {
        let before = first[first.len() - 1];
        first.extend(starts[1..].iter().map(|start| before + start));
        versions.push(of_keys);
    }
    (joined(versions), first)
}

/// The versions of some keys, and where each key's begin.
fn shelve(shares: &[Share], keys: Range<usize>) -> (Vec<Version>, Vec<u32>) {
    let writes = || {
        let all = shares.iter().flat_map(|share| &share.versions);
        all.filter(|write| keys.contains(&write.key.index()))
    };
    let mut first = vec![0u32; keys.len() + 1];
    writes().for_each(|write| first[write.key.index() - keys.start + 1] += 1);
    for key in 0..keys.len() {
        first[key + 1] += first[key];
    }
    let mut next = first.clone();
    let mut versions = vec![Version { content: ABSENT, txn: NONE }; first[keys.len()] as usize];
    for &Write { key, content, txn } in writes() {
        let place = &mut next[key.index() - keys.start];
        versions[*place as usize] = Version { content, txn };
        *place += 1;
    }
    for ends in first.windows(2) {
        versions[ends[0] as usize..ends[1] as usize].sort_unstable();
    }
    (versions, first)
}

/// The writers of each value. Every thread looks after its own values.
fn holders(shares: &[Share], values: usize, threads: Threads) -> Vec<(KeyId, TxnId)> {
    let count = shares.iter().map(|share| share.versions.len()).sum();
    let holders = threads.run(threads.shares(values, count), |values| {
        let mut holders = vec![(KeyId(0), NONE); values.len()];
        for write in shares.iter().flat_map(|share| &share.versions) {
            if values.contains(&(write.content as usize)) {
                let holder = &mut holders[write.content as usize - values.start];
                *holder = (write.key, if holder.1 == NONE { write.txn } else { MANY });
            }
        }
        holders
    });
    joined(holders)
}
