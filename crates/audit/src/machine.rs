//! The seam to SQL: what the engine asks of it.

use std::fmt;

use tristan_sql::{Collation, Session};

use crate::store::Key;
use crate::task::Task;

pub(crate) use tristan_sql::{Row, RowId, Rows, TableId, Value};

/// The form of a value that equal ones share. Some that are not equal may share it, too: whoever looks
/// rows up checks them again.
pub(crate) fn canonical(value: &Value) -> Value {
    value.canonical(Collation::Folded { padded: true })
}

/// Why a statement cannot be carried out here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unsupported(pub(crate) String);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Answers to what a statement leaves open, in the order of the questions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Script {
    /// The answers; zero where there are no more.
    pub(crate) answers: Vec<usize>,
    /// How many possibilities each question had.
    pub(crate) asked: Vec<usize>,
}

impl Script {
    /// Gives the next answer.
    pub(crate) fn choose(&mut self, alternatives: usize) -> usize {
        let answer = self.answers.get(self.asked.len()).copied().unwrap_or(0);
        self.asked.push(alternatives);
        answer.min(alternatives.saturating_sub(1))
    }

    /// The next combination of answers, if there is one.
    pub(crate) fn next(mut self) -> Option<Self> {
        self.answers.resize(self.asked.len(), 0);
        while let Some(last) = self.answers.pop() {
            let most = self.asked[self.answers.len()];
            if last + 1 < most {
                self.answers.push(last + 1);
                return Some(Self { answers: self.answers, asked: Vec::new() });
            }
        }
        None
    }
}

/// A change of one row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change {
    pub(crate) key: Key,
    pub(crate) old: Option<Row>,
    pub(crate) new: Option<Row>,
}

/// What carrying out a statement gave.
#[derive(Clone, Debug)]
pub(crate) struct Ran {
    /// Whether that is what was observed.
    pub(crate) explains: bool,
    pub(crate) changes: Vec<Change>,
}

/// Where a transaction is when a statement is carried out.
#[derive(Debug)]
pub(crate) struct Moment<'a> {
    /// The number of the next new row.
    pub(crate) fresh: u64,
    /// What the session remembers.
    pub(crate) session: &'a mut Session,
}

/// Carries out statements.
pub(crate) trait Machine {
    /// Carries out a statement of a transaction.
    fn run(
        &self,
        task: &Task,
        step: usize,
        rows: &mut dyn Rows,
        script: &mut Script,
        moment: Moment<'_>,
    ) -> Result<Ran, Unsupported>;

    /// Whether a statement that locks rows sees each of them as it is when its turn comes.
    fn locks_row_by_row(&self) -> bool;
}
