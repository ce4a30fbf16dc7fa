//! Version orders that list reads reveal.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use tristan_history::{KeyId, OpKind, OpStatus, Outcome, TxnId};
use tristan_spec::Rel;

use super::Numbering;
use crate::asg::lists::ListRead;
use crate::asg::program::Undone;
use crate::asg::{Asg, Effect};
use crate::ir::{Edge, Ir, OrderId, Reason, Unit};

/// For each key, the longest list seen by a reader that surely took effect, and whose reads are
/// not dirty, fixes the order of the writers in it and puts all others after it.
pub(crate) fn lower(asg: &Asg<'_>, numbering: &Numbering, ir: &mut Ir) {
    let mut longest_by_key: BTreeMap<KeyId, &ListRead> = BTreeMap::new();
    for read in asg.lists.reads() {
        if asg.effect[read.txn.index()] == Effect::Sure && !asg.reads_dirty(read.txn) {
            let longest = longest_by_key.entry(read.key).or_insert(read);
            if read.writers.len() > longest.writers.len() {
                *longest = read;
            }
        }
    }
    for (key, longest) in longest_by_key {
        let seen: Vec<Unit> =
            longest.writers.iter().filter_map(|&txn| numbering.unit(txn)).collect();
        let order = numbering.order_read(key);
        let reason = Reason::Listed { order, reader: longest.txn, op: longest.op };
        chain(ir, &seen, &reason);
        put_rest_after(ir, order, &seen, &reason);
    }
}

/// A list that a committed transaction read dirty shows the order of its elements' committed
/// writers, whatever else is in it.
pub(crate) fn lower_dirty(
    asg: &Asg<'_>,
    numbering: &Numbering,
    dirty: impl Fn(TxnId) -> bool,
    ir: &mut Ir,
) {
    let history = asg.history;
    let mut owner = FxHashMap::default();
    for txn in history.txn_ids() {
        let ops = history.ops_of(txn);
        let undone = Undone::find(ops);
        for (at, op) in ops.iter().enumerate() {
            if let OpKind::Append { key, element } = op.kind
                && op.status == OpStatus::Done
                && !undone.contains(at)
            {
                owner.insert((key, element), txn);
            }
        }
    }
    let committed = |txn: &TxnId| history.txn(*txn).outcome == Outcome::Committed;
    for reader in history.txn_ids().filter(|txn| committed(txn) && dirty(*txn)) {
        for (op, operation) in history.ops_of(reader).iter().enumerate() {
            let OpKind::ReadList { key, elements: Some(list) } = &operation.kind else { continue };
            if operation.status != OpStatus::Done || !asg.lists.is_clear(*key) {
                continue;
            }
            let owners = list.iter().filter_map(|element| owner.get(&(*key, *element)));
            let others = owners.filter(|&&txn| txn != reader && committed(&txn));
            let mut seen: Vec<Unit> = others.filter_map(|&txn| numbering.unit(txn)).collect();
            seen.dedup();
            let Some(order) = numbering.order(*key) else { continue };
            chain(ir, &seen, &Reason::Listed { order, reader, op: op as u32 });
        }
    }
}

fn chain(ir: &mut Ir, seen: &[Unit], reason: &Reason) {
    for pair in seen.windows(2) {
        let edge = Edge { from: pair[0], to: pair[1], rel: Rel::Ww, reason: reason.clone() };
        ir.edges.push(edge);
    }
}

fn put_rest_after(ir: &mut Ir, order: OrderId, seen: &[Unit], reason: &Reason) {
    let Some(&last) = seen.last() else { return };
    let mut inside = seen.to_vec();
    inside.sort_unstable();
    let writers = ir.orders[order.index()].writers.iter().copied();
    for to in writers.filter(|writer| inside.binary_search(writer).is_err()) {
        ir.edges.push(Edge { from: last, to, rel: Rel::Ww, reason: reason.clone() });
    }
}
