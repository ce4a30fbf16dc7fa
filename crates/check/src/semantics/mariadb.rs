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
//! (*may*).

mod ranges;

use tristan_history::{
    Datum, Hints, History, KeyId, Observed, Op, OpKind, OpStatus, Outcome, OwnWrites, Txn, TxnId,
    ValueId,
};

use crate::asg::program::{Undone, written};
use crate::asg::read_lineage::Own;
use crate::asg::{Seen, Universe};

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
    own: OwnSoFar,
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
struct OwnSoFar {
    policy: OwnWrites,
    last: Own,
    /// Keys of registers, with repetitions; what was written to some of them may be undone.
    keys: Vec<KeyId>,
    appends: Vec<(KeyId, ValueId)>,
}

impl OwnSoFar {
    fn new(history: &History) -> Self {
        Self {
            policy: history.header.own_writes,
            last: Own::default(),
            keys: Vec::new(),
            appends: Vec::new(),
        }
    }

    fn forget(&mut self) {
        self.last.forget();
        self.keys.clear();
        self.appends.clear();
    }

    /// The operation at a place has run.
    fn step(&mut self, ops: &[Op], at: usize) {
        self.last.step(ops, at);
        self.keys.extend(written(&ops[at]).map(|(key, _)| key));
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
        let Some(content) = self.last.last(key) else { return false };
        match (self.policy, seen) {
            (OwnWrites::Must, _) => true,
            (OwnWrites::External, _) | (_, Observed::Unknown) => false,
            (OwnWrites::May, Observed::Absent) => Seen::Absent.matches(content),
            (OwnWrites::May, Observed::Value(value)) => Seen::Value(value).matches(content),
        }
    }

    /// Whether a read of a list shows own elements.
    fn is_list(&self, key: KeyId, elements: &Option<Box<[ValueId]>>) -> bool {
        let of_key = self.appends.iter().filter(|append| append.0 == key);
        let own: Vec<ValueId> = of_key.map(|append| append.1).collect();
        let shown = || elements.as_ref().is_some_and(|elements| elements.ends_with(&own));
        match self.policy {
            OwnWrites::Must => !own.is_empty(),
            OwnWrites::External => false,
            OwnWrites::May => !own.is_empty() && shown(),
        }
    }
}

fn append(op: &Op) -> Option<(KeyId, ValueId)> {
    match op.kind {
        OpKind::Append { key, element } if op.status != OpStatus::Failed => Some((key, element)),
        _ => None,
    }
}
