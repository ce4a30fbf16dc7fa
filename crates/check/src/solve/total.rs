//! Tests one total assignment: builds its graph and looks for what the level forbids.
//!
//! In: an [`Assignment`]. Out: no conflict (it is a witness), or conflicts, each a set of
//! literals that no witness can contain. Exact for every formula; linear but for `irreflexive`
//! constraints, whose suspicious jumps are followed 64 at a time.

use tristan_spec::Rel;

use super::assignment::{Assignment, Places};
use super::automaton::{Arc, Automaton, Return};
use super::conflict::{Cause, Conflict, Literal};
use super::graph::{Graph, Label, Link, Outgoing, Via};
use super::readers::Lists;
use super::refine::Rules;
use super::scc::Components;
use super::stretches::Stretches;
use super::{cycles, jumps, order, paths, suspects};
use crate::ir::{Ir, Read, ReadKind, Source, Unit};
use crate::threads::joined;

/// How many closed walks with a jump one test reports at most.
const MANY: usize = 8192;

/// How many cycles one test reports per knot.
const EACH: u32 = 12;

/// Looks for conflicts in a total assignment. If `position` puts the nodes into an order, only
/// where the assignment goes against it can there be cycles.
pub fn conflicts(
    rules: &Rules<'_>,
    assignment: &Assignment,
    position: Option<&[u32]>,
) -> Vec<Conflict> {
    let Rules { ir, automaton, known, .. } = *rules;
    if let Some((position, (spine, returns))) = position.zip(automaton.returns()) {
        let place = |unit| position[known.node(unit, spine) as usize];
        let place: Vec<u32> = (0..ir.units.len() as Unit).map(place).collect();
        if let Some(found) = conflicts_along(ir, automaton, assignment, &returns, &place) {
            return found;
        }
    }
    let mut found = among_reads(ir, automaton, assignment);
    let position = position.filter(|_| is_direct(automaton));
    let graph = match position {
        Some(position) => build_backward(rules, assignment, position),
        None => build(ir, automaton, known, assignment),
    };
    if graph.jumps.is_empty()
        && (graph.links.is_empty() || order::is_acyclic(&graph, &graph.after()))
    {
        return found;
    }
    let outgoing = Outgoing::index(graph.nodes(), &graph.links, |link| link.from);
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
    place: &[u32],
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

/// The graph of a total assignment.
pub fn build(ir: &Ir, automaton: &Automaton, known: &Graph, assignment: &Assignment) -> Graph {
    let mut graph = known.clone();
    if assignment.live.iter().any(|live| !live) {
        let dead = |node| known.unit(node).is_some_and(|unit| !assignment.live[unit as usize]);
        graph.links.retain(|link| !dead(link.from) && !dead(link.to));
        graph.jumps.retain(|link| !dead(link.from) && !dead(link.to));
    }
    for &arc in &automaton.arcs {
        let mut add = |from: Unit, to: Unit, via: Via| graph.add_dep(arc, from, to, via);
        match arc.rel {
            Rel::Wr => each_read(ir, assignment, &mut add),
            Rel::Ww if automaton.chains(arc, true) => each_version(assignment, &mut add),
            Rel::Ww => add_versions(assignment, arc, &mut graph),
            Rel::Rw | Rel::ItemRw if automaton.carries_ww(arc.to) => {
                each_missed(ir, assignment, arc, &mut add);
            }
            Rel::Rw | Rel::ItemRw => add_missed(ir, assignment, arc, &mut graph),
            _ => {}
        }
    }
    graph
}

/// Whether the graph of a total assignment needs no helper nodes and no jumps.
fn is_direct(automaton: &Automaton) -> bool {
    let direct = |arc: &Arc| match arc.rel {
        Rel::Ww => automaton.chains(*arc, true),
        Rel::Rw | Rel::ItemRw => automaton.carries_ww(arc.to),
        _ => true,
    };
    automaton.arcs.iter().all(|arc| !arc.jump && direct(arc))
        && automaton.inside.iter().all(|inside| !inside.jump)
}

/// The part of the graph of a total assignment that can be on a cycle: what lies between the ends
/// of links that go backward in an order of the nodes.
fn build_backward(rules: &Rules<'_>, assignment: &Assignment, position: &[u32]) -> Graph {
    let kinds = || {
        let arcs = rules.automaton.arcs.iter().map(|&arc| Some(arc));
        [None].into_iter().chain(arcs).collect::<Vec<Option<Arc>>>()
    };
    let mut stretches = Stretches::default();
    let backward = rules.threads.run(kinds(), |kind| {
        let mut stretches = Stretches::default();
        each_link(rules, assignment, kind, |link| stretches.look_at(position, &link));
        stretches
    });
    backward.into_iter().for_each(|more| stretches.append(more));
    let mut graph = rules.known.without_links();
    stretches.join();
    if stretches.is_empty() {
        return graph;
    }
    let marks = stretches.marks(position);
    let links = rules.threads.run(kinds(), |kind| {
        let mut links = Vec::new();
        each_link(rules, assignment, kind, |link| {
            if marks.hold(&link) {
                links.push(link);
            }
        });
        links
    });
    graph.links = joined(links);
    graph
}

/// Calls `look` with every link of the graph of a total assignment, if that is direct: with those
/// along an arc, or with the known ones.
fn each_link(
    rules: &Rules<'_>,
    assignment: &Assignment,
    along: Option<Arc>,
    mut look: impl FnMut(Link),
) {
    let Rules { ir, known, .. } = *rules;
    let Some(arc) = along else {
        let alive = |node| known.unit(node).is_none_or(|unit| assignment.live[unit as usize]);
        let links = known.links.iter().filter(|link| alive(link.from) && alive(link.to));
        return links.for_each(|&link| look(link));
    };
    let mut add = |from: Unit, to: Unit, via: Via| {
        let (from, to) = (known.node(from, arc.from), known.node(to, arc.to));
        look(Link { from, to, label: Label::Dep(via) });
    };
    match arc.rel {
        Rel::Wr => each_read(ir, assignment, &mut add),
        Rel::Ww => each_version(assignment, &mut add),
        Rel::Rw | Rel::ItemRw => each_missed(ir, assignment, arc, &mut add),
        _ => {}
    }
}

/// Whether an order goes along everything that an assignment chose.
pub fn goes_along(
    ir: &Ir,
    automaton: &Automaton,
    assignment: &Assignment,
    places: &Places,
) -> bool {
    let mut goes_along = true;
    for &arc in automaton.arcs.iter().filter(|arc| !arc.jump) {
        let mut look = |from: Unit, to: Unit, _| {
            goes_along &= places.of(from, arc.from) < places.of(to, arc.to);
        };
        match arc.rel {
            Rel::Wr => each_read(ir, assignment, &mut look),
            Rel::Ww => each_version(assignment, &mut look),
            Rel::Rw | Rel::ItemRw => each_missed(ir, assignment, arc, &mut look),
            _ => {}
        }
    }
    goes_along
}

fn each_read(ir: &Ir, assignment: &Assignment, add: &mut impl FnMut(Unit, Unit, Via)) {
    for (index, read) in ir.reads.iter().enumerate() {
        if let Some(Source::Unit(source)) = assignment.sources[index] {
            add(source, read.unit, Via::Wr(index as u32));
        }
    }
}

/// From each version to the next.
fn each_version(assignment: &Assignment, add: &mut impl FnMut(Unit, Unit, Via)) {
    for (order, versions) in assignment.versions.iter().enumerate() {
        for pair in versions.windows(2) {
            add(pair[0], pair[1], Via::Ww(order as u32));
        }
    }
}

/// From each version to all later ones.
fn add_versions(assignment: &Assignment, arc: Arc, graph: &mut Graph) {
    for (order, versions) in assignment.versions.iter().enumerate() {
        let via = Via::Ww(order as u32);
        if versions.len() <= 2 {
            for pair in versions.windows(2) {
                graph.add_dep(arc, pair[0], pair[1], via);
            }
            continue;
        }
        let spine = graph.spine(versions.len());
        for (position, pair) in versions.windows(2).enumerate() {
            let here = spine + position as u32;
            graph.enter(arc, pair[0], here, via);
            graph.leave(arc, here, pair[1]);
            graph.along(here, here + 1);
        }
    }
}

/// Anti-dependencies to the next version, where a cycle can go on along the versions.
fn each_missed(ir: &Ir, assignment: &Assignment, arc: Arc, add: &mut impl FnMut(Unit, Unit, Via)) {
    each_order_read(ir, assignment, arc, |versions, reads, after| {
        for &index in reads {
            let reader = ir.reads[index as usize].unit;
            let mut later = versions[after(index)..].iter().filter(|&&unit| unit != reader);
            if let Some(&next) = later.next() {
                add(reader, next, Via::Rw(index));
            }
        }
    });
}

/// Anti-dependencies to all later versions.
fn add_missed(ir: &Ir, assignment: &Assignment, arc: Arc, graph: &mut Graph) {
    each_order_read(ir, assignment, arc, |versions, reads, after| {
        add_missed_along_spine(ir, arc, graph, versions, reads, after);
    });
}

/// Calls `look` with the versions of every order that is read along an arc, its reads, and how
/// many versions come up to the one that a read saw.
pub(super) fn each_order_read(
    ir: &Ir,
    assignment: &Assignment,
    arc: Arc,
    mut look: impl FnMut(&[Unit], &[u32], &dyn Fn(u32) -> usize),
) {
    let reads = ir.reads.iter().enumerate().filter(|(_, read)| arc.counts(read));
    let sourced = reads.filter(|(index, _)| assignment.sources[*index].is_some());
    let pairs = sourced.map(|(index, read)| (read.order, index as u32));
    let reads_of = Lists::group(assignment.versions.owners(), pairs);
    let mut position = vec![u32::MAX; ir.units.len()];
    for (order, versions) in assignment.versions.iter().enumerate() {
        let reads = reads_of.of(order as u32);
        if versions.is_empty() || reads.is_empty() {
            continue;
        }
        for (at, &unit) in versions.iter().enumerate() {
            position[unit as usize] = at as u32;
        }
        look(versions, reads, &|index| match assignment.sources[index as usize] {
            Some(Source::Unit(source)) => position[source as usize] as usize + 1,
            _ => 0,
        });
    }
}

fn add_missed_along_spine(
    ir: &Ir,
    arc: Arc,
    graph: &mut Graph,
    versions: &[Unit],
    reads: &[u32],
    after: impl Fn(u32) -> usize,
) {
    let spine = graph.spine(versions.len());
    for (position, &unit) in versions.iter().enumerate() {
        graph.leave(arc, spine + position as u32, unit);
        if position + 1 < versions.len() {
            graph.along(spine + position as u32, spine + position as u32 + 1);
        }
    }
    for &index in reads {
        let reader = ir.reads[index as usize].unit;
        let mut from = after(index);
        // Nobody anti-depends on himself: step over the reader's own version.
        if let Some(own) = versions[from..].iter().position(|&unit| unit == reader) {
            for &unit in &versions[from..from + own] {
                graph.add_dep(arc, reader, unit, Via::Rw(index));
            }
            from += own + 1;
        }
        if from < versions.len() {
            graph.enter(arc, reader, spine + from as u32, Via::Rw(index));
        }
    }
}

fn conflict(ir: &Ir, graph: &Graph, assignment: &Assignment, walk: &[Link]) -> Conflict {
    let cycle = paths::total_dependencies(ir, graph, walk);
    debug_assert!(walk.iter().any(|link| link.label != Label::Inside));
    Conflict::of_cycle(ir, assignment.chosen(), cycle)
}

fn sourceless(ir: &Ir, assignment: &Assignment, found: &mut Vec<Conflict>) {
    for (index, read) in ir.reads.iter().enumerate() {
        if read.sources.is_empty() && assignment.live[read.unit as usize] {
            found.push(Conflict::of_sourceless(ir, assignment.chosen(), index as u32));
        }
    }
}

fn initial_clashes(ir: &Ir, assignment: &Assignment, found: &mut Vec<Conflict>) {
    if ir.reads.iter().all(|read| read.initial_claim().is_none()) {
        return;
    }
    let from_start = |index: usize| assignment.sources[index] == Some(Source::Initial);
    let mut claims: Vec<Vec<u32>> = vec![Vec::new(); ir.orders.len()];
    for (index, read) in ir.reads.iter().enumerate().filter(|&(index, _)| from_start(index)) {
        let Some(claim) = read.initial_claim() else { continue };
        let earlier = &mut claims[read.order as usize];
        let clash = |&other: &u32| {
            ir.reads[other as usize].initial_claim().is_some_and(|other| other.clashes(claim))
        };
        if let Some(&other) = earlier.iter().find(|&other| clash(other)) {
            let literals = [
                Literal::Reads(other, Source::Initial),
                Literal::Reads(index as u32, Source::Initial),
            ];
            let chosen = assignment.chosen();
            found.push(Conflict::of_literals(ir, chosen, &literals, Cause::InitialClash));
        }
        // Two different claims per key witness every clash there is.
        if earlier.iter().all(|&other| ir.reads[other as usize].initial_claim() != Some(claim)) {
            earlier.push(index as u32);
        }
    }
}

/// List reads of units that may not have taken effect are not known edges; test them here.
fn list_clashes(ir: &Ir, assignment: &Assignment, found: &mut Vec<Conflict>) {
    for (index, read) in ir.reads.iter().enumerate() {
        let Some(shown) = read.shows() else { continue };
        if !assignment.live[read.unit as usize] || assignment.sources[index].is_none() {
            continue;
        }
        let versions = assignment.versions.of(read.order);
        let wrong = (0..shown.len()).find(|&at| versions.get(at) != Some(&shown[at]));
        let Some(at) = wrong else { continue };
        if let Some(&instead) = versions.get(at) {
            let literals = [Literal::Before(read.order, instead, shown[at])];
            let cause = Cause::ListOrder(index as u32);
            let mut conflict = Conflict::of_literals(ir, assignment.chosen(), &literals, cause);
            let support = Conflict::of_sourceless(ir, assignment.chosen(), index as u32).literals;
            conflict.literals.extend(support);
            conflict.literals.sort_unstable();
            conflict.literals.dedup();
            found.push(conflict);
        }
    }
}

fn lost_updates(ir: &Ir, assignment: &Assignment, found: &mut Vec<Conflict>) {
    for (index, read) in ir.reads.iter().enumerate() {
        if read.kind == ReadKind::Predicate {
            continue;
        }
        let Some(source) = assignment.sources[index] else { continue };
        let versions = assignment.versions.of(read.order);
        let Some(own) = versions.iter().position(|&unit| unit == read.unit) else { continue };
        let next = match source {
            Source::Initial => 0,
            Source::Unit(unit) => versions.iter().position(|&v| v == unit).map_or(0, |at| at + 1),
        };
        if next < own {
            let via = Via::Rw(index as u32);
            let cycle = vec![
                paths::Dep { from: read.unit, to: versions[next], via },
                paths::Dep { from: versions[next], to: read.unit, via: Via::Ww(read.order) },
            ];
            found.push(Conflict::of_cycle(ir, assignment.chosen(), cycle));
        }
    }
}

fn vanishing(ir: &Ir, assignment: &Assignment, found: &mut Vec<Conflict>) {
    let mut by_unit: Vec<Vec<u32>> = vec![Vec::new(); ir.units.len()];
    for (index, read) in ir.reads.iter().enumerate() {
        if assignment.sources[index].is_some() {
            by_unit[read.unit as usize].push(index as u32);
        }
    }
    for reads in &mut by_unit {
        reads.sort_by_key(|&index| ir.reads[index as usize].op);
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
fn vanished(ir: &Ir, assignment: &Assignment, earlier: u32, later: u32) -> Option<Vec<paths::Dep>> {
    let (first, second): (&Read, &Read) = (&ir.reads[earlier as usize], &ir.reads[later as usize]);
    let Some(Source::Unit(seen)) = assignment.sources[earlier as usize] else { return None };
    if first.order == second.order || first.op >= second.op || seen == second.unit {
        return None;
    }
    let versions = assignment.versions.of(second.order);
    let missed = versions.iter().position(|&unit| unit == seen)?;
    let from = match assignment.sources[later as usize]? {
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
