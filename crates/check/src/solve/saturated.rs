//! What saturation found, and how each fact was derived.

use rustc_hash::FxHashMap;

use super::conflict::{Conflict, Literal};
use super::derivation::Derivation;
use super::exclusions::Exclusions;
use super::graph::{Graph, Node};
use crate::automaton::Arc;
use crate::ir::{OrderId, Source};

/// What saturation found.
#[derive(Clone, Debug)]
pub(crate) struct Saturated {
    /// The known graph and all derived links; only sure units take part.
    pub(crate) graph: Graph,
    /// Order facts with their derivations.
    pub(crate) facts: FxHashMap<Literal, Derivation>,
    /// Impossible sources of reads.
    pub(super) excluded: Exclusions,
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
