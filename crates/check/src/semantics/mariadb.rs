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

use tristan_history::{
    Datum, Hints, History, KeyId, Observed, Op, OpKind, OpStatus, Outcome, Range, Txn, TxnId,
    ValueId,
};

use crate::asg::program::{Undone, written};

/// The history with every transaction cut into its halves.
pub(super) fn split(history: &History) -> History {
    let mut halves =
        History { txns: Vec::new(), ops: Vec::new(), hints: Hints::default(), ..history.clone() };
    for session in &mut halves.sessions {
        session.txns.clear();
    }
    for id in history.txn_ids() {
        let (snapshot, current) = match history.txn(id).outcome {
            Outcome::Aborted => (Vec::new(), history.ops_of(id).to_vec()),
            _ => cut(history, id),
        };
        if !snapshot.is_empty() {
            add(&mut halves, history, id, "snapshot", snapshot);
        }
        if !current.is_empty() || history.ops_of(id).is_empty() {
            add(&mut halves, history, id, "current", current);
        }
    }
    halves
}

fn add(halves: &mut History, history: &History, id: TxnId, half: &str, ops: Vec<Op>) {
    let whole = history.txn(id);
    let name = Datum::Text(format!("{} {half}", history.label(id)).into());
    let txn = Txn {
        name: Some(name),
        first_op: halves.ops.len() as u32,
        op_count: ops.len() as u32,
        ..whole.clone()
    };
    halves.ops.extend(ops);
    halves.sessions[whole.session.index()].txns.push(TxnId::new(halves.txns.len()));
    halves.txns.push(txn);
}

/// The operations of both halves.
fn cut(history: &History, id: TxnId) -> (Vec<Op>, Vec<Op>) {
    let ops = history.ops_of(id);
    let (mut snapshot, mut current) = (Vec::new(), Vec::new());
    for (at, op) in ops.iter().enumerate() {
        let own = || own_keys(&ops[..at]);
        match &op.kind {
            OpKind::Get { key, locking: false, .. } if !own().contains(key) => {
                snapshot.push(op.clone());
            }
            OpKind::Scan { locking: false, .. } | OpKind::Iterate { .. } => {
                cut_range(history, op, &own(), &mut snapshot, &mut current);
            }
            OpKind::ReadList { key, .. } if !appends(&ops[..at], *key) => snapshot.push(op.clone()),
            _ => current.push(op.clone()),
        }
    }
    (snapshot, current)
}

/// The keys the transaction has written so far.
fn own_keys(so_far: &[Op]) -> Vec<KeyId> {
    let undone = Undone::find(so_far);
    let lasting = so_far.iter().enumerate().filter(|(at, _)| !undone.contains(*at));
    lasting.filter_map(|(_, op)| written(op)).map(|(key, _)| key).collect()
}

fn appends(so_far: &[Op], key: KeyId) -> bool {
    so_far.iter().any(|op| matches!(op.kind, OpKind::Append { key: own, .. } if own == key))
}

/// A plain range read: own keys are read back by the current half, the ranges between them by
/// the snapshot.
fn cut_range(
    history: &History,
    op: &Op,
    own: &[KeyId],
    snapshot: &mut Vec<Op>,
    current: &mut Vec<Op>,
) {
    let order = history.header.key_order;
    let Some((range, items)) = covered(history, &op.kind) else { return snapshot.push(op.clone()) };
    let mut inside: Vec<KeyId> =
        own.iter().copied().filter(|&key| range.contains(order, history.key(key))).collect();
    inside.sort_by(|&a, &b| order.compare(history.key(a), history.key(b)));
    inside.dedup();
    if inside.is_empty() || op.status != OpStatus::Done {
        return snapshot.push(op.clone());
    }
    for &key in &inside {
        for seen in seen_of(key, items) {
            let kind = OpKind::Get { key, seen, locking: false };
            current.push(Op { kind, ..op.clone() });
        }
    }
    let mut lo = range.lo.clone();
    let ends = inside.iter().map(|&key| Some(history.key(key).clone())).chain([range.hi.clone()]);
    for hi in ends {
        let between = Range { lo: lo.take(), hi: hi.clone(), reverse: range.reverse };
        let within = |(key, _): &&(KeyId, _)| between.contains(order, history.key(*key));
        let items = Some(items.iter().filter(within).copied().collect());
        let kind = OpKind::Scan { range: Box::new(between.clone()), items, locking: false };
        snapshot.push(Op { kind, ..op.clone() });
        lo = hi.map(successor);
    }
}

/// The range that was read and what it held, if that is known.
fn covered<'h>(history: &History, kind: &'h OpKind) -> Option<(Range, &'h [(KeyId, ValueId)])> {
    let (range, items, stopped) = match kind {
        OpKind::Scan { range, items, .. } => (range, items.as_deref()?, false),
        OpKind::Iterate { range, items, reached_end } => (range, items.as_deref()?, !reached_end),
        _ => return None,
    };
    let mut range = Range::clone(range);
    if stopped {
        let last = history.key(items.last()?.0).clone();
        if range.reverse {
            range.lo = Some(last);
        } else {
            range.hi = Some(successor(last));
        }
    }
    Some((range, items))
}

fn seen_of(key: KeyId, items: &[(KeyId, ValueId)]) -> Vec<Observed> {
    let found: Vec<Observed> =
        items.iter().filter(|item| item.0 == key).map(|item| Observed::Value(item.1)).collect();
    if found.is_empty() { vec![Observed::Absent] } else { found }
}

/// The first key after this one.
fn successor(key: Datum) -> Datum {
    match key {
        Datum::Int(number) => Datum::Int(number + 1),
        Datum::Text(text) => Datum::Text(format!("{text}\0").into()),
        Datum::Bytes(bytes) => Datum::Bytes([&bytes[..], &[0]].concat().into()),
    }
}
