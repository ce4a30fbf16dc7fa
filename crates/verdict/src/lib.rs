//! Verdicts as plain data.
//!
//! ```text
//!   Verdict ─┬─ Accept  + Witness     an order, read sources, outcomes: replay it
//!            ├─ Reject  + Refutation  conflicts that leave no possibility: re-check each
//!            └─ Unknown + reason      which limit was hit, what is decided so far
//! ```
//!
//! Transactions are named by their number in the trace ([`tristan_history::TxnId`]), so that a
//! verdict can be checked against the trace by an independent program. Everything a reader of the
//! verdict needs without the trace - the text of the operations in the core, labels, line
//! numbers - is in [`Verdict::transactions`].

pub mod audit;
pub mod cards;
pub mod context;
pub mod coverage;
pub mod fact;
pub mod refutation;
pub mod witness;

pub use cards::{Deed, OpCard, Saw, Times, TxnCard};
pub use context::{
    Asked, AskedBy, Context, LevelMark, Neighbour, Note, Obstacle, Scene, Standing, Timeline,
};
pub use coverage::{Coverage, Gaps, Overlap};
pub use fact::{Content, Fact};
pub use refutation::{
    Bad, BadKind, Case, Choice, Conflict, Edge, EdgeKind, Fate, Literal, Refutation, Rule, Source,
};
pub use witness::{Chosen, Point, PointKind, Witness};

use serde::{Deserialize, Serialize};

/// The version of the verdict format this crate writes.
pub const SCHEMA_VERSION: &str = "tristan/verdict/1";

/// The published JSON Schema of a verdict.
pub const VERDICT_SCHEMA: &str = include_str!("../schema/verdict.schema.json");

/// The answer to "could a correct database at this level have produced this trace?".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Always [`SCHEMA_VERSION`].
    pub schema: String,
    /// The full name of the level that was asked for.
    pub level: String,
    /// The level's definition, as a formula.
    pub definition: String,
    /// The vendor semantics by which the trace was rewritten before the level was applied; numbers
    /// of transactions and operations are those of the rewritten trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub semantics: Option<String>,
    /// The own-writes policy (`must`, `external` or `may`), if it is not the one in the trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_writes: Option<String>,
    /// What the trace was.
    pub trace: TraceSummary,
    /// Accept, reject or unknown, with the evidence.
    #[serde(flatten)]
    pub answer: Answer,
    /// What was taken for granted to reach it.
    pub assumptions: Vec<Assumption>,
    /// The transactions that the answer speaks of (the core of a rejection).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transactions: Vec<TxnCard>,
    /// What a report shows around the answer.
    #[serde(flatten)]
    pub context: Context,
}

/// Accept, reject or unknown. There will be no fourth answer, so a `match` needs no wildcard, and
/// none could be right: a certifier must not pass over an answer it does not know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Answer {
    /// Some execution at this level explains the trace.
    Accept {
        /// One such execution.
        witness: Witness,
    },
    /// No execution at this level explains the trace.
    Reject {
        /// The anomaly, named.
        anomaly: Anomaly,
        /// Why nothing explains the trace.
        refutation: Refutation,
    },
    /// Not decided.
    Unknown {
        /// Why not.
        reason: UnknownReason,
        /// What is decided all the same, for people.
        decided: String,
    },
}

impl Answer {
    /// Whether some execution explains the trace.
    pub fn is_accept(&self) -> bool {
        matches!(self, Self::Accept { .. })
    }

    /// Whether no execution explains the trace.
    pub fn is_reject(&self) -> bool {
        matches!(self, Self::Reject { .. })
    }
}

/// Why a question stays open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "limit", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum UnknownReason {
    /// The time limit was hit.
    Time {
        /// The limit in milliseconds.
        millis: u64,
        /// The stage that was running, and how far it had come, as in `reading, 35 %`.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        stage: String,
    },
    /// The memory limit was hit, or would have been exceeded.
    Memory {
        /// The limit in bytes.
        bytes: u64,
        /// The stage that was running, and how far it had come, as in `reading, 35 %`.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        stage: String,
    },
    /// The trace uses something this version does not interpret at this level.
    Unsupported {
        /// What, and on which line.
        what: String,
    },
    /// No violation of any level could show in the trace, so an accept would say nothing about the
    /// database.
    NothingToJudge {
        /// What the trace lacks, for people.
        why: String,
    },
}

/// An anomaly: its class in the literature, and words for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anomaly {
    /// The class: `G0`, `G1a`, `G1b`, `G1c`, `G-single`, `G-nonadjacent`, `G2-item`, …
    pub class: String,
    /// The everyday name: `lost update`, `write skew`, `long fork`, `fractured read`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// One sentence with the contradiction.
    pub sentence: String,
}

/// What the trace was. All counts are 0 if a limit kept the trace from being read to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceSummary {
    /// Where it came from.
    pub name: String,
    /// Number of transactions, whatever their outcome.
    pub transactions: usize,
    /// Of these, committed ones.
    pub committed: usize,
    /// Of these, ones with unknown outcome.
    pub unknown: usize,
    /// Number of sessions.
    pub sessions: usize,
    /// Number of operations.
    pub operations: usize,
    /// Number of keys.
    pub keys: usize,
}

/// Something taken for granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumption {
    /// What, for people: `unique values`, `clock drift ≤ 5 ms`, `initial state: every key absent`.
    pub what: String,
    /// Where it comes from and whether it was verified: `given`, `inferred, holds`, `default`.
    pub status: String,
}

impl Verdict {
    /// The verdict that a level is not decided, about a trace of which this much is known.
    pub fn unknown(
        level: &str,
        definition: &str,
        trace: TraceSummary,
        reason: UnknownReason,
        decided: &str,
    ) -> Self {
        Self {
            schema: SCHEMA_VERSION.to_owned(),
            level: level.to_owned(),
            definition: definition.to_owned(),
            semantics: None,
            own_writes: None,
            trace,
            answer: Answer::Unknown { reason, decided: decided.to_owned() },
            assumptions: Vec::new(),
            transactions: Vec::new(),
            context: Context::default(),
        }
    }

    /// The verdict as JSON text, the same bytes for the same verdict.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a verdict is always representable in JSON")
    }

    /// Reads a verdict from JSON text.
    ///
    /// # Errors
    /// If the text is not a verdict; the message says where.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}

/// The example of the README, which is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
