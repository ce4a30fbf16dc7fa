//! What can be asked for.

use std::collections::{BTreeMap, BTreeSet};

use crate::level::AuditLevel;
use crate::model::Time;

/// How a log is judged.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditOptions {
    /// At which level.
    pub level: AuditLevel,
    /// How far clocks may be apart, in nanoseconds.
    pub drift: Time,
    /// What is known about the order of commits.
    pub order: CommitOrder,
    /// What counts as a write conflict.
    pub conflict: ConflictRule,
    /// Whether a transaction sees what was committed before it on the same connection (`si`).
    pub sessions: bool,
    /// How many states back a weak level looks before it looks at all of them.
    pub window: u64,
    /// How many worlds are followed at most.
    pub worlds: usize,
    /// How many attempts one transaction may take.
    pub attempts: usize,
    /// Whether reads of aborted transactions are judged, too.
    pub aborted: bool,
    /// The parts that can be switched off.
    pub heuristics: Heuristics,
    /// Tables and rows that are there from the start, besides those of the log.
    pub schema: Option<String>,
    /// The collation of the database, by the name it has there; otherwise what the log says.
    pub collation: Option<String>,
    /// How long it may take, in milliseconds.
    pub time: Option<u64>,
    /// Tables to exclude from the audit, and why: names in lower case without a schema. Statements that touch
    /// them are not judged. The audit adds tables whose contents it cannot know.
    pub unfollowed: BTreeMap<String, String>,
    /// Statements to leave out, by their texts, and why. The audit adds those that turn out to be
    /// unsupported only during execution.
    pub unsupported: BTreeMap<String, String>,
    /// Blurred columns, with their tables, in lower case. Statements that use them are not judged. The
    /// audit adds columns that hold values of the server's own, if the log cannot be explained with those that it
    /// predicts.
    pub blurred: BTreeSet<(String, String)>,
    /// Whether queries are judged that show values of the server's own, such as the time, if these can be predicted.
    /// The audit does without them if the log cannot be explained with these values.
    pub predicts: bool,
}

/// What is known about the order of commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitOrder {
    /// Times bound it; stamps order the versions of a row.
    Hint,
    /// Stamps are the order.
    Exact,
    /// Nothing: times are not used either.
    Free,
}

/// What counts as a write conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConflictRule {
    /// Two writes of a row.
    Write,
    /// Two writes of a row that change its value.
    Value,
}

/// The heuristics of the paper that have a counterpart here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heuristics {
    /// H1: rows are found by an index on equality predicates.
    pub index: bool,
    /// H2: weak levels look at recent states first.
    pub window: bool,
    /// H3: worlds that have become the same are one again.
    pub merge: bool,
    /// H4: stronger behaviour first: statement snapshots before single rows, row locks before none.
    pub stronger: bool,
}

impl Default for Heuristics {
    fn default() -> Self {
        Self { index: true, window: true, merge: true, stronger: true }
    }
}

impl AuditOptions {
    /// What is usual for a level.
    pub fn new(level: AuditLevel) -> Self {
        Self {
            level,
            drift: 0,
            order: CommitOrder::Hint,
            conflict: ConflictRule::Write,
            sessions: false,
            window: 4096,
            worlds: 256,
            attempts: 4096,
            aborted: false,
            heuristics: Heuristics::default(),
            schema: None,
            collation: None,
            time: None,
            unfollowed: BTreeMap::new(),
            unsupported: BTreeMap::new(),
            blurred: BTreeSet::new(),
            predicts: true,
        }
    }
}
