//! Sources that a read cannot have.
//!
//! A source is impossible if the reader reaches it, or if an overwrite of it reaches the reader.
//! A read with one source left is fixed; one with none is a contradiction.

use tristan_spec::Rel;

use super::automaton::Arc;
use super::conflict::{Conflict, Literal};
use super::graph::{Node, Via};
use super::saturate::{Derivation, Reach, Search};
use super::{paths, proof};
use crate::ir::{Source, Unit};

/// Removes impossible sources of all ambiguous reads; fixes reads that have one left.
///
/// # Errors
/// The contradiction, if a read has no source left.
pub(super) fn sources(search: &mut Search<'_>, reach: &mut Reach) -> Result<(), Box<Conflict>> {
    let ir = search.ir;
    for (index, read) in ir.reads.iter().enumerate() {
        let at = index as u32;
        let open = search.fixed[index].is_none() && read.sources.len() > 1;
        if !open || !ir.units[read.unit as usize].sure {
            continue;
        }
        let overwriters = overwriters(search, reach, at);
        let mut left = Vec::new();
        for &source in &read.sources {
            if search.excluded.contains_key(&(at, source)) {
                continue;
            }
            match impossible(search, reach, at, source, &overwriters) {
                Some(derivation) => {
                    search.excluded.insert((at, source), derivation);
                }
                None => left.push(source),
            }
        }
        match left[..] {
            // Every source is excluded: any one of the exclusions is the last straw.
            [] => {
                let last = *read.sources.last().expect("an ambiguous read has sources");
                let derivation = search.excluded[&(at, last)];
                let excluded = Some((at, last));
                let (graph, fixed) = (&search.graph, &search.fixed);
                return Err(Box::new(proof::conflict_of(ir, graph, fixed, &derivation, excluded)));
            }
            [only] => search.fix(at, only),
            _ => {}
        }
    }
    Ok(())
}

/// Along each arc, the last writers that reach the reader.
fn overwriters(search: &Search<'_>, reach: &mut Reach, read: u32) -> Vec<(Arc, Vec<Unit>)> {
    let (reader, order) = search.reads[read as usize];
    let floor = vec![0; reach.chains.count()];
    let telling = |arc: &Arc| arc.jump || search.forbids(arc);
    let observation = &search.ir.reads[read as usize];
    let arcs = search.automaton.missing().filter(telling).filter(|arc| arc.counts(observation));
    let reaching = |arc: Arc| {
        let row = reach.clocks.row(search.graph.node(reader, arc.from));
        let mut last = Vec::new();
        let writers = &mut reach.writers[arc.to as usize];
        writers.last_reaching(order, row, &floor, reader, |writer, _| last.push(writer));
        (arc, last)
    };
    arcs.map(reaching).collect()
}

fn impossible(
    search: &mut Search<'_>,
    reach: &Reach,
    read: u32,
    source: Source,
    overwriters: &[(Arc, Vec<Unit>)],
) -> Option<Derivation> {
    let links = search.graph.links.len() as u32;
    let (reader, order) = search.reads[read as usize];
    if let Source::Unit(unit) = source {
        for arc in search.automaton.arcs_of(Rel::Wr).filter(|arc| search.forbids(arc)) {
            let (from, to) = (search.graph.node(reader, arc.to), search.graph.node(unit, arc.from));
            if reach.reaches(from, to) {
                let closing = paths::Dep { from: unit, to: reader, via: Via::Wr(read) };
                return Some(Derivation { closing, from, to, links });
            }
        }
    }
    for (arc, writers) in overwriters {
        let overwriter =
            writers.iter().find(|&&writer| known_before(search, reach, order, source, writer));
        if let Some(&writer) = overwriter {
            let closing = paths::Dep { from: reader, to: writer, via: Via::Rw(read) };
            let from = search.graph.node(writer, arc.to);
            let to = search.graph.node(reader, arc.from);
            if let Source::Unit(unit) = source {
                note_order(search, reach, order, unit, writer);
            }
            return Some(Derivation { closing, from, to, links });
        }
    }
    None
}

/// Whether the source's version is known to precede the writer's.
fn known_before(
    search: &Search<'_>,
    reach: &Reach,
    order: u32,
    source: Source,
    writer: Unit,
) -> bool {
    let Source::Unit(unit) = source else { return true };
    unit != writer
        && search.ir.units[unit as usize].sure
        && (search.facts.contains_key(&Literal::Before(order, unit, writer))
            || ordering_path(search, reach, unit, writer).is_some())
}

/// The ends of a path that forbids the second writer to be before the first.
fn ordering_path(
    search: &Search<'_>,
    reach: &Reach,
    first: Unit,
    second: Unit,
) -> Option<(Node, Node)> {
    let ends = |arc: Arc| (search.graph.node(first, arc.to), search.graph.node(second, arc.from));
    let mut all = search.automaton.arcs_of(Rel::Ww).filter(|arc| search.forbids(arc)).map(ends);
    all.find(|&(from, to)| reach.reaches(from, to))
}

fn note_order(search: &mut Search<'_>, reach: &Reach, order: u32, first: Unit, second: Unit) {
    let literal = Literal::Before(order, first, second);
    if search.facts.contains_key(&literal) {
        return;
    }
    if let Some((from, to)) = ordering_path(search, reach, first, second) {
        let closing = paths::Dep { from: second, to: first, via: Via::Ww(order) };
        let links = search.graph.links.len() as u32;
        search.facts.insert(literal, Derivation { closing, from, to, links });
    }
}
