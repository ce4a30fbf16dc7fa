//! Version orders: one symbolic total order per key that somebody wrote or read.

use tristan_history::KeyId;

use crate::asg::Asg;
use crate::ir::{Ir, Unit, VersionOrder};
use crate::threads::joined;

/// Adds a [`VersionOrder`] for every key and returns its index by key. Marks the writers.
pub(crate) fn lower(asg: &Asg<'_>, units: &[Option<Unit>], ir: &mut Ir) -> Vec<u32> {
    let order = |key: KeyId| {
        let registers = asg.writes.of_key(key).iter().map(|version| version.txn);
        let appenders = asg.lists.appenders(key).iter().copied();
        let mut writers: Vec<Unit> =
            registers.chain(appenders).filter_map(|txn| units[txn.index()]).collect();
        writers.sort_unstable();
        writers.dedup();
        writers.shrink_to_fit();
        VersionOrder { key: asg.history.key(key).clone(), writers }
    };
    let keys = asg.history.keys.len();
    let orders = asg.threads.each(keys, |keys| keys.map(KeyId::new).map(order).collect());
    ir.orders = joined(orders);
    for &writer in ir.orders.iter().flat_map(|order| &order.writers) {
        ir.units[writer as usize].writes = true;
    }
    (0..keys as u32).collect()
}
