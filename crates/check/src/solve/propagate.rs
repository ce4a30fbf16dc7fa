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
use super::route::Route;
use super::saturate::{Derivation, Reach, Search};
use crate::budget::{Budget, Stop};
use crate::ir::{Source, Unit};

/// How many writers of a key are remembered: as many as usually overlap.
const RECENT: usize = 4;

/// Runs one round; new links are at the end of the graph's links. Nodes to which no link leads
/// from the given one on, and before which nothing has changed, are left as they are; the first
/// round with new clocks looks at all links. False if it ended early, at a forbidden cycle.
///
/// # Errors
/// If the budget is used up.
pub(super) fn round(
    search: &mut Search<'_>,
    reach: &mut Reach,
    route: &Route,
    since: usize,
    budget: &Budget,
) -> Result<bool, Stop> {
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
        stale: vec![since == 0; search.graph.nodes()],
        closed: false,
        earlier: Vec::new(),
        current: 0,
        new: Vec::new(),
        first_new: vec![u32::MAX; search.graph.nodes()],
        floor: vec![0; reach.chains.count()],
        recent: vec![[Unit::MAX; RECENT]; search.ir.orders.len()],
        lids: Vec::new(),
        found_on: Vec::new(),
        search,
        reach,
    };
    round.start(route, since);
    round.run(route, budget)
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
    /// Per node: whether it has to be looked at in this round, and once it is done, whether its
    /// clock has moved.
    stale: Vec<bool>,
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
    /// Scratch space: chains on which a writer was found.
    found_on: Vec<u32>,
}

impl Round<'_, '_> {
    /// Younger links count from the start.
    fn start(&mut self, route: &Route, since: usize) {
        for link in &self.search.graph.links[since..] {
            self.stale[link.to as usize] = true;
        }
        for at in 0..route.younger(&self.search.graph).len() {
            let Link { from, to, .. } = route.younger(&self.search.graph)[at];
            self.bring(from, to);
        }
    }

    /// What reaches the first node will reach the second, when the walk gets there.
    fn bring(&mut self, from: Node, to: Node) {
        self.new.push((from, self.first_new[to as usize]));
        self.first_new[to as usize] = self.new.len() as u32 - 1;
    }

    fn run(&mut self, route: &Route, budget: &Budget) -> Result<bool, Stop> {
        let mut ticker = budget.ticker();
        let mut old = vec![0; self.reach.chains.count()];
        let mut seen = old.clone();
        for &node in &route.order {
            ticker.tick()?;
            if self.closed && !self.search.patient {
                return Ok(false);
            }
            self.current = node;
            if !self.is_stale(node, route) {
                self.done[node as usize] = true;
                continue;
            }
            old.copy_from_slice(self.reach.clocks.row(node));
            self.reach.clocks.start(&self.reach.chains, node);
            for &from in route.before(node) {
                self.reach.merge(from, node);
            }
            self.merge_new(node);
            self.done[node as usize] = true;
            self.stale[node as usize] = self.reach.clocks.row(node) != old;
            let Some(unit) = self.search.graph.unit(node) else {
                self.reach.settle(node);
                continue;
            };
            // What is found may move this very clock: then look again at what moved.
            while self.reach.clocks.row(node) != old {
                seen.copy_from_slice(self.reach.clocks.row(node));
                self.apply(unit, node, &old);
                std::mem::swap(&mut old, &mut seen);
            }
            self.reach.settle(node);
        }
        Ok(true)
    }

    /// Whether something may have changed for a node.
    fn is_stale(&self, node: Node, route: &Route) -> bool {
        self.stale[node as usize]
            || self.first_new[node as usize] != u32::MAX
            || route.before(node).iter().any(|&from| self.stale[from as usize])
    }

    /// Merges what links of this round bring to a node that was still to come.
    fn merge_new(&mut self, node: Node) {
        let mut next = self.first_new[node as usize];
        while let Some(&(from, following)) = self.new.get(next as usize) {
            self.reach.merge(from, node);
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
            let low = self.low_of_recent(order, unit, node, arc);
            if !self.find_nearby(order, unit, node, arc, low, old) {
                self.floor.copy_from_slice(old);
                self.skip_recent(order, unit, node, arc);
                self.find_earlier(order, node, arc, unit);
            }
            self.note_recent(order, unit);
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
    }

    fn note_recent(&mut self, order: u32, unit: Unit) {
        let recent = &mut self.recent[order as usize];
        if recent[0] != unit {
            recent.copy_within(..RECENT - 1, 1);
            recent[0] = unit;
        }
    }

    /// Whoever is below this rank was compared with a recent writer that reaches the node.
    fn low_of_recent(&self, order: u32, unit: Unit, node: Node, arc: Arc) -> u32 {
        let Some(sight) = &self.reach.sight else { return 0 };
        let recent = self.recent[order as usize].into_iter();
        let others = recent.filter(|&last| last != Unit::MAX && last != unit);
        let reaching =
            others.filter(|&last| self.reach.reaches(self.search.graph.node(last, arc.to), node));
        let low =
            |last: Unit| sight.low(self.search.graph.node(last, arc.from)).min(sight.rank(last));
        reaching.map(low).max().unwrap_or(0)
    }

    /// Looks for the last writers, other than `unit`, that have come into sight, from a rank on;
    /// false if that is not the way to find them.
    fn find_nearby(
        &mut self,
        order: u32,
        unit: Unit,
        node: Node,
        arc: Arc,
        low: u32,
        old: &[u32],
    ) -> bool {
        let Self { search, reach, earlier, found_on, .. } = self;
        let Some(sight) = &mut reach.sight else { return false };
        let low = sight.low(node).max(low);
        let Some(window) = sight.window(search.versions, order, low, node) else { return false };
        let row = reach.clocks.row(node);
        earlier.clear();
        found_on.clear();
        for writer in window.iter().rev().filter(|writer| writer.unit != unit) {
            let place = reach.chains.place(search.graph.node(writer.unit, arc.to));
            let Some((chain, position)) = place else { continue };
            let is_news = (old[chain as usize]..row[chain as usize]).contains(&position);
            if is_news && !found_on.contains(&chain) {
                found_on.push(chain);
                earlier.push((writer.unit, writer.version));
            }
        }
        true
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
            let compared = match self.ww[..] {
                [only] if only.from == arc.to => Some(self.search.graph.node(source, only.to)),
                _ => None,
            };
            let low = self.reach.sight.as_ref().zip(compared);
            let low = low.map_or(0, |(sight, node)| sight.low(node));
            if !self.find_nearby(order, unit, node, arc, low, old) {
                self.floor.copy_from_slice(old);
                if let Some(compared) = compared {
                    self.raise_floor(compared);
                }
                self.find_earlier(order, node, arc, unit);
            }
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
            self.reach.merge(from, to);
        } else if !self.done[to as usize] {
            self.bring(from, to);
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
