//! What surrounds an answer: other levels, other transactions, remarks in the trace. Nothing of it
//! is evidence; a report that lacks it says less.

use serde::{Deserialize, Serialize};
use tristan_history::Datum;

use crate::{Coverage, Times};

/// What a report shows around an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context {
    /// What this answer says about well-known levels, weakest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<LevelMark>,
    /// What else happened while the transactions of the answer ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene: Option<Scene>,
    /// Of an accept, and of a trace with nothing to judge: what the trace could have shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Coverage>,
    /// Of an unknown because of a limit: what makes the trace hard to decide.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<Obstacle>,
    /// What the level was called by the user or by the trace, if not by its full name, and why
    /// that name stands for this level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
    /// Of a reject: a trace of the core alone that is rejected as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smallest: Option<String>,
    /// The command that gives this verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Whether the independent certifier was asked, and agreed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub certified: bool,
    /// The program that gave the answer, with its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
}

/// What makes a trace hard to decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Obstacle {
    /// What the trace leaves open, as a phrase for the report.
    pub what: String,
    /// How a new recording can avoid it.
    pub help: String,
}

/// The name under which a level was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The name as it was written.
    pub name: String,
    /// Where the name comes from.
    pub by: AskedBy,
    /// Why it stands for the level that was judged, if that is more than another name for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

/// Where the name of a level comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AskedBy {
    /// The user, on the command line or in a configuration file.
    User,
    /// The header of the trace.
    Trace,
}

/// What an answer says about some level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelMark {
    /// The full name of the level.
    pub level: String,
    /// Whether the level holds.
    pub standing: Standing,
}

/// How a level stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// The trace satisfies the level.
    Holds,
    /// The trace violates the level.
    Violated,
    /// Nothing violates it, but the trace lacks what tells it from a weaker level: times, or
    /// sessions with several transactions.
    Untested,
    /// Not decided: a limit was hit, or the level was not judged.
    Open,
}

/// What happened around the transactions of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scene {
    /// What the times of its transactions are.
    #[serde(default, skip_serializing_if = "Timeline::is_none")]
    pub timeline: Timeline,
    /// Faults and remarks in the trace, in its order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// Other transactions that ran meanwhile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub around: Vec<Neighbour>,
    /// How many more there were.
    #[serde(default)]
    pub more: usize,
}

/// What relates transactions of different sessions in time. A verdict that does not say so has no
/// such relation: the order of lines in a trace means nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Timeline {
    /// Nothing does: some transaction of the answer has no times.
    #[default]
    None,
    /// [`Times`] count entries of the trace, which are in the order in which they happened.
    Entries,
    /// [`Times`] are readings of clocks, in nanoseconds.
    Clock,
}

impl Timeline {
    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }
}

/// A fault or a remark in the trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The line of the trace that it stands on.
    pub line: u32,
    /// About when it happened, in nanoseconds: the last end of a transaction above it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<i64>,
    /// What it says.
    pub text: String,
}

/// A transaction that is not part of the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Neighbour {
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
}
