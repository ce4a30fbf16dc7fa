//! What a log says: transactions, what they asked for, and what they were told.
//!
//! ```text
//!   begin ─── call ── end ─── call ── end ─── commit ── end
//!     │         statement       statement        │       │
//!     └──────────────── the interval ────────────┼───────┘
//!                                     the window └───────┘  in which a commit takes effect
//! ```

use std::sync::Arc;

use serde_json::Value as Json;
use tristan_sqltext::SearchPath;

/// Nanoseconds of one clock.
pub type Time = i64;

/// Later than everything.
pub const NEVER: Time = Time::MAX;

/// A transaction of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Txn {
    /// Its number in the log.
    pub number: u64,
    /// The number of the connection that ran it.
    pub session: u64,
    /// When it was begun.
    pub begin: Time,
    /// When its commit was asked for.
    pub commit: Time,
    /// When it was known to be over; [`NEVER`] if the log does not say.
    pub end: Time,
    /// Whether it committed.
    pub outcome: Outcome,
    /// What the database says about its place: a commit timestamp, the number of a GTID.
    pub stamp: Option<u64>,
    /// What it did.
    pub calls: Vec<Call>,
    /// The line of the log where it begins.
    pub line: u64,
}

/// How a transaction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is in the database.
    Committed,
    /// It is not.
    Aborted,
    /// The outcome is unknown.
    Unknown,
}

/// The names of types; none if nothing is known about them.
pub type Types = Arc<[String]>;

/// A statement that was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The statement as the client sent it.
    pub sql: Arc<str>,
    /// The values of `$1`, `$2`, … or of the question marks.
    pub params: Vec<Json>,
    /// The types of its parameters, as far as the log states them, by the names that the server has for them.
    pub types: Types,
    /// What it does to the transaction it is in.
    pub control: Control,
    /// What the client was told.
    pub observed: Observed,
    /// When it was sent.
    pub begin: Time,
    /// When it was answered.
    pub end: Time,
    /// Its line in the log.
    pub line: u64,
}

/// What a statement does to the transaction it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Control {
    /// Nothing: it reads or writes.
    Statement,
    /// Unknown: only the beginning of its text was recorded.
    Unclear,
    /// It changes what other statements mean, by a setting of this name.
    Setting(String),
    /// It marks a place to come back to.
    Savepoint(String),
    /// It undoes everything after that place.
    RollbackTo(String),
    /// It chooses where names without a schema are looked up from now on.
    Path(SearchPath),
    /// It says something about transactions or settings and changes no row.
    Other,
}

/// What a client was told.
#[derive(Clone, Debug, PartialEq)]
pub enum Observed {
    /// Rows, as far as they were written down, and how many are missing.
    Rows {
        /// The rows as they were logged, each a list of JSON values.
        rows: Vec<Vec<Json>>,
        /// How many more came.
        cut: u64,
    },
    /// How many rows were changed.
    Affected(u64),
    /// It worked; nothing more is known.
    Done,
    /// An error with this code.
    Error(String),
    /// Nothing: the connection was lost.
    Nothing,
    /// It was not carried out, because something before it failed.
    Skipped,
}

impl Txn {
    /// Whether it may be in the database.
    pub fn may_count(&self) -> bool {
        self.outcome != Outcome::Aborted
    }

    /// When it probably took effect: as soon as its commit was asked for, or, if it is a statement that commits by
    /// itself and may have waited for locks, just before the answer.
    pub fn probable_commit(&self) -> Time {
        let commits = |call: &&Call| call.control == Control::Statement && call.end != NEVER;
        let last = self.calls.last().filter(commits);
        last.filter(|call| call.begin == self.commit).map_or(self.commit, |call| call.end)
    }

    /// When its first statement that reads or writes was answered.
    pub fn first_answer(&self) -> Time {
        let first = self.calls.iter().find(|call| call.control == Control::Statement);
        first.map_or(self.end, |call| call.end)
    }
}
