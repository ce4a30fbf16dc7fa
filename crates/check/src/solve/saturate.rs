//! Saturation: what every witness must contain, derived before any guess.
//!
//! For two writers `a`, `b` of a key, `a` first is impossible if it closes a forbidden cycle with
//! what is known: if `b` reaches `a`, or if `b` reaches a reader of `a`. Then `b` is first, which
//! adds edges, which may rule out more. Likewise a source of a read is impossible if the reader
//! reaches it, or if an overwrite of it reaches the reader. The rules run over all nodes in
//! topological order until nothing changes; a node whose clock did not change is skipped.
//!
//! Every derived fact remembers how many links there were, so that its proof can be found again
//! later among older links only (see [`super::proof`]).

use rustc_hash::FxHashMap;
use tristan_spec::Rel;

use super::automaton::{Arc, Automaton};
use super::clocks::{Chains, Clocks};
use super::conflict::{Chosen, Conflict, Literal};
use super::graph::{Graph, Label, Link, Node, Outgoing, Via};
use super::order::topological;
use super::writers::WriterIndex;
use super::{paths, scc::Components};
use crate::budget::{Budget, Stop};
use crate::ir::{Ir, Source, Unit};

/// How a fact was derived: the closing edge of the cycle its opposite would make, and the ends
/// of the path that completes the cycle, over the first `links` links.
#[derive(Clone, Copy, Debug)]
pub struct Derivation {
    /// The edge that the opposite of the fact would add.
    pub closing: paths::Dep,
    /// Where the path starts.
    pub from: Node,
    /// Where the path ends.
    pub to: Node,
    /// Number of links known at that time.
    pub links: u32,
}

/// What saturation found.
#[derive(Debug)]
pub struct Saturated {
    /// The known graph and all derived links; only sure units take part.
    pub graph: Graph,
    /// Order facts with their derivations.
    pub facts: FxHashMap<Literal, Derivation>,
    /// Impossible sources of reads, with their derivations.
    pub excluded: FxHashMap<(u32, Source), Derivation>,
    /// The source of each read that has only one left.
    pub fixed: Vec<Option<Source>>,
    /// A contradiction, if there is one.
    pub conflict: Option<Conflict>,
}

/// Derives what it can.
///
/// # Errors
/// If the budget is used up.
pub fn saturate(
    ir: &Ir,
    automaton: &Automaton,
    known: &Graph,
    budget: &Budget,
) -> Result<Saturated, Stop> {
    let mut search = Search::start(ir, automaton, known);
    let conflict = search.run(budget)?;
    let Search { graph, facts, excluded, fixed, .. } = search;
    Ok(Saturated { graph, facts, excluded, fixed, conflict })
}

struct Search<'a> {
    ir: &'a Ir,
    automaton: &'a Automaton,
    graph: Graph,
    facts: FxHashMap<Literal, Derivation>,
    excluded: FxHashMap<(u32, Source), Derivation>,
    fixed: Vec<Option<Source>>,
    /// Orders each unit writes.
    written: Vec<Vec<u32>>,
    /// Reads of each unit.
    reads_of: Vec<Vec<u32>>,
    /// Per order and source unit: the reads that come from it.
    readers: FxHashMap<(u32, Unit), Vec<u32>>,
    /// Per order and arc: the spine node from which all its writers are reached.
    before_all: FxHashMap<(u32, Arc), Node>,
    /// Nodes whose clock moved after they were last looked at.
    stale: Vec<bool>,
}

impl<'a> Search<'a> {
    fn start(ir: &'a Ir, automaton: &'a Automaton, known: &Graph) -> Self {
        let mut graph = known.clone();
        let unsure = |node| known.unit(node).is_some_and(|unit| !ir.units[unit as usize].sure);
        graph.links.retain(|link| !unsure(link.from) && !unsure(link.to));
        graph.jumps.clear();
        let mut written = vec![Vec::new(); ir.units.len()];
        for (index, order) in ir.orders.iter().enumerate() {
            for &writer in order.writers.iter().filter(|&&w| ir.units[w as usize].sure) {
                written[writer as usize].push(index as u32);
            }
        }
        let mut reads_of = vec![Vec::new(); ir.units.len()];
        for (index, read) in ir.reads.iter().enumerate() {
            reads_of[read.unit as usize].push(index as u32);
        }
        let fixed = vec![None; ir.reads.len()];
        let mut search = Self {
            ir,
            automaton,
            graph,
            facts: FxHashMap::default(),
            excluded: FxHashMap::default(),
            fixed,
            written,
            reads_of,
            readers: FxHashMap::default(),
            before_all: FxHashMap::default(),
            stale: Vec::new(),
        };
        search.add_starts();
        for (index, read) in ir.reads.iter().enumerate() {
            if let [only] = read.sources[..] {
                search.fix(index as u32, only);
            }
        }
        search
    }

    /// One spine node before all versions of each key whose initial state may have been read.
    fn add_starts(&mut self) {
        let ir = self.ir;
        for arc in self.arcs(Rel::Rw) {
            for read in ir.reads.iter().filter(|read| read.sources.contains(&Source::Initial)) {
                if self.before_all.contains_key(&(read.order, arc)) {
                    continue;
                }
                let spine = self.graph.spine(1);
                self.before_all.insert((read.order, arc), spine);
                for &writer in &ir.orders[read.order as usize].writers {
                    if ir.units[writer as usize].sure {
                        self.graph.leave(arc, spine, writer);
                    }
                }
            }
        }
    }

    /// A read has one source left.
    fn fix(&mut self, index: u32, source: Source) {
        let read = &self.ir.reads[index as usize];
        let sure = |unit: Unit| self.ir.units[unit as usize].sure;
        let usable = match source {
            Source::Initial => true,
            Source::Unit(unit) => sure(unit),
        };
        if !usable || !sure(read.unit) {
            return;
        }
        self.fixed[index as usize] = Some(source);
        match source {
            Source::Unit(unit) => {
                for arc in self.arcs(Rel::Wr) {
                    self.graph.add_dep(arc, unit, read.unit, Via::Wr(index));
                }
                self.readers.entry((read.order, unit)).or_default().push(index);
            }
            Source::Initial => self.precede_all(index),
        }
    }

    /// A read of the initial state precedes every version of its key.
    fn precede_all(&mut self, index: u32) {
        let ir = self.ir;
        let read = &ir.reads[index as usize];
        let writers = &ir.orders[read.order as usize].writers;
        let sure = || writers.iter().copied().filter(|&writer| ir.units[writer as usize].sure);
        for arc in self.arcs(Rel::Rw) {
            if writers.binary_search(&read.unit).is_ok() {
                for writer in sure().filter(|&writer| writer != read.unit) {
                    self.graph.add_dep(arc, read.unit, writer, Via::Rw(index));
                }
                continue;
            }
            let spine = self.before_all[&(read.order, arc)];
            self.graph.enter(arc, read.unit, spine, Via::Rw(index));
        }
    }

    /// Whether a cycle of free links through the arc is forbidden.
    fn forbids(&self, arc: &Arc) -> bool {
        !arc.jump
            && (self.automaton.acyclic[arc.from as usize]
                || self.automaton.acyclic[arc.to as usize])
    }

    fn arcs(&self, rel: Rel) -> Vec<Arc> {
        self.automaton.arcs_of(rel).filter(|arc| !arc.jump).collect()
    }

    fn run(&mut self, budget: &Budget) -> Result<Option<Conflict>, Stop> {
        let mut state: Option<(Chains, Clocks, Vec<WriterIndex>)> = None;
        loop {
            budget.check()?;
            let outgoing = Outgoing::index(self.graph.nodes(), &self.graph.links, |link| link.from);
            let order = topological(&self.graph, &outgoing);
            if order.len() < self.graph.nodes() {
                if let Some(conflict) = self.contradiction(&outgoing) {
                    return Ok(Some(conflict));
                }
            }
            let incoming = Outgoing::index(self.graph.nodes(), &self.graph.links, |link| link.to);
            let (chains, clocks, index) = match &mut state {
                Some(state) => state,
                None => {
                    let fresh = self.prepare(&incoming, &order, budget)?;
                    state.insert(fresh)
                }
            };
            let before = self.graph.links.len();
            let mut round = Round { search: self, chains, clocks, index };
            round.run(&order, &incoming);
            if self.graph.links.len() == before {
                if let Err(conflict) = self.exclude_sources(chains, clocks, index) {
                    return Ok(Some(*conflict));
                }
            }
            if self.graph.links.len() == before {
                return Ok(None);
            }
        }
    }

    fn prepare(
        &self,
        incoming: &Outgoing,
        order: &[Node],
        budget: &Budget,
    ) -> Result<(Chains, Clocks, Vec<WriterIndex>), Stop> {
        let nodes = self.graph.nodes().max(1);
        let most = (512 << 20) / (4 * nodes);
        let chains = Chains::cover(&self.graph, incoming, order, most.clamp(8, 1024));
        budget.reserve(4 * (nodes * chains.count()) as u64)?;
        let clocks = Clocks::new(nodes, &chains);
        let states = 0..self.automaton.states() as u8;
        let index = states.map(|state| WriterIndex::build(self.ir, &self.graph, &chains, state));
        let index = index.collect();
        Ok((chains, clocks, index))
    }

    /// A forbidden cycle among the links, if their cycles are forbidden.
    fn contradiction(&self, outgoing: &Outgoing) -> Option<Conflict> {
        let components = Components::find(self.graph.nodes(), &self.graph.links, outgoing);
        let guilty = |node: Node| {
            components.size[components.of[node as usize] as usize] > 1
                && self.graph.unit(node).is_some()
                && self.automaton.acyclic[self.graph.state(node) as usize]
        };
        let walks = (0..self.graph.nodes() as Node)
            .filter(|&node| guilty(node))
            .take(64)
            .filter_map(|node| {
                let component = components.of[node as usize];
                let within = |link: u32| {
                    components.of[self.graph.links[link as usize].to as usize] == component
                };
                paths::shortest(&self.graph.links, outgoing, node, node, false, within)
            });
        let shortest = walks.min_by_key(Vec::len)?;
        let cycle = paths::dependencies(&self.graph, &shortest);
        let chosen = Chosen { sources: &self.fixed, support: &[] };
        Some(Conflict::of_cycle(self.ir, chosen, cycle))
    }

    /// Removes sources that are impossible; fixes reads that have one left.
    fn exclude_sources(
        &mut self,
        chains: &Chains,
        clocks: &Clocks,
        index: &[WriterIndex],
    ) -> Result<(), Box<Conflict>> {
        for at in 0..self.ir.reads.len() {
            let read = &self.ir.reads[at];
            if self.fixed[at].is_some()
                || read.sources.len() < 2
                || !self.ir.units[read.unit as usize].sure
            {
                continue;
            }
            let mut left = Vec::new();
            for &source in &read.sources {
                if self.excluded.contains_key(&(at as u32, source)) {
                    continue;
                }
                match self.impossible(chains, clocks, index, at as u32, source) {
                    Some(derivation) => {
                        self.excluded.insert((at as u32, source), derivation);
                    }
                    None => left.push(source),
                }
            }
            match left[..] {
                [] => {
                    // Every source is excluded: any one of the exclusions is the last straw.
                    let last = *read.sources.last().expect("has at least two sources");
                    let derivation = self.excluded[&(at as u32, last)];
                    return Err(Box::new(self.exclusion(at as u32, last, &derivation)));
                }
                [only] => self.fix(at as u32, only),
                _ => {}
            }
        }
        Ok(())
    }

    fn exclusion(&self, read: u32, source: Source, derivation: &Derivation) -> Conflict {
        super::proof::conflict_of(
            self.ir,
            &self.graph,
            &self.fixed,
            derivation,
            Some((read, source)),
        )
    }

    fn impossible(
        &mut self,
        chains: &Chains,
        clocks: &Clocks,
        index: &[WriterIndex],
        read: u32,
        source: Source,
    ) -> Option<Derivation> {
        let links = self.graph.links.len() as u32;
        let reader = self.ir.reads[read as usize].unit;
        if let Source::Unit(unit) = source {
            for arc in self.automaton.arcs_of(Rel::Wr).filter(|arc| self.forbids(arc)) {
                let (from, to) = (self.graph.node(reader, arc.to), self.graph.node(unit, arc.from));
                if clocks.reaches(chains, from, to) {
                    let closing = paths::Dep { from: unit, to: reader, via: Via::Wr(read) };
                    return Some(Derivation { closing, from, to, links });
                }
            }
        }
        let order = self.ir.reads[read as usize].order;
        let telling = |arc: &Arc| arc.jump || self.forbids(arc);
        for arc in self.automaton.arcs_of(Rel::Rw).filter(telling).collect::<Vec<_>>() {
            let to = self.graph.node(reader, arc.from);
            let mut found = None;
            index[arc.to as usize].last_reaching(order, clocks.row(to), |writer| {
                let later =
                    writer != reader && self.known_before(chains, clocks, order, source, writer);
                if later && found.is_none() {
                    found = Some(writer);
                }
            });
            if let Some(writer) = found {
                let closing = paths::Dep { from: reader, to: writer, via: Via::Rw(read) };
                let from = self.graph.node(writer, arc.to);
                if let Source::Unit(unit) = source {
                    self.note_order(chains, clocks, order, unit, writer);
                }
                return Some(Derivation { closing, from, to, links });
            }
        }
        None
    }

    /// Whether the source's version is known to precede the writer's.
    fn known_before(
        &self,
        chains: &Chains,
        clocks: &Clocks,
        order: u32,
        source: Source,
        writer: Unit,
    ) -> bool {
        let Source::Unit(unit) = source else { return true };
        unit != writer
            && self.ir.units[unit as usize].sure
            && (self.facts.contains_key(&Literal::Before(order, unit, writer))
                || self.reach_that_orders(chains, clocks, unit, writer).is_some())
    }

    /// The ends of a path that forbids the second writer to be before the first.
    fn reach_that_orders(
        &self,
        chains: &Chains,
        clocks: &Clocks,
        first: Unit,
        second: Unit,
    ) -> Option<(Node, Node)> {
        let ends = |arc: Arc| (self.graph.node(first, arc.to), self.graph.node(second, arc.from));
        let mut all = self.automaton.arcs_of(Rel::Ww).filter(|arc| self.forbids(arc)).map(ends);
        all.find(|&(from, to)| clocks.reaches(chains, from, to))
    }

    fn note_order(
        &mut self,
        chains: &Chains,
        clocks: &Clocks,
        order: u32,
        first: Unit,
        second: Unit,
    ) {
        let literal = Literal::Before(order, first, second);
        if self.facts.contains_key(&literal) {
            return;
        }
        if let Some((from, to)) = self.reach_that_orders(chains, clocks, first, second) {
            let closing = paths::Dep { from: second, to: first, via: Via::Ww(order) };
            let links = self.graph.links.len() as u32;
            self.facts.insert(literal, Derivation { closing, from, to, links });
        }
    }
}

/// One walk over all nodes in topological order.
struct Round<'r, 'a> {
    search: &'r mut Search<'a>,
    chains: &'r Chains,
    clocks: &'r mut Clocks,
    index: &'r [WriterIndex],
}

impl Round<'_, '_> {
    fn run(&mut self, order: &[Node], incoming: &Outgoing) {
        let mut done = vec![false; self.search.graph.nodes()];
        self.search.stale.resize(done.len(), false);
        for &node in order {
            let mut news = self.clocks.start(self.chains, node);
            news |= std::mem::take(&mut self.search.stale[node as usize]);
            for &link in incoming.of(node) {
                let from = self.search.graph.links[link as usize].from;
                news |= self.clocks.merge(from, node);
            }
            done[node as usize] = true;
            if let Some(unit) = self.search.graph.unit(node).filter(|_| news) {
                self.apply(unit, node, &done);
            }
        }
    }

    fn apply(&mut self, unit: Unit, node: Node, done: &[bool]) {
        let state = self.search.graph.state(node);
        let automaton = self.search.automaton;
        for arc in automaton.arcs_of(Rel::Ww).filter(|arc| arc.from == state) {
            if self.search.forbids(&arc) {
                self.order_versions(unit, node, arc, done);
            }
        }
        for arc in automaton.arcs_of(Rel::Rw).filter(|arc| arc.from == state) {
            if arc.jump || self.search.forbids(&arc) {
                self.order_before_source(unit, node, arc, done);
            }
        }
    }

    /// Whoever reaches a writer of the same key is an earlier version.
    fn order_versions(&mut self, unit: Unit, node: Node, arc: Arc, done: &[bool]) {
        for at in 0..self.search.written[unit as usize].len() {
            let order = self.search.written[unit as usize][at];
            let mut earlier = Vec::new();
            let row = self.clocks.row(node);
            self.index[arc.to as usize].last_reaching(order, row, |writer| {
                if writer != unit {
                    earlier.push(writer);
                }
            });
            for writer in earlier {
                let closing = paths::Dep { from: unit, to: writer, via: Via::Ww(order) };
                let from = self.search.graph.node(writer, arc.to);
                self.learn(order, writer, unit, closing, from, node, done);
            }
        }
    }

    /// Whoever reaches a reader is an earlier version than what it read.
    fn order_before_source(&mut self, unit: Unit, node: Node, arc: Arc, done: &[bool]) {
        for at in 0..self.search.reads_of[unit as usize].len() {
            let read = self.search.reads_of[unit as usize][at];
            let Some(Source::Unit(source)) = self.search.fixed[read as usize] else { continue };
            let order = self.search.ir.reads[read as usize].order;
            let mut earlier = Vec::new();
            let row = self.clocks.row(node);
            self.index[arc.to as usize].last_reaching_but(order, row, unit, |writer| {
                if writer != source {
                    earlier.push(writer);
                }
            });
            for writer in earlier {
                let closing = paths::Dep { from: unit, to: writer, via: Via::Rw(read) };
                let from = self.search.graph.node(writer, arc.to);
                self.learn(order, writer, source, closing, from, node, done);
            }
        }
    }

    /// The version of `first` precedes that of `second`: add the links that follow and are new.
    #[expect(clippy::too_many_arguments, reason = "a fact and its derivation")]
    fn learn(
        &mut self,
        order: u32,
        first: Unit,
        second: Unit,
        closing: paths::Dep,
        from: Node,
        to: Node,
        done: &[bool],
    ) {
        let links = self.search.graph.links.len() as u32;
        let mut new = false;
        let automaton = self.search.automaton;
        for arc in automaton.arcs_of(Rel::Ww).filter(|arc| !arc.jump) {
            let (a, b) =
                (self.search.graph.node(first, arc.from), self.search.graph.node(second, arc.to));
            new |= self.link(a, b, Via::Ww(order), done);
        }
        let readers = self.search.readers.get(&(order, first)).cloned().unwrap_or_default();
        for read in readers {
            let reader = self.search.ir.reads[read as usize].unit;
            if reader == second {
                continue;
            }
            for arc in automaton.arcs_of(Rel::Rw).filter(|arc| !arc.jump) {
                let (a, b) = (
                    self.search.graph.node(reader, arc.from),
                    self.search.graph.node(second, arc.to),
                );
                new |= self.link(a, b, Via::Rw(read), done);
            }
        }
        if new {
            let derivation = Derivation { closing, from, to, links };
            self.search.facts.entry(Literal::Before(order, first, second)).or_insert(derivation);
        }
    }

    /// Adds a link unless it is implied, or starts off the chains; brings the clock up to date if that is possible now.
    fn link(&mut self, from: Node, to: Node, via: Via, done: &[bool]) -> bool {
        if self.clocks.reaches(self.chains, from, to) {
            return false;
        }
        if self.chains.place(from).is_none() {
            return false;
        }
        self.search.graph.links.push(Link { from, to, label: Label::Dep(via) });
        if done[from as usize] && self.clocks.merge(from, to) {
            self.search.stale[to as usize] = true;
        }
        true
    }
}
