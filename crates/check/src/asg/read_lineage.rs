//! The read lineage: every register read, split into internal ones (checked here against the
//! transaction's own writes) and external ones (somebody else must explain them).

use tristan_history::{KeyId, Observed, Op, OpKind, OpStatus, Outcome, TxnId};
use tristan_verdict::BadKind;

use super::{Asg, BadRead, ExternalRead, Seen};

/// Fills [`Asg::reads`] with the external register reads and [`Asg::bad`] with internal ones
/// that contradict the transaction's own writes.
pub fn collect(asg: &mut Asg<'_>) {
    let mut own = OwnWrites { slots: vec![(u32::MAX, Observed::Unknown); asg.history.keys.len()] };
    for txn in asg.history.txn_ids() {
        if asg.history.txn(txn).outcome == Outcome::Aborted {
            continue;
        }
        for (op, operation) in asg.history.ops_of(txn).iter().enumerate() {
            collect_one(asg, &mut own, txn, op as u32, operation);
        }
    }
}

/// Per key, what the current transaction wrote last.
struct OwnWrites {
    slots: Vec<(u32, Observed)>,
}

impl OwnWrites {
    fn last(&self, txn: TxnId, key: KeyId) -> Option<Observed> {
        let (owner, content) = self.slots[key.index()];
        (owner == txn.0).then_some(content)
    }

    fn set(&mut self, txn: TxnId, key: KeyId, content: Observed) {
        self.slots[key.index()] = (txn.0, content);
    }
}

fn collect_one(asg: &mut Asg<'_>, own: &mut OwnWrites, txn: TxnId, op: u32, operation: &Op) {
    if operation.status == OpStatus::Failed {
        return;
    }
    let done = operation.status == OpStatus::Done;
    if let Some((key, seen)) = observed(&operation.kind).filter(|_| done) {
        match own.last(txn, key) {
            None => asg.reads.push(ExternalRead { txn, op, key, seen }),
            Some(content) if seen.matches(content) => {}
            Some(_) => {
                let kind = BadKind::NotOwnWrite;
                asg.bad.push(BadRead { txn, op, key, kind, writer: None, other: None });
            }
        }
    }
    match &operation.kind {
        OpKind::Put { key, value } | OpKind::ReadModifyWrite { key, value, .. } => {
            own.set(txn, *key, Observed::Value(*value));
        }
        OpKind::Delete { key, rows } if *rows != Some(0) => own.set(txn, *key, Observed::Absent),
        OpKind::Scan { .. } | OpKind::Iterate { .. } if done => {
            asg.unsupported.push(format!("line {}: range reads", operation.line));
        }
        _ => {}
    }
}

/// What a register operation observed, if its result is known.
fn observed(kind: &OpKind) -> Option<(KeyId, Seen)> {
    match kind {
        OpKind::Get { key, seen, .. } | OpKind::ReadModifyWrite { key, seen, .. } => match seen {
            Observed::Unknown => None,
            Observed::Absent => Some((*key, Seen::Absent)),
            Observed::Value(value) => Some((*key, Seen::Value(*value))),
        },
        OpKind::Delete { key, rows: Some(0) } => Some((*key, Seen::Absent)),
        OpKind::Delete { key, rows: Some(_) } => Some((*key, Seen::Present)),
        _ => None,
    }
}
