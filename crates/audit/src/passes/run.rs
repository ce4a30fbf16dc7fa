//! What every pass over a log needs.

use super::impossible::{first_impossible, impossible};
use super::pass::{End, Pass, run_until};
use crate::error::Error;
use crate::explain::Effort;
use crate::load::Source;
use crate::options::AuditOptions;
use crate::search::Extent;
use crate::watched_budget::WatchedBudget;

/// A log, how it is judged, and how long that may take.
pub(crate) struct Run<'a> {
    pub(crate) source: Source<'a>,
    pub(crate) options: &'a AuditOptions,
    pub(crate) budget: &'a WatchedBudget<'a>,
}

impl Run<'_> {
    /// Goes over the log, or a part of it, once, and asks whether the answer that it could not explain is wrong in every
    /// state.
    pub(crate) fn pass(&self, effort: Effort, extent: Extent) -> Result<Pass, Error> {
        self.budget.enter(effort.name());
        let mut pass = run_until(self.source, self.options, effort, self.budget, extent)?;
        if let End::Unexplained(unexplained) = &mut pass.end {
            unexplained.impossible =
                impossible(self.source, self.options, self.budget, unexplained)?;
        }
        Ok(pass)
    }

    /// Points a pass that got stuck at an answer that is wrong in every state, if the log has one.
    pub(super) fn point_at_the_impossible(&self, pass: &mut Pass) -> Result<(), Error> {
        match &pass.end {
            End::Unexplained(unexplained) if unexplained.impossible.is_none() => {}
            _ => return Ok(()),
        }
        // Values next to those that were guessed are sought when what depends on these is excluded.
        let sql = &pass.search.sql;
        let values = sql.guesses().is_empty() && sql.guessing().is_empty();
        if let Some(found) = first_impossible(self.source, self.options, self.budget, values)? {
            pass.end = End::Unexplained(Box::new(found));
        }
        Ok(())
    }
}
