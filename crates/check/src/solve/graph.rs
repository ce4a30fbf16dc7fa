//! The product graph: transactions in states, joined by dependencies.
//!
//! Node `unit × states + state` is a unit in a state of the [`Automaton`]. Relations with many
//! pairs - real time, session order that a shape cannot pass through, the versions of a key -
//! are not stored pair by pair: they run along a *spine* of helper nodes.
//!
//! ```text
//!      (t1)      (t2)      (t3)            t1 → t2, t1 → t3, t2 → t3
//!        └──► s1 ──┬──► s2 ──┬─►           with three spine nodes instead of all pairs
//!            leave ▼   leave ▼
//! ```

use tristan_ground::id;
use tristan_spec::Rel;

use super::flat_lists::FlatLists;
use crate::automaton::{Arc, Automaton, State};
use crate::ir::{EdgeId, Ir, OrderId, ReadId, Unit};

id!(
    /// A node of the product graph: a unit in a state, or a helper node of a spine.
    pub(crate) struct Node
);

impl Node {
    /// The node of a unit in a graph with one state.
    pub(crate) fn of(unit: Unit) -> Self {
        Self(unit.0)
    }

    /// The node `by` places further along a spine that starts here.
    pub(crate) fn along(self, by: usize) -> Self {
        Self::new(self.index() + by)
    }
}

id!(
    /// A link: its position in [`Graph::links`].
    pub(crate) struct LinkId
);

/// The dependency an edge stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Via {
    /// A known edge of the IR.
    Known(EdgeId),
    /// Real-time order.
    Rt,
    /// Commit order of the clock.
    Cc,
    /// Begin before commit, by the clock.
    Bc,
    /// This read saw the earlier unit's version.
    Wr(ReadId),
    /// Two versions of this version order.
    Ww(OrderId),
    /// This read saw a version before the later unit's.
    Rw(ReadId),
}

/// What an edge of the product graph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    /// A move within a unit.
    Inside,
    /// A dependency from unit to unit.
    Dep(Via),
    /// From a unit onto a spine.
    Enter(Via),
    /// Along a spine.
    Along,
    /// From a spine to a unit.
    Leave,
}

/// An edge of the product graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// Comes first.
    pub(crate) from: Node,
    /// Comes later.
    pub(crate) to: Node,
    /// What it is.
    pub(crate) label: Label,
}

/// Edges, and how many nodes there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    /// States per unit.
    states: u32,
    /// Nodes that belong to units; spine nodes come after them.
    unit_nodes: u32,
    /// The number of all nodes, those of spines included.
    nodes: u32,
    /// Edges that a cycle may use freely.
    pub(crate) links: Vec<Link>,
    /// Edges that a cycle may use once.
    pub(crate) jumps: Vec<Link>,
}

impl Graph {
    /// The graph of what is known whatever is chosen: moves inside units and known orders.
    pub(crate) fn known(ir: &Ir, automaton: &Automaton) -> Self {
        let states = automaton.states() as u32;
        let unit_nodes = states * ir.units.len() as u32;
        let mut graph =
            Self { states, unit_nodes, nodes: unit_nodes, links: Vec::new(), jumps: Vec::new() };
        graph.add_inside(ir, automaton);
        for &arc in &automaton.arcs {
            match arc.rel {
                Rel::So => graph.add_order(ir, automaton, arc),
                Rel::Ww => graph.add_listed(ir, arc),
                Rel::Rt => graph.add_clock(ir, arc, Via::Rt),
                Rel::CommitOrder => graph.add_clock(ir, arc, Via::Cc),
                Rel::BeginCommit => graph.add_clock(ir, arc, Via::Bc),
                _ => {}
            }
        }
        graph
    }

    /// A graph without edges, of units with one state.
    pub(crate) fn of_units(units: usize) -> Self {
        Self { states: 1, unit_nodes: units as u32, nodes: units as u32, ..Self::default() }
    }

    /// A graph without edges, of units with one state and helper nodes.
    #[cfg(test)]
    pub(crate) fn empty(units: u32, helpers: u32) -> Self {
        Self { states: 1, unit_nodes: units, nodes: units + helpers, ..Self::default() }
    }

    /// The same nodes without edges.
    pub(crate) fn without_links(&self) -> Self {
        Self { links: Vec::new(), jumps: Vec::new(), ..*self }
    }

    /// Number of nodes that belong to units; the others come after them.
    pub(crate) fn unit_nodes(&self) -> usize {
        self.unit_nodes as usize
    }

    /// Number of nodes.
    pub(crate) fn nodes(&self) -> usize {
        self.nodes as usize
    }

    /// The node of a unit in a state.
    pub(crate) fn node(&self, unit: Unit, state: State) -> Node {
        Node(unit.0 * self.states + u32::from(state))
    }

    /// The unit a node belongs to; `None` for spine nodes.
    pub(crate) fn unit(&self, node: Node) -> Option<Unit> {
        (node.0 < self.unit_nodes).then(|| Unit(node.0 / self.states))
    }

    /// The state of a unit's node.
    pub(crate) fn state(&self, node: Node) -> State {
        (node.0 % self.states) as State
    }

    /// Per node, where its links lead.
    pub(crate) fn after(&self) -> FlatLists<Node, Node> {
        FlatLists::group(self.nodes(), self.links.iter().map(|link| (link.from, link.to)))
    }

    /// Per node, where links to it come from.
    pub(crate) fn before(&self) -> FlatLists<Node, Node> {
        FlatLists::group(self.nodes(), self.links.iter().map(|link| (link.to, link.from)))
    }

    /// The links that lead from each node.
    pub(crate) fn outgoing(&self) -> FlatLists<Node, LinkId> {
        let links = LinkId::enumerate(&self.links);
        FlatLists::group(self.nodes(), links.map(|(id, link)| (link.from, id)))
    }

    /// The links that lead to each node.
    pub(crate) fn incoming(&self) -> FlatLists<Node, LinkId> {
        let links = LinkId::enumerate(&self.links);
        FlatLists::group(self.nodes(), links.map(|(id, link)| (link.to, id)))
    }

    /// The link that is added next: older links have smaller ids.
    pub(crate) fn next_link(&self) -> LinkId {
        LinkId::new(self.links.len())
    }

    /// A new spine of `length` nodes: the first of them.
    pub(crate) fn spine(&mut self, length: usize) -> Node {
        let first = Node(self.nodes);
        self.nodes += length as u32;
        first
    }

    /// Adds an edge for an arc, free or jumping as the arc says.
    pub(crate) fn add(&mut self, arc: Arc, from: Node, to: Node, label: Label) {
        let list = if arc.jump { &mut self.jumps } else { &mut self.links };
        list.push(Link { from, to, label });
    }

    /// Adds a dependency between two units along an arc.
    pub(crate) fn add_dep(&mut self, arc: Arc, from: Unit, to: Unit, via: Via) {
        let (from, to) = (self.node(from, arc.from), self.node(to, arc.to));
        self.add(arc, from, to, Label::Dep(via));
    }

    /// From a unit onto a spine: the edge that jumps, if the arc does.
    pub(crate) fn enter(&mut self, arc: Arc, unit: Unit, spine: Node, via: Via) {
        let from = self.node(unit, arc.from);
        self.add(arc, from, spine, Label::Enter(via));
    }

    /// Along a spine, and from a spine to a unit.
    pub(crate) fn along(&mut self, from: Node, to: Node) {
        self.links.push(Link { from, to, label: Label::Along });
    }

    /// From a spine to a unit.
    pub(crate) fn leave(&mut self, arc: Arc, spine: Node, unit: Unit) {
        let to = self.node(unit, arc.to);
        self.links.push(Link { from: spine, to, label: Label::Leave });
    }

    fn add_inside(&mut self, ir: &Ir, automaton: &Automaton) {
        for inside in &automaton.inside {
            for (unit, info) in Unit::enumerate(&ir.units) {
                if inside.test.is_none_or(|set| info.is_in(set)) {
                    let from = self.node(unit, inside.from);
                    let to = self.node(unit, inside.to);
                    let list = if inside.jump { &mut self.jumps } else { &mut self.links };
                    list.push(Link { from, to, label: Label::Inside });
                }
            }
        }
    }

    /// Session order (and what modules add to it): directly where a cycle can pass through
    /// units, along a spine otherwise.
    fn add_order(&mut self, ir: &Ir, automaton: &Automaton, arc: Arc) {
        let edges = EdgeId::enumerate(&ir.edges).filter(|(_, edge)| edge.rel == arc.rel);
        if automaton.chains(arc, false) {
            for (id, edge) in edges {
                self.add_dep(arc, edge.from, edge.to, Via::Known(id));
            }
            return;
        }
        let spine = self.spine(ir.units.len());
        let mut entered = vec![false; ir.units.len()];
        for (id, edge) in edges {
            if !std::mem::replace(&mut entered[edge.from.index()], true) {
                self.enter(arc, edge.from, spine.along(edge.from.index()), Via::Known(id));
            }
            self.along(spine.along(edge.from.index()), spine.along(edge.to.index()));
            self.leave(arc, spine.along(edge.from.index()), edge.to);
        }
    }

    /// Write dependencies that lists show, and what modules add.
    pub(super) fn add_listed(&mut self, ir: &Ir, arc: Arc) {
        for (id, edge) in EdgeId::enumerate(&ir.edges).filter(|(_, edge)| edge.rel == Rel::Ww) {
            self.add_dep(arc, edge.from, edge.to, Via::Known(id));
        }
    }

    /// An order given by the clock: one spine node per instant at which a later unit can start.
    fn add_clock(&mut self, ir: &Ir, arc: Arc, via: Via) {
        let instants = |times: &crate::ir::Times| match via {
            Via::Rt => (times.end_by, times.begin_from),
            Via::Cc => (times.end_by, times.end_from),
            _ => (times.begin_by, times.end_from),
        };
        let units = || Unit::enumerate(&ir.times).map(|(unit, times)| (unit, instants(times)));
        let mut later: Vec<(i64, Unit)> =
            units().filter_map(|(unit, (_, at))| at.map(|at| (at, unit))).collect();
        later.sort_unstable();
        let spine = self.spine(later.len());
        for (position, &(_, unit)) in later.iter().enumerate() {
            let here = spine.along(position);
            self.leave(arc, here, unit);
            if position + 1 < later.len() {
                self.along(here, here.along(1));
            }
        }
        for (unit, (earlier, _)) in units() {
            let Some(earlier) = earlier else { continue };
            let after = earlier.saturating_add(ir.drift);
            let position = later.partition_point(|&(at, _)| at <= after);
            if position < later.len() {
                self.enter(arc, unit, spine.along(position), via);
            }
        }
    }
}
