//! Forbidden cycles of free links: short ones, a few from every strongly connected component.

use super::flat_lists::FlatLists;
use super::graph::{Graph, Link, LinkId, Node};
use super::order::Position;
use super::paths;
use super::scc::Components;
use crate::automaton::Automaton;

/// Closed walks through states where cycles are forbidden: at most `each` from every strongly
/// connected component, each a shortest one through some node.
pub(crate) fn forbidden(
    automaton: &Automaton,
    graph: &Graph,
    outgoing: &FlatLists<Node, LinkId>,
    components: &Components,
    each: u32,
) -> Vec<Vec<Link>> {
    let mut walks = Vec::new();
    let mut tried = vec![0u32; components.size.len()];
    for node in Node::all(graph.nodes()) {
        let component = components.of[node.index()];
        let guilty = components.size[component.index()] > 1
            && graph.unit(node).is_some()
            && automaton.acyclic[graph.state(node) as usize];
        if !guilty || tried[component.index()] == each {
            continue;
        }
        tried[component.index()] += 1;
        let within =
            |link: LinkId| components.of[graph.links[link.index()].to.index()] == component;
        walks.extend(paths::shortest(&graph.links, outgoing, node, node, false, within));
    }
    walks
}

/// Closed walks through states where cycles are forbidden that go backward once in an order of
/// the nodes, a short one for every link that does; at most `most`, those with little between
/// their ends first.
pub(crate) fn backward(
    automaton: &Automaton,
    graph: &Graph,
    outgoing: &FlatLists<Node, LinkId>,
    position: &[Position],
    most: usize,
) -> Vec<Vec<Link>> {
    let place = |node: Node| position[node.index()];
    let goes_back = |link: &&Link| place(link.from) >= place(link.to);
    let mut back: Vec<Link> = graph.links.iter().filter(goes_back).copied().collect();
    back.sort_by_key(|link| place(link.from).index() - place(link.to).index());
    let guilty = |link: &Link| {
        graph.unit(link.from).is_some() && automaton.acyclic[graph.state(link.from) as usize]
    };
    let incoming = graph.incoming();
    let walk = |last: Link| {
        let forward = |link: LinkId| {
            let link = graph.links[link.index()];
            place(link.from) < place(link.to)
                && place(last.to) <= place(link.from)
                && place(link.to) <= place(last.from)
        };
        let index = (outgoing, &incoming);
        let mut walk = paths::meeting(&graph.links, index, last.to, last.from, forward)?;
        walk.push(last);
        walk.iter().any(guilty).then_some(walk)
    };
    back.into_iter().filter_map(walk).take(most).collect()
}
