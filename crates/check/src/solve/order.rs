//! Topological orders.

use tristan_ground::id;

use super::flat_lists::FlatLists;
use super::graph::{Graph, Node};
use super::queue::Queue;
use crate::ir::Unit;

id!(
    /// A position in an order of nodes or of units.
    pub(crate) struct Position
);

/// The nodes in a topological order that takes likely nodes first; nodes on or after a cycle are
/// missing.
pub(crate) fn topological(graph: &Graph, after: &FlatLists<Node, Node>) -> Vec<Node> {
    topological_in(Queue::new(graph), graph, after)
}

/// The same with another choice of what comes first.
pub(crate) fn topological_in(
    queue: Queue,
    graph: &Graph,
    after: &FlatLists<Node, Node>,
) -> Vec<Node> {
    let mut walk = Walk::start(queue, graph);
    walk.run(after);
    walk.taken
}

/// Whether a graph has no cycle.
pub(crate) fn is_acyclic(graph: &Graph, after: &FlatLists<Node, Node>) -> bool {
    let mut waiting = predecessors(graph);
    let mut taken: Vec<Node> =
        Node::all(graph.nodes()).filter(|&node| waiting[node.index()] == 0).collect();
    let mut at = 0;
    while at < taken.len() {
        for &to in after.of(taken[at]) {
            waiting[to.index()] -= 1;
            if waiting[to.index()] == 0 {
                taken.push(to);
            }
        }
        at += 1;
    }
    taken.len() == graph.nodes()
}

/// The position of every node in such an order. Nodes on or after a cycle are taken, likely ones
/// first, when nothing else is left.
pub(crate) fn positions(graph: &Graph, after: &FlatLists<Node, Node>) -> Vec<Position> {
    let mut walk = Walk::start(Queue::new(graph), graph);
    walk.run(after);
    if walk.taken.len() < graph.nodes() {
        let mut rest: Vec<Node> =
            Node::all(graph.nodes()).filter(|&node| !walk.is_taken[node.index()]).collect();
        rest.sort_by_key(|&node| (graph.unit(node).unwrap_or(Unit(0)), node));
        for node in rest {
            walk.offer(node);
            walk.run(after);
        }
    }
    let mut positions = vec![Position(0); graph.nodes()];
    for (position, &node) in Position::enumerate(&walk.taken) {
        positions[node.index()] = position;
    }
    positions
}

/// Kahn's algorithm with a choice.
struct Walk {
    /// How many predecessors each node still waits for.
    waiting: Vec<u32>,
    ready: Queue,
    is_taken: Vec<bool>,
    taken: Vec<Node>,
}

impl Walk {
    fn start(mut ready: Queue, graph: &Graph) -> Self {
        let waiting = predecessors(graph);
        for node in Node::all(graph.nodes()).filter(|&node| waiting[node.index()] == 0) {
            ready.add(node);
        }
        let taken = Vec::with_capacity(graph.nodes());
        Self { ready, is_taken: vec![false; graph.nodes()], taken, waiting }
    }

    fn offer(&mut self, node: Node) {
        if !self.is_taken[node.index()] {
            self.ready.add(node);
        }
    }

    fn run(&mut self, after: &FlatLists<Node, Node>) {
        while let Some(node) = self.ready.take() {
            self.is_taken[node.index()] = true;
            self.taken.push(node);
            for &to in after.of(node) {
                let waiting = &mut self.waiting[to.index()];
                *waiting = waiting.saturating_sub(1);
                if *waiting == 0 {
                    self.offer(to);
                }
            }
        }
    }
}

/// How many predecessors each node has.
pub(crate) fn predecessors(graph: &Graph) -> Vec<u32> {
    let mut count = vec![0; graph.nodes()];
    for link in &graph.links {
        count[link.to.index()] += 1;
    }
    count
}
