//! The way a round of saturation takes: all nodes, what comes earlier first.
//!
//! Links that a round adds seldom change much, so the next round takes the same way again as long
//! as it can.

use tristan_ground::Threads;

use crate::solve::flat_lists::FlatLists;
use crate::solve::graph::{Graph, Link, Node};
use crate::solve::order::{Position, topological};

/// An order of the nodes, and where links to them come from.
#[derive(Clone, Debug, Default)]
pub(super) struct Route {
    /// The nodes in a topological order; those on or after a cycle are missing.
    pub(super) order: Vec<Node>,
    /// Per node, where it is in the order.
    place: Vec<Position>,
    /// Per node, where its older links come from.
    before: FlatLists<Node, Node>,
    /// How many links these are.
    indexed: usize,
    /// How many links the order is known to respect.
    respected: usize,
}

impl Route {
    /// Makes the way fit for all links of a graph. Units are numbered in a likely order: walking
    /// in it, most is found at once.
    pub(super) fn follow(&mut self, graph: &Graph, threads: Threads) {
        let is_old = graph.links.len() > self.indexed + self.indexed / 16 || self.indexed == 0;
        let is_wrong = self.place.is_empty() || !self.respects(&graph.links[self.respected..]);
        let threads = if is_old && is_wrong { threads } else { Threads::new(1) };
        let (before, order) = threads.both(
            || is_old.then(|| graph.before()),
            || is_wrong.then(|| topological(graph, &graph.after())),
        );
        if let Some(before) = before {
            self.before = before;
            self.indexed = graph.links.len();
        }
        if let Some(order) = order {
            self.take(order, graph.nodes());
        }
        self.respected = graph.links.len();
    }

    fn take(&mut self, order: Vec<Node>, nodes: usize) {
        self.place = vec![Position(u32::MAX); nodes];
        for (at, &node) in Position::enumerate(&order) {
            self.place[node.index()] = at;
        }
        self.order = order;
    }

    fn respects(&self, links: &[Link]) -> bool {
        links.iter().all(|link| self.place[link.from.index()] < self.place[link.to.index()])
    }

    /// Where older links to a node come from.
    pub(super) fn before(&self, node: Node) -> &[Node] {
        self.before.of(node)
    }

    /// The links that [`Route::before`] does not know.
    pub(super) fn younger<'g>(&self, graph: &'g Graph) -> &'g [Link] {
        &graph.links[self.indexed..]
    }
}
