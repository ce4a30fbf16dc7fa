//! What an accepted trace could have shown: without it, "accept" may mean that nothing happened.

use serde::{Deserialize, Serialize};

/// How much a trace puts to the test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// Pairs of transactions that overlapped.
    pub concurrent_pairs: u64,
    /// How that was found out.
    pub overlap: Overlap,
    /// Keys with at least two writers.
    pub contended_keys: usize,
    /// Reads of single keys, those of range reads included, that are not of an own write.
    pub reads: usize,
    /// Of these, those that only one version explains.
    pub pinned_reads: usize,
    /// What the trace cannot show, whatever the database did; for people.
    pub blind_spots: Vec<String>,
}

/// How overlapping transactions are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Overlap {
    /// By their times.
    Times,
    /// The trace has no times: transactions of different sessions may have overlapped.
    Sessions,
}
