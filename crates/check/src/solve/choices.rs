//! What follows from one way to choose: the dependencies that saturation has not derived.
//!
//! In: what is decided, who takes effect, a source for every read. Out: one call per dependency,
//! again and again in the same order, so that no caller needs to keep them.

use rustc_hash::FxHashMap;
use tristan_spec::Rel;

use super::flat_lists::Pairs;
use super::graph::{Graph, Node, Via};
use super::saturated::Saturated;
use crate::automaton::{Arc, Automaton};
use crate::ir::{Ir, OrderId, ReadId, Source, Unit};

/// What was decided by the solver.
#[derive(Debug, Default)]
pub(crate) struct Decided {
    /// Sources of ambiguous reads.
    pub(crate) sources: Vec<(ReadId, Source)>,
    /// Pairs of versions.
    pub(crate) orders: Vec<(OrderId, Unit, Unit)>,
}

impl Decided {
    pub(super) fn is_empty(&self) -> bool {
        self.sources.is_empty() && self.orders.is_empty()
    }
}

/// The part of a problem that choices are about.
#[derive(Clone, Copy)]
pub(super) struct Open<'a> {
    pub(super) ir: &'a Ir,
    pub(super) automaton: &'a Automaton,
    pub(super) saturated: Option<&'a Saturated>,
    /// Reads that saturation has not fixed.
    pub(super) reads: &'a OpenReads,
    /// Whether every unit surely took effect.
    pub(super) all_sure: bool,
}

/// Some reads, or the first so many.
#[derive(Debug)]
pub(super) struct OpenReads {
    first: usize,
    others: Vec<ReadId>,
}

impl OpenReads {
    /// All reads of a problem.
    pub(super) fn all(ir: &Ir) -> Self {
        Self { first: ir.reads.len(), others: Vec::new() }
    }

    /// Those that saturation has not fixed.
    pub(super) fn left_by(saturated: &Saturated) -> Self {
        let open = ReadId::enumerate(&saturated.fixed).filter(|(_, fixed)| fixed.is_none());
        Self { first: 0, others: open.map(|(read, _)| read).collect() }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = ReadId> + '_ {
        ReadId::all(self.first).chain(self.others.iter().copied())
    }
}

/// What was chosen.
pub(super) struct Choices<'a> {
    open: Open<'a>,
    live: &'a [bool],
    sources: &'a [Option<Source>],
    /// Decided pairs of versions.
    pairs: &'a [(OrderId, Unit, Unit)],
    /// The readers of the first version of a pair.
    readers: FxHashMap<(OrderId, Unit), Vec<ReadId>>,
}

impl<'a> Choices<'a> {
    pub(super) fn new(
        open: Open<'a>,
        decided: &'a Decided,
        live: &'a [bool],
        sources: &'a [Option<Source>],
    ) -> Self {
        let pairs = decided.orders.as_slice();
        let firsts = pairs.iter().map(|&(order, first, _)| ((order, first), Vec::new()));
        let mut readers: FxHashMap<(OrderId, Unit), Vec<ReadId>> = firsts.collect();
        let reads = if pairs.is_empty() { &[] } else { open.ir.reads.as_slice() };
        for (id, read) in ReadId::enumerate(reads) {
            if let Some(Source::Unit(source)) = sources[id.index()]
                && let Some(readers) = readers.get_mut(&(read.order, source))
            {
                readers.push(id);
            }
        }
        Self { open, live, sources, pairs, readers }
    }

    /// Calls `add` with every dependency and the arc it goes along.
    pub(super) fn each(&self, mut add: impl FnMut(Arc, Unit, Unit, Via)) {
        let Open { ir, automaton, reads, .. } = self.open;
        for arc in automaton.arcs_of(Rel::Wr).filter(|arc| !arc.jump) {
            reads.iter().for_each(|id| {
                if let Some(Source::Unit(source)) = self.sources[id.index()] {
                    add(arc, source, ir.reads[id.index()].unit, Via::Wr(id));
                }
            });
        }
        self.each_initial(&mut add);
        self.each_order(&mut add);
    }

    /// Reads of the initial state precede every version; saturation has said so of fixed reads
    /// and sure writers.
    fn each_initial(&self, add: &mut impl FnMut(Arc, Unit, Unit, Via)) {
        let Open { ir, automaton, saturated, reads, all_sure } = self.open;
        let all = OpenReads::all(ir);
        let reads = if all_sure { reads } else { &all };
        let from_start = |id: &ReadId| self.sources[id.index()] == Some(Source::Initial);
        let fixed = |id: ReadId| saturated.is_some_and(|done| done.fixed[id.index()].is_some());
        for arc in automaton.missing().filter(|arc| !arc.jump) {
            for id in reads.iter().filter(from_start) {
                let read = &ir.reads[id.index()];
                if !arc.counts(read) {
                    continue;
                }
                let said = |writer: Unit| !all_sure && fixed(id) && ir.units[writer.index()].sure;
                for &writer in &ir.orders[read.order.index()].writers {
                    if writer != read.unit && self.live[writer.index()] && !said(writer) {
                        add(arc, read.unit, writer, Via::Rw(id));
                    }
                }
            }
        }
    }

    /// Decided pairs of versions, and the anti-dependencies that follow from them.
    fn each_order(&self, add: &mut impl FnMut(Arc, Unit, Unit, Via)) {
        let Open { ir, automaton, .. } = self.open;
        for &(order, first, second) in self.pairs {
            if !self.live[first.index()] || !self.live[second.index()] {
                continue;
            }
            for arc in automaton.arcs_of(Rel::Ww).filter(|arc| !arc.jump) {
                add(arc, first, second, Via::Ww(order));
            }
            for &id in self.readers.get(&(order, first)).into_iter().flatten() {
                let read = &ir.reads[id.index()];
                let counts = |arc: &Arc| !arc.jump && arc.counts(read) && read.unit != second;
                for arc in automaton.missing().filter(counts) {
                    add(arc, read.unit, second, Via::Rw(id));
                }
            }
        }
    }
}

/// Where the links of choices lead, per node of a graph.
pub(super) struct Leading<'a> {
    pub(super) choices: Choices<'a>,
    pub(super) graph: &'a Graph,
}

impl Pairs<Node, Node> for Leading<'_> {
    fn each(&self, mut add: impl FnMut(Node, Node)) {
        self.choices.each(|arc, from, to, _| {
            add(self.graph.node(from, arc.from), self.graph.node(to, arc.to));
        });
    }
}
