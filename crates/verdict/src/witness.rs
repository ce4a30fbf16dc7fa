//! The witness of an accept: one execution that explains the trace.

use serde::{Deserialize, Serialize};
use tristan_history::Datum;

use crate::{Fate, Source};

/// One execution.
///
/// The order lists the points of all transactions that took effect. Levels whose reads happen
/// at a snapshot have two points per transaction, begin and commit; the others have one. The
/// versions of a key are installed in the order of the commit (or only) points.
///
/// For levels whose definition is not a single acyclic order (read atomic, causal, …) the
/// order is an arbitration order: it contains every base and write dependency, and the
/// definition's other constraints are to be re-checked with the versions it gives.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    /// The points, earliest first.
    pub order: Vec<Point>,
    /// For each read with more than one possible source, the source chosen.
    pub sources: Vec<Chosen>,
    /// Transactions of unknown outcome that took effect; the others did not.
    pub committed: Vec<u32>,
    /// Operations that may or may not have taken effect and did (`effect` is always true); those
    /// that are not listed did not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Fate>,
}

/// A point in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// The transaction that takes effect at this point.
    pub txn: u32,
    /// Which of its points.
    pub at: PointKind,
}

/// Which point of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PointKind {
    /// The transaction as a whole.
    Whole,
    /// Its begin: the snapshot it reads from.
    Begin,
    /// Its commit: its writes are installed.
    Commit,
}

/// The source chosen for a read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    /// The reading transaction.
    pub txn: u32,
    /// The reading operation within it.
    pub op: u32,
    /// The key, if the operation reads a range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Datum>,
    /// Where the value came from.
    pub from: Source,
}
