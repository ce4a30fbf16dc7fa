//! What a client asks, as a line of the trace says it.

use serde::Serialize;
use tristan_history::Datum;

use crate::Answer;

/// What a client asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Begin a transaction, at this level if it is not the one of the whole trace.
    Begin(Option<String>),
    /// Read a key; with `lock`, as in `SELECT … FOR UPDATE`.
    Get {
        /// Which.
        key: Datum,
        /// Whether others have to wait.
        lock: bool,
    },
    /// Write a key, whether it was there or not.
    Put {
        /// Which.
        key: Datum,
        /// What.
        value: Datum,
    },
    /// Write a key only if it is there (an `UPDATE`).
    Update {
        /// Which.
        key: Datum,
        /// What.
        value: Datum,
    },
    /// Write a key only if it is not there (an `INSERT`).
    Insert {
        /// Which.
        key: Datum,
        /// What.
        value: Datum,
    },
    /// Delete a key.
    Delete {
        /// Which.
        key: Datum,
    },
    /// Read a key and replace its value in one step.
    Rmw {
        /// Which.
        key: Datum,
        /// The new value.
        value: Datum,
    },
    /// Read all of a range `[lo, hi)`.
    Scan {
        /// The first key in it.
        lo: Option<Datum>,
        /// The first key after it.
        hi: Option<Datum>,
        /// Whether others have to wait.
        lock: bool,
    },
    /// Step through a range and stop somewhere.
    Iterate {
        /// The first key in it.
        lo: Option<Datum>,
        /// The first key after it.
        hi: Option<Datum>,
    },
    /// Append to a list.
    Append {
        /// Which.
        key: Datum,
        /// What.
        element: Datum,
    },
    /// Read a list.
    List {
        /// Which.
        key: Datum,
    },
    /// Mark a place in the transaction.
    Savepoint {
        /// The name of the savepoint.
        name: Datum,
    },
    /// Undo what was written since a place was marked.
    Rollback {
        /// The name of the savepoint.
        name: Datum,
    },
    /// Commits the transaction.
    Commit,
    /// Roll back.
    Abort,
}

/// A call in a trace.
#[derive(Default, Serialize)]
pub(crate) struct CallLine<'a> {
    pub(crate) call: u64,
    pub(crate) s: Option<&'a Datum>,
    pub(crate) t: u64,
    pub(crate) op: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<&'a Datum>,
    #[serde(skip_serializing_if = "Option::is_none")]
    v: Option<&'a Datum>,
    #[serde(rename = "if", skip_serializing_if = "Option::is_none")]
    when: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a Datum>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lo: Option<&'a Datum>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hi: Option<&'a Datum>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    lock: bool,
    pub(crate) at: u64,
}

impl Request {
    /// Write a key, whether it was there or not.
    pub fn put(key: impl Into<Datum>, value: impl Into<Datum>) -> Self {
        Self::Put { key: key.into(), value: value.into() }
    }

    /// Write a key only if it is there.
    pub fn update(key: impl Into<Datum>, value: impl Into<Datum>) -> Self {
        Self::Update { key: key.into(), value: value.into() }
    }

    /// Write a key only if it is not there.
    pub fn insert(key: impl Into<Datum>, value: impl Into<Datum>) -> Self {
        Self::Insert { key: key.into(), value: value.into() }
    }

    /// Delete a key.
    pub fn delete(key: impl Into<Datum>) -> Self {
        Self::Delete { key: key.into() }
    }

    /// The answer that so many rows were written.
    pub fn written(&self, rows: u64) -> Answer {
        match self {
            Self::Update { .. } | Self::Insert { .. } | Self::Delete { .. } => Answer::Rows(rows),
            _ => Answer::Done,
        }
    }

    /// The line that says so, without the fields that do not depend on the request.
    pub(crate) fn line(&self) -> CallLine<'_> {
        let line = CallLine::default();
        let put = |key, value, when| CallLine {
            op: "put",
            k: Some(key),
            v: Some(value),
            when,
            ..CallLine::default()
        };
        match self {
            Self::Begin(level) => CallLine { op: "begin", level: level.as_deref(), ..line },
            Self::Get { key, lock } => CallLine { op: "get", k: Some(key), lock: *lock, ..line },
            Self::Put { key, value } => put(key, value, None),
            Self::Update { key, value } => put(key, value, Some("present")),
            Self::Insert { key, value } => put(key, value, Some("absent")),
            Self::Delete { key } => CallLine { op: "delete", k: Some(key), ..line },
            Self::Rmw { key, value } => {
                CallLine { op: "rmw", k: Some(key), v: Some(value), ..line }
            }
            Self::Savepoint { name } => CallLine { op: "savepoint", name: Some(name), ..line },
            Self::Rollback { name } => CallLine { op: "rollback", name: Some(name), ..line },
            Self::Scan { lo, hi, lock } => {
                CallLine { op: "scan", lo: lo.as_ref(), hi: hi.as_ref(), lock: *lock, ..line }
            }
            Self::Iterate { lo, hi } => {
                CallLine { op: "iter", lo: lo.as_ref(), hi: hi.as_ref(), ..line }
            }
            Self::Append { key, element } => {
                CallLine { op: "append", k: Some(key), v: Some(element), ..line }
            }
            Self::List { key } => CallLine { op: "list", k: Some(key), ..line },
            Self::Commit => CallLine { op: "commit", ..line },
            Self::Abort => CallLine { op: "abort", ..line },
        }
    }
}
