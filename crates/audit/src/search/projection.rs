//! The search over what a log says of the rows with one key.
//!
//! [`crate::statement::Focus`] argues why nothing explains a log if nothing explains such a projection of it.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use tristan_ground::Budget;

use super::world_search::{SearchError, WorldSearch};
use crate::explain::Effort;
use crate::options::AuditOptions;
use crate::sql::Sql;
use crate::statement::{Focus, Readers, Task, Unclear};
use crate::world::{Key, Row, TableId};

/// How many attempts one transaction may take. There are many projections, and those that show a mistake show it soon.
const MOST_ATTEMPTS: usize = 1_024;

/// A log that is kept to be projected.
#[derive(Debug)]
pub(crate) struct Log {
    pub(crate) tasks: Vec<Rc<Task>>,
    /// The rows of the start, by their keys.
    pub(super) rows: FxHashMap<Focus, Vec<(Key, Row)>>,
    /// The tables of these rows, with the columns of the keys; `None` if not all of their rows have one.
    pub(super) keys: FxHashMap<TableId, Option<Vec<usize>>>,
    pub(super) sql: Sql,
}

/// What came of the search over a projection.
pub(crate) struct Projected {
    pub(crate) search: WorldSearch,
    /// `None` if there was too much to try.
    pub(crate) ended: Option<Result<(), SearchError>>,
}

impl Log {
    /// The transactions of a log, the rows of its start, and the tables at its end. A table may have had another key at
    /// the start, or none at the end; its rows are then not projected.
    pub(crate) fn new(tasks: Vec<Task>, start: Vec<(Key, Row)>, mut sql: Sql) -> Self {
        sql.forget_plans();
        let mut rows: FxHashMap<Focus, Vec<(Key, Row)>> = FxHashMap::default();
        let mut keys: FxHashMap<TableId, Option<Vec<usize>>> = FxHashMap::default();
        for (key, row) in start {
            let focus = Focus::of(sql.catalog(), key, &row);
            let own: Option<Vec<usize>> = focus.as_ref().map(|focus| focus.columns().collect());
            let known = keys.entry(key.0).or_insert_with(|| own.clone());
            if *known != own {
                *known = None;
            }
            if let Some(focus) = focus {
                rows.entry(focus).or_default().push((key, row));
            }
        }
        let tasks = tasks.into_iter().map(Rc::new).collect();
        Self { tasks, rows, keys, sql }
    }

    /// The transaction with a serial number.
    pub(crate) fn task(&self, serial: u32) -> Option<&Rc<Task>> {
        let place = self.tasks.binary_search_by_key(&serial, |task| task.serial).ok()?;
        self.tasks.get(place)
    }

    /// The tables at its end, to go on from there.
    pub(crate) fn sql(&self) -> Sql {
        self.sql.again()
    }

    /// Whether it is known which rows of the start a focus has.
    fn knows(&self, focus: &Focus) -> bool {
        self.keys.get(&focus.table()).is_none_or(|key| {
            key.as_ref().is_some_and(|key| key.iter().copied().eq(focus.columns()))
        })
    }

    /// Searches the projection to the rows with a key; carries out at most so many statements. Returns `None` if there
    /// is no projection.
    pub(crate) fn project(
        &self,
        focus: &Focus,
        options: &AuditOptions,
        effort: Effort,
        budget: &Budget,
        most_runs: u64,
    ) -> Option<Projected> {
        let parts = self.parts(focus, |task| focus.part_of(task))?;
        Some(self.search_parts(focus, parts, options, effort, budget, most_runs))
    }

    /// What of each transaction is about the rows with a key, with its place. Returns `None` if there is no projection.
    pub(super) fn parts(
        &self,
        focus: &Focus,
        part: impl Fn(&Task) -> Result<Option<Task>, Unclear>,
    ) -> Option<Vec<(usize, Task)>> {
        if !self.knows(focus) {
            return None;
        }
        let mut parts = Vec::new();
        for (place, task) in self.tasks.iter().enumerate() {
            if let Some(part) = part(task).ok()? {
                parts.push((place, part));
            }
        }
        Some(parts)
    }

    /// Searches what of each transaction is about the rows with a key.
    pub(super) fn search_parts(
        &self,
        focus: &Focus,
        parts: Vec<(usize, Task)>,
        options: &AuditOptions,
        effort: Effort,
        budget: &Budget,
        most_runs: u64,
    ) -> Projected {
        let attempts = options.attempts.min(MOST_ATTEMPTS);
        let options = AuditOptions { attempts, ..options.clone() };
        let reads_old_states = options.level.reads_old_states();
        let mut search = WorldSearch::new(self.sql.again(), options, effort);
        search.notes.budget = budget.clone();
        if effort.full && reads_old_states {
            let mut readers = Readers::default();
            parts.iter().for_each(|(_, part)| readers.add(part, &search.options));
            search.readers = Some(readers);
        }
        for (key, row) in self.rows.get(focus).into_iter().flatten() {
            search.load(*key, row.clone());
        }
        let ended = self.go(&mut search, parts, most_runs);
        Projected { search, ended }
    }

    fn go(
        &self,
        search: &mut WorldSearch,
        parts: Vec<(usize, Task)>,
        most_runs: u64,
    ) -> Option<Result<(), SearchError>> {
        let mut next = 0;
        for (place, part) in parts {
            if search.notes.runs.get() > most_runs || search.has_cut() {
                return None;
            }
            self.tasks[next..place].iter().for_each(|task| search.pass_by(task));
            next = place + 1;
            let admitted = search.admit(part);
            if admitted.is_err() {
                return (!search.has_cut()).then_some(admitted);
            }
        }
        let ended = search.finish();
        (!search.has_cut()).then_some(ended)
    }
}

impl WorldSearch {
    /// Whether something was left untried where everything has to be.
    fn has_cut(&self) -> bool {
        self.effort.full && self.notes.untried().is_some()
    }
}
