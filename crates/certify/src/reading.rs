//! How a trace is read: external reads, own writes, versions, possible sources.
//!
//! In: a [`History`]. Out: a [`Reading`], independent of outcomes that nobody saw and of
//! version orders. This is docs/semantics.md up to the section on dependencies.
//!
//! Lookups go through sorted vectors, so that everything is linear up to a logarithm and
//! nothing depends on the order of a hash map.

use std::ops::Range;

use tristan_history::{History, KeyId, Observed, OpStatus, Outcome, TxnId, ValueId};
use tristan_spec::ReadRule;
use tristan_verdict::Source;

use crate::operations::{
    Append, Cell, Seen, attempts, effects, lists_and_registers, uninterpreted,
};

/// An external read with a known result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    pub(crate) txn: TxnId,
    pub(crate) op: u32,
    pub(crate) key: KeyId,
    pub(crate) seen: Seen,
}

/// The trace, read.
pub(crate) struct Reading<'h> {
    pub(crate) history: &'h History,
    pub(crate) rule: ReadRule,
    /// All external reads, by transaction and operation.
    pub(crate) reads: Vec<Read>,
    reads_of: Vec<Range<usize>>,
    /// The keys each transaction would install a version of if it took effect, ascending.
    pub(crate) installs: Vec<(KeyId, Cell)>,
    installs_of: Vec<Range<usize>>,
    /// Reads that did not return the transaction's own last write, by transaction.
    pub(crate) own_violations: Vec<(TxnId, u32)>,
    /// Operations whose result is not interpreted, by transaction.
    pub(crate) opaque: Vec<(TxnId, u32)>,
    /// Final versions of transactions that may have taken effect, sorted.
    finals: Vec<(KeyId, Cell, TxnId)>,
    /// Every write of a register, sorted; only filled where dirty reads are allowed.
    dirty: Vec<(KeyId, Cell, TxnId)>,
    /// Every append, by key and element.
    pub(crate) appends: Vec<(KeyId, ValueId, TxnId)>,
    /// Every append, by transaction, key and operation.
    pub(crate) appends_of: Vec<Append>,
    /// Keys whose reads are not interpreted.
    unreadable: Vec<bool>,
}

impl<'h> Reading<'h> {
    /// Reads the trace for a level with this rule.
    pub(crate) fn new(history: &'h History, rule: ReadRule) -> Self {
        let (appends_of, unreadable) = lists_and_registers(history);
        let mut appends: Vec<_> =
            appends_of.iter().map(|own| (own.key, own.element, own.txn)).collect();
        appends.sort_unstable();
        let mut reading = Self {
            history,
            rule,
            reads: Vec::new(),
            reads_of: Vec::with_capacity(history.txns.len()),
            installs: Vec::new(),
            installs_of: Vec::with_capacity(history.txns.len()),
            own_violations: Vec::new(),
            opaque: Vec::new(),
            finals: Vec::new(),
            dirty: Vec::new(),
            appends,
            appends_of,
            unreadable,
        };
        let mut last_writes = vec![None; history.keys.len()];
        for txn in history.txn_ids() {
            reading.read_txn(txn, &mut last_writes);
        }
        reading.finals.sort_unstable();
        if rule == ReadRule::Dirty {
            let attempts = attempts(history);
            reading.dirty = attempts.iter().map(|at| (at.key, at.cell, at.txn)).collect();
            reading.dirty.dedup();
        }
        reading
    }

    /// The external reads of a transaction, in program order.
    pub(crate) fn reads_of(&self, txn: TxnId) -> &[Read] {
        &self.reads[self.reads_of[txn.index()].clone()]
    }

    /// The external read by this operation, with its number in [`Reading::reads`].
    pub(crate) fn read_at(&self, txn: TxnId, op: u32) -> Option<(usize, Read)> {
        let range = self.reads_of.get(txn.index())?.clone();
        let within = self.reads[range.clone()].binary_search_by_key(&op, |read| read.op).ok()?;
        Some((range.start + within, self.reads[range.start + within]))
    }

    /// Where the transaction's versions are in [`Reading::installs`].
    pub(crate) fn installs_of(&self, txn: TxnId) -> Range<usize> {
        self.installs_of[txn.index()].clone()
    }

    /// Where the transaction's version of this key is in [`Reading::installs`].
    pub(crate) fn install(&self, txn: TxnId, key: KeyId) -> Option<usize> {
        let range = self.installs_of.get(txn.index())?.clone();
        let slice = &self.installs[range.clone()];
        slice.binary_search_by_key(&key, |&(own, _)| own).ok().map(|within| range.start + within)
    }

    /// Whether reads of this key are not interpreted.
    pub(crate) fn unreadable(&self, key: KeyId) -> bool {
        self.unreadable[key.index()]
    }

    /// Whether the initial state can have looked like this.
    pub(crate) fn initial_fits(&self, key: KeyId, seen: Seen) -> bool {
        match self.history.initial_of(key) {
            None => true,
            Some(Observed::Value(value)) => seen.fits(Cell::Value(value)),
            Some(_) => seen.fits(Cell::Absent),
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
        match (self.rule, read.seen) {
            (ReadRule::Dirty, Seen::List(_)) => self.elements_exist_once(read).is_err(),
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
                    && match self.rule {
                        ReadRule::Committed => {
                            self.history.txn(writer).outcome != Outcome::Aborted
                                && self
                                    .install(writer, read.key)
                                    .is_some_and(|slot| read.seen.fits(self.installs[slot].1))
                        }
                        ReadRule::Dirty => {
                            self.writers(read).iter().any(|&(_, _, txn)| txn == writer)
                        }
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
        if self.rule == ReadRule::Committed {
            return all.take(most).collect();
        }
        // A transaction that wrote several values is here several times for a row count.
        let mut sources: Vec<Source> = all.collect();
        sources.sort_unstable();
        sources.dedup();
        sources
    }

    /// Everybody who wrote what the read saw, the reader included.
    fn writers(&self, read: &Read) -> &[(KeyId, Cell, TxnId)] {
        let all = match self.rule {
            ReadRule::Committed => &self.finals,
            ReadRule::Dirty => &self.dirty,
        };
        matching(all, read.key, read.seen)
    }

    /// `last_writes` holds, per key, who wrote it last, and what, up to this transaction.
    fn read_txn(&mut self, txn: TxnId, last_writes: &mut [Option<(TxnId, Cell)>]) {
        let (first_read, first_install) = (self.reads.len(), self.installs.len());
        let mut written_keys: Vec<KeyId> = Vec::new();
        for (op, operation) in (0u32..).zip(self.history.ops_of(txn)) {
            let (seen, written) = effects(&operation.kind, operation.status);
            if operation.status == OpStatus::Done && uninterpreted(&operation.kind) {
                self.opaque.push((txn, op));
            }
            let Some(key) = operation.kind.key() else { continue };
            if let Some(seen) = seen {
                let own = last_writes[key.index()].filter(|&(writer, _)| writer == txn);
                self.observe(Read { txn, op, key, seen }, own.map(|(_, cell)| cell));
            }
            if let Some(cell) = written {
                written_keys.push(key);
                last_writes[key.index()] = Some((txn, cell));
            }
        }
        self.reads_of.push(first_read..self.reads.len());
        written_keys.sort_unstable();
        written_keys.dedup();
        let version = |key: KeyId| last_writes[key.index()].map(|(_, cell)| (key, cell));
        self.installs.extend(written_keys.into_iter().filter_map(version));
        if self.history.txn(txn).outcome != Outcome::Aborted {
            let own = &self.installs[first_install..];
            self.finals.extend(own.iter().map(|&(key, cell)| (key, cell, txn)));
        }
        self.installs_of.push(first_install..self.installs.len());
    }

    /// Files a read: not interpreted, of an own write, or external.
    fn observe(&mut self, mut read: Read, own_write: Option<Cell>) {
        if self.unreadable(read.key) {
            self.opaque.push((read.txn, read.op));
            return;
        }
        let violated = match (read.seen, own_write) {
            (Seen::List(_), _) => match self.external_part(&read) {
                Some(length) => {
                    read.seen = Seen::List(length);
                    false
                }
                None => true,
            },
            (_, None) => false,
            (seen, Some(cell)) => {
                if seen.fits(cell) {
                    return;
                }
                true
            }
        };
        if violated {
            self.own_violations.push((read.txn, read.op));
        } else {
            self.reads.push(read);
        }
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
