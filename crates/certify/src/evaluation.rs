//! Whether a formula holds on the dependencies between transactions.
//!
//! In: a formula and a [`Structure`]. Out: a violated constraint, if there is one. Small structures
//! are evaluated pair by pair (`matrix`), large ones as a graph (`product`); the tests evaluate both
//! ways and compare.

use tristan_spec::{Constraint, Formula};

use crate::error::CertifyError;
use crate::structure::Structure;
use crate::{matrix, product};

/// Up to this many transactions a formula is evaluated with bit matrices.
const SMALL: usize = 600;

/// Up to this many reads or edges: each makes many pairs.
const FEW: usize = 2_000;

/// The first constraint that does not hold, with a transaction on a forbidden cycle.
pub(crate) fn violation<'f>(
    formula: &'f Formula,
    structure: &dyn Structure,
) -> Result<Option<(&'f Constraint, u32)>, CertifyError> {
    for constraint in &formula.constraints {
        let found = if structure.size() <= SMALL && structure.links() <= FEW {
            matrix::violation(constraint, structure)
        } else {
            product::violation(constraint, structure)?
        };
        if let Some(node) = found {
            return Ok(Some((constraint, node)));
        }
    }
    Ok(None)
}
