//! The edges of one cycle, as a structure on which a formula can be evaluated.
//!
//! ```text
//!   edge       wr   pwr   ww   rw    prw    so  rt  cc  bc
//!   relation   wr   wr    ww   rw    rw     so  rt  cc  bc
//!                              rwi
//!   otv        wr or pwr, then rw or prw, by a later operation on another key
//!   cursor     rw, then ww, on one key
//! ```

use tristan_history::TxnId;
use tristan_spec::{Rel, Set};
use tristan_verdict::{Edge, EdgeKind};

use crate::reading::Reading;
use crate::structure::Structure;

/// Read dependencies, of items and of predicates.
const READS: &[EdgeKind] = &[EdgeKind::Wr, EdgeKind::Pwr];

/// Anti-dependencies, of items and of predicates.
const OVERWRITES: &[EdgeKind] = &[EdgeKind::Rw, EdgeKind::Prw];

/// The edges of a cycle and nothing else.
pub(crate) struct CycleEdges<'r> {
    reading: &'r Reading<'r>,
    edges: &'r [Edge],
    /// The transactions on the cycle, ascending.
    txns: Vec<u32>,
}

impl<'r> CycleEdges<'r> {
    /// The transactions on the cycle and the edges between them.
    pub(crate) fn new(reading: &'r Reading<'r>, edges: &'r [Edge]) -> Self {
        let mut txns: Vec<u32> = edges.iter().map(|edge| edge.from).collect();
        txns.sort_unstable();
        txns.dedup();
        Self { reading, edges, txns }
    }

    fn pair(&self, from: u32, to: u32) -> (u32, u32) {
        let number = |txn| self.txns.partition_point(|&other| other < txn) as u32;
        (number(from), number(to))
    }

    fn of_kinds(&self, kinds: &[EdgeKind]) -> impl Iterator<Item = &'r Edge> {
        self.edges.iter().filter(move |edge| kinds.contains(&edge.kind))
    }

    fn plain(&self, kinds: &[EdgeKind]) -> Vec<(u32, u32)> {
        self.of_kinds(kinds).map(|edge| self.pair(edge.from, edge.to)).collect()
    }

    /// Pairs of edges that make a derived relation from the first edge's start to the second's
    /// end.
    fn joined(
        &self,
        kinds: (&[EdgeKind], &[EdgeKind]),
        fits: impl Fn(&Edge, &Edge) -> bool,
    ) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for first in self.of_kinds(kinds.0) {
            for second in self.of_kinds(kinds.1) {
                if first.to == second.from && fits(first, second) {
                    pairs.push(self.pair(first.from, second.to));
                }
            }
        }
        pairs
    }
}

impl Structure for CycleEdges<'_> {
    fn size(&self) -> usize {
        self.txns.len()
    }

    fn links(&self) -> usize {
        self.edges.len()
    }

    fn member(&self, set: Set, node: usize) -> bool {
        self.reading.member(set, TxnId(self.txns[node]))
    }

    fn pairs(&self, rel: Rel) -> Vec<(u32, u32)> {
        match rel {
            Rel::Wr => self.plain(READS),
            Rel::Ww => self.plain(&[EdgeKind::Ww]),
            Rel::Rw => self.plain(OVERWRITES),
            Rel::ItemRw => self.plain(&[EdgeKind::Rw]),
            Rel::So => self.plain(&[EdgeKind::So]),
            Rel::Rt => self.plain(&[EdgeKind::Rt]),
            Rel::CommitOrder => self.plain(&[EdgeKind::Cc]),
            Rel::BeginCommit => self.plain(&[EdgeKind::Bc]),
            Rel::Vanishing => self.joined((READS, OVERWRITES), |seen, missed| {
                seen.key != missed.key && seen.read_op < missed.read_op
            }),
            Rel::Cursor => {
                self.joined((&[EdgeKind::Rw], &[EdgeKind::Ww]), |over, next| over.key == next.key)
            }
            Rel::Order | Rel::Base => Vec::new(),
        }
    }
}
