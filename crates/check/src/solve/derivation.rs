//! What saturation found, and how each fact was derived.

use rustc_hash::FxHashMap;

use super::conflict::{Conflict, Literal};
use super::graph::{Graph, LinkId, Node};
use super::paths::Dep;
use crate::automaton::Arc;
use crate::ir::{OrderId, ReadId, Source};

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

/// What saturation found.
#[derive(Clone, Debug)]
pub(crate) struct Saturated {
    /// The known graph and all derived links; only sure units take part.
    pub(crate) graph: Graph,
    /// Order facts with their derivations.
    pub(crate) facts: FxHashMap<Literal, Derivation>,
    /// Impossible sources of reads, with their derivations.
    pub(crate) excluded: FxHashMap<(ReadId, Source), Derivation>,
    /// The source of each read that has only one left.
    pub(crate) fixed: Vec<Option<Source>>,
    /// Per order and arc: the spine node from which all its writers are reached.
    pub(super) before_all: FxHashMap<(OrderId, Arc), Node>,
    /// Contradictions, the shortest first.
    pub(crate) contradictions: Vec<Conflict>,
}

impl Saturated {
    /// Whether a literal is among the facts.
    pub(super) fn has(&self, literal: Literal) -> bool {
        match literal {
            Literal::Before(..) => self.facts.contains_key(&literal),
            Literal::Reads(read, source) => self.fixed[read.index()] == Some(source),
        }
    }
}
