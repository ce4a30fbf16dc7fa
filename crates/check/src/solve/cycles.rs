//! Forbidden cycles of free links: short ones, a few from every knot.

use super::automaton::Automaton;
use super::graph::{Graph, Link, Node, Outgoing};
use super::paths;
use super::scc::Components;

/// Closed walks through states where cycles are forbidden: at most `each` from every strongly
/// connected component, each a shortest one through some node.
pub fn forbidden(
    automaton: &Automaton,
    graph: &Graph,
    outgoing: &Outgoing,
    components: &Components,
    each: u32,
) -> Vec<Vec<Link>> {
    let mut walks = Vec::new();
    let mut tried = vec![0u32; components.size.len()];
    for node in 0..graph.nodes() as Node {
        let component = components.of[node as usize];
        let guilty = components.size[component as usize] > 1
            && graph.unit(node).is_some()
            && automaton.acyclic[graph.state(node) as usize];
        if !guilty || tried[component as usize] == each {
            continue;
        }
        tried[component as usize] += 1;
        let within = |link: u32| components.of[graph.links[link as usize].to as usize] == component;
        walks.extend(paths::shortest(&graph.links, outgoing, node, node, false, within));
    }
    walks
}
