//! Closed walks that use exactly one jump.
//!
//! A jump from `u` to `v` closes a forbidden walk if `v` reaches `u`. Nearly always a look at a
//! good topological order says no: `v` comes after `u`. The jumps that go backwards are followed
//! together, 64 at a time, one bit each, along the order.

use super::flat_lists::FlatLists;
use super::graph::{Graph, Label, Link, LinkId, Node};
use super::order::{self, Position};
use super::paths;
use super::queue::Queue;
use super::scc::{ComponentId, Components};

/// Closed walks with exactly one jump, at most `most` of them.
pub(crate) fn closed(
    graph: &Graph,
    outgoing: &FlatLists<Node, LinkId>,
    components: &Components,
    most: usize,
) -> Vec<Vec<Link>> {
    let order = Order::find(graph, components);
    let back = |jump: &&Link| order.position[jump.to.index()] <= order.position[jump.from.index()];
    let mut suspicious: Vec<Link> = graph.jumps.iter().filter(back).copied().collect();
    suspicious.sort_by_key(|jump| order.position[jump.to.index()]);
    closing(graph, outgoing, &order, &suspicious, most)
}

/// Closed walks that use one of the jumps, at most `most` of them. The jumps go backwards and are
/// sorted by the position they lead to.
pub(super) fn closing(
    graph: &Graph,
    outgoing: &FlatLists<Node, LinkId>,
    order: &Order,
    jumps: &[Link],
    most: usize,
) -> Vec<Vec<Link>> {
    let mut walks = Vec::new();
    let mut bits = vec![0u64; graph.nodes()];
    for batch in jumps.chunks(64) {
        for jump in follow(graph, outgoing, order, batch, &mut bits) {
            let last = order.position[jump.from.index()];
            let near = |link: LinkId| order.position[graph.links[link.index()].to.index()] <= last;
            let path = paths::shortest(&graph.links, outgoing, jump.to, jump.from, true, near);
            if let Some(mut walk) = path {
                walk.push(jump);
                walks.push(walk);
            }
            if walks.len() >= most {
                return walks;
            }
        }
    }
    walks
}

/// The jumps of a batch whose target reaches their origin.
fn follow(
    graph: &Graph,
    outgoing: &FlatLists<Node, LinkId>,
    order: &Order,
    batch: &[Link],
    bits: &mut [u64],
) -> Vec<Link> {
    let position = |node: Node| order.position[node.index()];
    let first = batch.iter().map(|jump| position(jump.to).index()).min().unwrap_or(0);
    let last = batch.iter().map(|jump| position(jump.from).index()).max().unwrap_or(0);
    let window = &order.nodes[order.first_at(first)..order.first_at(last + 1)];
    for (bit, jump) in batch.iter().enumerate() {
        bits[jump.to.index()] |= 1 << bit;
    }
    // Nodes of one component share a position; repeat until nothing moves within it.
    let mut at = 0;
    while at < window.len() {
        let here = position(window[at]);
        let size = window[at..].iter().take_while(|&&node| position(node) == here).count();
        let mut moved = true;
        while moved {
            moved = false;
            for &node in &window[at..at + size] {
                for &link in outgoing.of(node) {
                    let to = graph.links[link.index()].to.index();
                    let joined = bits[to] | bits[node.index()];
                    moved |= size > 1 && joined != bits[to] && order.position[to] == here;
                    bits[to] = joined;
                }
            }
        }
        at += size;
    }
    let reached =
        batch.iter().enumerate().filter(|(bit, jump)| bits[jump.from.index()] >> bit & 1 == 1);
    let found = reached.map(|(_, jump)| *jump).collect();
    for &node in window {
        bits[node.index()] = 0;
        for &link in outgoing.of(node) {
            bits[graph.links[link.index()].to.index()] = 0;
        }
    }
    found
}

/// A topological order; nodes of one component have the same position.
pub(super) struct Order {
    position: Vec<Position>,
    nodes: Vec<Node>,
    distinct: bool,
}

impl Order {
    fn find(graph: &Graph, components: &Components) -> Self {
        if components.all_single() {
            return Self::by_unit(graph);
        }
        // Components are numbered against the direction of links.
        let last = components.size.len() - 1;
        let position = |component: &ComponentId| Position::new(last - component.index());
        let position: Vec<Position> = components.of.iter().map(position).collect();
        let mut nodes: Vec<Node> = Node::all(graph.nodes()).collect();
        nodes.sort_by_key(|&node| position[node.index()]);
        Self { position, nodes, distinct: false }
    }

    /// Units as they are numbered, which is likely. Within a unit, states that nothing starts
    /// from come last, so that a jump into a later unit goes forwards.
    fn by_unit(graph: &Graph) -> Self {
        let mut starts = vec![false; graph.nodes()];
        for jump in &graph.jumps {
            starts[jump.to.index()] = true;
        }
        // A spine node is as early as the first unit it leads to.
        let mut first: Vec<u32> = Node::all(graph.nodes())
            .map(|node| graph.unit(node).map_or(u32::MAX, |unit| unit.0))
            .collect();
        for link in graph.links.iter().filter(|link| link.label == Label::Leave) {
            first[link.from.index()] = first[link.from.index()].min(first[link.to.index()]);
        }
        let key = |node: Node| (first[node.index()], starts[node.index()]);
        Self::of(order::topological_in(Queue::by_key(graph, key), graph, &graph.after()))
    }

    /// Units of a graph with one state as `place` puts them, helper nodes where they fit.
    pub(super) fn of_units(graph: &Graph, place: &[Position]) -> Self {
        let units = graph.unit_nodes();
        let mut nodes: Vec<Node> = Node::all(units).collect();
        nodes.sort_unstable_by_key(|&node| place[node.index()]);
        if graph.nodes() == units {
            return Self::of(nodes);
        }
        let key = |node: Node| graph.unit(node).map(|unit| place[unit.index()]);
        Self::of(order::topological_in(Queue::by_key(graph, key), graph, &graph.after()))
    }

    /// As the nodes are listed.
    fn of(nodes: Vec<Node>) -> Self {
        let mut position = vec![Position(0); nodes.len()];
        for (at, &node) in Position::enumerate(&nodes) {
            position[node.index()] = at;
        }
        Self { position, nodes, distinct: true }
    }

    fn first_at(&self, position: usize) -> usize {
        match self.distinct {
            true => position.min(self.nodes.len()),
            false => {
                self.nodes.partition_point(|&node| self.position[node.index()].index() < position)
            }
        }
    }
}
