//! Reads that are fixed after clocks were worked out.
//!
//! A round applies its rules only to what has moved since a node was last visited. That leaves out what
//! follows from a read whose source was open until now:
//!
//! ```text
//!   w ──► r        w reached the reader before:              w comes before s
//!   s ──► v        s was known to come before v:             r, which read s, comes before v
//! ```
//!
//! Both are looked at here once, over all that the clocks say. Of several writers on one chain, the
//! last one before the reader and the first one after the source are enough, because a chain is a path.

use super::propagate::{Fact, Round, Site};
use super::state::{Reach, Saturation};
use crate::ir::{ReadId, Source, Unit};
use crate::solve::graph::Via;
use crate::solve::paths::Dep;

/// Adds the links that follow from reads that were fixed late.
pub(super) fn revisit(saturation: &mut Saturation<'_>, reach: &mut Reach) {
    let late = std::mem::take(&mut saturation.late);
    if late.is_empty() {
        return;
    }
    let nothing = vec![0; reach.chains.count()];
    let mut round = Round::new(saturation, reach, false);
    for read in late {
        order_before(&mut round, read, &nothing);
        order_after(&mut round, read);
    }
}

/// Writers that reach the reader installed earlier versions than the one it read.
fn order_before(round: &mut Round<'_, '_>, read: ReadId, nothing: &[u32]) {
    let (unit, _) = round.saturation.reads[read.index()];
    for at in 0..round.reader_arcs.len() {
        let arc = round.reader_arcs[at];
        let node = round.saturation.known.graph.node(unit, arc.from);
        // What had reached the reader before has not been compared with this source, either.
        round.reach.ranks.forget(node);
        round.order_before_source(Site { unit, node, arc }, read, nothing);
        round.reach.settle(node);
    }
}

/// The reader precedes the writers that its source reaches.
fn order_after(round: &mut Round<'_, '_>, read: ReadId) {
    let Some(Source::Unit(source)) = round.saturation.known.fixed[read.index()] else { return };
    let (_, order) = round.saturation.reads[read.index()];
    let version = round.saturation.versions.of(order, source);
    for at in 0..round.writer_arcs.len() {
        let arc = round.writer_arcs[at];
        let (graph, reach) = (&round.saturation.known.graph, &round.reach);
        let from = graph.node(source, arc.to);
        let is_reached =
            |unit: Unit| unit != source && reach.reaches(from, graph.node(unit, arc.from));
        let mut reached = Vec::new();
        let writers = &reach.writers[arc.from as usize];
        writers.first_reached(order, is_reached, |unit| reached.push(unit));
        for second in reached {
            let closing = Dep { from: second, to: source, via: Via::Ww(order) };
            let to = round.saturation.known.graph.node(second, arc.from);
            round.learn(Fact { order, first: source, version, second }, closing, from, to);
        }
    }
}
