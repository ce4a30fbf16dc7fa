//! What a client was told, as a line of the trace says it.

use serde::{Serialize, Serializer};
use tristan_history::Datum;

use crate::DatabaseError;

/// What a client was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It was done.
    Done,
    /// It was done, at a logical time; of begins and commits.
    Stamped(i64),
    /// It was done to so many rows.
    Rows(u64),
    /// The value; `None` if the key was absent.
    Value(Option<Datum>),
    /// The value that was replaced; `None` if the key was absent.
    Old(Option<Datum>),
    /// All items of a range.
    Items(Vec<(Datum, Datum)>),
    /// The items that an iterator returned, and whether the range was exhausted.
    Iterated(Vec<(Datum, Datum)>, bool),
    /// The elements of a list.
    Elements(Vec<Datum>),
    /// It was done; what came back is not recorded.
    Unseen,
    /// It failed and had no effect. Of a commit: it may have had.
    Failed(String),
    /// It failed, and the database has promised that the transaction did not commit.
    Aborted(String),
}

/// A return in a trace.
#[derive(Default, Serialize)]
pub(crate) struct ReturnLine<'a> {
    #[serde(rename = "return")]
    pub(crate) call: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    v: Option<Shown<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<&'a Option<Datum>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<&'a [(Datum, Datum)]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stamp: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    aborted: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unseen: bool,
    pub(crate) at: u64,
}

enum Shown<'a> {
    Value(&'a Option<Datum>),
    Elements(&'a [Datum]),
}

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Value(value) => value.serialize(serializer),
            Self::Elements(elements) => elements.serialize(serializer),
        }
    }
}

impl Answer {
    /// What a commit that failed is told as: only a refusal promises that nothing was committed.
    pub fn of_failed_commit(error: DatabaseError) -> Self {
        match error {
            DatabaseError::Refused(text) => Self::Aborted(text),
            unsure => Self::Failed(unsure.to_string()),
        }
    }

    /// The line that says so, without the fields that do not depend on the answer. `ends` says
    /// whether it answers a commit or an abort.
    pub(crate) fn line(&self, ends: bool) -> ReturnLine<'_> {
        let line = ReturnLine::default();
        match self {
            Self::Done => line,
            Self::Stamped(stamp) => ReturnLine { stamp: Some(*stamp), ..line },
            Self::Rows(rows) => ReturnLine { rows: Some(*rows), ..line },
            Self::Value(value) => ReturnLine { v: Some(Shown::Value(value)), ..line },
            Self::Old(value) => ReturnLine { old: Some(value), ..line },
            Self::Items(items) => ReturnLine { items: Some(items), ..line },
            Self::Iterated(items, end) => {
                ReturnLine { items: Some(items), end: Some(*end), ..line }
            }
            Self::Elements(elements) => ReturnLine { v: Some(Shown::Elements(elements)), ..line },
            Self::Unseen => ReturnLine { unseen: true, ..line },
            Self::Failed(text) => ReturnLine { error: Some(text), ..line },
            Self::Aborted(text) => ReturnLine { error: Some(text), aborted: ends, ..line },
        }
    }
}
