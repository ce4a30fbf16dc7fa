//! Dependencies between transactions, as an evaluator sees them.
//!
//! A [`Structure`] can list its relations pair by pair, which is simple, and wire them into a
//! graph, which is small.

use tristan_spec::{Rel, Set};

use crate::graph::Wire;

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
