//! Levels that forbid to miss a version of a transaction that one follows: no search is needed.
//!
//! Whom a transaction follows does not depend on the order of versions at read atomic and at
//! causal consistency. So every version that may not be missed, and therefore precedes the one
//! that was read, is known at once; any order of the transactions that goes along all of this
//! tells the order of versions. If there is none, or if sources of reads are open, the general
//! way has to find out. The witness leaves out units of unknown outcome that no unit reads from.
//!
//! ```text
//!        w ───────────► r         r follows w, both w and s wrote what r read from s:
//!        └ ─ ─► s ──────▲         then w comes before s
//! ```

use std::iter;

use tristan_ground::Threads;
use tristan_spec::Rel;

use super::assignment::{Assignment, Places};
use super::clocks::{Chains, Clocks};
use super::flat_lists::FlatLists;
use super::graph::{Graph, Link, Node, Via};
use super::rank_bounds::RankBounds;
use super::schedule::{After, Schedule};
use super::versions::Versions;
use super::writers::WriterIndex;
use super::{guess, order, total};
use crate::automaton::{Arc, Automaton, Return};
use crate::budget::{Budget, Stop};
use crate::ir::{Ir, OrderId, Read, ReadId, Source, Unit};

/// More chains than this make clocks too long.
const MOST: usize = 256;

/// Clocks take at most so many bytes.
const MOST_BYTES: usize = 3 << 30;

/// No session, no writer.
const NO_UNIT: Unit = Unit(u32::MAX);

/// A witness, if this way leads to one.
///
/// # Errors
/// If the budget is used up.
pub(super) fn witness(
    ir: &Ir,
    automaton: &Automaton,
    versions: &Versions,
    threads: Threads,
    budget: &Budget,
) -> Result<Option<Assignment>, Stop> {
    let Some((flat, returns)) = automaton.flat() else { return Ok(None) };
    let sources: Option<Vec<Source>> = ir.reads.iter().map(only_source).collect();
    let Some(sources) = sources else { return Ok(None) };
    let mut weak = Weak::new(ir, &flat, versions, sources);
    let derived = match &returns {
        Return::One(rels) => weak.follow_once(rels),
        Return::Many(rels) => weak.follow(rels, budget)?,
    };
    if derived.is_none() {
        return Ok(None);
    }
    budget.check()?;
    Ok(weak.settle(&flat, &returns, threads))
}

fn only_source(read: &Read) -> Option<Source> {
    match read.sources[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// What is known whatever the order of versions, and what follows from it.
struct Weak<'a> {
    ir: &'a Ir,
    versions: &'a Versions,
    sources: Vec<Source>,
    /// The reads of each unit.
    reads_of: FlatLists<Unit, ReadId>,
    /// One state.
    graph: Graph,
    /// Along which derived orders of versions are added.
    arc: Arc,
}

impl<'a> Weak<'a> {
    fn new(ir: &'a Ir, flat: &Automaton, versions: &'a Versions, sources: Vec<Source>) -> Self {
        let is_sure = |unit: Unit| ir.units[unit.index()].sure;
        let reads = ReadId::enumerate(&ir.reads).filter(|(_, read)| is_sure(read.unit));
        let reads = reads.map(|(id, read)| (read.unit, id));
        let mut graph = Graph::known(ir, &flat.without(Rel::Ww));
        let leaves_out = |node| graph.unit(node).is_some_and(|unit| !is_sure(unit));
        let kept: Vec<Link> = graph
            .links
            .iter()
            .copied()
            .filter(|link| !leaves_out(link.from) && !leaves_out(link.to))
            .collect();
        graph.links = kept;
        for arc in flat.arcs_of(Rel::Wr) {
            for ((id, read), source) in ReadId::enumerate(&ir.reads).zip(&sources) {
                if let Source::Unit(source) = *source
                    && is_sure(read.unit)
                    && is_sure(source)
                {
                    graph.add_dep(arc, source, read.unit, Via::Wr(id));
                }
            }
        }
        let reads_of = FlatLists::group(ir.units.len(), reads);
        let arc = Arc { rel: Rel::Ww, from: 0, to: 0, jump: false };
        Self { ir, versions, sources, reads_of, graph, arc }
    }

    /// The orders a unit reads from other units, with these.
    fn seen(&self, unit: Unit) -> impl Iterator<Item = (OrderId, Unit)> + '_ {
        self.reads_of.of(unit).iter().filter_map(|&read| match self.sources[read.index()] {
            Source::Unit(source) => Some((self.ir.reads[read.index()].order, source)),
            Source::Initial => None,
        })
    }

    /// Units follow whom they read from and, if sessions count, those before them in the session.
    fn follow_once(&mut self, rels: &[Rel]) -> Option<()> {
        if !rels.iter().all(|rel| matches!(rel, Rel::Wr | Rel::So)) {
            return None;
        }
        if rels.contains(&Rel::Wr) {
            for unit in Unit::all(self.ir.units.len()) {
                self.follow_sources(unit);
            }
        }
        if rels.contains(&Rel::So) {
            self.follow_sessions()?;
        }
        Some(())
    }

    /// What the sources of a unit wrote it may not miss.
    fn follow_sources(&mut self, unit: Unit) {
        let seen: Vec<(OrderId, Unit)> = self.seen(unit).collect();
        let mut sources: Vec<Unit> = seen.iter().map(|&(_, source)| source).collect();
        sources.sort_unstable();
        sources.dedup();
        for &other in &sources {
            let written = self.versions.of_unit(other);
            for &(order, source) in &seen {
                let wrote = written.binary_search_by_key(&order, |one| one.order).is_ok();
                if source != other && wrote {
                    self.graph.add_dep(self.arc, other, source, Via::Ww(order));
                }
            }
        }
    }

    /// Later units of a session may not miss what was written before in it. `None` if sessions are
    /// not lines.
    fn follow_sessions(&mut self) -> Option<()> {
        let edges = || self.ir.edges.iter().filter(|edge| edge.rel == Rel::So);
        let mut is_first = vec![true; self.ir.units.len()];
        for edge in edges() {
            if !std::mem::replace(&mut is_first[edge.to.index()], false) {
                return None;
            }
        }
        let after = FlatLists::group(self.ir.units.len(), edges().map(|edge| (edge.from, edge.to)));
        // Per order: the session, named by its first unit, and its last writer.
        let mut last = vec![(NO_UNIT, NO_UNIT); self.ir.orders.len()];
        for first in Unit::all(self.ir.units.len()).filter(|&unit| is_first[unit.index()]) {
            let mut next = Some(first);
            while let Some(unit) = next {
                self.follow_last(unit, first, &last);
                for one in self.versions.of_unit(unit) {
                    last[one.order.index()] = (first, unit);
                }
                let (ends, goes_on): (Vec<Unit>, Vec<Unit>) =
                    after.of(unit).iter().partition(|&&unit| after.of(unit).is_empty());
                // Units without a successor, but for one, branch off the line.
                let goes_on = match (&goes_on[..], &ends[..]) {
                    ([], []) => None,
                    ([], [rest @ .., end]) => {
                        rest.iter().for_each(|&end| self.follow_last(end, first, &last));
                        Some(*end)
                    }
                    ([only], ends) => {
                        ends.iter().for_each(|&end| self.follow_last(end, first, &last));
                        Some(*only)
                    }
                    _ => return None,
                };
                next = goes_on;
            }
        }
        Some(())
    }

    fn follow_last(&mut self, unit: Unit, session: Unit, last: &[(Unit, Unit)]) {
        for at in 0..self.reads_of.of(unit).len() {
            let read = self.reads_of.of(unit)[at];
            let order = self.ir.reads[read.index()].order;
            let (of, writer) = last[order.index()];
            match self.sources[read.index()] {
                Source::Unit(source) if of == session && writer != source => {
                    self.graph.add_dep(self.arc, writer, source, Via::Ww(order));
                }
                _ => {}
            }
        }
    }

    /// Units follow all units from which a path leads to them.
    fn follow(&mut self, rels: &[Rel], budget: &Budget) -> Result<Option<()>, Stop> {
        let nodes = order::topological(&self.graph, &self.graph.after());
        if rels.contains(&Rel::Ww) || nodes.len() < self.graph.nodes() {
            return Ok(None);
        }
        let incoming = self.graph.incoming();
        let most = (MOST_BYTES / (4 * nodes.len().max(1))).clamp(8, MOST);
        let mut chains = Chains::cover(self.ir, &self.graph, &incoming, &nodes, most);
        drop(incoming);
        let before = self.graph.before();
        if chains.count() == most {
            budget.check()?;
            chains = Chains::cover_reached(self.ir, &self.graph, &before, &nodes, most);
        }
        if chains.count() == most {
            return Ok(None);
        }
        let ranks = RankBounds::new(self.ir, &self.graph, self.versions, &chains, &nodes);
        budget.check()?;
        budget.reserve(4 * (nodes.len() * chains.count()) as u64)?;
        let clocks = Clocks::new(nodes.len(), &chains);
        let writers = WriterIndex::build(self.ir, &self.graph, self.versions, &chains, 0);
        let mut past = Past { chains, clocks, ranks, writers };
        let mut ticker = budget.ticker();
        for &node in &nodes {
            ticker.tick()?;
            past.enter(node, before.of(node));
            if let Some(unit) = self.graph.unit(node) {
                self.follow_past(unit, &mut past);
            }
        }
        Ok(Some(()))
    }

    /// What is in the past of a unit it may not miss.
    fn follow_past(&mut self, unit: Unit, past: &mut Past) {
        for at in 0..self.reads_of.of(unit).len() {
            let read = self.reads_of.of(unit)[at];
            let order = self.ir.reads[read.index()].order;
            let Source::Unit(source) = self.sources[read.index()] else { continue };
            past.writers_since(self.versions, order, source, unit, |writer| {
                self.graph.add_dep(self.arc, writer, source, Via::Ww(order));
            });
        }
    }

    /// An order of the units that goes along everything that was derived tells the order of
    /// versions.
    fn settle(
        mut self,
        flat: &Automaton,
        returns: &Return,
        threads: Threads,
    ) -> Option<Assignment> {
        let Self { ir, versions, .. } = self;
        self.graph.add_listed(ir, self.arc);
        let mut assignment = Assignment::settle(ir, self.sources.into_iter().map(Some).collect());
        // A hint may say that a sure unit reads from one of unknown outcome, which the graph leaves out.
        if ir.units.iter().zip(&assignment.live).any(|(unit, &live)| live && !unit.sure) {
            return None;
        }
        let graph = &self.graph;
        let (derived, schedule) =
            threads.both(|| graph.after(), || Schedule::new(ir, flat, versions));
        let after = After { derived: &derived, more: &FlatLists::default() };
        let place = schedule.positions(ir, graph, &after, &assignment.sources, iter::empty())?;
        assignment.versions =
            guess::versions_by(ir, threads, &assignment.live, |unit| place[unit.index()]);
        let conflicts = total::conflicts_along(ir, flat, &assignment, returns, &place)?;
        assignment.places = Some(Places { states: 1, position: place });
        conflicts.is_empty().then_some(assignment)
    }
}

/// Which nodes reach which.
struct Past {
    chains: Chains,
    clocks: Clocks,
    ranks: RankBounds,
    writers: WriterIndex,
}

impl Past {
    /// The clock of a node is worked out from those of the nodes before it.
    fn enter(&mut self, node: Node, before: &[Node]) {
        self.clocks.start(&self.chains, node);
        for &from in before {
            self.clocks.merge(from, node);
            self.ranks.merge(from, node);
        }
        self.ranks.settle(node, self.clocks.row(node));
    }

    /// Calls `found` with writers of an order that reach a reader and not its source; if they
    /// are many, with the last ones only.
    fn writers_since(
        &mut self,
        versions: &Versions,
        order: OrderId,
        source: Unit,
        reader: Unit,
        mut found: impl FnMut(Unit),
    ) {
        let Self { chains, clocks, ranks, writers } = self;
        let lower = ranks.lower(Node::of(source));
        let Some(window) = ranks.window(versions, order, lower, Node::of(reader)) else {
            let (row, lower) = (clocks.row(Node::of(reader)), clocks.row(Node::of(source)));
            return writers.last_reaching(order, row, lower, reader, |writer, _| found(writer));
        };
        for writer in window.iter().map(|writer| writer.unit) {
            let reaches = |to: Unit| clocks.reaches(chains, Node::of(writer), Node::of(to));
            if writer != reader && reaches(reader) && !reaches(source) {
                found(writer);
            }
        }
    }
}
