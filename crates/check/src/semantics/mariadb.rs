//! MariaDB and MySQL at REPEATABLE READ.
//!
//! InnoDB answers plain reads from a snapshot, taken at the first of them, and lets locking reads
//! and writes act on the latest committed rows, which they lock until the commit. So a transaction
//! has two halves, each of which happens at one moment:
//!
//! ```text
//!   T ──► T snapshot   plain reads of what others wrote
//!     └─► T current    locking reads, writes, and plain reads of own writes
//! ```
//!
//! The snapshot half comes first in its session. A lost update between a plain read and a write is
//! no violation then; one between a *locking* read and a write still is, and so are plain reads
//! that do not fit into one snapshot, and an own write that is not read back.
//!
//! A transaction with one half only stays as it is, and so does one that was aborted: what it read
//! does not matter. Whether a plain read of a key is one of an own write is a matter of the
//! trace's policy: always after one (*must*), never (*external*), or if that is what it returned
//! (*may*). A write that may or may not have taken effect counts as an own write for the reads that
//! returned what it wrote.

mod possible;
mod ranges;

use tristan_history::{
    Datum, Hints, History, KeyId, Observed, Op, OpKind, OpStatus, Outcome, OwnWrites, Txn, TxnId,
    ValueId,
};

use crate::asg::program::{Undone, written};
use crate::asg::read_lineage::Own;
use crate::asg::{Seen, Universe};
use crate::resolution::is_indeterminate;

/// The history with every transaction cut into its halves.
pub(super) fn split(history: &History) -> History {
    let mut halves =
        History { txns: Vec::new(), ops: Vec::new(), hints: Hints::default(), ..history.clone() };
    let mut cutter = Cutter::new(history);
    let mut places = Vec::with_capacity(history.txns.len());
    for id in history.txn_ids() {
        let first = halves.txns.len();
        let whole = history.txn(id);
        let (snapshot, current) = match whole.outcome {
            Outcome::Aborted => (Vec::new(), history.ops_of(id).to_vec()),
            _ => cutter.cut(id),
        };
        if snapshot.is_empty() || current.is_empty() {
            add(&mut halves, whole.clone(), [snapshot, current].concat());
        } else {
            let named = |half: &str| {
                let name = Datum::Text(format!("{} {half}", history.label(id)).into());
                Txn { name: Some(Box::new(name)), ..whole.clone() }
            };
            add(&mut halves, named("snapshot"), snapshot);
            add(&mut halves, named("current"), current);
        }
        places.push(first..halves.txns.len());
    }
    for session in &mut halves.sessions {
        let whole = std::mem::take(&mut session.txns);
        let parts = whole.iter().flat_map(|id| places[id.index()].clone());
        session.txns = parts.map(TxnId::new).collect();
    }
    halves
}

fn add(halves: &mut History, txn: Txn, ops: Vec<Op>) {
    let (first_op, op_count) = (halves.ops.len() as u32, ops.len() as u32);
    halves.txns.push(Txn { first_op, op_count, ..txn });
    halves.ops.extend(ops);
}

/// Cuts one transaction after the other.
struct Cutter<'h> {
    history: &'h History,
    universe: Universe,
    own: OwnSoFar<'h>,
    snapshot: Vec<Op>,
    current: Vec<Op>,
}

impl<'h> Cutter<'h> {
    fn new(history: &'h History) -> Self {
        Self {
            history,
            universe: Universe::of(history),
            own: OwnSoFar::new(history),
            snapshot: Vec::new(),
            current: Vec::new(),
        }
    }

    /// The operations of both halves.
    fn cut(&mut self, id: TxnId) -> (Vec<Op>, Vec<Op>) {
        let ops = self.history.ops_of(id);
        self.own.forget();
        for (at, op) in ops.iter().enumerate() {
            match &op.kind {
                OpKind::Get { key, seen, locking: false } if !self.own.is_read(*key, *seen) => {
                    self.snapshot.push(op.clone());
                }
                OpKind::ReadList { key, elements } if !self.own.is_list(*key, elements) => {
                    self.snapshot.push(op.clone());
                }
                OpKind::Scan { locking: false, .. } | OpKind::Iterate { .. } => self.cut_range(op),
                _ => self.current.push(op.clone()),
            }
            self.own.step(ops, at);
        }
        (std::mem::take(&mut self.snapshot), std::mem::take(&mut self.current))
    }
}

/// What the transaction at hand has written so far.
struct OwnSoFar<'h> {
    policy: OwnWrites,
    last: Own,
    /// Keys of registers, with repetitions; what was written to some of them may be undone.
    keys: Vec<KeyId>,
    appends: Vec<(KeyId, ValueId)>,
    /// The operations that have run, if some of them may or may not have taken effect.
    unsure: &'h [Op],
}

impl<'h> OwnSoFar<'h> {
    fn new(history: &History) -> Self {
        Self {
            policy: history.header.own_writes,
            last: Own::default(),
            keys: Vec::new(),
            appends: Vec::new(),
            unsure: &[],
        }
    }

    fn forget(&mut self) {
        self.last.forget();
        self.keys.clear();
        self.appends.clear();
        self.unsure = &[];
    }

    /// The operation at a place has run.
    fn step(&mut self, ops: &'h [Op], at: usize) {
        self.last.step(ops, at);
        self.keys.extend(written(&ops[at]).map(|(key, _)| key));
        if !self.unsure.is_empty() || is_indeterminate(&ops[at]) {
            self.unsure = &ops[..=at];
            self.keys.extend(ops[at].kind.key());
        }
        if matches!(ops[at].kind, OpKind::RollbackTo { .. }) {
            let so_far = &ops[..=at];
            let undone = Undone::find(so_far);
            let lasting = so_far.iter().enumerate().filter(|(at, _)| !undone.contains(*at));
            self.appends = lasting.filter_map(|(_, op)| append(op)).collect();
        } else {
            self.appends.extend(append(&ops[at]));
        }
    }

    /// Whether a plain read of a key that saw this is one of an own write.
    fn is_read(&self, key: KeyId, seen: Observed) -> bool {
        let is_seen = |content: Observed| match seen {
            Observed::Unknown => false,
            Observed::Absent => Seen::Absent.matches(content),
            Observed::Value(value) => Seen::Value(value).matches(content),
        };
        self.is_own(&self.last_writes(key), |content| is_seen(*content))
    }

    /// Whether a read of a list shows own elements.
    fn is_list(&self, key: KeyId, elements: &Option<Box<[ValueId]>>) -> bool {
        let is_shown =
            |own: &Vec<ValueId>| elements.as_ref().is_some_and(|elements| elements.ends_with(own));
        self.is_own(&self.own_appends(key), is_shown)
    }

    /// Whether a read is one of an own write, of which these are the possibilities: what was
    /// written, or nothing.
    fn is_own<T>(&self, possible: &[Option<T>], is_seen: impl Fn(&T) -> bool) -> bool {
        let returned = || possible.iter().flatten().any(&is_seen);
        match self.policy {
            OwnWrites::External => false,
            OwnWrites::Must => possible.iter().all(Option::is_some) || returned(),
            OwnWrites::May => returned(),
        }
    }

    /// What the transaction wrote last to a register: one possibility, unless operations may or may
    /// not have taken effect.
    fn last_writes(&self, key: KeyId) -> Vec<Option<Observed>> {
        if self.unsure.is_empty() {
            return vec![self.last.last(key)];
        }
        let last_of = |ops: Vec<Op>| {
            let undone = Undone::find(&ops);
            let lasting = ops.iter().enumerate().filter(|(at, _)| !undone.contains(*at));
            lasting.filter_map(|(_, op)| written(op)).map(|(_, content)| content).next_back()
        };
        possible::programs(self.unsure, key).into_iter().map(last_of).collect()
    }

    /// What it appended to a list, in the same way.
    fn own_appends(&self, key: KeyId) -> Vec<Option<Vec<ValueId>>> {
        let of_key = |appends: &mut dyn Iterator<Item = (KeyId, ValueId)>| {
            let own: Vec<ValueId> =
                appends.filter(|append| append.0 == key).map(|append| append.1).collect();
            (!own.is_empty()).then_some(own)
        };
        if self.unsure.is_empty() {
            return vec![of_key(&mut self.appends.iter().copied())];
        }
        let appends_of = |ops: Vec<Op>| {
            let undone = Undone::find(&ops);
            let lasting = ops.iter().enumerate().filter(|(at, _)| !undone.contains(*at));
            of_key(&mut lasting.filter_map(|(_, op)| append(op)))
        };
        possible::programs(self.unsure, key).into_iter().map(appends_of).collect()
    }
}

fn append(op: &Op) -> Option<(KeyId, ValueId)> {
    match op.kind {
        OpKind::Append { key, element } if op.status == OpStatus::Done => Some((key, element)),
        _ => None,
    }
}
