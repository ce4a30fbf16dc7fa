//! The search over what a log says of the rows with one key.
//!
//! [`crate::statement::Focus`] argues why nothing explains a log if nothing explains such a projection of it.

use super::world_search::{SearchError, WorldSearch};
use crate::explain::Effort;
use crate::options::AuditOptions;
use crate::sql::Sql;
use crate::statement::{Focus, Readers, Task, Unclear};
use crate::world::{Key, Row};

/// A log that is kept to be projected.
#[derive(Debug)]
pub(crate) struct Log {
    pub(crate) tasks: Vec<Task>,
    /// The rows of the start.
    pub(crate) rows: Vec<(Key, Row)>,
    pub(crate) sql: Sql,
}

/// What came of the search over a projection.
pub(crate) struct Projected {
    pub(crate) search: WorldSearch,
    /// `None` if there was too much to try.
    pub(crate) ended: Option<Result<(), SearchError>>,
}

impl Log {
    /// Searches the projection to the rows with a key; carries out at most so many statements. Returns `None` if there
    /// is no projection.
    pub(crate) fn project(
        &self,
        focus: &Focus,
        options: &AuditOptions,
        effort: Effort,
        budget: &tristan_ground::Budget,
        most_runs: u64,
    ) -> Option<Projected> {
        let mut search = WorldSearch::new(self.sql.again(), options.clone(), effort);
        search.notes.budget = budget.clone();
        if effort.full && options.level.reads_old_states() {
            let mut readers = Readers::default();
            for task in &self.tasks {
                if let Some(part) = focus.part_of(task).ok()? {
                    readers.add(&part, options);
                }
            }
            search.readers = Some(readers);
        }
        for (key, row) in self.rows.iter().filter(|(key, row)| focus.has(*key, row)) {
            search.load(*key, row.clone());
        }
        let ended = self.go(focus, &mut search, most_runs).ok()?;
        Some(Projected { search, ended })
    }

    fn go(
        &self,
        focus: &Focus,
        search: &mut WorldSearch,
        most_runs: u64,
    ) -> Result<Option<Result<(), SearchError>>, Unclear> {
        let mut tasks = self.tasks.iter();
        let mut ended = Ok(());
        for task in tasks.by_ref() {
            if search.notes.runs.get() > most_runs || search.has_cut() {
                return Ok(None);
            }
            match focus.part_of(task)? {
                Some(part) => ended = search.admit(part),
                None => search.pass_by(task),
            }
            if ended.is_err() {
                break;
            }
        }
        // Nothing is said about a log of which a later transaction cannot be projected.
        tasks.try_for_each(|task| focus.part_of(task).map(drop))?;
        let ended = ended.and_then(|()| search.finish());
        Ok((!search.has_cut()).then_some(ended))
    }
}

impl WorldSearch {
    /// Whether something was left untried where everything has to be.
    fn has_cut(&self) -> bool {
        self.effort.full && self.notes.untried().is_some()
    }
}
