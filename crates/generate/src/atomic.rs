//! One transaction at a time: strictly serializable by construction.
//!
//! Sessions interleave at random; the trace carries no times, so a checker sees it as a black
//! box.

use super::{Turns, Workload};
use tristan_history::History;

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

/// A strictly serializable history: each transaction runs before the next one begins.
pub fn atomic_store(shape: &Shape) -> History {
    let workload = Workload {
        txns: shape.txns,
        keys: shape.keys,
        sessions: shape.sessions as usize,
        at_once: 1,
        turns: Turns::Random,
        ops: shape.ops,
        seed: shape.seed,
        ..Workload::blind(shape.read_only_percent)
    };
    workload.run()
}
