//! What a case showed.

use std::fmt;

use serde::Serialize;

/// What became of an anomaly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Finding {
    /// It happened.
    Allowed,
    /// The database refused a transaction.
    Aborted,
    /// A step had to wait; then it did not happen.
    Blocked,
    /// Everything went through at once, and it did not happen.
    Prevented,
}

impl Finding {
    /// All of them, the most remarkable first.
    pub const ALL: [Self; 4] = [Self::Allowed, Self::Aborted, Self::Blocked, Self::Prevented];

    /// One word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Aborted => "aborted",
            Self::Blocked => "blocked",
            Self::Prevented => "prevented",
        }
    }

    /// A line for those who see the word for the first time.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Allowed => "the anomaly happened",
            Self::Aborted => "the database aborted a transaction, which prevented the anomaly",
            Self::Blocked => "a step had to wait for another session, which prevented the anomaly",
            Self::Prevented => "all steps completed immediately, but the anomaly did not happen",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// One run of a case: what every step answered, and what that amounts to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Observation {
    /// What became of the anomaly.
    pub finding: Finding,
    /// The steps in the order in which they were sent, then the looks at what was left.
    pub steps: Vec<Told>,
}

/// A step and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Told {
    /// The session; none if all had ended.
    pub session: Option<String>,
    /// What the answer is called in the condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The statement, or `begin`, `commit`, `rollback`.
    pub statement: String,
    /// Whether it had to wait for another session.
    pub waited: bool,
    /// What the database answered.
    pub answer: Answer,
}

/// What the database answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// It was done; so many rows were touched.
    Done(u64),
    /// These rows.
    Rows(Vec<Vec<Option<String>>>),
    /// It was refused, and with it the transaction.
    Refused(String),
    /// It was never sent: the transaction was over.
    Skipped,
}
