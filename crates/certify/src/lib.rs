//! Re-checks a verdict against its trace, from the definitions alone.
//!
//! ```text
//!   History ──► Reading: external reads, versions, sources (docs/semantics.md)
//!                  │
//!   Accept ────────┼──► Execution ──► formula holds on it        matrix or product graph
//!   Reject ────────┴──► every conflict is real ──► no way out    clauses and a small solver
//! ```
//!
//! Nothing here is shared with the search that found the verdict: whoever trusts this crate
//! need not trust that one. An accept is replayed: the order of the witness gives the versions,
//! the versions and sources give the dependencies, and the level's formula is evaluated on
//! them. A reject is a list of clauses; each is justified by the trace, and together with
//! "every read has a source" they are unsatisfiable.

mod accept;
#[cfg(test)]
mod agreement;
mod automaton;
mod bad;
mod cases;
mod clock;
mod conflict;
mod cycle;
mod dpll;
mod error;
mod execution;
mod fates;
mod graph;
mod grounds;
mod line;
mod lists;
mod matrix;
mod mentions;
mod operations;
mod order;
mod own;
mod product;
mod promises;
mod ranges;
mod reading;
mod reject;
mod savepoints;
mod sources;
mod structure;
mod support;
mod writes;

pub use error::Refused;

use tristan_history::History;
use tristan_spec::{Constraint, Level, Rel};
use tristan_verdict::{Answer, Verdict};

/// What was certified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certified {
    /// The witness is an execution at this level that explains the trace.
    Accept,
    /// The refutation leaves no execution at this level that explains the trace.
    Reject,
    /// The verdict is *unknown* and claims nothing.
    NothingToCheck,
}

/// Checks that the verdict on `history` at `level` is right, with clocks that agree to within
/// `drift` nanoseconds.
///
/// # Errors
/// If the evidence does not show what the verdict claims; the error says where it fails. That
/// does not mean that the opposite verdict is right.
pub fn certify(
    history: &History,
    level: &Level,
    drift: i64,
    verdict: &Verdict,
) -> Result<Certified, Refused> {
    if verdict.level != level.name {
        return Err(Refused::Level { found: verdict.level.clone(), expected: level.name.clone() });
    }
    let mut exprs = level.formula.constraints.iter().map(Constraint::expr);
    if exprs.any(|expr| expr.mentions(Rel::Base) || expr.mentions(Rel::Order)) {
        return Err(Refused::NoStrength { level: level.name.clone() });
    }
    match &verdict.answer {
        Answer::Accept { witness } => {
            accept::check(history, level, drift, witness).map(|()| Certified::Accept)
        }
        Answer::Reject { refutation, .. } => {
            cases::check(history, level, drift, refutation).map(|()| Certified::Reject)
        }
        Answer::Unknown { .. } => Ok(Certified::NothingToCheck),
    }
}
