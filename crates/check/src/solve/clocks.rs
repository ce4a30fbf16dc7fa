//! Reachability by chain clocks.
//!
//! Cover the nodes with chains, paths along which one node reaches the next. Then it is enough
//! to store, per node, how far into each chain its predecessors reach: `nodes × chains` small
//! numbers, and "does `a` reach `b`?" is one comparison.
//!
//! Sessions make natural chains. Where there are too many chains the last ones are left out;
//! what starts on them is then not known to reach anything, which is safe.

use tristan_ground::id;

use super::flat_lists::FlatLists;
use super::graph::{Graph, Label, LinkId, Node, Via};
use crate::ir::Ir;

id!(
    /// A chain: a path along which one node reaches the next.
    pub(crate) struct ChainId
);

/// Of a node without a chain.
const LOOSE: ChainId = ChainId(u32::MAX);

/// How many chains are tried first.
const FEW: usize = 96;

/// The chain of every node, and its position on it.
#[derive(Clone, Debug)]
pub(crate) struct Chains {
    /// Per node, its chain and its position on it.
    places: Vec<(ChainId, u32)>,
    count: usize,
}

impl Chains {
    /// Covers the unit nodes of an acyclic graph with at most `most` chains; `order` is a
    /// topological order of its nodes.
    pub(crate) fn cover(
        ir: &Ir,
        graph: &Graph,
        incoming: &FlatLists<Node, LinkId>,
        order: &[Node],
        most: usize,
    ) -> Self {
        let mut chains = Self { places: vec![(LOOSE, 0); graph.nodes()], count: 0 };
        let mut tails: Vec<Node> = Vec::new();
        for &node in order.iter().filter(|&&node| graph.unit(node).is_some()) {
            match chains.chain_to_extend(graph, incoming, node, &tails) {
                Some(chain) => {
                    let (_, last) = chains.places[tails[chain.index()].index()];
                    chains.places[node.index()] = (chain, last + 1);
                    tails[chain.index()] = node;
                }
                None if tails.len() < most && starts_chain(ir, graph, node) => {
                    chains.places[node.index()] = (ChainId::new(tails.len()), 0);
                    tails.push(node);
                }
                None => {}
            }
        }
        chains.count = tails.len();
        chains
    }

    /// The same with fewer chains, at a higher cost: a chain can continue with any node that its end reaches.
    /// Knowing what reaches what takes a clock entry per node and chain, so a few chains are tried first, and
    /// twice as many whenever they do not suffice.
    pub(crate) fn cover_reached(
        ir: &Ir,
        graph: &Graph,
        before: &FlatLists<Node, Node>,
        order: &[Node],
        most: usize,
    ) -> Self {
        let mut width = FEW.min(most);
        loop {
            let chains = Self::cover_within(ir, graph, before, order, width);
            if chains.count < width || width == most {
                return chains;
            }
            width = (2 * width).min(most);
        }
    }

    /// The same with clocks of `most` entries.
    fn cover_within(
        ir: &Ir,
        graph: &Graph,
        before: &FlatLists<Node, Node>,
        order: &[Node],
        most: usize,
    ) -> Self {
        let mut chains = Self { places: vec![(LOOSE, 0); graph.nodes()], count: most };
        let mut clocks = Clocks::new(graph.nodes(), &chains);
        let mut lengths: Vec<u32> = Vec::new();
        for &node in order {
            for &from in before.of(node) {
                clocks.merge(from, node);
            }
            if graph.unit(node).is_none() {
                continue;
            }
            let row = clocks.row(node);
            let ends_here = |(length, reached): (&u32, &u32)| length == reached;
            let chain = match lengths.iter().zip(row).position(ends_here) {
                Some(chain) => chain,
                None if lengths.len() < most && starts_chain(ir, graph, node) => {
                    lengths.push(0);
                    lengths.len() - 1
                }
                None => continue,
            };
            chains.places[node.index()] = (ChainId::new(chain), lengths[chain]);
            lengths[chain] += 1;
            clocks.start(&chains, node);
        }
        chains.count = lengths.len();
        chains
    }

    /// The chain that ends at a predecessor of the node; session order before anything else.
    fn chain_to_extend(
        &self,
        graph: &Graph,
        incoming: &FlatLists<Node, LinkId>,
        node: Node,
        tails: &[Node],
    ) -> Option<ChainId> {
        let mut best = None;
        for &link in incoming.of(node) {
            let link = graph.links[link.index()];
            let (chain, _) = self.places[link.from.index()];
            if chain != LOOSE && tails[chain.index()] == link.from {
                if matches!(link.label, Label::Inside | Label::Dep(Via::Known(_))) {
                    return Some(chain);
                }
                best = best.or(Some(chain));
            }
        }
        best
    }

    /// Number of chains.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Chain and position of a node, if it is on one.
    pub(crate) fn place(&self, node: Node) -> Option<(ChainId, u32)> {
        let (chain, position) = self.places[node.index()];
        (chain != LOOSE).then_some((chain, position))
    }
}

/// Whether a chain may start with a node. No stage asks what a unit reaches if it only reads or may not have
/// taken effect.
fn starts_chain(ir: &Ir, graph: &Graph, node: Node) -> bool {
    let unit = graph.unit(node).map(|unit| &ir.units[unit.index()]);
    unit.is_some_and(|unit| unit.writes && unit.sure)
}

/// Per node and chain: how many nodes of the chain reach it.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    width: usize,
    rows: Vec<u32>,
}

impl Clocks {
    /// Clocks that know nothing yet.
    pub(crate) fn new(nodes: usize, chains: &Chains) -> Self {
        Self { width: chains.count(), rows: vec![0; nodes * chains.count()] }
    }

    /// How far each chain reaches the node.
    pub(crate) fn row(&self, node: Node) -> &[u32] {
        &self.rows[node.index() * self.width..(node.index() + 1) * self.width]
    }

    /// Whether the first node reaches the second (every node on a chain reaches itself).
    pub(crate) fn reaches(&self, chains: &Chains, from: Node, to: Node) -> bool {
        let Some((chain, position)) = chains.place(from) else { return false };
        self.rows[to.index() * self.width + chain.index()] > position
    }

    /// Adds to the second node everything that reaches the first; says whether that was news.
    pub(crate) fn merge(&mut self, from: Node, to: Node) -> bool {
        if from == to {
            return false;
        }
        let (from, to) = (from.index() * self.width, to.index() * self.width);
        let (source, target) = if from < to {
            let (left, right) = self.rows.split_at_mut(to);
            (&left[from..from + self.width], &mut right[..self.width])
        } else {
            let (left, right) = self.rows.split_at_mut(from);
            (&right[..self.width], &mut left[to..to + self.width])
        };
        let mut news = false;
        for (into, &value) in target.iter_mut().zip(source) {
            news |= value > *into;
            *into = value.max(*into);
        }
        news
    }

    /// Notes that a node on a chain reaches itself; says whether that was news.
    pub(crate) fn start(&mut self, chains: &Chains, node: Node) -> bool {
        let Some((chain, position)) = chains.place(node) else { return false };
        let slot = &mut self.rows[node.index() * self.width + chain.index()];
        let news = *slot <= position;
        *slot = (position + 1).max(*slot);
        news
    }
}
