//! The state of saturation between rounds: what was derived so far, and who reaches whom.

use std::sync::Arc as Shared;

use rustc_hash::{FxHashMap, FxHashSet};
use tristan_ground::Threads;
use tristan_spec::Rel;

use crate::automaton::{Arc, Automaton};
use crate::budget::{Budget, Stop};
use crate::ir::{Ir, OrderId, ReadId, Source, Unit};
use crate::solve::clocks::{Chains, Clocks};
use crate::solve::conflict::{Chosen, Conflict};
use crate::solve::context::Context;
use crate::solve::exclusions::Exclusions;
use crate::solve::flat_lists::FlatLists;
use crate::solve::graph::{Link, Node, Via};
use crate::solve::rank_bounds::RankBounds;
use crate::solve::readers::Readers;
use crate::solve::saturated::Saturated;
use crate::solve::scc::Components;
use crate::solve::versions::Versions;
use crate::solve::writers::WriterIndex;
use crate::solve::{cycles, paths};

/// How many cycles per strongly connected component are looked at for a short one.
const EACH: u32 = 32;

/// So many chains are worth the trouble to look for fewer.
pub(super) const MANY_CHAINS: usize = 64;

/// Which nodes reach which, as far as the rounds have worked it out.
#[derive(Clone)]
pub(super) struct Reach {
    pub(super) chains: Chains,
    pub(super) clocks: Clocks,
    /// Writers by chain, per state.
    pub(super) writers: Vec<WriterIndex>,
    /// Bounds on what reaches each node.
    pub(super) ranks: RankBounds,
}

impl Reach {
    /// What reaches the first node reaches the second.
    pub(super) fn merge(&mut self, from: Node, to: Node) {
        self.clocks.merge(from, to);
        self.ranks.merge(from, to);
    }

    /// The clock of a node is up to date.
    pub(super) fn settle(&mut self, node: Node) {
        self.ranks.settle(node, self.clocks.row(node));
    }

    /// Whether the first node is known to reach the second.
    pub(super) fn reaches(&self, from: Node, to: Node) -> bool {
        self.clocks.reaches(&self.chains, from, to)
    }
}

/// What was derived so far.
#[derive(Clone)]
pub(super) struct Saturation<'a> {
    pub(super) ir: &'a Ir,
    pub(super) automaton: &'a Automaton,
    pub(super) threads: Threads,
    pub(super) known: Saturated,
    /// The numbers of versions.
    pub(super) versions: &'a Versions,
    /// Reads of each unit.
    pub(super) reads_of: FlatLists<Unit, ReadId>,
    /// Per read, its unit and its order, close together.
    pub(super) reads: Vec<(Unit, OrderId)>,
    /// Per version, the reads that come from it.
    pub(super) readers: Readers,
    /// Reads that were fixed after clocks were worked out, and that no rule has looked at since.
    pub(super) late: Vec<ReadId>,
    /// Per open read, the places of its sources that are not excluded yet; computed when they are first
    /// asked for.
    pub(super) left: FxHashMap<ReadId, Shared<[u32]>>,
    /// Links that start off the chains, so that none is added twice.
    pub(super) loose: FxHashSet<(Node, Node)>,
    /// Whether rounds go on after a cycle that looks forbidden: one was not, or all are wanted.
    pub(super) patient: bool,
}

impl<'a> Saturation<'a> {
    /// What is known before the first round.
    pub(super) fn start(context: &Context<'a>) -> Self {
        let Context { ir, known, versions, .. } = *context;
        let mut graph = known.clone();
        let unsure = |node| known.unit(node).is_some_and(|unit| !ir.units[unit.index()].sure);
        graph.links.retain(|link| !unsure(link.from) && !unsure(link.to));
        graph.jumps.clear();
        let nothing = Saturated {
            graph,
            facts: FxHashMap::default(),
            excluded: Exclusions::new(ir.reads.len()),
            fixed: vec![None; ir.reads.len()],
            before_all: FxHashMap::default(),
            contradictions: Vec::new(),
        };
        let mut saturation = Self::with(context, nothing);
        saturation.add_starts();
        for (id, read) in ReadId::enumerate(&ir.reads) {
            if let [only] = read.sources[..] {
                saturation.fix(id, only);
            }
        }
        saturation.readers.settle(versions);
        saturation
    }

    /// Goes on from what was derived before.
    pub(super) fn resume(context: &Context<'a>, known: Saturated) -> Self {
        let mut resumed = Self::with(context, known);
        for (id, source) in ReadId::enumerate(&resumed.known.fixed) {
            if let Some(Source::Unit(unit)) = *source {
                let order = resumed.ir.reads[id.index()].order;
                resumed.readers.add(resumed.versions.of(order, unit), id);
            }
        }
        resumed.readers.settle(resumed.versions);
        resumed
    }

    /// What was derived, without the readers of versions.
    fn with(context: &Context<'a>, known: Saturated) -> Self {
        let Context { ir, automaton, versions, threads, .. } = *context;
        let reads = ReadId::enumerate(&ir.reads).map(|(id, read)| (read.unit, id));
        Self {
            ir,
            automaton,
            threads,
            known,
            versions,
            reads_of: FlatLists::group(ir.units.len(), reads),
            reads: ir.reads.iter().map(|read| (read.unit, read.order)).collect(),
            readers: Readers::default(),
            late: Vec::new(),
            left: FxHashMap::default(),
            loose: FxHashSet::default(),
            patient: false,
        }
    }

    /// The places of the sources of a read that are not excluded.
    pub(super) fn left_to(&mut self, read: ReadId) -> Shared<[u32]> {
        self.left.remove(&read).unwrap_or_else(|| {
            let all = 0..self.ir.reads[read.index()].sources.len() as u32;
            all.filter(|&place| !self.known.excluded.hold(read, place as usize)).collect()
        })
    }

    /// One spine node before all versions of each key whose initial state may have been read.
    fn add_starts(&mut self) {
        let ir = self.ir;
        for arc in self.missing() {
            for read in ir.reads.iter().filter(|read| read.sources.contains(&Source::Initial)) {
                if self.known.before_all.contains_key(&(read.order, arc)) {
                    continue;
                }
                let spine = self.known.graph.spine(1);
                self.known.before_all.insert((read.order, arc), spine);
                for &writer in &ir.orders[read.order.index()].writers {
                    if ir.units[writer.index()].sure {
                        self.known.graph.leave(arc, spine, writer);
                    }
                }
            }
        }
    }

    /// A read has one source left.
    pub(super) fn fix(&mut self, id: ReadId, source: Source) {
        let read = &self.ir.reads[id.index()];
        let sure = |unit: Unit| self.ir.units[unit.index()].sure;
        let usable = match source {
            Source::Initial => true,
            Source::Unit(unit) => sure(unit),
        };
        if !usable || !sure(read.unit) {
            return;
        }
        self.known.fixed[id.index()] = Some(source);
        match source {
            Source::Unit(unit) => {
                for arc in self.arcs(Rel::Wr) {
                    self.known.graph.add_dep(arc, unit, read.unit, Via::Wr(id));
                }
                self.readers.add(self.versions.of(read.order, unit), id);
                self.late.push(id);
            }
            Source::Initial => self.precede_all(id),
        }
    }

    /// A read of the initial state precedes every version of its key.
    fn precede_all(&mut self, id: ReadId) {
        let ir = self.ir;
        let read = &ir.reads[id.index()];
        let writers = &ir.orders[read.order.index()].writers;
        let sure = || writers.iter().copied().filter(|&writer| ir.units[writer.index()].sure);
        for arc in self.missing().into_iter().filter(|arc| arc.counts(read)) {
            if writers.binary_search(&read.unit).is_ok() {
                for writer in sure().filter(|&writer| writer != read.unit) {
                    self.known.graph.add_dep(arc, read.unit, writer, Via::Rw(id));
                }
                continue;
            }
            let spine = self.known.before_all[&(read.order, arc)];
            self.known.graph.enter(arc, read.unit, spine, Via::Rw(id));
        }
    }

    /// Whether a cycle of free links through the arc is forbidden.
    pub(super) fn forbids(&self, arc: &Arc) -> bool {
        !arc.jump
            && (self.automaton.acyclic[arc.from as usize]
                || self.automaton.acyclic[arc.to as usize])
    }

    fn missing(&self) -> Vec<Arc> {
        self.automaton.missing().filter(|arc| !arc.jump).collect()
    }

    fn arcs(&self, rel: Rel) -> Vec<Arc> {
        self.automaton.arcs_of(rel).filter(|arc| !arc.jump).collect()
    }

    /// Empty clocks, and indexes of writers to go with them, for the nodes in this order.
    ///
    /// # Errors
    /// If the budget is used up.
    pub(super) fn prepare(&self, order: &[Node], budget: &Budget) -> Result<Reach, Stop> {
        let nodes = self.known.graph.nodes().max(1);
        let most = ((3 << 30) / (4 * nodes)).clamp(8, 1024);
        budget.check()?;
        let incoming = self.known.graph.incoming();
        let mut chains = Chains::cover(self.ir, &self.known.graph, &incoming, order, most);
        if chains.count() > MANY_CHAINS {
            let before = self.known.graph.before();
            let fewer =
                Chains::cover_reached(self.ir, &self.known.graph, &before, order, chains.count());
            if fewer.count() < chains.count() || chains.count() == most {
                chains = fewer;
            }
        }
        budget.reserve(4 * (nodes * chains.count()) as u64)?;
        let clocks = Clocks::new(nodes, &chains);
        let Self { ir, known: Saturated { graph, .. }, versions, .. } = self;
        let states = 0..self.automaton.states() as u8;
        let index = |state| WriterIndex::build(ir, graph, versions, &chains, state);
        let (writers, ranks) = self.threads.both(
            || states.map(index).collect(),
            || RankBounds::new(ir, graph, versions, &chains, order),
        );
        Ok(Reach { chains, clocks, writers, ranks })
    }

    /// Forbidden cycles among the links, one of every strongly connected component, if their cycles
    /// are forbidden; the shortest first.
    pub(super) fn contradictions(&self) -> Vec<Conflict> {
        let outgoing = self.known.graph.outgoing();
        let components =
            Components::find(self.known.graph.nodes(), &self.known.graph.links, &outgoing);
        let mut walks =
            cycles::forbidden(self.automaton, &self.known.graph, &outgoing, &components, EACH);
        walks.sort_by_key(Vec::len);
        let mut seen = FxHashSet::default();
        walks.retain(|walk| seen.insert(components.of[walk[0].from.index()]));
        let chosen = Chosen { sources: &self.known.fixed, support: &[], instead: None };
        let conflict = |walk: &Vec<Link>| {
            Conflict::of_cycle(self.ir, chosen, paths::dependencies(&self.known.graph, walk))
        };
        walks.iter().map(conflict).collect()
    }
}
