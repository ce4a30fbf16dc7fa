//! A line of transactions - the versions of a key, a session, a clock - such that a dependency
//! on *everything later* costs one edge, and on *everything later but one* a logarithm.
//!
//! ```text
//!   chain     c0 ──► c1 ──► c2 ──► c3      enter at ci: reach all heads from i on
//!             │      │      │      │
//!   heads     h0     h1     h2     h3      a binary tree above them serves inner ranges
//! ```
//!
//! The nodes belong to one step of the automaton, so a path that enters can only leave by a
//! head of the same step.

use crate::graph::Wire;

/// A line that has been wired.
#[derive(Debug)]
pub(crate) struct Line {
    /// Where each place of the line leads.
    heads: Vec<usize>,
    /// The first node of the chain.
    chain: usize,
    /// The root's predecessor in the implicit tree: node `j` of the tree is `tree + j`.
    tree: Option<usize>,
}

impl Line {
    /// Wires a line whose places lead to these nodes.
    pub(crate) fn new(wire: &mut Wire<'_>, heads: Vec<usize>) -> Self {
        let chain = wire.fresh(heads.len());
        for (place, &head) in heads.iter().enumerate() {
            wire.edge(chain + place, head);
            if place + 1 < heads.len() {
                wire.edge(chain + place, chain + place + 1);
            }
        }
        Self { heads, chain, tree: None }
    }

    /// Lets `from` reach every place from `first` on, except one.
    pub(crate) fn enter(
        &mut self,
        wire: &mut Wire<'_>,
        from: usize,
        first: usize,
        except: Option<usize>,
    ) {
        let resume = match except.filter(|&place| place >= first) {
            Some(place) => {
                self.enter_range(wire, from, first, place);
                place + 1
            }
            None => first,
        };
        if resume < self.heads.len() {
            wire.edge(from, self.chain + resume);
        }
    }

    /// Lets `from` reach the places of `first..end`.
    pub(crate) fn enter_range(
        &mut self,
        wire: &mut Wire<'_>,
        from: usize,
        first: usize,
        end: usize,
    ) {
        let count = self.heads.len();
        let (mut low, mut high) = (first + count, end.min(count) + count);
        if low >= high {
            return;
        }
        let tree = self.tree(wire);
        // The usual walk up a binary tree in an array; leaves are count..2*count.
        while low < high {
            if low % 2 == 1 {
                wire.edge(from, tree + low);
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                wire.edge(from, tree + high);
            }
            (low, high) = (low / 2, high / 2);
        }
    }

    fn tree(&mut self, wire: &mut Wire<'_>) -> usize {
        if let Some(tree) = self.tree {
            return tree;
        }
        let count = self.heads.len();
        let tree = wire.fresh(2 * count);
        for node in 1..count {
            wire.edge(tree + node, tree + 2 * node);
            wire.edge(tree + node, tree + 2 * node + 1);
        }
        for (place, &head) in self.heads.iter().enumerate() {
            wire.edge(tree + count + place, head);
        }
        self.tree = Some(tree);
        tree
    }
}
