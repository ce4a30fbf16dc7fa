//! The read lineage: every register read, split into internal ones (checked here against the
//! transaction's own writes) and external ones (somebody else must explain them).

use tristan_history::{KeyId, Observed, Op, OpKind, OpStatus, Outcome, OwnWrites, Presence, TxnId};
use tristan_verdict::BadKind;

use super::lists;
use super::program::{Undone, written};
use super::ranges::Ranges;
use super::{Asg, BadRead, ExternalRead, ReadKind, Seen};

/// Fills [`Asg::reads`] with the external register reads and [`Asg::bad`] with internal ones
/// that contradict the transaction's own writes.
pub fn collect(asg: &mut Asg<'_>) {
    let mut own = Own::new(asg.history.keys.len());
    let mut ranges = Ranges::of(asg);
    let ambivalent = lists::ambivalent(asg.history);
    asg.has_ranges = ranges.is_some();
    for txn in asg.history.txn_ids() {
        if asg.history.txn(txn).outcome == Outcome::Aborted {
            continue;
        }
        own.forget();
        let ops = asg.history.ops_of(txn);
        for (at, op) in ops.iter().enumerate().filter(|(_, op)| op.status != OpStatus::Failed) {
            let reader = Reader { txn, op: at as u32 };
            let observed = observed(op);
            if observed.is_some_and(|(key, _)| ambivalent.contains(&key)) {
                let what = "a register used as a list";
                asg.unsupported.push(format!("line {}: {what}", op.line));
            } else if let Some((key, seen)) = observed {
                reader.see(asg, &own, key, seen, ReadKind::Point);
            }
            if let Some(ranges) = &mut ranges {
                let wrong = |asg: &mut Asg<'_>, key, kind| reader.wrong(asg, key, kind);
                let mut idle = false;
                ranges.read(asg, op, wrong, |asg, key, seen, kind| {
                    // Of the keys that nobody ever wrote, one says that this is a reader.
                    let never = kind == ReadKind::Predicate && asg.is_never_there(key);
                    if !(never && std::mem::replace(&mut idle, true)) {
                        reader.see(asg, &own, key, seen, kind);
                    }
                });
            }
            own.step(ops, at);
        }
    }
}

/// What the current transaction has written so far: per key, its last write.
pub(crate) struct Own {
    /// Slots of another count are empty.
    count: u32,
    slots: Vec<(u32, Observed)>,
}

impl Own {
    /// Nothing was written to any of this many keys.
    pub(crate) fn new(keys: usize) -> Self {
        Self { count: 0, slots: vec![(0, Observed::Unknown); keys] }
    }

    /// Another transaction begins.
    pub(crate) fn forget(&mut self) {
        self.count += 1;
    }

    /// What it wrote last to a key, if it did.
    pub(crate) fn last(&self, key: KeyId) -> Option<Observed> {
        let (count, content) = self.slots[key.index()];
        (count == self.count).then_some(content)
    }

    fn write(&mut self, op: &Op) {
        if let Some((key, content)) = written(op) {
            self.slots[key.index()] = (self.count, content);
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

/// A reading operation.
#[derive(Clone, Copy)]
struct Reader {
    txn: TxnId,
    op: u32,
}

impl Reader {
    /// It saw this of a key.
    fn see(self, asg: &mut Asg<'_>, own: &Own, key: KeyId, seen: Seen, kind: ReadKind) {
        let last = own.last(key);
        let is_own = last.is_some_and(|content| seen.matches(content));
        if last.is_some() {
            asg.own_reads.note(is_own);
        }
        match (asg.history.header.own_writes, last) {
            (OwnWrites::Must, Some(_)) if !is_own => self.wrong(asg, key, BadKind::NotOwnWrite),
            (OwnWrites::Must | OwnWrites::May, Some(_)) if is_own => {}
            _ => {
                let Self { txn, op } = self;
                asg.reads.push(ExternalRead { txn, op, key, seen, kind });
            }
        }
    }

    fn wrong(self, asg: &mut Asg<'_>, key: KeyId, kind: BadKind) {
        let Self { txn, op } = self;
        asg.bad.push(BadRead { txn, op, key, kind, writer: None, other: None });
    }
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
