//! The answer of the solver.

use super::assignment::Assignment;
use super::conflict::Conflict;

/// The answer of the solver.
#[derive(Debug)]
pub(crate) enum Solution {
    /// An assignment that meets the formula.
    Witness(Assignment),
    /// Conflicts that together exclude every assignment.
    Refuted(Vec<Conflict>),
}
