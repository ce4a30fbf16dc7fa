//! How two levels relate.

use tristan_spec::iso::Library;
use tristan_synth::gates::SearchLimits;
use tristan_synth::{ComparisonPlan, HistoryOptions, Scope};

use crate::Error;

/// Whether every history that one level allows is allowed by another.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Implication {
    /// It is, for histories of any size.
    Proved,
    /// It is not: the first level allows this history, the second forbids it. Sessions are divided by
    /// `|`, the transactions of a session by `>`; `r(x,2)` reads what transaction 2 wrote to `x`.
    Refuted(String),
    /// There is no counterexample with up to four transactions and three keys, and no proof was found.
    NoneFound,
    /// The search did not end, for this reason.
    Unknown(String),
}

/// How two levels relate, in both directions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comparison {
    /// Whether the first implies the second.
    pub forward: Implication,
    /// Whether the second implies the first.
    pub backward: Implication,
}

impl Comparison {
    /// Whether the levels are proved to allow the same histories.
    pub fn is_equivalence(&self) -> bool {
        self.forward == Implication::Proved && self.backward == Implication::Proved
    }
}

/// Compares two levels by their names. The search has no limit of time; for most pairs of levels it takes
/// less than a second.
///
/// ```
/// use tristan::Implication;
///
/// let comparison = tristan::compare("serializable", "snapshot-isolation")?;
/// assert_eq!(comparison.forward, Implication::Proved);
/// assert_eq!(comparison.backward, Implication::Refuted("r(x,0) w(y) | r(y,0) w(x)".to_owned()));
/// # Ok::<(), tristan::Error>(())
/// ```
///
/// # Errors
/// If there is no such level.
pub fn compare(one: &str, other: &str) -> Result<Comparison, Error> {
    let library = Library::standard();
    let (one, other) = (library.find(one)?, library.find(other)?);
    let plan = ComparisonPlan {
        scope: Scope { txns: 4, keys: 3, values: None },
        options: HistoryOptions::default(),
        limits: SearchLimits::default(),
        prove: true,
    };
    Ok(Comparison {
        forward: plan.implies(&one, &other).into(),
        backward: plan.implies(&other, &one).into(),
    })
}

impl From<tristan_synth::Implication> for Implication {
    fn from(found: tristan_synth::Implication) -> Self {
        match found {
            tristan_synth::Implication::Proved(_) => Self::Proved,
            tristan_synth::Implication::Refuted(answer) => {
                Self::Refuted(answer.history.to_string())
            }
            tristan_synth::Implication::NoneFound => Self::NoneFound,
            tristan_synth::Implication::Unknown(reason) => Self::Unknown(reason.to_string()),
        }
    }
}
