//! What is added to a verdict once all levels are judged: the gaps of the trace; and what is taken
//! back.

use tristan_history::History;
use tristan_verdict::{Answer, UnknownReason, Verdict};

use super::coverage::gaps;
use super::judgeable::nothing_to_judge;
use crate::options::Options;

/// Adds to verdicts on a trace what is missing from it, and takes back accepts that say nothing about
/// the database.
pub(crate) fn completed<'v>(
    verdicts: impl Iterator<Item = &'v mut Verdict>,
    history: &History,
    options: &Options,
) {
    let nothing = options.withhold_vacuous.then(|| nothing_to_judge(history)).flatten();
    let gaps = gaps(history);
    for verdict in verdicts {
        if let Some(coverage) = &mut verdict.context.coverage {
            coverage.gaps.clone_from(&gaps);
        }
        if let Some(why) = &nothing {
            withhold(verdict, why);
        }
    }
}

/// Takes back an accept that says nothing about the database. What the trace could have shown stays
/// in the verdict.
fn withhold(verdict: &mut Verdict, why: &str) {
    if !matches!(verdict.answer, Answer::Accept { .. }) {
        return;
    }
    verdict.answer = Answer::Unknown {
        reason: UnknownReason::NothingToJudge { why: why.to_owned() },
        decided: "what the trace shows is consistent by itself".to_owned(),
    };
    verdict.transactions.clear();
    verdict.context.scene = None;
}
