//! Strongly connected components (Tarjan, without recursion).

use tristan_ground::id;

use super::flat_lists::FlatLists;
use super::graph::{Link, LinkId, Node};

id!(
    /// A strongly connected component: its position in [`Components::size`].
    pub(crate) struct ComponentId
);

/// Of a node whose component is not complete.
const OPEN: ComponentId = ComponentId(u32::MAX);

/// The component of every node. Components are numbered so that an edge never leads from a
/// smaller to a larger number: if `a` reaches `b`, then `component[a] >= component[b]`.
#[derive(Debug)]
pub(crate) struct Components {
    /// Component of each node.
    pub(crate) of: Vec<ComponentId>,
    /// Size of each component.
    pub(crate) size: Vec<u32>,
}

impl Components {
    /// Finds the components of a graph.
    pub(crate) fn find(nodes: usize, links: &[Link], outgoing: &FlatLists<Node, LinkId>) -> Self {
        let mut search = Search {
            links,
            outgoing,
            index: vec![0; nodes],
            low: vec![0; nodes],
            next: 1,
            open: Vec::new(),
            found: Self { of: vec![OPEN; nodes], size: Vec::new() },
        };
        for node in Node::all(nodes) {
            if search.index[node.index()] == 0 {
                search.visit(node);
            }
        }
        search.found
    }

    /// Whether every component is a single node.
    pub(crate) fn all_single(&self) -> bool {
        self.size.len() == self.of.len()
    }
}

struct Search<'a> {
    links: &'a [Link],
    outgoing: &'a FlatLists<Node, LinkId>,
    index: Vec<u32>,
    low: Vec<u32>,
    next: u32,
    open: Vec<Node>,
    found: Components,
}

impl Search<'_> {
    fn visit(&mut self, root: Node) {
        let mut stack: Vec<(Node, usize)> = vec![(root, 0)];
        self.enter(root);
        while let Some((node, at)) = stack.last_mut() {
            let node = *node;
            if let Some(&link) = self.outgoing.of(node).get(*at) {
                *at += 1;
                let next = self.links[link.index()].to;
                if self.index[next.index()] == 0 {
                    self.enter(next);
                    stack.push((next, 0));
                } else if self.found.of[next.index()] == OPEN {
                    self.low[node.index()] = self.low[node.index()].min(self.index[next.index()]);
                }
            } else {
                stack.pop();
                if let Some(&(parent, _)) = stack.last() {
                    self.low[parent.index()] = self.low[parent.index()].min(self.low[node.index()]);
                }
                self.close(node);
            }
        }
    }

    fn enter(&mut self, node: Node) {
        self.index[node.index()] = self.next;
        self.low[node.index()] = self.next;
        self.next += 1;
        self.open.push(node);
    }

    fn close(&mut self, node: Node) {
        if self.low[node.index()] != self.index[node.index()] {
            return;
        }
        let component = ComponentId::new(self.found.size.len());
        let mut size = 0;
        while let Some(member) = self.open.pop() {
            self.found.of[member.index()] = component;
            size += 1;
            if member == node {
                break;
            }
        }
        self.found.size.push(size);
    }
}
