//! What a level says about a history, before it is explained.

use tristan_verdict::UnknownReason;

use crate::asg::{BadRead, PromiseError};
use crate::budget::{Stop, reason};
use crate::ir::Ir;
use crate::observer::Observer;
use crate::options::Options;
use crate::solve::assignment::Assignment;
use crate::solve::conflict::Conflict;
use crate::solve::{self, Solution};

/// What a level says, before it is explained.
#[derive(Debug)]
pub(crate) enum Decision {
    /// The IR and an assignment that meets it.
    Accepted(Ir, Assignment),
    /// The IR and conflicts that exclude every assignment.
    Refuted(Ir, Vec<Conflict>),
    /// A read that nothing explains.
    Bad(BadRead),
    /// Not decided.
    Open(UnknownReason),
}

impl Decision {
    /// What a search for a decision has led to. A limit that was hit leaves the level undecided, and
    /// so do operations that are not interpreted if the others are accepted.
    pub(crate) fn of(found: Result<Self, Stop>, options: &Options, unsupported: &[String]) -> Self {
        match (found, unsupported.first()) {
            (Ok(Self::Accepted(..)), Some(what)) => {
                Self::Open(UnknownReason::Unsupported { what: what.clone() })
            }
            (Ok(decision), _) => decision,
            (Err(stop), _) => Self::Open(reason(&options.within.account(stop))),
        }
    }
}

/// Without promises a level that asks for them cannot be judged.
impl From<PromiseError> for Decision {
    fn from(unpromised: PromiseError) -> Self {
        let what = format!("line {}: {unpromised}", unpromised.line);
        Self::Open(UnknownReason::Unsupported { what })
    }
}

/// Solves one problem.
///
/// # Errors
/// If the budget is used up.
pub(crate) fn solved(ir: Ir, options: &Options, observer: &dyn Observer) -> Result<Decision, Stop> {
    #[cfg(debug_assertions)]
    crate::ir::verify::verify(&ir).expect("lowering keeps the invariants of the IR");
    observer.problem(&ir);
    match solve::solve(&ir, &options.passes, options.threads(), &options.within, observer)? {
        Solution::Witness(assignment) => Ok(Decision::Accepted(ir, assignment)),
        Solution::Refuted(conflicts) => Ok(Decision::Refuted(ir, conflicts)),
    }
}
