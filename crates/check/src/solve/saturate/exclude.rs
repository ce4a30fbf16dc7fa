//! Sources that a read cannot have.
//!
//! A source is impossible if the reader reaches it, or if an overwrite of it reaches the reader.
//! A read with one source left is fixed; one with none is a contradiction.

use tristan_spec::Rel;

use super::state::{Reach, Saturation};
use crate::automaton::Arc;
use crate::ir::{OrderId, ReadId, Source, Unit};
use crate::solve::conflict::{Conflict, Literal};
use crate::solve::derivation::Derivation;
use crate::solve::graph::{Node, Via};
use crate::solve::{paths, proof};

/// Removes impossible sources of all ambiguous reads; fixes reads that have one left.
///
/// # Errors
/// The contradiction, if a read has no source left.
pub(super) fn sources(
    saturation: &mut Saturation<'_>,
    reach: &mut Reach,
) -> Result<(), Box<Conflict>> {
    let ir = saturation.ir;
    for (id, read) in ReadId::enumerate(&ir.reads) {
        let open = saturation.known.fixed[id.index()].is_none() && read.sources.len() > 1;
        if !open || !ir.units[read.unit.index()].sure {
            continue;
        }
        let overwriters = overwriters(saturation, reach, id);
        let before = saturation.left_to(id);
        let mut left = Vec::new();
        for &source in before.iter() {
            match impossible(saturation, reach, id, source, &overwriters) {
                Some(derivation) => {
                    saturation.known.excluded.insert((id, source), derivation);
                }
                None => left.push(source),
            }
        }
        match left[..] {
            // Every source is excluded: any one of the exclusions is the last straw.
            [] => {
                let last = *read.sources.last().expect("an ambiguous read has sources");
                let derivation = saturation.known.excluded[&(id, last)];
                let excluded = Some((id, last));
                let (graph, fixed) = (&saturation.known.graph, &saturation.known.fixed);
                return Err(Box::new(proof::conflict_of(ir, graph, fixed, &derivation, excluded)));
            }
            [only] => saturation.fix(id, only),
            _ => {
                let kept = if left.len() < before.len() { left.into() } else { before };
                saturation.left.insert(id, kept);
            }
        }
    }
    Ok(())
}

/// Along each arc, the last writers that reach the reader.
fn overwriters(
    saturation: &Saturation<'_>,
    reach: &mut Reach,
    read: ReadId,
) -> Vec<(Arc, Vec<Unit>)> {
    let (reader, order) = saturation.reads[read.index()];
    let lower = vec![0; reach.chains.count()];
    let telling = |arc: &Arc| arc.jump || saturation.forbids(arc);
    let observation = &saturation.ir.reads[read.index()];
    let arcs = saturation.automaton.missing().filter(telling).filter(|arc| arc.counts(observation));
    let reaching = |arc: Arc| {
        let row = reach.clocks.row(saturation.known.graph.node(reader, arc.from));
        let mut last = Vec::new();
        let writers = &mut reach.writers[arc.to as usize];
        writers.last_reaching(order, row, &lower, reader, |writer, _| last.push(writer));
        (arc, last)
    };
    arcs.map(reaching).collect()
}

fn impossible(
    saturation: &mut Saturation<'_>,
    reach: &Reach,
    read: ReadId,
    source: Source,
    overwriters: &[(Arc, Vec<Unit>)],
) -> Option<Derivation> {
    let before = saturation.known.graph.next_link();
    let (reader, order) = saturation.reads[read.index()];
    if let Source::Unit(unit) = source {
        for arc in saturation.automaton.arcs_of(Rel::Wr).filter(|arc| saturation.forbids(arc)) {
            let (from, to) = (
                saturation.known.graph.node(reader, arc.to),
                saturation.known.graph.node(unit, arc.from),
            );
            if reach.reaches(from, to) {
                let closing = paths::Dep { from: unit, to: reader, via: Via::Wr(read) };
                return Some(Derivation { closing, from, to, before });
            }
        }
    }
    for (arc, writers) in overwriters {
        let overwriter =
            writers.iter().find(|&&writer| known_before(saturation, reach, order, source, writer));
        if let Some(&writer) = overwriter {
            let closing = paths::Dep { from: reader, to: writer, via: Via::Rw(read) };
            let from = saturation.known.graph.node(writer, arc.to);
            let to = saturation.known.graph.node(reader, arc.from);
            if let Source::Unit(unit) = source {
                note_order(saturation, reach, order, unit, writer);
            }
            return Some(Derivation { closing, from, to, before });
        }
    }
    None
}

/// Whether the source's version is known to precede the writer's.
fn known_before(
    saturation: &Saturation<'_>,
    reach: &Reach,
    order: OrderId,
    source: Source,
    writer: Unit,
) -> bool {
    let Source::Unit(unit) = source else { return true };
    unit != writer
        && saturation.ir.units[unit.index()].sure
        && (ordering_path(saturation, reach, unit, writer).is_some()
            || saturation.known.facts.contains_key(&Literal::Before(order, unit, writer)))
}

/// The ends of a path that forbids the second writer to be before the first.
fn ordering_path(
    saturation: &Saturation<'_>,
    reach: &Reach,
    first: Unit,
    second: Unit,
) -> Option<(Node, Node)> {
    let ends = |arc: Arc| {
        (saturation.known.graph.node(first, arc.to), saturation.known.graph.node(second, arc.from))
    };
    let mut all =
        saturation.automaton.arcs_of(Rel::Ww).filter(|arc| saturation.forbids(arc)).map(ends);
    all.find(|&(from, to)| reach.reaches(from, to))
}

fn note_order(
    saturation: &mut Saturation<'_>,
    reach: &Reach,
    order: OrderId,
    first: Unit,
    second: Unit,
) {
    let literal = Literal::Before(order, first, second);
    if saturation.known.facts.contains_key(&literal) {
        return;
    }
    if let Some((from, to)) = ordering_path(saturation, reach, first, second) {
        let closing = paths::Dep { from: second, to: first, via: Via::Ww(order) };
        let before = saturation.known.graph.next_link();
        saturation.known.facts.insert(literal, Derivation { closing, from, to, before });
    }
}
