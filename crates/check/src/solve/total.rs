//! Tests one total assignment: builds its graph and looks for what the level forbids.
//!
//! In: an [`Assignment`]. Out: no conflict (it is a witness), or conflicts, each a set of
//! literals that no witness can contain. Exact for every formula; linear but for `irreflexive`
//! constraints, whose suspicious jumps are followed 64 at a time.

use super::assignment::Assignment;
use super::conflict::{Cause, Conflict, Literal};
use super::context::Context;
use super::graph::{Graph, Label, Link, Via};
use super::order::Position;
use super::scc::Components;
use super::total_graph::{build, build_backward, is_direct};
use super::{cycles, jumps, order, paths, suspects};
use crate::automaton::{Automaton, Return};
use crate::ir::{Ir, Read, ReadId, ReadKind, Source, Unit};

/// How many closed walks with a jump one test reports at most.
const MANY: usize = 8192;

/// How many cycles one test reports per strongly connected component.
const EACH: u32 = 12;

/// Looks for conflicts in a total assignment. If `position` puts the nodes into an order, only
/// where the assignment goes against it can there be cycles.
pub(crate) fn conflicts(
    context: &Context<'_>,
    assignment: &Assignment,
    position: Option<&[Position]>,
) -> Vec<Conflict> {
    let Context { ir, automaton, known, .. } = *context;
    if let Some((position, (spine, returns))) = position.zip(automaton.returns()) {
        let place = |unit| position[known.node(unit, spine).index()];
        let place: Vec<Position> = Unit::all(ir.units.len()).map(place).collect();
        if let Some(found) = conflicts_along(ir, automaton, assignment, &returns, &place) {
            return found;
        }
    }
    let mut found = among_reads(ir, automaton, assignment);
    let position = position.filter(|_| is_direct(automaton));
    let graph = match position {
        Some(position) => build_backward(context, assignment, position),
        None => build(ir, automaton, known, assignment),
    };
    if graph.jumps.is_empty()
        && (graph.links.is_empty() || order::is_acyclic(&graph, &graph.after()))
    {
        return found;
    }
    let outgoing = graph.outgoing();
    if let Some(position) = position {
        let walks = cycles::backward(automaton, &graph, &outgoing, position, MANY);
        if !walks.is_empty() {
            found.extend(walks.iter().map(|walk| conflict(ir, &graph, assignment, walk)));
            return found;
        }
    }
    let components = Components::find(graph.nodes(), &graph.links, &outgoing);
    if !components.all_single() {
        let walks = cycles::forbidden(automaton, &graph, &outgoing, &components, EACH);
        found.extend(walks.iter().map(|walk| conflict(ir, &graph, assignment, walk)));
    }
    if found.is_empty() && !graph.jumps.is_empty() {
        for walk in jumps::closed(&graph, &outgoing, &components, MANY) {
            found.push(conflict(ir, &graph, assignment, &walk));
        }
    }
    found
}

/// The same if every step of the level goes along an order of the units, and only single jumps
/// can be wrong. `None` if they cannot be told that way.
pub(super) fn conflicts_along(
    ir: &Ir,
    automaton: &Automaton,
    assignment: &Assignment,
    returns: &Return,
    place: &[Position],
) -> Option<Vec<Conflict>> {
    let (graph, walks) = suspects::walks(ir, automaton, assignment, returns, place, MANY)?;
    let mut found = among_reads(ir, automaton, assignment);
    found.extend(walks.iter().map(|walk| conflict(ir, &graph, assignment, walk)));
    Some(found)
}

/// Conflicts that no path is needed for.
fn among_reads(ir: &Ir, automaton: &Automaton, assignment: &Assignment) -> Vec<Conflict> {
    let mut found = Vec::new();
    sourceless(ir, assignment, &mut found);
    initial_clashes(ir, assignment, &mut found);
    list_clashes(ir, assignment, &mut found);
    if automaton.cursor {
        lost_updates(ir, assignment, &mut found);
    }
    if automaton.vanishing {
        vanishing(ir, assignment, &mut found);
    }
    found
}

fn conflict(ir: &Ir, graph: &Graph, assignment: &Assignment, walk: &[Link]) -> Conflict {
    let cycle = paths::total_dependencies(ir, graph, walk);
    debug_assert!(walk.iter().any(|link| link.label != Label::Inside));
    Conflict::of_cycle(ir, assignment.chosen(), cycle)
}

fn sourceless(ir: &Ir, assignment: &Assignment, found: &mut Vec<Conflict>) {
    for (id, read) in ReadId::enumerate(&ir.reads) {
        if read.sources.is_empty() && assignment.live[read.unit.index()] {
            found.push(Conflict::of_sourceless(ir, assignment.chosen(), id));
        }
    }
}

fn initial_clashes(ir: &Ir, assignment: &Assignment, found: &mut Vec<Conflict>) {
    if ir.reads.iter().all(|read| read.initial_claim().is_none()) {
        return;
    }
    let from_start = |id: ReadId| assignment.sources[id.index()] == Some(Source::Initial);
    let mut claims: Vec<Vec<ReadId>> = vec![Vec::new(); ir.orders.len()];
    for (id, read) in ReadId::enumerate(&ir.reads).filter(|&(id, _)| from_start(id)) {
        let Some(claim) = read.initial_claim() else { continue };
        let earlier = &mut claims[read.order.index()];
        let clash = |&other: &ReadId| {
            ir.reads[other.index()].initial_claim().is_some_and(|other| other.clashes(claim))
        };
        if let Some(&other) = earlier.iter().find(|&other| clash(other)) {
            let literals =
                [Literal::Reads(other, Source::Initial), Literal::Reads(id, Source::Initial)];
            let chosen = assignment.chosen();
            found.push(Conflict::of_literals(ir, chosen, &literals, Cause::InitialClash));
        }
        // Two different claims per key witness every clash there is.
        if earlier.iter().all(|&other| ir.reads[other.index()].initial_claim() != Some(claim)) {
            earlier.push(id);
        }
    }
}

/// List reads of units that may not have taken effect are not known edges; test them here.
fn list_clashes(ir: &Ir, assignment: &Assignment, found: &mut Vec<Conflict>) {
    for (id, read) in ReadId::enumerate(&ir.reads) {
        let Some(shown) = read.shows() else { continue };
        if !assignment.live[read.unit.index()] || assignment.sources[id.index()].is_none() {
            continue;
        }
        let versions = assignment.versions.of(read.order);
        let wrong = (0..shown.len()).find(|&at| versions.get(at) != Some(&shown[at]));
        let Some(at) = wrong else { continue };
        if let Some(&instead) = versions.get(at) {
            let literals = [Literal::Before(read.order, instead, shown[at])];
            let cause = Cause::ListOrder(id);
            let mut conflict = Conflict::of_literals(ir, assignment.chosen(), &literals, cause);
            let support = Conflict::of_sourceless(ir, assignment.chosen(), id).literals;
            conflict.literals.extend(support);
            conflict.literals.sort_unstable();
            conflict.literals.dedup();
            found.push(conflict);
        }
    }
}

fn lost_updates(ir: &Ir, assignment: &Assignment, found: &mut Vec<Conflict>) {
    for (id, read) in ReadId::enumerate(&ir.reads) {
        if read.kind == ReadKind::Predicate {
            continue;
        }
        let Some(source) = assignment.sources[id.index()] else { continue };
        let versions = assignment.versions.of(read.order);
        let Some(own) = versions.iter().position(|&unit| unit == read.unit) else { continue };
        let next = match source {
            Source::Initial => 0,
            Source::Unit(unit) => versions.iter().position(|&v| v == unit).map_or(0, |at| at + 1),
        };
        if next < own {
            let via = Via::Rw(id);
            let cycle = vec![
                paths::Dep { from: read.unit, to: versions[next], via },
                paths::Dep { from: versions[next], to: read.unit, via: Via::Ww(read.order) },
            ];
            found.push(Conflict::of_cycle(ir, assignment.chosen(), cycle));
        }
    }
}

fn vanishing(ir: &Ir, assignment: &Assignment, found: &mut Vec<Conflict>) {
    let mut by_unit: Vec<Vec<ReadId>> = vec![Vec::new(); ir.units.len()];
    for (id, read) in ReadId::enumerate(&ir.reads) {
        if assignment.sources[id.index()].is_some() {
            by_unit[read.unit.index()].push(id);
        }
    }
    for reads in &mut by_unit {
        reads.sort_by_key(|id| ir.reads[id.index()].op);
        for (at, &later) in reads.iter().enumerate() {
            for &earlier in &reads[..at] {
                if let Some(cycle) = vanished(ir, assignment, earlier, later) {
                    found.push(Conflict::of_cycle(ir, assignment.chosen(), cycle));
                }
            }
        }
    }
}

/// The later read misses, on another key, a version of the unit the earlier one read from.
fn vanished(
    ir: &Ir,
    assignment: &Assignment,
    earlier: ReadId,
    later: ReadId,
) -> Option<Vec<paths::Dep>> {
    let (first, second): (&Read, &Read) = (&ir.reads[earlier.index()], &ir.reads[later.index()]);
    let Some(Source::Unit(seen)) = assignment.sources[earlier.index()] else { return None };
    if first.order == second.order || first.op >= second.op || seen == second.unit {
        return None;
    }
    let versions = assignment.versions.of(second.order);
    let missed = versions.iter().position(|&unit| unit == seen)?;
    let from = match assignment.sources[later.index()]? {
        Source::Initial => None,
        Source::Unit(unit) => versions.iter().position(|&version| version == unit),
    };
    from.is_none_or(|from| from < missed).then(|| {
        vec![
            paths::Dep { from: seen, to: first.unit, via: Via::Wr(earlier) },
            paths::Dep { from: first.unit, to: seen, via: Via::Rw(later) },
        ]
    })
}
