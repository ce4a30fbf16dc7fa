//! A case: who does what in which order, and what must not be seen.

use super::Condition;
use crate::dialect::Dialect;

/// An interleaving, with the sight that makes it an anomaly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The file it comes from.
    pub file: String,
    /// A short name, as in `P4`.
    pub name: String,
    /// What people call it, as in `lost update`.
    pub title: String,
    /// One sentence for readers who have never heard of it.
    pub meaning: String,
    /// The weakest levels that forbid it; all stronger ones do as well.
    pub forbidden: Vec<String>,
    /// The dialects it can be played in.
    pub dialects: Vec<Dialect>,
    /// Statements that come before.
    pub setup: Vec<Setup>,
    /// What the sessions do, in order.
    pub steps: Vec<Step>,
    /// What is looked at when all sessions have ended.
    pub after: Vec<Query>,
    /// Whether it was an anomaly.
    pub anomaly: Condition,
}

/// A statement that comes before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Where it stands.
    pub line: usize,
    /// The dialects of SQL in which the statement is run.
    pub dialects: Vec<Dialect>,
    /// The SQL text of the statement.
    pub sql: String,
}

/// One step of one session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it stands.
    pub line: usize,
    /// The dialects of SQL in which the step is run.
    pub dialects: Vec<Dialect>,
    /// Whose step it is.
    pub session: String,
    /// What it does.
    pub action: Action,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Begins the session's transaction.
    Begin,
    /// Commits the transaction.
    Commit,
    /// Rolls the transaction back.
    Rollback,
    /// Carries out a statement.
    Sql {
        /// What the answer is called in the condition.
        label: Option<String>,
        /// The SQL text of the statement.
        sql: String,
    },
}

/// A look at what is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Where it stands.
    pub line: usize,
    /// The dialects of SQL in which the query is run.
    pub dialects: Vec<Dialect>,
    /// What the answer is called in the condition.
    pub label: String,
    /// The SQL text of the query.
    pub sql: String,
}

impl Case {
    /// The steps in a dialect.
    pub fn steps_in(&self, dialect: Dialect) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(move |step| step.dialects.contains(&dialect))
    }

    /// The names of the sessions in a dialect, in the order in which they appear.
    pub fn sessions_in(&self, dialect: Dialect) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for step in self.steps_in(dialect) {
            if !names.contains(&step.session.as_str()) {
                names.push(&step.session);
            }
        }
        names
    }

    /// Whether it can be played in a dialect.
    pub fn is_for(&self, dialect: Dialect) -> bool {
        self.dialects.contains(&dialect)
    }
}

impl Action {
    /// As it is written in a case.
    pub fn text(&self) -> &str {
        match self {
            Self::Begin => "begin",
            Self::Commit => "commit",
            Self::Rollback => "rollback",
            Self::Sql { sql, .. } => sql,
        }
    }

    /// Whether the transaction is over after this.
    pub fn ends(&self) -> bool {
        matches!(self, Self::Commit | Self::Rollback)
    }
}
