//! One pass after the other, until one of them says something.

use super::kept::Keeper;
use super::mend::mend;
use super::pass::{End, Pass};
use super::rows::refute_rows_alone;
use super::run::Run;
use super::schedule::{Attempt, attempts};
use super::stuck::{self, Stuck};
use super::suspects::refute_a_suspect;
use super::versions::refute_a_query;
use crate::error::Error;
use crate::explain::Effort;
use crate::search::Extent;

/// Makes one pass after the other until one says something, or there is none left.
pub(crate) fn decide(run: &Run<'_>) -> Result<(Pass, Effort), Error> {
    let mut stuck: Option<Stuck> = None;
    let mut last: Option<(Pass, Effort)> = None;
    let keeper = Keeper::default();
    for attempt in attempts(run.options) {
        let (mut pass, effort) = match (attempt, &stuck) {
            (Attempt::Pass(effort), _) => (run.pass(effort, Extent::default())?, effort),
            (_, None) => continue,
            (Attempt::Mend { patient: false }, Some(stuck)) => {
                mend(run, stuck.clone(), stuck.few_runs)?
            }
            (Attempt::Mend { patient: true }, Some(stuck)) => {
                mend(run, stuck.clone(), stuck.most_runs)?
            }
            (attempt, Some(stuck)) => match refute(run, &keeper, stuck, attempt)? {
                Some(found) => found,
                None => continue,
            },
        };
        if stuck.is_none() {
            run.point_at_the_impossible(&mut pass)?;
        }
        pass.stuck = stuck.as_ref().map(|stuck| stuck.txn);
        if let (None, End::Unexplained(unexplained)) = (&stuck, &pass.end) {
            stuck = Some(Stuck::of(&pass, unexplained));
        }
        pass.explained = pass.explained.max(last.map_or(0, |(earlier, _)| earlier.explained));
        // Answers with values that were guessed are left out before anything else is tried.
        let guesses = run.options.predicts
            && matches!(pass.end, End::Unexplained(_))
            && !pass.search.sql.guessing().is_empty();
        let decided = pass.says_something(effort) || guesses;
        last = Some((pass, effort));
        if decided {
            break;
        }
    }
    Ok(last.expect("the first pass needs no other one before it"))
}

/// Looks for a mistake in a part of the log.
fn refute(
    run: &Run<'_>,
    keeper: &Keeper,
    stuck: &Stuck,
    attempt: Attempt,
) -> Result<Option<(Pass, Effort)>, Error> {
    match attempt {
        Attempt::Rows(rows) => refute_rows_alone(run, keeper, stuck, rows),
        Attempt::Versions => refute_a_query(run, keeper, stuck),
        Attempt::Suspects => refute_a_suspect(run),
        Attempt::Pass(_) | Attempt::Mend { .. } => Ok(None),
    }
}

/// The same, as far as the greedy pass and a look at parts of the log tell. That look carries out at most so many
/// statements.
pub(crate) fn decide_soon(run: &Run<'_>, most_runs: Option<u64>) -> Result<(Pass, Effort), Error> {
    let pass = run.pass(Effort::GREEDY, Extent::default())?;
    let unexplained = match &pass.end {
        End::Unexplained(unexplained) if unexplained.impossible.is_none() => unexplained,
        _ => return Ok((pass, Effort::GREEDY)),
    };
    let stuck = Stuck::of(&pass, unexplained);
    let refuted = stuck::refute(run, &stuck, stuck.most_runs.min(most_runs.unwrap_or(u64::MAX)))?;
    Ok(refuted.unwrap_or((pass, Effort::GREEDY)))
}
