//! How keys start, where that is not as the trace or its format says.
//!
//! Formats differ in what they take for granted: dbcop and Plume let every key start with 0, Jepsen
//! and TimeKiller with nothing, others do not say. What is wrong for a trace can be put right after
//! it is read, with an [`InitialRule`].

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use rustc_hash::FxHashSet;

use super::content::Shown;
use crate::error::quote;
use tristan_history::{
    Datum, History, Initial, KeyId, Observed, OpKind, OpStatus, Outcome, TxnId, ValueId,
};

/// A way for keys to start.
///
/// ```
/// use tristan_formats::{Format, InitialRule, read};
/// let mut history = read(&b"r 7 0\n"[..], "t", Some(Format::Awdit)).expect("a trace");
/// "0".parse::<InitialRule>().expect("a rule").apply(&mut history);
/// let key = history.ops[0].kind.key().expect("a read of one key");
/// assert_ne!(history.initial_of(key), Some(tristan_history::Observed::Absent));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InitialRule {
    /// Every key is absent.
    Absent,
    /// The initial state is unknown.
    Unknown,
    /// Every key starts with the one value that is read from it and that no transaction writes to it; if
    /// there are several, with the one that is read first, and if there is none, absent.
    Unwritten,
    /// Every key starts with this value.
    Every(Datum),
}

impl InitialRule {
    /// Lets the keys of a history start this way.
    pub fn apply(&self, history: &mut History) {
        history.header.initial = match self {
            Self::Absent => Initial::Empty,
            Self::Unknown => Initial::Unknown,
            Self::Unwritten => Initial::Given(unwritten(history)),
            Self::Every(value) => Initial::Uniform(ValueId(history.values.intern(value.clone()))),
        };
    }
}

/// A text that is no rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "found {found}, expected absent, unknown, unwritten, or a value in JSON (a string in double quotes)"
)]
pub struct InitialRuleError {
    found: String,
}

/// Reads `absent`, `unknown`, `unwritten` or a value as in JSON: `0`, `"on call"`, `{"hex":"00"}`.
/// A text needs its quotes, so that a typing mistake is not taken for a value.
impl FromStr for InitialRule {
    type Err = InitialRuleError;

    fn from_str(text: &str) -> Result<Self, InitialRuleError> {
        match text {
            "absent" => Ok(Self::Absent),
            "unknown" => Ok(Self::Unknown),
            "unwritten" => Ok(Self::Unwritten),
            _ => match Datum::from_json(text) {
                Ok(Some(value)) => Ok(Self::Every(value)),
                _ => Err(InitialRuleError { found: quote(text) }),
            },
        }
    }
}

/// Prints what can be read again.
impl fmt::Display for InitialRule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => out.write_str("absent"),
            Self::Unknown => out.write_str("unknown"),
            Self::Unwritten => out.write_str("unwritten"),
            Self::Every(value) => {
                out.write_str(&serde_json::to_string(&Shown(value)).map_err(|_| fmt::Error)?)
            }
        }
    }
}

/// The keys to which some transaction writes a value.
pub(crate) fn keys_put(history: &History, value: ValueId) -> FxHashSet<KeyId> {
    let put = |kind: &OpKind| match kind {
        OpKind::Put { key, value: new } => (*new == value).then_some(*key),
        _ => None,
    };
    history.ops.iter().filter_map(|op| put(&op.kind)).collect()
}

/// Whether a read returned a value that no transaction writes to its key.
pub(crate) fn comes_from_nowhere(history: &History, value: ValueId) -> bool {
    let put = keys_put(history, value);
    history.ops.iter().any(|op| match op.kind {
        OpKind::Get { key, seen, .. } => seen == Observed::Value(value) && !put.contains(&key),
        _ => false,
    })
}

/// The first value per key that was read but never written.
fn unwritten(history: &History) -> BTreeMap<KeyId, ValueId> {
    let written: FxHashSet<(KeyId, ValueId)> =
        history.ops.iter().filter_map(|op| written(&op.kind)).collect();
    let mut first = BTreeMap::new();
    let alive = |id: &TxnId| history.txn(*id).outcome != Outcome::Aborted;
    for id in history.txn_ids().filter(alive) {
        for op in history.ops_of(id).iter().filter(|op| op.status == OpStatus::Done) {
            for (key, value) in op.kind.values_read() {
                if !written.contains(&(key, value)) {
                    first.entry(key).or_insert(value);
                }
            }
        }
    }
    first
}

/// What an operation writes, whether it succeeds or not.
fn written(kind: &OpKind) -> Option<(KeyId, ValueId)> {
    match *kind {
        OpKind::Put { key, value }
        | OpKind::PutIf { key, value, .. }
        | OpKind::ReadModifyWrite { key, value, .. } => Some((key, value)),
        _ => None,
    }
}
