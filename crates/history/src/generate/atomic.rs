//! One map, one transaction at a time: strictly serializable by construction.
//!
//! Sessions interleave at random; the trace carries no times, so a checker sees it as a black
//! box.

use super::Rng;
use crate::{Datum, History, HistoryBuilder, Observed, OpKind, Outcome, ValueId};

/// The shape of a generated history.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Number of transactions.
    pub txns: usize,
    /// Number of keys, chosen uniformly.
    pub keys: u64,
    /// Number of sessions, chosen uniformly per transaction.
    pub sessions: u64,
    /// Operations per transaction.
    pub ops: usize,
    /// Share of read-only transactions in percent; the others only write.
    pub read_only_percent: u64,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl Default for Shape {
    fn default() -> Self {
        Self { txns: 10_000, keys: 2_000, sessions: 24, ops: 8, read_only_percent: 50, seed: 1 }
    }
}

/// A strictly serializable history: each transaction runs atomically against one map.
pub fn atomic_store(shape: &Shape) -> History {
    let mut rng = Rng::new(shape.seed);
    let mut builder = HistoryBuilder::default();
    let mut state: Vec<Option<ValueId>> = vec![None; shape.keys as usize];
    let mut next_value = 0i64;
    for _ in 0..shape.txns {
        let session = rng.below(shape.sessions);
        let read_only = rng.percent(shape.read_only_percent);
        let keys: Vec<u64> = (0..shape.ops).map(|_| rng.below(shape.keys)).collect();
        let writes: Vec<ValueId> = if read_only {
            Vec::new()
        } else {
            keys.iter()
                .map(|_| {
                    next_value += 1;
                    builder.value(next_value)
                })
                .collect()
        };
        let ids: Vec<_> = keys.iter().map(|&key| builder.key(Datum::Int(key.into()))).collect();
        let mut txn = builder.begin(Datum::Int(session.into()));
        for (position, &key) in keys.iter().enumerate() {
            let slot = &mut state[key as usize];
            txn = match writes.get(position) {
                Some(&value) => {
                    *slot = Some(value);
                    txn.op(OpKind::Put { key: ids[position], value })
                }
                None => {
                    let seen = slot.map_or(Observed::Absent, Observed::Value);
                    txn.op(OpKind::Get { key: ids[position], seen, locking: false })
                }
            };
        }
        txn.end(Outcome::Committed);
    }
    builder.finish()
}
