//! Topological orders.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::graph::{Graph, Node, Outgoing};

/// The nodes in a topological order; nodes on or after a cycle are missing.
pub fn topological(graph: &Graph, outgoing: &Outgoing) -> Vec<Node> {
    let mut waiting = waiting(graph);
    let mut order: Vec<Node> =
        (0..graph.nodes() as Node).filter(|&node| waiting[node as usize] == 0).collect();
    let mut at = 0;
    while at < order.len() {
        for &link in outgoing.of(order[at]) {
            let to = graph.links[link as usize].to;
            waiting[to as usize] -= 1;
            if waiting[to as usize] == 0 {
                order.push(to);
            }
        }
        at += 1;
    }
    order
}

/// The position of every node in a topological order that takes nodes with a small key first.
/// Nodes on or after a cycle are taken, smallest key first, when nothing else is left.
pub fn by_key<K: Ord + Copy>(
    graph: &Graph,
    outgoing: &Outgoing,
    key: impl Fn(Node) -> K,
) -> Vec<u32> {
    let nodes = graph.nodes();
    let mut waiting = waiting(graph);
    let mut ready: BinaryHeap<Reverse<(K, Node)>> = (0..nodes as Node)
        .filter(|&node| waiting[node as usize] == 0)
        .map(|node| Reverse((key(node), node)))
        .collect();
    let mut position = vec![u32::MAX; nodes];
    let mut taken = 0;
    let mut stuck: Option<Vec<Node>> = None;
    loop {
        while let Some(Reverse((_, node))) = ready.pop() {
            if position[node as usize] != u32::MAX {
                continue;
            }
            position[node as usize] = taken;
            taken += 1;
            for &link in outgoing.of(node) {
                let to = graph.links[link as usize].to as usize;
                waiting[to] = waiting[to].saturating_sub(1);
                if waiting[to] == 0 && position[to] == u32::MAX {
                    ready.push(Reverse((key(to as Node), to as Node)));
                }
            }
        }
        if taken as usize == nodes {
            return position;
        }
        let rest = stuck.get_or_insert_with(|| {
            let mut rest: Vec<Node> =
                (0..nodes as Node).filter(|&node| position[node as usize] == u32::MAX).collect();
            rest.sort_by_key(|&node| Reverse((key(node), node)));
            rest
        });
        while let Some(node) = rest.pop() {
            if position[node as usize] == u32::MAX {
                ready.push(Reverse((key(node), node)));
                break;
            }
        }
    }
}

fn waiting(graph: &Graph) -> Vec<u32> {
    let mut waiting = vec![0; graph.nodes()];
    for link in &graph.links {
        waiting[link.to as usize] += 1;
    }
    waiting
}
