//! Version orders: one symbolic total order per key that was read, or that two transactions
//! wrote.
//!
//! Many keys are written once and never looked at again. Nothing follows from them.

use std::ops::Range;

use tristan_ground::joined;
use tristan_history::KeyId;

use super::Numbering;
use crate::asg::Asg;
use crate::ir::{Ir, Unit, VersionOrder};

/// Adds a [`VersionOrder`] for each key that has one. Marks the writers.
pub(crate) fn lower(asg: &Asg<'_>, numbering: &Numbering, ir: &mut Ir) {
    let keys = &numbering.keys;
    let orders = |range: Range<usize>| orders(asg, numbering, &keys[range]);
    ir.orders = joined(asg.threads.each(keys.len(), orders));
    for unit in &mut ir.units {
        unit.writes = asg.writes.has(unit.txn);
    }
    let listed = ir.orders.iter().zip(keys).filter(|(_, key)| asg.lists.has(**key));
    for &writer in listed.flat_map(|(order, _)| &order.writers) {
        ir.units[writer.index()].writes = true;
    }
}

/// The keys that have an order, ascending.
pub(crate) fn keys(asg: &Asg<'_>) -> Vec<KeyId> {
    let mut read = vec![false; asg.history.keys.len()];
    let bad = asg.bad.iter().map(|bad| bad.key);
    asg.reads.keys().chain(bad).for_each(|key| read[key.index()] = true);
    let counts =
        |key: &KeyId| read[key.index()] || asg.writes.of_key(*key).len() > 1 || asg.lists.has(*key);
    (0..read.len()).map(KeyId::new).filter(counts).collect()
}

/// The orders of some keys.
fn orders(asg: &Asg<'_>, numbering: &Numbering, keys: &[KeyId]) -> Vec<VersionOrder> {
    let mut writers: Vec<Unit> = Vec::new();
    let order = |&key: &KeyId| {
        let registers = asg.writes.of_key(key).iter().map(|version| version.txn);
        let appenders = asg.lists.appenders(key).iter().copied();
        writers.clear();
        writers.extend(registers.chain(appenders).filter_map(|txn| numbering.unit(txn)));
        writers.sort_unstable();
        writers.dedup();
        VersionOrder { key: asg.history.key(key).clone(), writers: writers.as_slice().into() }
    };
    keys.iter().map(order).collect()
}
