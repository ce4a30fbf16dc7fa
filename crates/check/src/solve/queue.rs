//! A set of nodes from which the one with the lowest rank is taken next.
//!
//! Units are numbered in a likely order, so usually the smallest node is wanted; helper nodes of
//! spines come before all of them. The set is a tree of words with 64 children each: a million nodes
//! make four levels, and neighbours share a cache line.

use super::graph::{Graph, Node};

/// Nodes that wait to be taken.
#[derive(Debug)]
pub(crate) struct Queue {
    /// The bottom level says which nodes are in the set, every other level which words of the
    /// one below are not empty.
    levels: Vec<Vec<u64>>,
    ranking: Ranking,
}

/// Which node comes first.
#[derive(Debug)]
enum Ranking {
    /// Helper nodes, then units by number.
    Likely { nodes: usize, helpers: usize },
    /// As given: the rank of each node, and the node of each rank.
    Given { ranks: Vec<u32>, nodes: Vec<Node> },
}

impl Ranking {
    fn rank(&self, node: Node) -> usize {
        match self {
            Self::Likely { nodes, helpers } => turn(node.index(), *helpers, *nodes),
            Self::Given { ranks, .. } => ranks[node.index()] as usize,
        }
    }

    fn node(&self, rank: usize) -> Node {
        match self {
            Self::Likely { nodes, helpers } => Node::new(turn(rank, nodes - helpers, *nodes)),
            Self::Given { nodes, .. } => nodes[rank],
        }
    }
}

/// The place that is so much further around a circle.
fn turn(place: usize, by: usize, around: usize) -> usize {
    (place + by) % around
}

impl Queue {
    /// An empty set for the nodes of a graph, from which likely ones are taken first.
    pub(crate) fn new(graph: &Graph) -> Self {
        let nodes = graph.nodes();
        let helpers = nodes - graph.unit_nodes();
        Self::with_ranking(nodes, Ranking::Likely { nodes, helpers })
    }

    /// An empty set from which nodes with a small key are taken first.
    pub(crate) fn by_key<K: Ord>(graph: &Graph, key: impl Fn(Node) -> K) -> Self {
        let mut nodes: Vec<Node> = Node::all(graph.nodes()).collect();
        nodes.sort_by_key(|&node| key(node));
        let mut ranks = vec![0; nodes.len()];
        for (rank, &node) in nodes.iter().enumerate() {
            ranks[node.index()] = rank as u32;
        }
        Self::with_ranking(graph.nodes(), Ranking::Given { ranks, nodes })
    }

    fn with_ranking(nodes: usize, ranking: Ranking) -> Self {
        let mut levels = Vec::new();
        let mut size = nodes;
        loop {
            size = size.div_ceil(64).max(1);
            levels.push(vec![0; size]);
            if size == 1 {
                break;
            }
        }
        Self { levels, ranking }
    }

    /// Adds a node, if it is not there.
    pub(crate) fn add(&mut self, node: Node) {
        let mut at = self.ranking.rank(node);
        for level in &mut self.levels {
            let word = &mut level[at / 64];
            let was_empty = *word == 0;
            *word |= 1 << (at % 64);
            if !was_empty {
                return;
            }
            at /= 64;
        }
    }

    /// Takes the first node out.
    pub(crate) fn take(&mut self) -> Option<Node> {
        let mut at = 0;
        for level in self.levels.iter().rev() {
            let word = level[at];
            if word == 0 {
                return None;
            }
            at = at * 64 + word.trailing_zeros() as usize;
        }
        self.remove(at);
        Some(self.ranking.node(at))
    }

    fn remove(&mut self, mut at: usize) {
        for level in &mut self.levels {
            let word = &mut level[at / 64];
            *word &= !(1 << (at % 64));
            if *word != 0 {
                return;
            }
            at /= 64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_comes_first_and_helpers_before_units() {
        for helpers in [0, 3, 5000] {
            let graph = Graph::empty(300, helpers);
            let mut queue = Queue::new(&graph);
            let some = || Node::all(graph.nodes()).step_by(7);
            some().chain([14, 7, 0].map(Node)).for_each(|node| queue.add(node));
            let taken: Vec<Node> = std::iter::from_fn(|| queue.take()).collect();
            let (last, first): (Vec<Node>, Vec<Node>) =
                some().partition(|&node| graph.unit(node).is_some());
            assert_eq!(taken, [first, last].concat());
        }
    }

    #[test]
    fn keys_decide_where_they_are_given() {
        let graph = Graph::empty(200, 50);
        let mut queue = Queue::by_key(&graph, std::cmp::Reverse);
        Node::all(250).for_each(|node| queue.add(node));
        assert!(std::iter::from_fn(|| queue.take()).eq(Node::all(250).rev()));
    }
}
