//! When a sight is an anomaly: `a = 10 and b = 10 and A committed, or …`.

use std::collections::BTreeMap;

use crate::sql::StatementResult;

/// True if all tests of one of the alternatives are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    /// The alternatives, between `or`.
    pub alternatives: Vec<Vec<Test>>,
}

/// Something that was seen or not. A test of a statement that gave no answer fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// `A committed`
    Committed(String),
    /// `A aborted`
    Aborted(String),
    /// `seen = 10`, `seen = (1, 10) (2, 20)`, `seen = before`: the same rows, in any order.
    Equal(String, Operand),
    /// `seen != before`
    Different(String, Operand),
    /// `seen is empty`
    Empty(String),
    /// `seen is not empty`
    NotEmpty(String),
    /// `seen has 2 rows`
    Rows(String, usize),
    /// `deleted affected 1 row`
    Affected(String, u64),
}

/// What rows are compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// These rows.
    Rows(Vec<Vec<Value>>),
    /// Those that another statement answered.
    Answer(String),
}

/// A value as text; `None` is NULL.
pub type Value = Option<String>;

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct Observations {
    /// Answers, by label.
    pub answers: BTreeMap<String, StatementResult>,
    /// Whether sessions committed, by name.
    pub committed: BTreeMap<String, bool>,
}

impl Condition {
    /// Whether it is true of what was seen.
    pub fn holds(&self, observed: &Observations) -> bool {
        self.alternatives.iter().any(|tests| tests.iter().all(|test| test.passes(observed)))
    }

    /// Its tests, of all alternatives.
    pub fn tests(&self) -> impl Iterator<Item = &Test> {
        self.alternatives.iter().flatten()
    }
}

impl Test {
    /// The labels of the answers it looks at.
    pub fn labels(&self) -> Vec<&str> {
        match self {
            Self::Committed(_) | Self::Aborted(_) => Vec::new(),
            Self::Equal(label, Operand::Answer(other))
            | Self::Different(label, Operand::Answer(other)) => vec![label, other],
            Self::Equal(label, _)
            | Self::Different(label, _)
            | Self::Empty(label)
            | Self::NotEmpty(label)
            | Self::Rows(label, _)
            | Self::Affected(label, _) => vec![label],
        }
    }

    /// The session whose end it looks at.
    pub fn session(&self) -> Option<&str> {
        match self {
            Self::Committed(session) | Self::Aborted(session) => Some(session),
            _ => None,
        }
    }

    fn passes(&self, observed: &Observations) -> bool {
        let answer = |label: &str| observed.answers.get(label);
        let ended = |session: &str| observed.committed.get(session).copied();
        match self {
            Self::Committed(session) => ended(session) == Some(true),
            Self::Aborted(session) => ended(session) == Some(false),
            Self::Equal(label, operand) => {
                answer(label).is_some_and(|seen| operand.matches(seen, observed) == Some(true))
            }
            Self::Different(label, operand) => {
                answer(label).is_some_and(|seen| operand.matches(seen, observed) == Some(false))
            }
            Self::Empty(label) => answer(label).is_some_and(|seen| seen.rows.is_empty()),
            Self::NotEmpty(label) => answer(label).is_some_and(|seen| !seen.rows.is_empty()),
            Self::Rows(label, count) => answer(label).is_some_and(|seen| seen.rows.len() == *count),
            Self::Affected(label, count) => {
                answer(label).is_some_and(|seen| seen.affected == *count)
            }
        }
    }
}

impl Operand {
    /// Whether these are the rows that were seen. Returns `None` if there is nothing to compare with.
    fn matches(&self, seen: &StatementResult, observed: &Observations) -> Option<bool> {
        let other = match self {
            Self::Rows(rows) => rows,
            Self::Answer(label) => &observed.answers.get(label)?.rows,
        };
        Some(sorted(&seen.rows) == sorted(other))
    }
}

/// Rows come in no particular order.
fn sorted(rows: &[Vec<Value>]) -> Vec<&Vec<Value>> {
    let mut rows: Vec<_> = rows.iter().collect();
    rows.sort();
    rows
}
