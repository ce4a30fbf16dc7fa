//! Bounds on what reaches a node: two ranks in time instead of a whole clock.
//!
//! The first walk over all nodes puts the units into an order. What reaches a node is nearly
//! everything up to some rank in it, and nothing beyond another. Between the two lie few writers
//! of any one key, and they lie next to each other if its writers are sorted by rank. Looking at
//! these is much cheaper than asking every chain for the last writer on it.

use std::ops::Range;

use tristan_ground::id;

use super::clocks::Chains;
use super::graph::{Graph, Node};
use super::versions::{VersionId, Versions};
use crate::ir::{Ir, OrderId, Unit};

/// More writers than this are too many to look at one by one.
const MANY: usize = 32;

id!(
    /// Where a unit stands in the order of the first walk.
    pub(super) struct Rank
);

impl Rank {
    /// No rank is lower.
    pub(super) const MIN: Self = Self(0);
    /// No rank is higher.
    const MAX: Self = Self(u32::MAX);
}

/// Per node, the ranks between which some units reach it and others do not.
#[derive(Clone, Debug)]
pub(super) struct RankBounds {
    /// Per unit.
    ranks: Vec<Rank>,
    members: Members,
    /// Per node: every unit of a lower rank that is on a chain reaches it, in all its states.
    lower: Vec<Rank>,
    /// Per node: no unit of a higher rank reaches it.
    upper: Vec<Rank>,
    /// The writers of each order by rank, in the places of its versions.
    writers: Vec<RankedWriter>,
    /// Per order, how many of its writers were below the upper bound when it was last looked at.
    cursor: Vec<u32>,
}

/// A writer of an order, with its rank.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankedWriter {
    rank: Rank,
    pub(super) unit: Unit,
    pub(super) version: VersionId,
}

impl RankBounds {
    /// Nothing reaches a node yet; `order` is that of the first walk. Units that may not have taken effect
    /// get the highest rank: they reach nothing, and every window ends before them.
    pub(super) fn new(
        ir: &Ir,
        graph: &Graph,
        versions: &Versions,
        chains: &Chains,
        order: &[Node],
    ) -> Self {
        let mut ranks = vec![Rank::MAX; ir.units.len()];
        for (rank, &node) in Rank::enumerate(order) {
            if let Some(unit) = graph.unit(node).filter(|unit| ir.units[unit.index()].sure) {
                ranks[unit.index()] = rank.min(ranks[unit.index()]);
            }
        }
        let members = Members::of(graph, chains, &ranks);
        let sure = |node| graph.unit(node).filter(|unit| ir.units[unit.index()].sure);
        let rank_of = |node| sure(node).map_or(Rank::MIN, |unit: Unit| ranks[unit.index()]);
        Self {
            members,
            lower: vec![Rank::MIN; graph.nodes()],
            upper: Node::all(graph.nodes()).map(rank_of).collect(),
            writers: by_rank(ir, versions, &ranks),
            cursor: vec![0; ir.orders.len()],
            ranks,
        }
    }

    /// Where a unit stands.
    pub(super) fn rank(&self, unit: Unit) -> Rank {
        self.ranks[unit.index()]
    }

    /// The lowest rank of what may not reach a node.
    pub(super) fn lower(&self, node: Node) -> Rank {
        self.lower[node.index()]
    }

    /// What reaches the first node reaches the second.
    pub(super) fn merge(&mut self, from: Node, to: Node) {
        self.upper[to.index()] = self.upper[from.index()].max(self.upper[to.index()]);
    }

    /// What reaches a node has to be looked at again.
    pub(super) fn forget(&mut self, node: Node) {
        self.lower[node.index()] = Rank::MIN;
    }

    /// The clock of a node is up to date.
    pub(super) fn settle(&mut self, node: Node, row: &[u32]) {
        self.lower[node.index()] = self.members.lower(row);
    }

    /// The writers of an order from a rank to the upper bound of a node; `None` if they are many.
    pub(super) fn window(
        &mut self,
        versions: &Versions,
        order: OrderId,
        lower: Rank,
        node: Node,
    ) -> Option<&[RankedWriter]> {
        let writers = &self.writers[versions.places(order)];
        let cursor = &mut self.cursor[order.index()];
        let end = seek(writers, *cursor as usize, self.upper[node.index()]);
        *cursor = end as u32;
        let window = last_from(&writers[..end], lower);
        (window.len() <= MANY).then(|| &writers[window])
    }
}

/// The number of writers up to a rank, which is probably close to a guess.
fn seek(writers: &[RankedWriter], guess: usize, upper: Rank) -> usize {
    let mut end = guess;
    for _ in 0..MANY {
        if writers.get(end).is_some_and(|writer| writer.rank <= upper) {
            end += 1;
        } else if end > 0 && writers[end - 1].rank > upper {
            end -= 1;
        } else {
            return end;
        }
    }
    writers.partition_point(|writer| writer.rank <= upper)
}

/// The last writers down to a rank, but no more than one too many.
fn last_from(writers: &[RankedWriter], lower: Rank) -> Range<usize> {
    let near = writers.iter().rev().take(MANY + 1);
    let count = near.take_while(|writer| writer.rank >= lower).count();
    writers.len() - count..writers.len()
}

fn by_rank(ir: &Ir, versions: &Versions, ranks: &[Rank]) -> Vec<RankedWriter> {
    let mut writers = Vec::with_capacity(versions.count());
    for (id, order) in OrderId::enumerate(&ir.orders) {
        let start = writers.len();
        let of_order = order.writers.iter().zip(versions.of_order(id));
        writers.extend(of_order.map(|(&unit, version)| {
            let rank = ranks[unit.index()];
            RankedWriter { rank, unit, version }
        }));
        writers[start..].sort_unstable_by_key(|writer| writer.rank);
    }
    writers
}

/// For each place on a chain, the lowest rank of the units from there on. Ranks usually ascend along a chain,
/// so this is usually the rank of the unit at that place.
#[derive(Clone, Debug)]
struct Members {
    /// Where each chain starts in `lowest`; one entry more than there are chains.
    first: Vec<u32>,
    lowest: Vec<Rank>,
}

impl Members {
    fn of(graph: &Graph, chains: &Chains, ranks: &[Rank]) -> Self {
        let nodes = Node::all(graph.nodes());
        let placed = || {
            let place = |node| Some((chains.place(node)?, graph.unit(node)?));
            nodes.clone().filter_map(place)
        };
        let mut first = vec![0u32; chains.count() + 1];
        for ((chain, _), _) in placed() {
            first[chain.index() + 1] += 1;
        }
        for chain in 0..chains.count() {
            first[chain + 1] += first[chain];
        }
        let mut lowest = vec![Rank::MIN; first[chains.count()] as usize];
        for ((chain, position), unit) in placed() {
            lowest[(first[chain.index()] + position) as usize] = ranks[unit.index()];
        }
        for ends in first.windows(2) {
            for at in (ends[0] as usize + 1..ends[1] as usize).rev() {
                lowest[at - 1] = lowest[at - 1].min(lowest[at]);
            }
        }
        Self { first, lowest }
    }

    /// The lowest rank that a clock has not seen.
    fn lower(&self, row: &[u32]) -> Rank {
        let next = self.first.windows(2).zip(row).filter_map(|(ends, &reached)| {
            let at = ends[0] + reached;
            (at < ends[1]).then(|| self.lowest[at as usize])
        });
        next.min().unwrap_or(Rank::MAX)
    }
}
