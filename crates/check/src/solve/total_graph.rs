//! The graph of a total assignment.
//!
//! In: an [`Assignment`]. Out: every dependency that it chooses, along every arc of the automaton;
//! or, with an order of the nodes at hand, only those that can be on a cycle. Chains of versions run
//! along spines of helper nodes, so that the graph has no pair per two versions.

use tristan_ground::joined;
use tristan_spec::Rel;

use super::assignment::{Assignment, Places};
use super::context::Context;
use super::flat_lists::FlatLists;
use super::graph::{Graph, Label, Link, Via};
use super::intervals::Intervals;
use super::order::Position;
use crate::automaton::{Arc, Automaton};
use crate::ir::{Ir, OrderId, ReadId, Source, Unit};

/// Builds the whole graph.
pub(crate) fn build(
    ir: &Ir,
    automaton: &Automaton,
    known: &Graph,
    assignment: &Assignment,
) -> Graph {
    let mut graph = known.clone();
    if assignment.live.iter().any(|live| !live) {
        let dead = |node| known.unit(node).is_some_and(|unit| !assignment.live[unit.index()]);
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
pub(super) fn is_direct(automaton: &Automaton) -> bool {
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
pub(super) fn build_backward(
    context: &Context<'_>,
    assignment: &Assignment,
    position: &[Position],
) -> Graph {
    let kinds = || {
        let arcs = context.automaton.arcs.iter().map(|&arc| Some(arc));
        [None].into_iter().chain(arcs).collect::<Vec<Option<Arc>>>()
    };
    let mut intervals = Intervals::default();
    let backward = context.threads.run(kinds(), |kind| {
        let mut intervals = Intervals::default();
        each_link(context, assignment, kind, |link| intervals.look_at(position, &link));
        intervals
    });
    backward.into_iter().for_each(|more| intervals.append(more));
    let mut graph = context.known.without_links();
    intervals.join();
    if intervals.is_empty() {
        return graph;
    }
    let marks = intervals.marks(position);
    let links = context.threads.run(kinds(), |kind| {
        let mut links = Vec::new();
        each_link(context, assignment, kind, |link| {
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
    context: &Context<'_>,
    assignment: &Assignment,
    along: Option<Arc>,
    mut look: impl FnMut(Link),
) {
    let Context { ir, known, .. } = *context;
    let Some(arc) = along else {
        let alive = |node| known.unit(node).is_none_or(|unit| assignment.live[unit.index()]);
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
pub(crate) fn goes_along(
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
    for (id, read) in ReadId::enumerate(&ir.reads) {
        if let Some(Source::Unit(source)) = assignment.sources[id.index()] {
            add(source, read.unit, Via::Wr(id));
        }
    }
}

/// From each version to the next.
fn each_version(assignment: &Assignment, add: &mut impl FnMut(Unit, Unit, Via)) {
    for (order, versions) in OrderId::enumerate(assignment.versions.iter()) {
        for pair in versions.windows(2) {
            add(pair[0], pair[1], Via::Ww(order));
        }
    }
}

/// From each version to all later ones.
fn add_versions(assignment: &Assignment, arc: Arc, graph: &mut Graph) {
    for (order, versions) in OrderId::enumerate(assignment.versions.iter()) {
        let via = Via::Ww(order);
        if versions.len() <= 2 {
            for pair in versions.windows(2) {
                graph.add_dep(arc, pair[0], pair[1], via);
            }
            continue;
        }
        let spine = graph.spine(versions.len());
        for (position, pair) in versions.windows(2).enumerate() {
            let here = spine.along(position);
            graph.enter(arc, pair[0], here, via);
            graph.leave(arc, here, pair[1]);
            graph.along(here, here.along(1));
        }
    }
}

/// Anti-dependencies to the next version, where a cycle can go on along the versions.
fn each_missed(ir: &Ir, assignment: &Assignment, arc: Arc, add: &mut impl FnMut(Unit, Unit, Via)) {
    each_order_read(ir, assignment, arc, |versions, reads, after| {
        for &id in reads {
            let reader = ir.reads[id.index()].unit;
            let mut later = versions[after(id)..].iter().filter(|&&unit| unit != reader);
            if let Some(&next) = later.next() {
                add(reader, next, Via::Rw(id));
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
    mut look: impl FnMut(&[Unit], &[ReadId], &dyn Fn(ReadId) -> usize),
) {
    let reads = ReadId::enumerate(&ir.reads).filter(|(_, read)| arc.counts(read));
    let sourced = reads.filter(|(id, _)| assignment.sources[id.index()].is_some());
    let pairs = sourced.map(|(id, read)| (read.order, id));
    let reads_of = FlatLists::group(assignment.versions.owners(), pairs);
    let mut position = vec![u32::MAX; ir.units.len()];
    for (order, versions) in OrderId::enumerate(assignment.versions.iter()) {
        let reads = reads_of.of(order);
        if versions.is_empty() || reads.is_empty() {
            continue;
        }
        for (at, &unit) in versions.iter().enumerate() {
            position[unit.index()] = at as u32;
        }
        look(versions, reads, &|id| match assignment.sources[id.index()] {
            Some(Source::Unit(source)) => position[source.index()] as usize + 1,
            _ => 0,
        });
    }
}

fn add_missed_along_spine(
    ir: &Ir,
    arc: Arc,
    graph: &mut Graph,
    versions: &[Unit],
    reads: &[ReadId],
    after: impl Fn(ReadId) -> usize,
) {
    let spine = graph.spine(versions.len());
    for (position, &unit) in versions.iter().enumerate() {
        graph.leave(arc, spine.along(position), unit);
        if position + 1 < versions.len() {
            graph.along(spine.along(position), spine.along(position + 1));
        }
    }
    for &id in reads {
        let reader = ir.reads[id.index()].unit;
        let mut from = after(id);
        // No unit anti-depends on itself: step over the reader's own version.
        if let Some(own) = versions[from..].iter().position(|&unit| unit == reader) {
            for &unit in &versions[from..from + own] {
                graph.add_dep(arc, reader, unit, Via::Rw(id));
            }
            from += own + 1;
        }
        if from < versions.len() {
            graph.enter(arc, reader, spine.along(from), Via::Rw(id));
        }
    }
}
