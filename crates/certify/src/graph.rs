//! A directed graph that grows by edges, its strongly connected components, and the [`Wire`]
//! through which a relation is put into it.

use crate::error::CertifyError;

/// Edges between numbered nodes.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: usize,
    pub(crate) edges: Vec<(u32, u32)>,
}

/// One relation between two states: tails are transactions in the first, heads in the second.
#[derive(Debug)]
pub(crate) struct Wire<'g> {
    pub(crate) graph: &'g mut Graph,
    /// The node of transaction 0 in the first state.
    pub(crate) tails: usize,
    /// The node of transaction 0 in the second state.
    pub(crate) heads: usize,
}

impl Wire<'_> {
    /// The node a transaction's dependencies leave from.
    pub(crate) fn tail(&self, node: u32) -> usize {
        self.tails + node as usize
    }

    /// The node a transaction's dependencies arrive at.
    pub(crate) fn head(&self, node: u32) -> usize {
        self.heads + node as usize
    }

    /// Adds an edge.
    pub(crate) fn edge(&mut self, from: usize, to: usize) {
        self.graph.edge(from, to);
    }

    /// The first of `count` new nodes that nothing else uses.
    pub(crate) fn fresh(&mut self, count: usize) -> usize {
        self.graph.nodes += count;
        self.graph.nodes - count
    }
}

impl Graph {
    pub(crate) fn edge(&mut self, from: usize, to: usize) {
        self.edges.push((from as u32, to as u32));
    }

    /// The successors of every node.
    ///
    /// # Errors
    /// If there are more nodes or edges than 32 bits can number.
    pub(crate) fn successors(&self) -> Result<Successors, CertifyError> {
        if self.nodes >= u32::MAX as usize || self.edges.len() >= u32::MAX as usize {
            return Err(CertifyError::TooLarge);
        }
        let mut first = vec![0u32; self.nodes + 2];
        for &(from, _) in &self.edges {
            first[from as usize + 2] += 1;
        }
        for node in 2..first.len() {
            first[node] += first[node - 1];
        }
        let mut targets = vec![0u32; self.edges.len()];
        for &(from, to) in &self.edges {
            let slot = &mut first[from as usize + 1];
            targets[*slot as usize] = to;
            *slot += 1;
        }
        first.pop();
        Ok(Successors { first, targets })
    }
}

/// A graph laid out node by node.
#[derive(Debug)]
pub(crate) struct Successors {
    first: Vec<u32>,
    targets: Vec<u32>,
}

impl Successors {
    /// The number of nodes.
    pub(crate) fn nodes(&self) -> usize {
        self.first.len() - 1
    }

    /// The nodes that edges from `node` lead to.
    pub(crate) fn of(&self, node: usize) -> &[u32] {
        &self.targets[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// The component of every node, and how many there are. Nodes are in one component exactly
    /// if each reaches the other (Tarjan's algorithm, without recursion).
    pub(crate) fn components(&self) -> (Vec<u32>, usize) {
        const NONE: u32 = u32::MAX;
        let mut component = vec![NONE; self.nodes()];
        let mut low = vec![NONE; self.nodes()];
        let (mut open, mut path) = (Vec::new(), Vec::new());
        let (mut visited, mut count) = (0u32, 0u32);
        for root in 0..self.nodes() {
            if low[root] != NONE {
                continue;
            }
            path.push((root, 0usize, visited));
            low[root] = visited;
            visited += 1;
            open.push(root);
            while let Some((node, next, entered)) = path.pop() {
                if let Some(&target) = self.of(node).get(next) {
                    path.push((node, next + 1, entered));
                    let target = target as usize;
                    if low[target] == NONE {
                        path.push((target, 0, visited));
                        low[target] = visited;
                        visited += 1;
                        open.push(target);
                    } else if component[target] == NONE {
                        low[node] = low[node].min(low[target]);
                    }
                    continue;
                }
                if low[node] == entered {
                    while let Some(member) = open.pop() {
                        component[member] = count;
                        if member == node {
                            break;
                        }
                    }
                    count += 1;
                }
                if let Some(&(parent, ..)) = path.last() {
                    low[parent] = low[parent].min(low[node]);
                }
            }
        }
        (component, count as usize)
    }
}
