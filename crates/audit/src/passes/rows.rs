//! Mistakes that the rows with one key show alone.
//!
//! ```text
//!   log          T1 … T400, sixteen of them open at any time, 3 × 10¹² orders of those
//!   id = 7       T3  T9  T11 …        two or three open at a time, and few states: decided at once
//! ```
//!
//! A slice of the log has all that the unexplained answer depends on; with one condition on no key in it, that is all of
//! the log. A projection ([`Focus`]) has less: only what the log says of the rows with one key. If nothing explains that,
//! nothing explains the log. The rows that suspicious answers name come first, before orders are tried in any other
//! way; all others that the log names come later. The likely order explains most projections; all orders are tried of
//! the others.
//!
//! The transactions of the log are kept, so this is for logs of limited length.

use rustc_hash::FxHashSet;

use super::kept::{Keeper, Kept};
use super::pass::{End, Pass};
use super::run::Run;
use super::stuck::Stuck;
use crate::error::Error;
use crate::explain::{Effort, Slice};
use crate::search::{Projected, SearchError, Unexplained};
use crate::statement::{Focus, Step};

/// How many suspicious keys are looked at, at most.
const MOST_SUSPICIOUS: usize = 40;

/// How many keys are looked at, at most.
const MOST: usize = 10_000;

/// Keys in the order in which they are named first, each once.
#[derive(Default)]
struct Distinct {
    known: FxHashSet<Focus>,
    listed: Vec<Focus>,
}

impl Distinct {
    fn add(&mut self, focus: Focus, most: usize) {
        if self.listed.len() < most && self.known.insert(focus.clone()) {
            self.listed.push(focus);
        }
    }
}

/// Which of the rows are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    /// Those that answers name which the greedy pass does not explain.
    Suspicious,
    /// All others.
    Others,
}

/// A pass over a projection of the log that nothing explains, if there is one.
pub(super) fn refute_rows_alone(
    run: &Run<'_>,
    keeper: &Keeper,
    stuck: &Stuck,
    rows: Rows,
) -> Result<Option<(Pass, Effort)>, Error> {
    let Some(kept) = keeper.kept(run)? else { return Ok(None) };
    let mut left = stuck.most_runs;
    run.budget.enter(effort().name());
    for focus in kept.focuses(rows) {
        let (refuted, runs) = kept.refute(run, &focus, stuck.few_runs.min(left));
        if let Some((projected, unexplained)) = refuted {
            return Ok(Some((kept.pass(projected, unexplained), effort())));
        }
        // To look whether a transaction has to do with the rows takes a small part of the time of a statement.
        left = left.saturating_sub(runs + 1 + kept.log.tasks.len() as u64 / 8);
        if left == 0 || run.budget.is_up() {
            break;
        }
    }
    Ok(None)
}

fn effort() -> Effort {
    Effort::slice(Slice::Rows)
}

impl Kept {
    /// The keys that the log names.
    fn focuses(&self, rows: Rows) -> Vec<Focus> {
        let mut focuses = Distinct::default();
        let suspects = self.suspects().filter_map(|(task, step)| task.statement(step));
        suspects.flat_map(Focus::named_by).for_each(|focus| focuses.add(focus, MOST_SUSPICIOUS));
        let suspicious = focuses.listed.len();
        if rows == Rows::Suspicious {
            return focuses.listed;
        }
        let steps = self.log.tasks.iter().flat_map(|task| &task.steps);
        let named = steps.filter_map(Step::statement).flat_map(Focus::named_by);
        named.for_each(|focus| focuses.add(focus, MOST));
        focuses.listed.split_off(suspicious)
    }

    /// What nothing explains in the projection to the rows with a key, if there is something, and how many statements
    /// were carried out to find it.
    fn refute(
        &self,
        run: &Run<'_>,
        focus: &Focus,
        most_runs: u64,
    ) -> (Option<(Projected, Box<Unexplained>)>, u64) {
        let mut runs = 0;
        for effort in [Effort::GREEDY, effort()] {
            let budget = run.budget.inner();
            let projected = self.log.project(focus, run.options, effort, budget, most_runs);
            let Some(mut projected) = projected else { return (None, runs) };
            runs += projected.search.notes.runs.get();
            let unexplained = match projected.ended.take() {
                Some(Err(SearchError::Unexplained(unexplained))) => unexplained,
                // What cannot be carried out on these rows says nothing about the log.
                Some(Err(SearchError::Unsupported(..)) | Ok(())) | None => return (None, runs),
            };
            let late = budget.known().is_err();
            // Nothing is rejected because of a value that was guessed.
            if effort.full && !late && projected.search.sql.guessed().is_none() {
                return (Some((projected, unexplained)), runs);
            }
        }
        (None, runs)
    }

    fn pass(&self, projected: Projected, unexplained: Box<Unexplained>) -> Pass {
        let search = projected.search;
        let explained = search.records.len() as u64;
        let (counts, warnings) = (self.counts, self.warnings.clone());
        Pass {
            search,
            end: End::Unexplained(unexplained),
            counts,
            explained,
            stuck: None,
            warnings,
        }
    }
}
