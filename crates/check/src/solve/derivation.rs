//! How a fact was derived.

use super::graph::{LinkId, Node};
use super::paths::Dep;

/// How a fact was derived: the closing edge of the cycle its opposite would make, and the ends
/// of the path that completes the cycle, over links that are older than `before`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Derivation {
    /// The edge that the opposite of the fact would add.
    pub(crate) closing: Dep,
    /// Where the path starts.
    pub(crate) from: Node,
    /// Where the path ends.
    pub(crate) to: Node,
    /// The first link that was not known at that time.
    pub(crate) before: LinkId,
}
