//! Does one level imply another?
//!
//! ```text
//!   prove ──► for histories of any size
//!     │ no proof
//!     ▼
//!   search, smallest first ──► a history that says no, or none up to the scope
//! ```
//!
//! A proof counts for whatever histories are allowed, since it is about all of them.

use tristan_spec::iso::IsoLevel;

use crate::gates::SearchLimits;
use crate::proof::{Proof, prove_within};
use crate::search::{HistoryOptions, Query, Scope};
use crate::smallest::smallest;
use crate::synthesise::{FoundHistory, SynthesisError, SynthesisOutcome};

/// Whether a level implies another.
#[derive(Clone, Debug)]
pub enum Implication {
    /// It does.
    Proved(Box<Proof>),
    /// It does not: the first allows this history, the second forbids it.
    Refuted(Box<FoundHistory>),
    /// No history up to the scope says otherwise.
    NoneFound,
    /// The search did not come to an end.
    Unknown(SynthesisError),
}

/// How to find out.
#[derive(Clone, Debug)]
pub struct ComparisonPlan {
    /// The largest histories to look at.
    pub scope: Scope,
    /// What they may look like.
    pub options: HistoryOptions,
    /// What the search may use.
    pub limits: SearchLimits,
    /// Whether to try a proof first.
    pub prove: bool,
}

impl ComparisonPlan {
    /// Whether every history that the first level allows is allowed by the second.
    pub fn implies(&self, one: &IsoLevel, other: &IsoLevel) -> Implication {
        if let Err(stop) = self.limits.within.check() {
            return Implication::Unknown(SynthesisError::Limit(stop.into()));
        }
        if let Some(proof) =
            self.prove.then(|| prove_within(one, other, &self.limits.within)).flatten()
        {
            return Implication::Proved(Box::new(proof));
        }
        let query = Query {
            positive: vec![one.clone()],
            negative: vec![other.clone()],
            scope: self.scope,
            options: self.options,
        };
        match smallest(&query, &self.limits).outcome {
            SynthesisOutcome::Found(answer) => Implication::Refuted(answer),
            SynthesisOutcome::None => Implication::NoneFound,
            SynthesisOutcome::Unknown(reason) => Implication::Unknown(reason),
        }
    }
}
