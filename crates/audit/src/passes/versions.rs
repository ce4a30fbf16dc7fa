//! Mistakes in answers that do not show which rows they are about.
//!
//! A sum over a table, or a row that a subquery chose, is no fact about one row, so no projection to a row shows that it is
//! wrong (`rows.rs`). But a projection shows which versions of each row the query can have read, and the query can be
//! carried out on all combinations of these: `search/versions.rs` argues why a log may be rejected if none gives the answer.

use std::rc::Rc;

use super::kept::{Keeper, Kept};
use super::pass::{End, Pass};
use super::run::Run;
use super::stuck::Stuck;
use crate::error::Error;
use crate::explain::{Effort, Slice};
use crate::search::{Combined, Patience, Unexplained, WorldSearch};
use crate::statement::Task;

/// A pass that ends at a suspicious query that no combination of versions explains, if there is one.
pub(super) fn refute_a_query(
    run: &Run<'_>,
    keeper: &Keeper,
    stuck: &Stuck,
) -> Result<Option<(Pass, Effort)>, Error> {
    let Some(kept) = keeper.kept(run)? else { return Ok(None) };
    let effort = Effort::slice(Slice::Rows);
    run.budget.enter(effort.name());
    for (task, step) in kept.suspects().filter(|(task, _)| task.must_be_explained()) {
        let (options, budget) = (run.options, run.budget.inner());
        let mut patience = Patience { options, budget, runs: stuck.most_runs };
        if let Some(combined) = kept.log.refute_query(task, step, &mut patience) {
            return Ok(Some((kept.refuted(run, task, combined, effort), effort)));
        }
        if run.budget.is_up() {
            break;
        }
    }
    Ok(None)
}

impl Kept {
    fn refuted(&self, run: &Run<'_>, task: &Rc<Task>, combined: Combined, effort: Effort) -> Pass {
        let unexplained = Unexplained {
            task: Rc::clone(task),
            tries: Vec::new(),
            impossible: None,
            combined: Some(combined),
        };
        Pass {
            search: WorldSearch::new(self.log.sql(), run.options.clone(), effort),
            end: End::Unexplained(Box::new(unexplained)),
            counts: self.counts,
            explained: 0,
            stuck: None,
            warnings: self.warnings.clone(),
        }
    }
}
