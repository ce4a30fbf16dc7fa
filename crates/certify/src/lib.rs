//! Re-checks a verdict against its trace, from the definitions alone.
//!
//! ```text
//!   History ──► Reading: external reads, versions, sources (docs/semantics.md)
//!                  │
//!   Accept ────────┼──► Execution ──► formula holds on it        matrix or product graph
//!   Reject ────────┴──► every conflict is real ──► no way out    clauses and a small solver
//!   every other field ──► true of the trace, refused, or named as not checked
//! ```
//!
//! Nothing here is shared with the search that found the verdict: a reader who trusts this crate
//! need not trust that one. An accept is replayed: the order of the witness gives the versions,
//! the versions and sources give the dependencies, and the level's formula is evaluated on
//! them. A reject is a list of clauses; each is justified by the trace, and together with
//! "every read has a source" they are unsatisfiable.

mod accept;
#[cfg(test)]
mod agreement;
mod automaton;
mod bad;
mod cards;
mod cases;
mod class;
mod clock;
mod conflict;
mod cycle;
mod document;
mod dpll;
mod error;
mod evaluation;
mod execution;
mod facts;
mod fates;
mod fields;
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
mod wording;
mod writes;

pub use document::Certificate;
pub use error::CertifyError;
pub use fields::Unchecked;

use tristan_history::History;
use tristan_spec::{Constraint, Level, Rel};
use tristan_verdict::{Answer, Verdict};

/// What was certified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Certified {
    /// The witness is an execution at this level that explains the trace.
    Accept,
    /// The refutation leaves no execution at this level that explains the trace.
    Reject,
    /// The verdict is *unknown* and claims nothing.
    NothingToCheck,
}

/// Checks that the answer of the verdict on `history` at `level` is right, with clocks that agree to
/// within `drift` nanoseconds. What the verdict says beside its evidence is not looked at; see
/// [`examine`].
///
/// # Errors
/// If the evidence does not show what the verdict claims; the error says where it fails. That
/// does not mean that the opposite verdict is right.
pub fn certify(
    history: &History,
    level: &Level,
    drift: i64,
    verdict: &Verdict,
) -> Result<Certified, CertifyError> {
    evidence(history, level, drift, verdict).map(|(certified, _)| certified)
}

/// Checks everything that a verdict says: its answer as [`certify`] does, and every other field.
/// `trace` is the trace as it stands, `history` the same as it was read for the verdict (by vendor
/// semantics, with another own-writes policy); mostly they are one and the same.
///
/// # Errors
/// If the evidence does not show what the verdict claims, or if another field contradicts the trace
/// or the level. Fields that cannot be checked are listed in the certificate.
pub fn examine(
    (trace, history): (&History, &History),
    level: &Level,
    drift: i64,
    verdict: &Verdict,
) -> Result<Certificate, CertifyError> {
    let (certified, snapshots) = evidence(history, level, drift, verdict)?;
    let mut unchecked = document::check((trace, history), level, drift, verdict)?;
    document::note_begin_points(verdict, snapshots, &mut unchecked);
    Ok(Certificate { certified, unchecked })
}

/// What the evidence shows, and whether begin points are places of snapshots.
fn evidence(
    history: &History,
    level: &Level,
    drift: i64,
    verdict: &Verdict,
) -> Result<(Certified, bool), CertifyError> {
    if verdict.level != level.name {
        return Err(CertifyError::Level {
            found: verdict.level.clone(),
            expected: level.name.clone(),
        });
    }
    let mut exprs = level.formula.constraints.iter().map(Constraint::expr);
    if exprs.any(|expr| expr.mentions(Rel::Base) || expr.mentions(Rel::Order)) {
        return Err(CertifyError::NoStrength { level: level.name.clone() });
    }
    match &verdict.answer {
        Answer::Accept { witness } => {
            let snapshots = accept::check(history, level, drift, witness)?;
            Ok((Certified::Accept, snapshots))
        }
        Answer::Reject { refutation, .. } => {
            cases::check(history, level, drift, refutation)?;
            Ok((Certified::Reject, true))
        }
        Answer::Unknown { .. } => Ok((Certified::NothingToCheck, true)),
    }
}

/// The example of the README, which is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
