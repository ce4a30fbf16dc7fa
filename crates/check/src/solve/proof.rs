//! Proofs: from a contradiction back to what the trace says.
//!
//! A fact found by saturation is the opposite of something that closes a cycle. Here that cycle
//! is found again, over links that are older than the fact, and the facts *it* uses are proved
//! in turn. The result is a list of conflicts that are unsatisfiable together by propagation.

use rustc_hash::FxHashSet;

use super::conflict::{Chosen, Conflict, Literal};
use super::graph::{Graph, Outgoing};
use super::paths;
use super::saturate::{Derivation, Saturated};
use crate::ir::{Ir, Source};

/// The given conflicts and every conflict that proves a fact they use.
pub fn expand(ir: &Ir, saturated: &Saturated, roots: Vec<Conflict>) -> Vec<Conflict> {
    let graph = &saturated.graph;
    let outgoing = Outgoing::index(graph.nodes(), &graph.links, |link| link.from);
    let mut proof: Vec<Conflict> = Vec::new();
    let mut queue: Vec<Conflict> = roots;
    let mut proved: FxHashSet<Literal> = FxHashSet::default();
    while let Some(conflict) = queue.pop() {
        for &literal in conflict.literals.iter().filter(|literal| proved.insert(**literal)) {
            for (derivation, excluded) in derivations(ir, saturated, literal) {
                let fixed = &saturated.fixed;
                queue.push(cycle_of(ir, graph, &outgoing, fixed, &derivation, excluded));
            }
        }
        if !conflict.is_vacuous() && !proof.contains(&conflict) {
            proof.push(conflict);
        }
    }
    proof.reverse();
    proof
}

/// What saturation derived a literal from, if it did.
fn derivations(
    ir: &Ir,
    saturated: &Saturated,
    literal: Literal,
) -> Vec<(Derivation, Option<(u32, Source)>)> {
    match literal {
        Literal::Before(..) => saturated
            .facts
            .get(&literal)
            .map(|&derivation| (derivation, None))
            .into_iter()
            .collect(),
        // A source of a read holds if all others are excluded. An excluded source may also be
        // the literal itself: then all sources were.
        Literal::Reads(read, _) => {
            let all = ir.reads[read as usize].sources.iter();
            let excluded = all.filter_map(|&source| {
                let derivation = saturated.excluded.get(&(read, source))?;
                Some((*derivation, Some((read, source))))
            });
            excluded.collect()
        }
    }
}

/// The conflict behind a derivation.
pub fn conflict_of(
    ir: &Ir,
    graph: &Graph,
    fixed: &[Option<Source>],
    derivation: &Derivation,
    excluded: Option<(u32, Source)>,
) -> Conflict {
    let outgoing = Outgoing::index(graph.nodes(), &graph.links, |link| link.from);
    cycle_of(ir, graph, &outgoing, fixed, derivation, excluded)
}

fn cycle_of(
    ir: &Ir,
    graph: &Graph,
    outgoing: &Outgoing,
    fixed: &[Option<Source>],
    derivation: &Derivation,
    excluded: Option<(u32, Source)>,
) -> Conflict {
    let older = |link: u32| link < derivation.links;
    let path = paths::shortest(&graph.links, outgoing, derivation.from, derivation.to, true, older)
        .expect("the clocks saw this path when the fact was derived");
    let mut cycle = paths::open_dependencies(graph, &path);
    cycle.push(derivation.closing);
    Conflict::of_cycle(ir, Chosen { sources: fixed, support: &[], instead: excluded }, cycle)
}
