//! Dependencies between transactions, and whether a formula holds on them.
//!
//! A [`Structure`] can list its relations pair by pair, which is simple, and wire them into a
//! graph, which is small. Small structures are evaluated with the first, large ones with the
//! second; the tests evaluate both ways and compare.

use tristan_spec::{Constraint, Formula, Rel, Set};

use crate::error::Refused;
use crate::graph::Wire;
use crate::{matrix, product};

/// Up to this many transactions a formula is evaluated with bit matrices.
const SMALL: usize = 600;

/// Up to this many reads or edges: each makes many pairs.
const FEW: usize = 2_000;

/// Transactions, numbered from 0, and the relations between them.
pub(crate) trait Structure {
    /// How many transactions there are.
    fn size(&self) -> usize;
    /// How many reads or edges the relations come from.
    fn links(&self) -> usize;
    /// Whether a transaction is in the set.
    fn member(&self, set: Set, node: usize) -> bool;
    /// All pairs of a relation.
    fn pairs(&self, rel: Rel) -> Vec<(u32, u32)>;
    /// Adds paths from `wire.tail(a)` to `wire.head(b)` for exactly the pairs (a, b) of a
    /// relation.
    fn wire(&self, rel: Rel, wire: &mut Wire<'_>) {
        for (from, to) in self.pairs(rel) {
            let (tail, head) = (wire.tail(from), wire.head(to));
            wire.edge(tail, head);
        }
    }
}

/// The first constraint that does not hold, with a transaction on a forbidden cycle.
pub(crate) fn violation<'f>(
    formula: &'f Formula,
    structure: &dyn Structure,
) -> Result<Option<(&'f Constraint, u32)>, Refused> {
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
