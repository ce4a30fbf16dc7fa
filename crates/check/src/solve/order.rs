//! Topological orders.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::graph::{Graph, Node};
use super::readers::Lists;

/// The nodes in a topological order that takes nodes with a small key first; nodes on or after a
/// cycle are missing.
pub fn topological<K: Ord + Copy>(
    graph: &Graph,
    after: &Lists,
    key: impl Fn(Node) -> K,
) -> Vec<Node> {
    let mut walk = Walk::start(graph, key);
    walk.run(after);
    walk.taken
}

/// Whether a graph has no cycle.
pub fn is_acyclic(graph: &Graph, after: &Lists) -> bool {
    let mut waiting = predecessors(graph);
    let mut taken: Vec<Node> =
        (0..graph.nodes() as Node).filter(|&node| waiting[node as usize] == 0).collect();
    let mut at = 0;
    while at < taken.len() {
        for &to in after.of(taken[at]) {
            waiting[to as usize] -= 1;
            if waiting[to as usize] == 0 {
                taken.push(to);
            }
        }
        at += 1;
    }
    taken.len() == graph.nodes()
}

/// The position of every node in such an order. Nodes on or after a cycle are taken, smallest key
/// first, when nothing else is left.
pub fn positions<K: Ord + Copy>(graph: &Graph, after: &Lists, key: impl Fn(Node) -> K) -> Vec<u32> {
    let mut walk = Walk::start(graph, key);
    walk.run(after);
    if walk.taken.len() < graph.nodes() {
        let mut rest: Vec<Node> =
            (0..graph.nodes() as Node).filter(|&node| !walk.is_taken[node as usize]).collect();
        rest.sort_by_key(|&node| ((walk.key)(node), node));
        for node in rest {
            walk.offer(node);
            walk.run(after);
        }
    }
    let mut positions = vec![0; graph.nodes()];
    for (position, &node) in walk.taken.iter().enumerate() {
        positions[node as usize] = position as u32;
    }
    positions
}

/// Kahn's algorithm with a choice.
struct Walk<K, F> {
    key: F,
    /// How many predecessors each node still waits for.
    waiting: Vec<u32>,
    ready: BinaryHeap<Reverse<(K, Node)>>,
    is_taken: Vec<bool>,
    taken: Vec<Node>,
}

impl<K: Ord + Copy, F: Fn(Node) -> K> Walk<K, F> {
    fn start(graph: &Graph, key: F) -> Self {
        let waiting = predecessors(graph);
        let free = (0..graph.nodes() as Node).filter(|&node| waiting[node as usize] == 0);
        let ready = free.map(|node| Reverse((key(node), node))).collect();
        let taken = Vec::with_capacity(graph.nodes());
        Self { key, ready, is_taken: vec![false; graph.nodes()], taken, waiting }
    }

    fn offer(&mut self, node: Node) {
        if !self.is_taken[node as usize] {
            self.ready.push(Reverse(((self.key)(node), node)));
        }
    }

    fn run(&mut self, after: &Lists) {
        while let Some(Reverse((_, node))) = self.ready.pop() {
            if std::mem::replace(&mut self.is_taken[node as usize], true) {
                continue;
            }
            self.taken.push(node);
            for &to in after.of(node) {
                let waiting = &mut self.waiting[to as usize];
                *waiting = waiting.saturating_sub(1);
                if *waiting == 0 {
                    self.offer(to);
                }
            }
        }
    }
}

/// How many predecessors each node has.
pub fn predecessors(graph: &Graph) -> Vec<u32> {
    let mut count = vec![0; graph.nodes()];
    for link in &graph.links {
        count[link.to as usize] += 1;
    }
    count
}
