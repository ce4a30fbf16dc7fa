//! Transactions and operations as a report shows them, without the trace at hand.

use serde::{Deserialize, Serialize};
use tristan_history::Datum;

/// A transaction as the report shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TxnCard {
    /// Its number in the trace, from 0.
    pub id: u32,
    /// What people call it.
    pub label: String,
    /// The name of the session that ran it.
    pub session: Datum,
    /// `committed`, `aborted` or `unknown`.
    pub outcome: String,
    /// First and last line in the trace.
    pub lines: (u32, u32),
    /// When it ran, if the trace says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<Times>,
    /// The error that ended it, if the trace says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The operations of the transaction, in order.
    pub ops: Vec<OpCard>,
}

/// When a transaction began and ended, in nanoseconds. Each is known to lie between two instants,
/// as far as the trace tells: before the call, and after the return.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// When it began.
    pub begin: (Option<i64>, Option<i64>),
    /// When it ended.
    pub end: (Option<i64>, Option<i64>),
}

impl Times {
    /// The first and the last instant that are known.
    pub fn span(&self) -> Option<(i64, i64)> {
        let known = [self.begin.0, self.begin.1, self.end.0, self.end.1];
        let known = || known.into_iter().flatten();
        known().min().zip(known().max())
    }
}

/// An operation as the report shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpCard {
    /// The operation in words, e.g. `read x → 1`.
    pub text: String,
    /// Its line in the trace.
    pub line: u32,
    /// The operation as data; not there for savepoints and in old verdicts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deed: Option<Deed>,
}

/// What an operation does, as far as a picture needs it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deed {
    /// It only reads a key.
    Read {
        /// The key that is read.
        key: Datum,
        /// What it returned, if the trace says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        saw: Option<Saw>,
    },
    /// It writes a key, whether or not it also reads it.
    Write {
        /// The key that is written.
        key: Datum,
        /// The value written; `None` if the operation deletes the key.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<Datum>,
        /// Whether the write had no effect, or a rollback undid it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        void: bool,
        /// What it found before it wrote, if it says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        saw: Option<Saw>,
    },
    /// It appends to the list under a key.
    Append {
        /// The key whose list grows.
        key: Datum,
        /// The element that is appended.
        value: Datum,
    },
    /// It reads a range of keys.
    Range {
        /// The first key of the range, if it is bounded.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        low: Option<Datum>,
        /// The first key behind the range, if it is bounded.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        high: Option<Datum>,
        /// Whether keys come from high to low.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        reverse: bool,
        /// For an iterator, whether it came to the end of the range.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to_end: Option<bool>,
        /// The first keys that were returned, with their values.
        items: Vec<(Datum, Datum)>,
        /// How many more were returned.
        #[serde(default, skip_serializing_if = "is_zero")]
        more: usize,
    },
}

/// What an operation found under its key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Saw {
    /// The key was not there.
    Absent,
    /// The key was there; with which value is not known.
    Present,
    /// The key held this value.
    Value(Datum),
    /// A list with these elements, oldest first.
    List(Vec<Datum>),
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Deed {
    /// The key whose version lasts because of this operation, if there is one.
    pub fn writes(&self) -> Option<&Datum> {
        match self {
            Self::Write { key, void: false, .. } | Self::Append { key, .. } => Some(key),
            Self::Write { .. } | Self::Read { .. } | Self::Range { .. } => None,
        }
    }
}
