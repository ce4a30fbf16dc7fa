//! The read lineage: every register read, split into internal ones (checked here against the
//! transaction's own writes) and external ones (another transaction must explain them).

use rustc_hash::FxHashSet;
use tristan_history::{KeyId, Observed, Op, OpKind, OpStatus, Outcome, OwnWrites, Presence, TxnId};
use tristan_verdict::BadKind;

use super::lists;
use super::own_writes::LastByKey;
use super::program::{Undone, written};
use super::ranges::{RangeContext, RangeError, Ranges};
use super::{Asg, BadRead, ExternalRead, OwnReads, ReadKind, Reads, Seen};

/// Fills [`Asg::reads`] with the external register reads and [`Asg::bad`] with internal ones
/// that contradict the transaction's own writes.
pub(crate) fn collect(asg: &mut Asg<'_>) {
    let context = RangeContext::of(asg.history);
    let ambivalent = lists::ambivalent(asg.history);
    asg.has_ranges = context.is_some();
    let shares = asg.threads.each(asg.history.txns.len(), |txns| {
        let mut share = Share::new(asg, &ambivalent, txns.start);
        let mut ranges = context.as_ref().map(Ranges::on);
        txns.clone().for_each(|txn| share.collect(TxnId::new(txn), ranges.as_mut()));
        share.reads.seal(txns.end);
        (share.reads, share.bad, share.own_reads, share.unsupported)
    });
    let mut reads = Vec::with_capacity(shares.len());
    for (read, bad, own_reads, unsupported) in shares {
        reads.push(read);
        asg.bad.extend(bad);
        asg.own_reads.add(own_reads);
        asg.unsupported.extend(unsupported);
    }
    asg.reads = Reads::joined(reads);
}

/// What the current transaction has written so far: per key, its last write.
#[derive(Debug, Default)]
pub(crate) struct Own(LastByKey<Observed>);

impl Own {
    /// Another transaction begins.
    pub(crate) fn forget(&mut self) {
        self.0.clear();
    }

    /// What it wrote last to a key, if it did.
    pub(crate) fn last(&self, key: KeyId) -> Option<Observed> {
        self.0.get(key)
    }

    fn write(&mut self, op: &Op) {
        if let Some((key, content)) = written(op) {
            self.0.set(key, content);
        }
    }

    /// The operation at a place has run.
    pub(crate) fn step(&mut self, ops: &[Op], at: usize) {
        if !matches!(ops[at].kind, OpKind::RollbackTo { .. }) {
            return self.write(&ops[at]);
        }
        self.forget();
        let so_far = &ops[..=at];
        let undone = Undone::find(so_far);
        for (at, op) in so_far.iter().enumerate() {
            if !undone.contains(at) {
                self.write(op);
            }
        }
    }
}

/// What the reads of some transactions say.
struct Share<'a> {
    asg: &'a Asg<'a>,
    /// Keys that are used both as lists and as registers.
    ambivalent: &'a FxHashSet<KeyId>,
    own: Own,
    reads: Reads,
    bad: Vec<BadRead>,
    own_reads: OwnReads,
    unsupported: Vec<String>,
}

impl<'a> Share<'a> {
    fn new(asg: &'a Asg<'a>, ambivalent: &'a FxHashSet<KeyId>, start: usize) -> Self {
        Self {
            asg,
            ambivalent,
            own: Own::default(),
            reads: Reads::starting_at(start),
            bad: Vec::new(),
            own_reads: OwnReads::default(),
            unsupported: Vec::new(),
        }
    }

    fn collect(&mut self, txn: TxnId, mut ranges: Option<&mut Ranges<'_>>) {
        let history = self.asg.history;
        if history.txn(txn).outcome == Outcome::Aborted {
            return;
        }
        self.own.forget();
        let ops = history.ops_of(txn);
        for (at, op) in ops.iter().enumerate().filter(|(_, op)| op.status != OpStatus::Failed) {
            let reader = Reader { txn, op: at as u32 };
            let observed = observed(op);
            if observed.is_some_and(|(key, _)| self.ambivalent.contains(&key)) {
                self.refuse(op, "a register used as a list");
            } else if let Some((key, seen)) = observed {
                self.see(reader, key, seen, ReadKind::Point);
            }
            if let Some(ranges) = &mut ranges {
                self.read_range(reader, op, ranges);
            }
            self.own.step(ops, at);
        }
    }

    fn read_range(&mut self, reader: Reader, op: &Op, ranges: &mut Ranges<'_>) {
        let asg = self.asg;
        let (mut wrong, mut seen) = (None, Vec::new());
        let mut idle = false;
        ranges.read(
            asg.history,
            op,
            |what| wrong = Some(what),
            |key, content, kind| {
                // Of the keys that were never written, one says that this is a reader.
                let never = kind == ReadKind::Predicate && asg.is_never_there(key);
                if !(never && std::mem::replace(&mut idle, true)) {
                    seen.push((key, content, kind));
                }
            },
        );
        match wrong {
            Some(RangeError::Result(key, kind)) => self.wrong(reader, key, kind),
            Some(RangeError::CoversList) => self.refuse(op, "a range read that covers a list"),
            None => {}
        }
        for (key, content, kind) in seen {
            self.see(reader, key, content, kind);
        }
    }

    fn refuse(&mut self, op: &Op, what: &str) {
        self.unsupported.push(format!("line {}: {what}", op.line));
    }

    /// An operation saw this of a key.
    fn see(&mut self, reader: Reader, key: KeyId, seen: Seen, kind: ReadKind) {
        let last = self.own.last(key);
        let is_own = last.is_some_and(|content| seen.matches(content));
        if last.is_some() {
            self.own_reads.note(is_own);
        }
        match (self.asg.history.header.own_writes, last) {
            (OwnWrites::Must, Some(_)) if !is_own => self.wrong(reader, key, BadKind::NotOwnWrite),
            (OwnWrites::Must | OwnWrites::May, Some(_)) if is_own => {}
            _ => {
                let Reader { txn, op } = reader;
                self.reads.push(ExternalRead { txn, op, key, seen, kind });
            }
        }
    }

    fn wrong(&mut self, Reader { txn, op }: Reader, key: KeyId, kind: BadKind) {
        self.bad.push(BadRead { txn, op, key, kind, writer: None, other: None });
    }
}

/// A reading operation.
#[derive(Clone, Copy)]
struct Reader {
    txn: TxnId,
    op: u32,
}

/// What a register operation observed, if its result is known.
fn observed(op: &Op) -> Option<(KeyId, Seen)> {
    let presence = |present: bool| if present { Seen::Present } else { Seen::Absent };
    match &op.kind {
        _ if op.status != OpStatus::Done => None,
        OpKind::Get { key, seen, .. } | OpKind::ReadModifyWrite { key, seen, .. } => match seen {
            Observed::Unknown => None,
            Observed::Absent => Some((*key, Seen::Absent)),
            Observed::Value(value) => Some((*key, Seen::Value(*value))),
        },
        OpKind::Delete { key, rows: Some(rows) } => Some((*key, presence(*rows > 0))),
        OpKind::PutIf { key, when, rows: Some(rows), .. } => {
            Some((*key, presence((*when == Presence::Present) == (*rows > 0))))
        }
        _ => None,
    }
}
