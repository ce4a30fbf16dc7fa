//! One round of saturation: a walk over all nodes in topological order.
//!
//! At each node the clock is brought up to date; where a chain has moved, the last writers on it
//! are compared with what the node writes and reads. Links that follow are added, and count at
//! once for nodes that are still to come.

use tristan_spec::Rel;

use super::automaton::Arc;
use super::conflict::Literal;
use super::graph::{Label, Link, Node, Via};
use super::paths::Dep;
use super::readers::Lists;
use super::saturate::{Derivation, Reach, Search};
use crate::ir::{Source, Unit};

/// How many writers of a key are remembered: as many as usually overlap.
const RECENT: usize = 4;

/// Runs one round; new links are at the end of the graph's links.
pub(super) fn round(search: &mut Search<'_>, reach: &mut Reach, order: &[Node], before: &Lists) {
    let automaton = search.automaton;
    let version_arcs = automaton.arcs_of(Rel::Ww).filter(|arc| search.forbids(arc)).collect();
    let source_arcs = automaton.missing().filter(|arc| arc.jump || search.forbids(arc)).collect();
    let free = |rel: Rel| automaton.arcs_of(rel).filter(|arc| !arc.jump).collect();
    let mut round = Round {
        version_arcs,
        source_arcs,
        ww: free(Rel::Ww),
        rw: automaton.missing().filter(|arc| !arc.jump).collect(),
        done: vec![false; search.graph.nodes()],
        closed: false,
        earlier: Vec::new(),
        current: 0,
        new: Vec::new(),
        first_new: vec![u32::MAX; search.graph.nodes()],
        floor: vec![0; reach.chains.count()],
        recent: vec![[Unit::MAX; RECENT]; search.ir.orders.len()],
        lids: Vec::new(),
        search,
        reach,
    };
    round.run(order, before);
}

struct Round<'r, 'a> {
    search: &'r mut Search<'a>,
    reach: &'r mut Reach,
    /// Arcs along which versions may be ordered by reachability.
    version_arcs: Vec<Arc>,
    /// Arcs along which a reader may order versions.
    source_arcs: Vec<Arc>,
    /// Arcs that order facts add links along.
    ww: Vec<Arc>,
    rw: Vec<Arc>,
    done: Vec<bool>,
    /// The node the walk is at.
    current: Node,
    /// Links of this round to nodes still to come: where from, and the next of the same node.
    new: Vec<(Node, u32)>,
    /// Per node, its first entry in `new`.
    first_new: Vec<u32>,
    /// Whether a link has closed a cycle that is probably forbidden: no need to go on.
    closed: bool,
    /// Scratch space: writers and the numbers of their versions.
    earlier: Vec<(Unit, u32)>,
    /// Scratch space: per chain, up to where writers need not be looked at.
    floor: Vec<u32>,
    /// Per order, the writers looked at last in this round, the latest first.
    recent: Vec<[Unit; RECENT]>,
    /// Scratch space: where a floor must not be higher.
    lids: Vec<(u32, u32)>,
}

impl Round<'_, '_> {
    fn run(&mut self, order: &[Node], before: &Lists) {
        let mut old = vec![0; self.reach.chains.count()];
        let mut seen = old.clone();
        for &node in order {
            if self.closed && !self.search.patient {
                return;
            }
            self.current = node;
            let clocks = &mut self.reach.clocks;
            old.copy_from_slice(clocks.row(node));
            clocks.start(&self.reach.chains, node);
            for &from in before.of(node) {
                clocks.merge(from, node);
            }
            self.merge_new(node);
            self.done[node as usize] = true;
            let Some(unit) = self.search.graph.unit(node) else { continue };
            // What is found may move this very clock: then look again at what moved.
            while self.reach.clocks.row(node) != old {
                seen.copy_from_slice(self.reach.clocks.row(node));
                self.apply(unit, node, &old);
                std::mem::swap(&mut old, &mut seen);
            }
        }
    }

    /// Merges what links of this round bring to a node that was still to come.
    fn merge_new(&mut self, node: Node) {
        let mut next = self.first_new[node as usize];
        while let Some(&(from, following)) = self.new.get(next as usize) {
            self.reach.clocks.merge(from, node);
            next = following;
        }
    }

    fn apply(&mut self, unit: Unit, node: Node, old: &[u32]) {
        let state = self.search.graph.state(node);
        for at in 0..self.version_arcs.len() {
            if self.version_arcs[at].from == state {
                self.order_versions(unit, node, self.version_arcs[at], old);
            }
        }
        for at in 0..self.source_arcs.len() {
            if self.source_arcs[at].from == state {
                self.order_before_source(unit, node, self.source_arcs[at], old);
            }
        }
    }

    /// Whoever reaches a writer of the same key is an earlier version.
    fn order_versions(&mut self, unit: Unit, node: Node, arc: Arc, old: &[u32]) {
        if !self.search.ir.units[unit as usize].sure {
            return;
        }
        for at in 0..self.search.versions.of_unit(unit).len() {
            let order = self.search.versions.of_unit(unit)[at].order;
            self.floor.copy_from_slice(old);
            self.skip_recent(order, unit, node, arc);
            self.find_earlier(order, node, arc, unit);
            for at in 0..self.earlier.len() {
                let (writer, version) = self.earlier[at];
                let closing = Dep { from: unit, to: writer, via: Via::Ww(order) };
                let from = self.search.graph.node(writer, arc.to);
                let fact = Fact { order, first: writer, version, second: unit };
                self.learn(fact, closing, from, node);
            }
        }
    }

    /// Whoever reaches a recent writer that reaches this one was compared there.
    fn skip_recent(&mut self, order: u32, unit: Unit, node: Node, arc: Arc) {
        self.lids.clear();
        let recent = self.recent[order as usize];
        for last in recent.into_iter().filter(|&last| last != Unit::MAX && last != unit) {
            let entry = self.search.graph.node(last, arc.to);
            let Some((chain, position)) = self.reach.chains.place(entry) else { continue };
            let is_news = self.floor[chain as usize] <= position;
            if is_news && self.reach.reaches(entry, node) {
                self.raise_floor(self.search.graph.node(last, arc.from));
                self.lids.push((chain, position));
            }
        }
        for &(chain, position) in &self.lids {
            let floor = &mut self.floor[chain as usize];
            *floor = position.min(*floor);
        }
        if recent[0] != unit {
            self.recent[order as usize].copy_within(..RECENT - 1, 1);
            self.recent[order as usize][0] = unit;
        }
    }

    /// Whoever reaches a reader is an earlier version than what it read.
    fn order_before_source(&mut self, unit: Unit, node: Node, arc: Arc, old: &[u32]) {
        for at in 0..self.search.reads_of.of(unit).len() {
            let read = self.search.reads_of.of(unit)[at];
            let Some(Source::Unit(source)) = self.search.fixed[read as usize] else { continue };
            if !arc.counts(&self.search.ir.reads[read as usize]) {
                continue;
            }
            let order = self.search.reads[read as usize].1;
            self.floor.copy_from_slice(old);
            if let [only] = self.ww[..]
                && only.from == arc.to
            {
                self.raise_floor(self.search.graph.node(source, only.to));
            }
            self.find_earlier(order, node, arc, unit);
            for at in 0..self.earlier.len() {
                let (writer, version) = self.earlier[at];
                if writer == source || self.is_linked(writer, source) {
                    continue;
                }
                let closing = Dep { from: unit, to: writer, via: Via::Rw(read) };
                let from = self.search.graph.node(writer, arc.to);
                let fact = Fact { order, first: writer, version, second: source };
                self.learn(fact, closing, from, node);
            }
        }
    }

    /// What reaches this node need not be looked at.
    fn raise_floor(&mut self, node: Node) {
        for (floor, &reached) in self.floor.iter_mut().zip(self.reach.clocks.row(node)) {
            *floor = reached.max(*floor);
        }
    }

    /// Whether every link the order of two versions adds between them is implied already; what
    /// it means for readers is then worked out at the later version.
    fn is_linked(&self, first: Unit, second: Unit) -> bool {
        let graph = &self.search.graph;
        let implied =
            |arc: &Arc| self.reach.reaches(graph.node(first, arc.from), graph.node(second, arc.to));
        self.ww.iter().all(implied)
    }

    /// The last writers, other than `unit`, on the chains that have moved above the floor.
    fn find_earlier(&mut self, order: u32, node: Node, arc: Arc, unit: Unit) {
        let mut earlier = std::mem::take(&mut self.earlier);
        earlier.clear();
        let row = self.reach.clocks.row(node);
        let writers = &mut self.reach.writers[arc.to as usize];
        writers.last_reaching(order, row, &self.floor, unit, |writer, version| {
            earlier.push((writer, version));
        });
        self.earlier = earlier;
    }

    /// Adds the links that follow from a fact and are new.
    fn learn(&mut self, fact: Fact, closing: Dep, from: Node, to: Node) {
        let links = self.search.graph.links.len() as u32;
        let Fact { order, first, version, second } = fact;
        for at in 0..self.ww.len() {
            let arc = self.ww[at];
            let ends =
                (self.search.graph.node(first, arc.from), self.search.graph.node(second, arc.to));
            self.link(ends, Via::Ww(order));
        }
        for at in 0..self.rw.len() {
            let arc = self.rw[at];
            let later = self.search.graph.node(second, arc.to);
            for at in 0..self.search.readers.count(version) {
                let read = self.search.readers.of(version, at);
                let reader = self.search.reads[read as usize].0;
                if reader != second && arc.counts(&self.search.ir.reads[read as usize]) {
                    let earlier = self.search.graph.node(reader, arc.from);
                    self.link((earlier, later), Via::Rw(read));
                }
            }
        }
        if self.search.graph.links.len() as u32 > links {
            let derivation = Derivation { closing, from, to, links };
            self.search.facts.entry(Literal::Before(order, first, second)).or_insert(derivation);
        }
    }

    /// Whether cycles through a unit's node are forbidden.
    fn is_forbidden(&self, node: Node) -> bool {
        let Search { graph, automaton, .. } = &*self.search;
        graph.unit(node).is_some() && automaton.acyclic[graph.state(node) as usize]
    }

    /// Adds a link unless it is implied. It counts at once for this node and for nodes that are
    /// still to come, in the next round for the others.
    fn link(&mut self, (from, to): (Node, Node), via: Via) {
        let known = match self.reach.chains.place(from) {
            Some(_) => self.reach.reaches(from, to),
            None => !self.search.loose.insert((from, to)),
        };
        if known {
            return;
        }
        self.search.graph.links.push(Link { from, to, label: Label::Dep(via) });
        if !self.done[from as usize] {
            return;
        }
        self.closed |= self.reach.reaches(to, from) && self.is_forbidden(to);
        if to == self.current {
            self.reach.clocks.merge(from, to);
        } else if !self.done[to as usize] {
            self.new.push((from, self.first_new[to as usize]));
            self.first_new[to as usize] = self.new.len() as u32 - 1;
        }
    }
}

/// The version `first` installed precedes that of `second`.
struct Fact {
    order: u32,
    first: Unit,
    version: u32,
    second: Unit,
}
