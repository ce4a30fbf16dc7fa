//! The answer to a query: a history, and why it is one.

use tristan_spec::iso::IsoLevel;

use crate::gates::{SearchBudget, SearchLimitError, SearchLimits};
use crate::history::AbstractHistory;
use crate::judge::{Judgement, Shown, ViolatedCheck, judge};
use crate::search::{Query, Search};

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SynthesisOutcome {
    /// This history is what was sought.
    Found(Box<FoundHistory>),
    /// There is none of this size.
    None,
    /// The search did not come to an end.
    Unknown(SynthesisError),
}

/// Why a search did not come to an end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SynthesisError {
    /// A limit was hit.
    #[error(transparent)]
    Limit(#[from] SearchLimitError),
    /// The judge does not agree with the search, which must not happen.
    #[error("the search found '{history}', but the judge of {level} disagrees")]
    Disagreement {
        /// The name of the level.
        level: String,
        /// The history as one line of text.
        history: String,
    },
}

/// A history that was sought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundHistory {
    /// The history, transactions numbered session by session.
    pub history: AbstractHistory,
    /// For each level that it keeps, the witnesses.
    pub kept: Vec<Vec<Shown>>,
    /// For each level that it violates, why.
    pub violated: Vec<ViolatedCheck>,
}

/// An outcome, and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Synthesis {
    /// What came out.
    pub outcome: SynthesisOutcome,
    /// How many histories were looked at and found wrong.
    pub candidates: usize,
}

/// Searches among histories of one size: as many transactions as the scope says, none of them
/// empty, and at most as many keys.
pub fn synthesise(query: &Query, limits: &SearchLimits) -> Synthesis {
    let budget = SearchBudget::start(limits);
    let _searching = budget.scope("search");
    let mut candidates = 0;
    let outcome = match search(query, &budget, &mut candidates) {
        Ok(Some(answer)) => SynthesisOutcome::Found(Box::new(answer)),
        Ok(None) => SynthesisOutcome::None,
        Err(reason) => SynthesisOutcome::Unknown(reason),
    };
    Synthesis { outcome, candidates }
}

fn search(
    query: &Query,
    budget: &SearchBudget,
    candidates: &mut usize,
) -> Result<Option<FoundHistory>, SynthesisError> {
    let mut search = Search::new(query, budget)?;
    let found = search.find(&[]);
    *candidates = search.candidates();
    found?.map(|(history, _)| answer(query, &history, budget)).transpose()
}

/// Judges a history by all levels as they are written, and puts down what the judge says.
pub(crate) fn answer(
    query: &Query,
    history: &AbstractHistory,
    budget: &SearchBudget,
) -> Result<FoundHistory, SynthesisError> {
    let (history, _) = history.renumbered();
    let mut kept = Vec::new();
    for level in &query.positive {
        match judge(level, &history, budget) {
            Judgement::Holds(witnesses) => kept.push(witnesses),
            Judgement::Unknown(stop) => return Err(stop.into()),
            Judgement::Violated(_) => return Err(wrong(level, &history)),
        }
    }
    let mut violated = Vec::new();
    for level in &query.negative {
        match judge(level, &history, budget) {
            Judgement::Violated(why) => violated.push(why),
            Judgement::Unknown(stop) => return Err(stop.into()),
            Judgement::Holds(_) => return Err(wrong(level, &history)),
        }
    }
    Ok(FoundHistory { history, kept, violated })
}

fn wrong(level: &IsoLevel, history: &AbstractHistory) -> SynthesisError {
    SynthesisError::Disagreement { level: level.name.clone(), history: history.to_string() }
}
