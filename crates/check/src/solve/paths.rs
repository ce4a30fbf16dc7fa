//! Shortest paths, and what a path says in dependencies.

use rustc_hash::FxHashMap;

use super::flat_lists::FlatLists;
use super::graph::{Graph, Label, Link, LinkId, Node, Via};
use crate::ir::{Ir, Unit};

/// A dependency between two units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Dep {
    /// Comes first.
    pub(crate) from: Unit,
    /// Comes later.
    pub(crate) to: Unit,
    /// Why.
    pub(crate) via: Via,
}

/// A shortest path from one node to another over the links that `usable` admits; its links, in
/// order. An empty path leads from a node to itself only if `from == to` and `allow_empty`.
pub(crate) fn shortest(
    links: &[Link],
    outgoing: &FlatLists<Node, LinkId>,
    from: Node,
    to: Node,
    allow_empty: bool,
    usable: impl Fn(LinkId) -> bool,
) -> Option<Vec<Link>> {
    if allow_empty && from == to {
        return Some(Vec::new());
    }
    let mut reached: FxHashMap<Node, LinkId> = FxHashMap::default();
    let mut queue = std::collections::VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        for &link in outgoing.of(node) {
            let next = links[link.index()].to;
            if !usable(link) || reached.contains_key(&next) {
                continue;
            }
            reached.insert(next, link);
            if next == to {
                return Some(walk_back(links, &reached, from, to));
            }
            queue.push_back(next);
        }
    }
    None
}

/// A short path from one node to another, sought from both ends at once: where paths are short
/// and nodes have many links this looks at far fewer nodes.
pub(crate) fn meeting(
    links: &[Link],
    (outgoing, incoming): (&FlatLists<Node, LinkId>, &FlatLists<Node, LinkId>),
    from: Node,
    to: Node,
    usable: impl Fn(LinkId) -> bool,
) -> Option<Vec<Link>> {
    if from == to {
        return Some(Vec::new());
    }
    let mut ahead = Side::at(from);
    let mut behind = Side::at(to);
    while !ahead.edge.is_empty() && !behind.edge.is_empty() {
        let met = match ahead.edge.len() <= behind.edge.len() {
            true => ahead.grow(outgoing, &usable, |link| links[link.index()].to, &behind),
            false => behind.grow(incoming, &usable, |link| links[link.index()].from, &ahead),
        };
        if let Some(node) = met {
            let mut path = ahead.back(node, |link| links[link.index()].from);
            path.reverse();
            path.extend(behind.back(node, |link| links[link.index()].to));
            return Some(path.into_iter().map(|link| links[link.index()]).collect());
        }
    }
    None
}

/// What was reached from one end.
struct Side {
    /// The link each node was reached by; none for the end itself.
    reached: FxHashMap<Node, Option<LinkId>>,
    /// The nodes that were reached last.
    edge: Vec<Node>,
}

impl Side {
    fn at(end: Node) -> Self {
        Self { reached: [(end, None)].into_iter().collect(), edge: vec![end] }
    }

    /// One step further from all nodes at the edge: a node that the other side has reached too.
    fn grow(
        &mut self,
        links: &FlatLists<Node, LinkId>,
        usable: impl Fn(LinkId) -> bool,
        next: impl Fn(LinkId) -> Node,
        other: &Self,
    ) -> Option<Node> {
        for node in std::mem::take(&mut self.edge) {
            for &link in links.of(node) {
                let next = next(link);
                if !usable(link) || self.reached.contains_key(&next) {
                    continue;
                }
                self.reached.insert(next, Some(link));
                if other.reached.contains_key(&next) {
                    return Some(next);
                }
                self.edge.push(next);
            }
        }
        None
    }

    /// The links from a node back to the end.
    fn back(&self, mut node: Node, before: impl Fn(LinkId) -> Node) -> Vec<LinkId> {
        let mut links = Vec::new();
        while let Some(&Some(link)) = self.reached.get(&node) {
            links.push(link);
            node = before(link);
        }
        links
    }
}

fn walk_back(links: &[Link], reached: &FxHashMap<Node, LinkId>, from: Node, to: Node) -> Vec<Link> {
    let mut path = Vec::new();
    let mut at = to;
    loop {
        let link = links[reached[&at].index()];
        path.push(link);
        at = link.from;
        if at == from {
            path.reverse();
            return path;
        }
    }
}

/// The dependencies along a closed walk, with moves inside units dropped and spines folded.
pub(crate) fn dependencies(graph: &Graph, walk: &[Link]) -> Vec<Dep> {
    open_dependencies(graph, &start_at_unit(graph, walk))
}

/// The same for a walk in the graph of a total assignment: there, versions of one key that
/// follow each other are one step, because every pair of them is ordered.
pub(crate) fn total_dependencies(ir: &Ir, graph: &Graph, walk: &[Link]) -> Vec<Dep> {
    let mut steps = fold_spines(&start_at_unit(graph, walk));
    merge_versions(ir, graph, &mut steps);
    between_units(graph, &steps)
}

/// The dependencies along a walk between two units.
pub(crate) fn open_dependencies(graph: &Graph, walk: &[Link]) -> Vec<Dep> {
    between_units(graph, &fold_spines(walk))
}

fn between_units(graph: &Graph, steps: &[Step]) -> Vec<Dep> {
    let dep = |step: &Step| {
        let via = step.via?;
        let unit = |node| graph.unit(node).expect("spines are folded");
        Some(Dep { from: unit(step.from), to: unit(step.to), via })
    };
    steps.iter().filter_map(dep).collect()
}

/// A step from a unit's node to a unit's node; without a dependency it stays inside.
#[derive(Clone, Copy)]
struct Step {
    from: Node,
    to: Node,
    via: Option<Via>,
}

/// A closed walk may start in the middle of a spine or of a run of versions; start it at a
/// unit, preferably right before something that is not a write dependency.
fn start_at_unit(graph: &Graph, walk: &[Link]) -> Vec<Link> {
    let at_unit = |link: &Link| graph.unit(link.from).is_some();
    let good = |link: &Link| {
        at_unit(link) && !matches!(link.label, Label::Dep(Via::Ww(_)) | Label::Inside)
    };
    let start = walk.iter().position(good).or_else(|| walk.iter().position(at_unit)).unwrap_or(0);
    let mut rotated = walk.to_vec();
    rotated.rotate_left(start);
    rotated
}

fn fold_spines(walk: &[Link]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut entered: Option<(Node, Via)> = None;
    for link in walk {
        match link.label {
            Label::Inside => steps.push(Step { from: link.from, to: link.to, via: None }),
            Label::Dep(via) => steps.push(Step { from: link.from, to: link.to, via: Some(via) }),
            Label::Enter(via) => entered = Some((link.from, via)),
            Label::Along => {}
            Label::Leave => {
                if let Some((from, via)) = entered.take() {
                    steps.push(Step { from, to: link.to, via: Some(via) });
                }
            }
        }
    }
    steps
}

/// On one key, `ww ; ww` is one `ww`, and `rw ; ww` is one `rw`, if the walk goes on from the
/// same state.
fn merge_versions(ir: &Ir, graph: &Graph, steps: &mut Vec<Step>) {
    let mut at = 0;
    while at < steps.len() {
        match merged(ir, graph, &steps[at..]) {
            Some((step, used)) => {
                steps.splice(at..at + used, [step]);
            }
            None => at += 1,
        }
    }
}

fn merged(ir: &Ir, graph: &Graph, steps: &[Step]) -> Option<(Step, usize)> {
    let first = steps.first()?;
    let order = match first.via? {
        Via::Ww(order) => order,
        Via::Rw(read) => ir.reads[read.index()].order,
        _ => return None,
    };
    let mut used = 1;
    if steps.get(used)?.via.is_none() {
        used += 1;
    }
    let second = steps.get(used)?;
    used += 1;
    if second.via != Some(Via::Ww(order)) || graph.unit(second.to) == graph.unit(first.from) {
        return None;
    }
    let state = graph.state(first.to);
    if graph.state(second.to) == state {
        return Some((Step { from: first.from, to: second.to, via: first.via }, used));
    }
    let slide =
        steps.get(used).filter(|step| step.via.is_none() && graph.state(step.to) == state)?;
    Some((Step { from: first.from, to: slide.to, via: first.via }, used + 1))
}
