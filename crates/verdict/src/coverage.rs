//! What a trace could have shown, and what is missing from it: without this, "accept" may mean that
//! nothing happened.

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
    /// What happened and is not in the trace.
    #[serde(default, skip_serializing_if = "Gaps::is_empty")]
    pub gaps: Gaps,
}

/// What is known to be missing from a trace: an answer speaks about the rest only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gaps {
    /// Operations that the recorder left out, by its own account.
    #[serde(default)]
    pub unrecorded: usize,
    /// Operations that returned, but what they returned is not in the trace.
    #[serde(default)]
    pub unseen: usize,
    /// Operations that were called and never returned.
    #[serde(default)]
    pub pending: usize,
    /// Why the recorder stopped before the run was over, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
}

impl Gaps {
    /// Whether nothing is missing, as far as the trace tells.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// How many operations are missing or came without a result.
    pub fn operations(&self) -> usize {
        self.unrecorded + self.unseen + self.pending
    }
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
