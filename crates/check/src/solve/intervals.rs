//! Intervals of an order between the ends of backward links: only there can be a cycle.
//!
//! ```text
//!   order   a  b  c  d  e  f  g         d → b goes backward: a cycle through it stays
//!              └──◄──┘                  between b and d
//! ```

use super::graph::{Link, Node};
use super::order::Position;

/// Intervals of an order; disjoint once they are joined.
#[derive(Clone, Debug, Default)]
pub(super) struct Intervals(Vec<(Position, Position)>);

impl Intervals {
    /// Adds what lies between the ends of a link, if it goes backward.
    pub(super) fn look_at(&mut self, position: &[Position], link: &Link) {
        let (from, to) = (position[link.from.index()], position[link.to.index()]);
        if from >= to {
            self.0.push((to, from));
        }
    }

    /// Adds the intervals of another set.
    pub(super) fn append(&mut self, mut others: Self) {
        self.0.append(&mut others.0);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Joins intervals that overlap.
    pub(super) fn join(&mut self) {
        self.0.sort_unstable();
        self.0.dedup_by(|next, last| {
            let overlaps = next.0 <= last.1;
            if overlaps {
                last.1 = last.1.max(next.1);
            }
            overlaps
        });
    }

    /// Marks the nodes in each of the intervals, which must be joined.
    pub(super) fn marks(&self, position: &[Position]) -> Marks {
        let mut at = vec![OUTSIDE; position.len()];
        for (number, &(first, last)) in (0..).zip(&self.0) {
            at[first.index()..=last.index()].fill(number);
        }
        Marks(position.iter().map(|&place| at[place.index()]).collect())
    }
}

/// Mark of a node outside all intervals.
const OUTSIDE: u32 = u32::MAX;

/// Per node, the interval it is in.
#[derive(Debug)]
pub(super) struct Marks(Vec<u32>);

impl Marks {
    /// Whether a link stays in an interval.
    pub(super) fn hold(&self, link: &Link) -> bool {
        let mark = |node: Node| self.0[node.index()];
        mark(link.from) != OUTSIDE && mark(link.from) == mark(link.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::graph::Label;

    #[test]
    fn links_within_what_goes_backward_are_held() {
        let link = |from, to| Link { from: Node(from), to: Node(to), label: Label::Inside };
        let position: Vec<Position> = Position::all(10).rev().collect();
        let mut intervals = Intervals::default();
        for back in [link(7, 9), link(8, 9), link(1, 3), link(0, 1), link(6, 5)] {
            intervals.look_at(&position, &back);
        }
        intervals.join();
        let marks = intervals.marks(&position);
        assert!(marks.hold(&link(9, 7)) && marks.hold(&link(3, 0)) && marks.hold(&link(2, 2)));
        assert!(!marks.hold(&link(9, 1)) && !marks.hold(&link(6, 5)) && !marks.hold(&link(4, 3)));
    }
}
