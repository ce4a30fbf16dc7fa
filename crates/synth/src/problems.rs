//! Forty-six questions with known answers: the benchmark of Isolde (Barros et al., *Isolde*), a
//! tool that was the first to synthesise histories between isolation levels.
//!
//! A question asks for a history that some levels allow and one level does not. Half of them have
//! an answer; of the others it is known, by proof, that no history of any size is one.

use tristan_spec::iso::{IsoLevel, Library};

use crate::search::{HistoryOptions, Query, Scope};

/// One question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The levels that must be kept, by name.
    pub allowed: &'static [&'static str],
    /// The level that must be violated.
    pub forbidden: &'static str,
    /// The least number of transactions, from 3 on, for which there is an answer; `None` if there
    /// is none of any size.
    pub from: Option<usize>,
}

impl Problem {
    /// Its name: `be-si+be-update-ser !be-ser`.
    pub fn name(&self) -> String {
        format!("{} !{}", self.allowed.join("+"), self.forbidden)
    }

    /// Whether there is an answer with this many transactions.
    pub fn has_answer(&self, txns: usize) -> bool {
        self.from.is_some_and(|from| txns >= from)
    }

    /// The question for histories of this many transactions, five keys and five values, where
    /// every transaction reads what it writes.
    pub fn query(&self, txns: usize) -> Query {
        Query {
            positive: self.allowed.iter().map(|name| level(name)).collect(),
            negative: vec![level(self.forbidden)],
            scope: Scope { txns, keys: 5, values: Some(5) },
            options: HistoryOptions { blind_writes: false, ..HistoryOptions::default() },
        }
    }
}

fn level(name: &str) -> IsoLevel {
    Library::standard().find(name).expect("the problems only speak of levels of the library")
}

const fn answered(allowed: &'static [&'static str], forbidden: &'static str) -> Problem {
    Problem { allowed, forbidden, from: Some(3) }
}

const fn from_four(allowed: &'static [&'static str], forbidden: &'static str) -> Problem {
    Problem { allowed, forbidden, from: Some(4) }
}

const fn unanswered(allowed: &'static [&'static str], forbidden: &'static str) -> Problem {
    Problem { allowed, forbidden, from: None }
}

/// The problems of Isolde.
pub const PROBLEMS: [Problem; 46] = [
    // Answered, within one framework.
    answered(&["be-ra"], "be-cc"),
    answered(&["cerone-ra"], "cerone-cc"),
    from_four(&["be-cc"], "be-pc"),
    from_four(&["cerone-cc"], "cerone-pc"),
    answered(&["be-pc"], "be-si"),
    answered(&["cerone-pc"], "cerone-si"),
    answered(&["be-si"], "be-ser"),
    answered(&["cerone-si"], "cerone-ser"),
    answered(&["be-si", "be-update-ser"], "be-ser"),
    answered(&["cerone-si", "cerone-update-ser"], "cerone-ser"),
    answered(&["tap-ra"], "be-ra"),
    // Answered, between two frameworks.
    answered(&["be-ra"], "cerone-cc"),
    answered(&["cerone-ra"], "be-cc"),
    from_four(&["be-cc"], "cerone-pc"),
    from_four(&["cerone-cc"], "be-pc"),
    answered(&["be-pc"], "cerone-si"),
    answered(&["cerone-pc"], "be-si"),
    answered(&["be-si"], "cerone-ser"),
    answered(&["cerone-si"], "be-ser"),
    answered(&["cerone-si", "cerone-update-ser"], "be-ser"),
    answered(&["cerone-si", "be-update-ser"], "cerone-ser"),
    answered(&["cerone-si", "be-update-ser"], "be-ser"),
    answered(&["be-si", "cerone-update-ser"], "cerone-ser"),
    answered(&["be-si", "cerone-update-ser"], "be-ser"),
    answered(&["be-si", "be-update-ser"], "cerone-ser"),
    // Without an answer, within one framework.
    unanswered(&["be-cc"], "be-ra"),
    unanswered(&["cerone-cc"], "cerone-ra"),
    unanswered(&["be-pc"], "be-cc"),
    unanswered(&["cerone-pc"], "cerone-cc"),
    unanswered(&["be-si"], "be-pc"),
    unanswered(&["cerone-si"], "cerone-pc"),
    unanswered(&["be-ser"], "be-si"),
    unanswered(&["cerone-ser"], "cerone-si"),
    unanswered(&["be-ra"], "tap-ra"),
    unanswered(&["be-cc"], "tap-cc"),
    unanswered(&["tap-cc"], "be-cc"),
    // Without an answer, between two frameworks.
    unanswered(&["be-ra"], "cerone-ra"),
    unanswered(&["be-cc"], "cerone-cc"),
    unanswered(&["be-pc"], "cerone-pc"),
    unanswered(&["be-si"], "cerone-si"),
    unanswered(&["be-ser"], "cerone-ser"),
    unanswered(&["cerone-ra"], "be-ra"),
    unanswered(&["cerone-cc"], "be-cc"),
    unanswered(&["cerone-pc"], "be-pc"),
    unanswered(&["cerone-si"], "be-si"),
    unanswered(&["cerone-ser"], "be-ser"),
];
