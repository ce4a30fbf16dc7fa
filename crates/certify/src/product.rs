//! Evaluates a constraint on a large structure without ever listing its pairs.
//!
//! ```text
//!   node      (transaction, state of the automaton)
//!   edge      a step of the automaton along a dependency of the transaction
//!   (a, start) ~~> (b, accept)      exactly if (a, b) is in the relation
//! ```
//!
//! With an extra edge from (t, accept) back to (t, start), a cycle of the relation is a cycle
//! through such an edge: both its ends are in one strongly connected component. That decides
//! `acyclic`. A loop is also such a cycle, so for `irreflexive` only the transactions found in
//! this way can have one; they are searched many at a time, without the extra edges.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tristan_spec::Constraint;

use crate::automaton::{Automaton, Label};
use crate::error::CertifyError;
use crate::graph::{Graph, Wire};
use crate::structure::Structure;

/// A transaction on a cycle (or loop) that the constraint forbids.
///
/// # Errors
/// If the graph is too large.
pub(crate) fn violation(
    constraint: &Constraint,
    structure: &dyn Structure,
) -> Result<Option<u32>, CertifyError> {
    let size = structure.size();
    let automaton = Automaton::new(constraint.expr());
    let mut graph = product(&automaton, structure);
    let steps = graph.edges.len();
    let ends = |txn: usize| (Automaton::START * size + txn, Automaton::ACCEPT * size + txn);
    for txn in 0..size {
        let (start, accept) = ends(txn);
        graph.edge(accept, start);
    }
    let (component, _) = graph.successors()?.components();
    let same = |(start, accept): (usize, usize)| component[start] == component[accept];
    let suspects: Vec<usize> = (0..size).filter(|&txn| same(ends(txn))).collect();
    if suspects.is_empty() || matches!(constraint, Constraint::Acyclic(_)) {
        return Ok(suspects.first().map(|&txn| txn as u32));
    }
    // A path from (t, start) to (t, accept) stays within the component.
    graph.edges.truncate(steps);
    graph.edges.retain(|&(from, to)| component[from as usize] == component[to as usize]);
    let searched: Vec<(usize, usize)> = suspects.iter().map(|&txn| ends(txn)).collect();
    let found = first_connected(&graph, size, automaton.states, &searched)?;
    Ok(found.map(|which| suspects[which] as u32))
}

/// The product of the automaton and the dependencies.
fn product(automaton: &Automaton, structure: &dyn Structure) -> Graph {
    let size = structure.size();
    let mut graph = Graph { nodes: automaton.states * size, edges: Vec::new() };
    for step in &automaton.steps {
        let (tails, heads) = (step.from * size, step.to * size);
        match step.label {
            Label::Free => (0..size).for_each(|txn| graph.edge(tails + txn, heads + txn)),
            Label::Test(set) => (0..size)
                .filter(|&txn| structure.member(set, txn))
                .for_each(|txn| graph.edge(tails + txn, heads + txn)),
            Label::Rel(rel) => structure.wire(rel, &mut Wire { graph: &mut graph, tails, heads }),
        }
    }
    graph
}

/// How many searches run side by side, in words of 64.
const WORDS: usize = 4;

/// The first of the pairs whose first node reaches its second.
///
/// The components are sorted topologically, near the order in which transactions are numbered;
/// a batch of searches then only walks over the interval between its earliest start and its
/// latest end.
fn first_connected(
    graph: &Graph,
    size: usize,
    states: usize,
    pairs: &[(usize, usize)],
) -> Result<Option<usize>, CertifyError> {
    let (component, count) = graph.successors()?.components();
    // Helper nodes come as soon as they can.
    let mut priority = vec![0u32; count];
    for node in 0..states * size {
        let own = &mut priority[component[node] as usize];
        *own = (*own).max((node % size) as u32);
    }
    let rank = topological_ranks(graph, &component, count, &priority)?;
    let place = |node: usize| rank[component[node] as usize] as usize;
    let mut sorted = Graph { nodes: count, edges: Vec::new() };
    for &(from, to) in &graph.edges {
        let (from, to) = (place(from as usize), place(to as usize));
        if from != to {
            sorted.edge(from, to);
        }
    }
    let successors = sorted.successors()?;
    let mut searches: Vec<(usize, usize, usize)> = pairs
        .iter()
        .enumerate()
        .map(|(which, &(start, end))| (place(start), place(end), which))
        .filter(|&(start, end, _)| start <= end)
        .collect();
    searches.sort_unstable();
    let mut reached = vec![[0u64; WORDS]; count];
    for batch in searches.chunks(64 * WORDS) {
        let first = batch[0].0;
        let last = batch.iter().map(|&(_, end, _)| end).max().unwrap_or(first);
        for (bit, &(start, ..)) in batch.iter().enumerate() {
            reached[start][bit / 64] |= 1 << (bit % 64);
        }
        for from in first..=last {
            let here = reached[from];
            if here == [0; WORDS] {
                continue;
            }
            for &to in successors.of(from).iter().filter(|&&to| to as usize <= last) {
                for (word, more) in reached[to as usize].iter_mut().zip(here) {
                    *word |= more;
                }
            }
        }
        for (bit, &(_, end, which)) in batch.iter().enumerate() {
            if reached[end][bit / 64] >> (bit % 64) & 1 == 1 {
                return Ok(Some(which));
            }
        }
        reached[first..=last].fill([0; WORDS]);
    }
    Ok(None)
}

/// A topological order of the components; among those that could be next, the one with the
/// lowest priority number is.
fn topological_ranks(
    graph: &Graph,
    component: &[u32],
    count: usize,
    priority: &[u32],
) -> Result<Vec<u32>, CertifyError> {
    let mut condensed = Graph { nodes: count, edges: Vec::new() };
    let mut waiting = vec![0u32; count];
    for &(from, to) in &graph.edges {
        let (from, to) = (component[from as usize], component[to as usize]);
        if from != to {
            condensed.edges.push((from, to));
            waiting[to as usize] += 1;
        }
    }
    let successors = condensed.successors()?;
    let mut ready: BinaryHeap<Reverse<(u32, u32)>> = (0..count)
        .filter(|&node| waiting[node] == 0)
        .map(|node| Reverse((priority[node], node as u32)))
        .collect();
    let mut rank = vec![0u32; count];
    let mut next = 0;
    while let Some(Reverse((_, node))) = ready.pop() {
        rank[node as usize] = next;
        next += 1;
        for &to in successors.of(node as usize) {
            waiting[to as usize] -= 1;
            if waiting[to as usize] == 0 {
                ready.push(Reverse((priority[to as usize], to)));
            }
        }
    }
    Ok(rank)
}
