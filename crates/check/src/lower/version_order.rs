//! Version orders: one symbolic total order per key that somebody wrote or read.

use tristan_history::KeyId;

use crate::asg::Asg;
use crate::ir::{Ir, Unit, VersionOrder};

/// Adds a [`VersionOrder`] for every key and returns its index by key. Marks the writers.
pub(crate) fn lower(asg: &Asg<'_>, units: &[Option<Unit>], ir: &mut Ir) -> Vec<u32> {
    let history = asg.history;
    let mut indexes = Vec::with_capacity(history.keys.len());
    for key in (0..history.keys.len()).map(KeyId::new) {
        let registers = asg.writes.of_key(key).iter().map(|version| version.txn);
        let appenders = asg.lists.appenders(key).iter().copied();
        let mut writers: Vec<Unit> =
            registers.chain(appenders).filter_map(|txn| units[txn.index()]).collect();
        writers.sort_unstable();
        writers.dedup();
        for &writer in &writers {
            ir.units[writer as usize].writes = true;
        }
        indexes.push(ir.orders.len() as u32);
        ir.orders.push(VersionOrder { key: history.key(key).clone(), writers });
    }
    indexes
}
