//! What solving a problem ends in: a witness or a refutation.

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
