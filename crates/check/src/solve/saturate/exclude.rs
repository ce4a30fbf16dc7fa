//! Sources that a read cannot have.
//!
//! A source is impossible if the reader reaches it, or if an overwrite of it reaches the reader.
//! A read with one source left is fixed; one with none is a contradiction.
//!
//! Where values repeat, there are millions of sources and a few dozen overwrites that could matter for
//! each read: the last writer on each chain. So, if there are many sources, [`Overwrites`] records once how
//! far each chain reaches any of these writers, and one comparison then decides about a source.

use tristan_spec::Rel;

use super::state::{Reach, Saturation};
use crate::automaton::Arc;
use crate::ir::{OrderId, ReadId, Source, Unit};
use crate::solve::conflict::{Conflict, Literal};
use crate::solve::exclusions::{Ends, Why};
use crate::solve::proof;

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
        let before = saturation.left_to(id);
        let found = Found::of(saturation, reach, id, before.len());
        let mut left = Vec::new();
        for &place in before.iter() {
            match found.impossible(saturation, reach, read.sources[place as usize]) {
                Some(why) => {
                    let next = saturation.known.graph.next_link();
                    saturation.known.excluded.exclude(ir, (id, place), why, next);
                }
                None => left.push(place),
            }
        }
        match left[..] {
            // Every source is excluded: any one of the exclusions is the last straw.
            [] => return Err(Box::new(without_source(saturation, id))),
            [only] => saturation.fix(id, read.sources[only as usize]),
            _ => {
                let kept = if left.len() < before.len() { left.into() } else { before };
                saturation.left.insert(id, kept);
            }
        }
    }
    Ok(())
}

/// The conflict of a read that has no source left.
fn without_source(saturation: &Saturation<'_>, read: ReadId) -> Conflict {
    let (ir, known) = (saturation.ir, &saturation.known);
    let place = ir.reads[read.index()].sources.len() - 1;
    let derived = known.excluded.derivation((ir, &known.graph), read, place);
    let (derivation, _) = derived.expect("every source is excluded");
    let excluded = Some((read, ir.reads[read.index()].sources[place]));
    proof::conflict_of(ir, &known.graph, &known.fixed, &derivation, excluded)
}

/// What decides about the sources of one read.
struct Found {
    reader: Unit,
    order: OrderId,
    /// Along each arc, the last writers that reach the reader, and who reaches them.
    overwriters: Vec<(Arc, Vec<Unit>, Vec<Overwrites>)>,
}

impl Found {
    fn of(saturation: &Saturation<'_>, reach: &mut Reach, read: ReadId, sources: usize) -> Self {
        let (reader, order) = saturation.reads[read.index()];
        let chains = reach.chains.count();
        let lower = vec![0; chains];
        let telling = |arc: &Arc| arc.jump || saturation.forbids(arc);
        let observation = &saturation.ir.reads[read.index()];
        let arcs = saturation.automaton.missing().filter(telling);
        let mut reaching = |arc: Arc| {
            let row = reach.clocks.row(saturation.known.graph.node(reader, arc.from));
            let mut last = Vec::new();
            let writers = &mut reach.writers[arc.to as usize];
            writers.last_reaching(order, row, &lower, reader, |writer, _| last.push(writer));
            let pays = sources > chains;
            let reached = |arc| Overwrites::new(saturation, reach, arc, &last);
            let reached = ordering(saturation).filter(|_| pays).map(reached).collect();
            (arc, last, reached)
        };
        let arcs = arcs.filter(|arc| arc.counts(observation));
        Self { reader, order, overwriters: arcs.map(&mut reaching).collect() }
    }

    /// Why a source is impossible, if it is.
    fn impossible(
        &self,
        saturation: &Saturation<'_>,
        reach: &Reach,
        source: Source,
    ) -> Option<Why> {
        let graph = &saturation.known.graph;
        if let Source::Unit(unit) = source {
            for arc in saturation.automaton.arcs_of(Rel::Wr).filter(|arc| saturation.forbids(arc)) {
                if reach.reaches(graph.node(self.reader, arc.to), graph.node(unit, arc.from)) {
                    return Some(Why::Later { ends: (arc.to, arc.from) });
                }
            }
        }
        self.overwriters.iter().find_map(|(arc, writers, reached)| {
            let (by, order) = match source {
                Source::Initial => (*writers.first()?, None),
                Source::Unit(unit) if !saturation.ir.units[unit.index()].sure => return None,
                Source::Unit(unit) if reached.is_empty() => {
                    self.ordered(saturation, reach, unit, writers)?
                }
                Source::Unit(unit) => {
                    let first = reached.iter().find_map(|one| one.of(saturation, reach, unit));
                    first.or_else(|| self.stated(saturation, unit, writers))?
                }
            };
            Some(Why::Overwritten { by, ends: (arc.to, arc.from), order })
        })
    }

    /// The first of some writers whose versions are known to come after that of a unit, and the states at
    /// the ends of the path that shows it, unless it is a fact.
    fn ordered(
        &self,
        saturation: &Saturation<'_>,
        reach: &Reach,
        unit: Unit,
        writers: &[Unit],
    ) -> Option<(Unit, Option<Ends>)> {
        let graph = &saturation.known.graph;
        let path = |&writer: &Unit| {
            let mut arcs = ordering(saturation).filter(|_| writer != unit);
            let reaches =
                |arc: &Arc| reach.reaches(graph.node(unit, arc.to), graph.node(writer, arc.from));
            Some((writer, Some(ends_of(arcs.find(reaches)?))))
        };
        writers.iter().find_map(path).or_else(|| self.stated(saturation, unit, writers))
    }

    /// The same by facts alone, unless a path between single nodes shows them, too: then those about units
    /// off the chains are left to the search.
    fn stated(
        &self,
        saturation: &Saturation<'_>,
        unit: Unit,
        writers: &[Unit],
    ) -> Option<(Unit, Option<Ends>)> {
        let facts = &saturation.known.facts;
        let is_fact =
            |&&writer: &&Unit| facts.contains_key(&Literal::Before(self.order, unit, writer));
        let no_path_shows_them = ordering(saturation).all(|arc| arc.from != arc.to);
        let writer = no_path_shows_them.then(|| writers.iter().find(is_fact))??;
        Some((*writer, None))
    }
}

/// The arcs along which a path from one writer to another orders their versions.
fn ordering(saturation: &Saturation<'_>) -> impl Iterator<Item = Arc> {
    saturation.automaton.arcs_of(Rel::Ww).filter(|arc| saturation.forbids(arc))
}

/// The states at the ends of such a path.
fn ends_of(arc: Arc) -> Ends {
    (arc.to, arc.from)
}

/// How far each chain reaches any of some writers, and any but the one it reaches furthest.
struct Overwrites {
    arc: Arc,
    /// Per chain: how far, and which writer.
    first: Vec<(u32, Unit)>,
    second: Vec<(u32, Unit)>,
}

impl Overwrites {
    fn new(saturation: &Saturation<'_>, reach: &Reach, arc: Arc, writers: &[Unit]) -> Self {
        let none = vec![(0, Unit(u32::MAX)); reach.chains.count()];
        let (mut first, mut second) = (none.clone(), none);
        for &writer in writers {
            let row = reach.clocks.row(saturation.known.graph.node(writer, arc.from));
            for ((&reached, first), second) in row.iter().zip(&mut first).zip(&mut second) {
                if reached > first.0 {
                    *second = std::mem::replace(first, (reached, writer));
                } else if reached > second.0 {
                    *second = (reached, writer);
                }
            }
        }
        Self { arc, first, second }
    }

    /// One of the writers that a unit reaches, other than itself.
    fn of(
        &self,
        saturation: &Saturation<'_>,
        reach: &Reach,
        unit: Unit,
    ) -> Option<(Unit, Option<Ends>)> {
        let place = reach.chains.place(saturation.known.graph.node(unit, self.arc.to));
        let (chain, position) = place?;
        let both = [self.first[chain.index()], self.second[chain.index()]];
        let other = both.into_iter().find(|&(reached, by)| reached > position && by != unit);
        other.map(|(_, by)| (by, Some(ends_of(self.arc))))
    }
}
