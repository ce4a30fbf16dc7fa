//! How a trace is read: external reads, own writes, versions.
//!
//! In: a [`History`]. Out: a [`Reading`], independent of unknown outcomes and of
//! version orders. This is docs/semantics.md up to the section on dependencies.
//!
//! ```text
//!   point operation ──► at most one read  ┐            ┌ nothing more (an own write)
//!   range read      ──► one read per key  ┴─► observe ─┼ external read
//!                                                      └ violation, or not interpreted
//! ```
//!
//! Lookups go through sorted vectors, so that everything is linear up to a logarithm and
//! nothing depends on the order of a hash map.

use std::ops::Range;

use tristan_history::{Datum, History, KeyId, Op, Outcome, OwnWrites, TxnId};
use tristan_spec::Set;

use crate::operations::{Cell, Seen, effects};
use crate::own::OwnLog;
use crate::promises::Promises;
use crate::ranges::{RangeResult, Universe, reads_range};
use crate::savepoints::Undone;
use crate::writes::{Append, Usage, attempts};

/// An external read of one key with a known result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    pub(crate) txn: TxnId,
    pub(crate) op: u32,
    pub(crate) key: KeyId,
    pub(crate) seen: Seen,
    /// Whether this is a key of its range that a range read did not return.
    pub(crate) predicate: bool,
}

/// The trace, read.
pub(crate) struct Reading<'h> {
    pub(crate) history: &'h History,
    pub(crate) promises: Promises,
    /// All external reads, by transaction, operation and key.
    pub(crate) reads: Vec<Read>,
    reads_of: Vec<Range<usize>>,
    /// The keys each transaction would install a version of if it took effect, ascending.
    pub(crate) installs: Vec<(KeyId, Cell)>,
    installs_of: Vec<Range<usize>>,
    /// Reads that did not return the transaction's own last write, by transaction.
    pub(crate) own_violations: Vec<(TxnId, u32, KeyId)>,
    /// Range reads whose result is wrong by itself, by transaction.
    pub(crate) faulty: Vec<(TxnId, u32)>,
    /// Operations whose result is not interpreted, by transaction.
    pub(crate) opaque: Vec<(TxnId, u32)>,
    /// Final versions of transactions that may have taken effect, sorted.
    pub(crate) finals: Vec<(KeyId, Cell, TxnId)>,
    /// Every write of a register, sorted; only filled where dirty reads are allowed.
    pub(crate) dirty: Vec<(KeyId, Cell, TxnId)>,
    /// Every append, by key and element.
    pub(crate) appends: Vec<Append>,
    pub(crate) usage: Usage,
    pub(crate) undone: Undone,
}

impl<'h> Reading<'h> {
    /// Reads the trace for a level that promises this.
    pub(crate) fn new(history: &'h History, promises: Promises) -> Self {
        let undone = Undone::new(history);
        let usage = Usage::new(history, &undone);
        let mut appends = usage.appends.clone();
        appends.sort_unstable_by_key(|own| (own.key, own.element, own.txn));
        let mut reading = Self {
            history,
            promises,
            reads: Vec::new(),
            reads_of: Vec::with_capacity(history.txns.len()),
            installs: Vec::new(),
            installs_of: Vec::with_capacity(history.txns.len()),
            own_violations: Vec::new(),
            faulty: Vec::new(),
            opaque: Vec::new(),
            finals: Vec::new(),
            dirty: Vec::new(),
            appends,
            usage,
            undone,
        };
        let universe = Universe::new(history);
        let mut own = OwnLog::new(history.keys.len());
        for txn in history.txn_ids() {
            reading.read_txn(txn, &universe, &mut own);
        }
        reading.finals.sort_unstable();
        if reading.promises.allow_some_dirty_reads() {
            let attempts = attempts(history, &reading.undone);
            reading.dirty = attempts.iter().map(|at| (at.key, at.cell, at.txn)).collect();
            reading.dirty.dedup();
        }
        reading
    }

    /// Whether the transaction's reads may be dirty: then they make no dependencies.
    pub(crate) fn is_dirty(&self, txn: TxnId) -> bool {
        self.promises.allow_dirty_reads(txn)
    }

    /// Whether a transaction is in the set.
    pub(crate) fn member(&self, set: Set, txn: TxnId) -> bool {
        match set {
            Set::Readers => !self.reads_of(txn).is_empty(),
            Set::Writers => !self.installs_of(txn).is_empty(),
            promised => self.promises.include(promised, txn),
        }
    }

    /// The external reads of a transaction, in program order.
    pub(crate) fn reads_of(&self, txn: TxnId) -> &[Read] {
        &self.reads[self.reads_of[txn.index()].clone()]
    }

    /// The external reads of an operation.
    pub(crate) fn reads_at(&self, txn: TxnId, op: u32) -> &[Read] {
        let Some(range) = self.reads_of.get(txn.index()) else { return &[] };
        let all = &self.reads[range.clone()];
        let first = all.partition_point(|read| read.op < op);
        let end = all.partition_point(|read| read.op <= op);
        &all[first..end]
    }

    /// The external read of this key by this operation, with its number in [`Reading::reads`].
    pub(crate) fn read_of_key(&self, txn: TxnId, op: u32, key: KeyId) -> Option<(usize, Read)> {
        let range = self.reads_of.get(txn.index())?.clone();
        let place = |read: &Read| (read.op, read.key);
        let within = self.reads[range.clone()].binary_search_by_key(&(op, key), place).ok()?;
        Some((range.start + within, self.reads[range.start + within]))
    }

    /// The external read that a verdict names, with its number in [`Reading::reads`]. The key
    /// is named exactly if the operation reads a range.
    ///
    /// # Errors
    /// If there is no such read.
    pub(crate) fn named_read(
        &self,
        txn: TxnId,
        op: u32,
        key: Option<&Datum>,
    ) -> Result<(usize, Read), &'static str> {
        let nothing = "it is not an external read";
        let operation = self.operation(txn, op).ok_or(nothing)?;
        let key = match (key, operation.kind.key()) {
            (None, Some(key)) => key,
            (Some(_), Some(_)) => return Err("a key is given, but it does not read a range"),
            (None, None) => return Err("no key is given, but it does not read a single one"),
            (Some(key), None) => {
                KeyId(self.history.keys.find(key).ok_or("its key is not in the trace")?)
            }
        };
        self.read_of_key(txn, op, key).ok_or(nothing)
    }

    /// The key by which a verdict names the read. Returns `None` if the operation has only one key.
    pub(crate) fn name_of(&self, read: &Read) -> Option<Datum> {
        let operation = self.operation(read.txn, read.op)?;
        reads_range(&operation.kind).then(|| self.history.key(read.key).clone())
    }

    fn operation(&self, txn: TxnId, op: u32) -> Option<&'h Op> {
        self.history.txns.get(txn.index())?;
        self.history.ops_of(txn).get(op as usize)
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

    /// Whether something the operation saw is wrong by itself or has no explanation.
    pub(crate) fn is_impossible(&self, txn: TxnId, op: u32) -> bool {
        let own = self.own_violations.partition_point(|&(t, o, _)| (t, o) < (txn, op));
        self.own_violations.get(own).is_some_and(|&(t, o, _)| (t, o) == (txn, op))
            || self.faulty.binary_search(&(txn, op)).is_ok()
            || self.reads_at(txn, op).iter().any(|read| self.is_unexplained(read))
    }

    fn read_txn(&mut self, txn: TxnId, universe: &Universe, own: &mut OwnLog) {
        let (first_read, first_install) = (self.reads.len(), self.installs.len());
        for (op, operation) in (0u32..).zip(self.history.ops_of(txn)) {
            own.undo(|write| self.undone.by(self.history, txn, write) == Some(op));
            if let Some(result) = RangeResult::of(self.history, operation) {
                let keys = universe.seen_by(self.history, &result);
                self.observe_range((txn, op), &result, &keys, own);
            }
            let Some(key) = operation.kind.key() else { continue };
            let (seen, written) = effects(&operation.kind, operation.status);
            if let Some(seen) = seen {
                let read = Read { txn, op, key, seen, predicate: false };
                self.observe(read, own.of(txn, key));
            }
            if let Some(cell) = written {
                own.write(txn, op, key, cell);
            }
        }
        self.reads_of.push(first_read..self.reads.len());
        self.installs.extend(own.versions(txn));
        if self.history.txn(txn).outcome != Outcome::Aborted {
            let own = &self.installs[first_install..];
            self.finals.extend(own.iter().map(|&(key, cell)| (key, cell, txn)));
        }
        self.installs_of.push(first_install..self.installs.len());
    }

    /// Files one read per key of the range; keys of lists are not interpreted.
    fn observe_range(
        &mut self,
        (txn, op): (TxnId, u32),
        result: &RangeResult<'_>,
        keys: &[KeyId],
        own: &OwnLog,
    ) {
        if result.is_faulty(self.history) {
            self.faulty.push((txn, op));
        }
        let mut registers = keys.to_vec();
        registers.retain(|&key| !self.usage.is_list(key));
        if registers.len() < keys.len() {
            self.opaque.push((txn, op));
        }
        let returned = result.by_key();
        for key in registers {
            let found = returned.binary_search_by_key(&key, |&(key, _)| key);
            let seen = found.map_or(Seen::Absent, |place| Seen::Value(returned[place].1));
            let read = Read { txn, op, key, seen, predicate: found.is_err() };
            self.observe(read, own.of(txn, key));
        }
    }

    /// Files a read: not interpreted, of an own write, or external.
    fn observe(&mut self, read: Read, own_write: Option<Cell>) {
        if self.usage.is_unreadable(read.key) {
            self.opaque.push((read.txn, read.op));
            return;
        }
        match self.says(&read, own_write) {
            Says::Nothing => {}
            Says::External(seen) => self.reads.push(Read { seen, ..read }),
            Says::Violation => self.own_violations.push((read.txn, read.op, read.key)),
        }
    }

    /// What the read says, if its transaction's last write of the key at that moment is `own`.
    fn says(&self, read: &Read, own: Option<Cell>) -> Says {
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

/// What a read says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    /// Nothing: it returned the own write.
    Nothing,
    /// This about what others wrote.
    External(Seen),
    /// It should have returned the own write.
    Violation,
}
