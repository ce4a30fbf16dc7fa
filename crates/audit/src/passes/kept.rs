//! A log that is kept in memory, and the answers in it that the likely order does not explain.
//!
//! Passes that look at parts of a log again and again share it. It is read when the first of them asks for it.

use std::cell::OnceCell;
use std::rc::Rc;

use super::pass::End;
use super::run::Run;
use crate::error::Error;
use crate::explain::Effort;
use crate::load::{Counts, Loaded, Loader};
use crate::search::{Extent, Log};
use crate::statement::Task;

/// How many transactions are kept at most.
const MOST_TASKS: usize = 20_000;

/// How many rows of the start are kept at most.
const MOST_ROWS: usize = 1_000_000;

/// How many answers that the greedy pass cannot explain are suspicious.
const SUSPECTS: usize = 12;

/// A log that is kept, and what is said of it whatever comes of its parts.
pub(super) struct Kept {
    pub(super) log: Log,
    pub(super) counts: Counts,
    pub(super) warnings: Vec<String>,
    suspects: Vec<(u32, usize)>,
}

/// A log that is read and kept once it is asked for.
#[derive(Default)]
pub(super) struct Keeper(OnceCell<Option<Kept>>);

impl Keeper {
    /// The log. Returns `None` if it is too long, or if not all of it can be carried out.
    pub(super) fn kept(&self, run: &Run<'_>) -> Result<Option<&Kept>, Error> {
        if self.0.get().is_none() {
            // It is empty, so nothing is lost.
            let _ = self.0.set(Kept::read(run)?);
        }
        Ok(self.0.get().and_then(Option::as_ref))
    }
}

impl Kept {
    fn read(run: &Run<'_>) -> Result<Option<Self>, Error> {
        let (mut loader, mut sql) = Loader::open(run.source, run.options)?;
        let (mut tasks, mut rows) = (Vec::new(), Vec::new());
        while let Some(loaded) = loader.next(&mut sql)? {
            match loaded {
                Loaded::Task(task) => tasks.push(*task),
                Loaded::Row(key, row) => rows.push((key, row)),
                Loaded::Unsupported { .. } => return Ok(None),
            }
            if tasks.len() > MOST_TASKS || rows.len() > MOST_ROWS || run.budget.is_up() {
                return Ok(None);
            }
        }
        if !sql.lost.is_empty() {
            return Ok(None);
        }
        let (counts, warnings) = (loader.counts, loader.warnings().to_vec());
        let suspects = suspects(run)?;
        Ok(Some(Self { log: Log::new(tasks, rows, sql), counts, warnings, suspects }))
    }

    /// The transactions with answers that the greedy pass cannot explain, each with the step.
    pub(super) fn suspects(&self) -> impl Iterator<Item = (&Rc<Task>, usize)> {
        self.suspects.iter().filter_map(|&(serial, step)| Some((self.log.task(serial)?, step)))
    }
}

/// The answers that the greedy pass cannot explain: serial numbers of transactions, with a step.
fn suspects(run: &Run<'_>) -> Result<Vec<(u32, usize)>, Error> {
    let extent = Extent { pardons: SUSPECTS, ..Extent::default() };
    let pass = run.pass(Effort::GREEDY, extent)?;
    let stuck = match &pass.end {
        End::Unexplained(unexplained) => Some(&**unexplained),
        _ => None,
    };
    let suspects = pass.search.passed_over.iter().chain(stuck);
    Ok(suspects.filter_map(|one| Some((one.task.serial, one.step()?))).collect())
}
