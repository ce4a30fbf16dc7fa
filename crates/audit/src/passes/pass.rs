//! One pass over a log, or over a part of it.

use crate::error::Error;
use crate::explain::Effort;
use crate::load::{Counts, Loaded, Loader, Source};
use crate::model::NEVER;
use crate::options::AuditOptions;
use crate::search::{Extent, SearchError, Unexplained, WorldSearch};
use crate::statement::Readers;
use crate::watched_budget::WatchedBudget;

/// How a pass ended.
pub(crate) enum End {
    /// Everything is explained.
    Explained,
    /// A transaction is not.
    Unexplained(Box<Unexplained>),
    /// A statement cannot be carried out.
    Unsupported { txn: u64, reason: String },
    /// Time is up.
    Late,
    /// There was too much to try.
    Cut,
}

/// A pass over a log, or the part of it up to where it ended.
pub(crate) struct Pass {
    pub(crate) search: WorldSearch,
    pub(crate) end: End,
    pub(crate) counts: Counts,
    /// How many transactions were explained, in this pass or in an earlier one.
    pub(crate) explained: u64,
    /// The transaction that the first pass could not explain, if this is a later one.
    pub(crate) stuck: Option<u64>,
    pub(crate) warnings: Vec<String>,
}

/// Goes over a log once.
pub(crate) fn run_until(
    source: Source<'_>,
    options: &AuditOptions,
    effort: Effort,
    budget: &WatchedBudget<'_>,
    extent: Extent,
) -> Result<Pass, Error> {
    let (mut loader, sql) = Loader::open(source, options)?;
    let mut search = WorldSearch::new(sql, options.clone(), effort);
    if effort.full && options.level.reads_old_states() {
        search.readers = Some(readers(source, options, &extent, budget)?);
    }
    let until = extent.until;
    search.notes.budget = budget.inner().clone();
    search.extent = extent;
    let end = go(&mut loader, &mut search, budget, until)?;
    let (counts, warnings) = (loader.counts, loader.warnings().to_vec());
    let explained = search.records.len() as u64;
    Ok(Pass { search, end, counts, explained, stuck: None, warnings })
}

/// Everybody of a log who may read a state between two commits long after them.
fn readers(
    source: Source<'_>,
    options: &AuditOptions,
    extent: &Extent,
    budget: &WatchedBudget<'_>,
) -> Result<Readers, Error> {
    let (mut loader, mut sql) = Loader::open(source, options)?;
    let mut readers = Readers::default();
    while let Some(loaded) = loader.next(&mut sql)? {
        let Loaded::Task(task) = loaded else { continue };
        // The pass that follows ends at once if a limit was reached.
        if extent.is_over(&task) || budget.is_up() {
            break;
        }
        if let Some(task) = extent.of(*task) {
            readers.add(&task, options);
        }
    }
    Ok(readers)
}

fn go(
    loader: &mut Loader,
    search: &mut WorldSearch,
    budget: &WatchedBudget<'_>,
    until: Option<u64>,
) -> Result<End, Error> {
    let stopped = |stop: SearchError| match stop {
        _ if budget.inner().known().is_err() => End::Late,
        SearchError::Unexplained(unexplained) => End::Unexplained(unexplained),
        SearchError::Unsupported(task, reason) => {
            End::Unsupported { txn: task.txn.number, reason: reason.to_string() }
        }
    };
    loop {
        if budget.is_over(loader.counts.transactions) {
            return Ok(End::Late);
        }
        let spent = search.extent.runs.is_some_and(|most| search.notes.runs.get() > most);
        if spent || search.effort.stops_at_cut() && search.notes.untried().is_some() {
            return Ok(End::Cut);
        }
        match loader.next(&mut search.sql)? {
            None => break,
            Some(Loaded::Row(key, row)) => search.load(key, row),
            Some(Loaded::Task(task)) if search.extent.is_over(&task) => {
                // Who is still open may be explained by somebody who began later.
                let done = search.until(search.extent.by.unwrap_or(NEVER).saturating_add(1));
                return Ok(done.map_or_else(stopped, |()| End::Explained));
            }
            Some(Loaded::Task(task)) => {
                if until.is_some_and(|until| until == 0 || until == task.txn.number) {
                    let done = search.until(task.begin);
                    return Ok(done.map_or_else(stopped, |()| End::Explained));
                }
                if let Err(stop) = search.admit(*task) {
                    return Ok(stopped(stop));
                }
            }
            Some(Loaded::Unsupported { txn, reason }) => {
                return Ok(End::Unsupported { txn: txn.number, reason: reason.to_string() });
            }
        }
    }
    Ok(search.finish().map_or_else(stopped, |()| End::Explained))
}
