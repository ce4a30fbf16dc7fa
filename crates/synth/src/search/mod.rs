//! Searching for a history that some levels allow and others do not.
//!
//! ```text
//!   scope ──sought──► inputs ─┬─ positive: must be kept, one of them numbers the transactions
//!                             └─ negative: must be violated, choice by choice
//!                                   │
//!                    candidate ◄────┘  until no choice keeps what must be violated
//! ```
//!
//! One [`Search`] looks at histories with one number of transactions. What it has learnt stays
//! true when it is asked again with further demands (fewer keys, fewer operations, other histories
//! than those found).

mod negative;
mod positive;
mod scope;
mod sought;
mod symmetry;

use tristan_spec::iso::IsoLevel;

use crate::gates::{Gate, Model, SearchBudget, SearchLimitError, Solver};
use crate::history::AbstractHistory;

pub(crate) use negative::Negative;
pub(crate) use positive::Positive;
pub(crate) use scope::Needs;
pub use scope::{HistoryOptions, Scope};
pub(crate) use sought::Sought;

/// What is sought.
#[derive(Clone, Debug)]
pub struct Query {
    /// Levels that must be kept.
    pub positive: Vec<IsoLevel>,
    /// Levels that must be violated.
    pub negative: Vec<IsoLevel>,
    /// How large histories may be.
    pub scope: Scope,
    /// What they may look like.
    pub options: HistoryOptions,
}

impl Query {
    /// Whether histories that differ in their sessions alone count as different. If no level speaks
    /// of sessions and their number does not matter, every transaction has a session of its own.
    pub fn tells_sessions_apart(&self) -> bool {
        let levels = self.positive.iter().chain(&self.negative);
        Needs::of(levels, &self.options).sessions
    }
}

/// A search among histories of one size.
#[derive(Debug)]
pub(crate) struct Search {
    solver: Solver,
    sought: Sought,
    negatives: Vec<Negative>,
    budget: SearchBudget,
    /// Whether all first guesses were excluded.
    guessed: bool,
    candidates: usize,
}

impl Search {
    /// A search among histories with exactly as many transactions as the scope says.
    ///
    /// # Errors
    /// If there is no time left.
    pub(crate) fn new(query: &Query, budget: &SearchBudget) -> Result<Self, SearchLimitError> {
        Self::after(0, query, budget)
    }

    /// The same after other searches, which have tried so many candidates.
    ///
    /// # Errors
    /// If there is no time left.
    pub(crate) fn after(
        candidates: usize,
        query: &Query,
        budget: &SearchBudget,
    ) -> Result<Self, SearchLimitError> {
        let mut solver = Solver::new(budget);
        let levels = query.positive.iter().chain(&query.negative);
        let needs = Needs::of(levels, &query.options);
        let mut sought = Sought::inputs(&mut solver, &query.scope, needs);
        let positives: Vec<Positive> = query.positive.iter().map(Positive::new).collect();
        let anchored = positives
            .iter()
            .enumerate()
            .find_map(|(place, positive)| positive.anchor().map(|anchor| (place, anchor)));
        if let Some((place, anchor)) = &anchored {
            // Once to learn what cannot be, and again to have gates without it.
            positives[*place].demand_anchored(&mut solver, &sought.scene, anchor);
            sought.refresh(&solver.circuit);
            solver = Solver::new(budget);
            sought = sought.inputs_again(&mut solver, &query.scope, needs);
            positives[*place].demand_anchored(&mut solver, &sought.scene, anchor);
        }
        budget.check()?;
        sought.demand(&mut solver, &query.scope, &query.options);
        symmetry::sort_keys(&mut solver, &sought);
        for (place, positive) in positives.iter().enumerate() {
            if anchored.as_ref().is_none_or(|(other, _)| *other != place) {
                positive.demand(&mut solver, &sought.scene);
            }
        }
        budget.check()?;
        let negatives: Vec<Negative> = query.negative.iter().map(Negative::new).collect();
        for negative in &negatives {
            negative.demand_first(&mut solver, &sought.scene);
            budget.check()?;
        }
        Ok(Self { solver, sought, negatives, budget: budget.clone(), guessed: false, candidates })
    }

    /// How many histories were looked at so far that turned out not to be what is sought, those of
    /// the searches before included.
    pub(crate) fn candidates(&self) -> usize {
        self.candidates
    }

    /// The inputs, and the solver to build further demands with.
    pub(crate) fn parts(&mut self) -> (&mut Solver, &Sought) {
        (&mut self.solver, &self.sought)
    }

    /// A history that is what is sought and makes these gates true.
    pub(crate) fn find(
        &mut self,
        assumed: &[Gate],
    ) -> Result<Option<(AbstractHistory, Model)>, SearchLimitError> {
        while let Some(model) = self.solver.ask(assumed)? {
            if !std::mem::replace(&mut self.guessed, true) {
                for negative in &self.negatives {
                    negative.demand_second(&mut self.solver, &self.sought.scene);
                    self.budget.check()?;
                }
                continue;
            }
            let history = self.sought.history(&model);
            if !self.learn_from(&history)? {
                return Ok(Some((history, model)));
            }
            self.candidates += 1;
            self.budget.tried(self.candidates);
        }
        Ok(None)
    }

    /// Excludes the witnesses by which a candidate keeps what must be violated; says whether
    /// there were any.
    fn learn_from(&mut self, history: &AbstractHistory) -> Result<bool, SearchLimitError> {
        for negative in &self.negatives {
            if let Some(chosen) = negative.kept_by(history, &self.budget)? {
                negative.learn(&mut self.solver, &self.sought.scene, history, chosen);
                return Ok(true);
            }
        }
        Ok(false)
    }
}
