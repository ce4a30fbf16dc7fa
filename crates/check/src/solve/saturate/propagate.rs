//! One round of saturation: a walk over all nodes in topological order.
//!
//! At each node the walk brings the clock up to date. Where it has moved, two rules compare the
//! writers that reach the node with what its transaction wrote and read:
//!
//! 1. **A writer reaches a writer** of the same key: its version is the earlier one
//!    ([`Round::order_before_own_version`]).
//! 2. **A writer reaches a reader** of the same key: its version is earlier than the one that was
//!    read ([`Round::order_before_version_read`]). If it were later, the reader would
//!    anti-depend on a writer that reaches it, which is a cycle.
//!
//! A fact "`a`'s version precedes `b`'s" adds a link `ww` from `a` to `b`, and a link `rw` to `b`
//! from every reader of `a`'s version ([`Round::learn`]). A link counts at once for nodes that the
//! walk has yet to visit, and in the next round for the others.
//!
//! # A worked example
//!
//! `A`, `B` and `C` write `x`; `R` reads what `A` wrote. `A` and `C` are one session, `B` and `R`
//! another. The level is serializability with sessions, so each transaction is one node, and the two
//! sessions are the two chains. The number of a clock's entry is how many nodes of the chain reach the
//! node, itself included:
//!
//! ```text
//!   chain 0     A ───── so ────► C        writes x, writes x
//!               └─── wr ───┐
//!   chain 1     B ── so ─► R              writes x, reads x from A
//! ```
//!
//! | round | visit | clock | what moved | rule | fact | new link |
//! |---|---|---|---|---|---|---|
//! | 1 | `A` | 1 0 | | | | |
//! | 1 | `B` | 0 1 | | | | |
//! | 1 | `C` | 2 0 | chain 0: `A` wrote `x` | 1 | `A` before `C` | `R → C` (`rw`; `A → C` is implied) |
//! | 1 | `R` | 1 2 | chain 0: `A`, which it read; chain 1: `B` wrote `x` | 2 | `B` before `A` | `B → A` (`ww`) |
//! | 2 | `B` | 0 1 | nothing: not looked at | | | |
//! | 2 | `A` | 1 1 | chain 1: `B` wrote `x` | 1 | known | |
//! | 2 | `R` | 1 2 | nothing, though `A` before it has | | | |
//! | 2 | `C` | 2 2 | chain 1: `B` wrote `x` | 1 | `B` before `C` | implied by `B → A → C`: not kept |
//!
//! The second round adds no link, so saturation ends. The links leave one order: `B A R C`. (The
//! test at the end of this file runs this example.)
//!
//! # Why so few writers are compared
//!
//! A popular key has thousands of writers, and nearly all of them reach every later node. A rule looks
//! only at writers about which it can say something new:
//!
//! - **The last writer on each chain.** Writers before it on the chain reach it and were ordered
//!   before it when the walk was there.
//! - **Above the bound.** Per chain, [`Round::bound`] is the position up to which writers were compared
//!   before: when this node was last visited; or at another writer of the key that reaches this node
//!   ([`Round::skip_compared`]), of which the last [`RECENT`] are remembered; or, for rule 2, at the
//!   writer whose version was read.
//! - **In the window.** Where few writers of the key lie between the two ranks that a clock amounts to
//!   ([`crate::solve::rank_bounds`]), these are looked at instead of every chain
//!   ([`Round::find_in_window`]).

use tristan_spec::Rel;

use super::route::Route;
use super::state::{Reach, Saturation};
use crate::automaton::Arc;
use crate::budget::{Budget, Stop};
use crate::ir::{OrderId, ReadId, Source, Unit};
use crate::solve::clocks::ChainId;
use crate::solve::conflict::Literal;
use crate::solve::derivation::Derivation;
use crate::solve::graph::{Label, Link, Node, Via};
use crate::solve::paths::Dep;
use crate::solve::rank_bounds::Rank;
use crate::solve::versions::VersionId;

/// How many writers of a key are remembered: as many as usually overlap.
const RECENT: usize = 4;

/// In lists of recent writers: none yet.
const NO_UNIT: Unit = Unit(u32::MAX);

/// In lists of pending links: the end.
const NO_LINK: u32 = u32::MAX;

/// Runs one round; new links are at the end of the graph's links. Nodes to which no link leads
/// from the given one on, and before which nothing has changed, are left as they are; the first
/// round with new clocks looks at all links. False if it ended early, at a forbidden cycle.
///
/// # Errors
/// If the budget is used up.
pub(super) fn round(
    saturation: &mut Saturation<'_>,
    reach: &mut Reach,
    route: &Route,
    since: usize,
    budget: &Budget,
) -> Result<bool, Stop> {
    let mut round = Round::new(saturation, reach, since == 0);
    round.start(route, since);
    round.walk(route, budget)
}

/// Where a rule is applied: a node of a unit, and the arc of the automaton that the fact would go
/// along in the other direction.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub(super) unit: Unit,
    pub(super) node: Node,
    pub(super) arc: Arc,
}

/// In the version order `order`, the version that `first` installed precedes that of `second`.
pub(super) struct Fact {
    pub(super) order: OrderId,
    pub(super) first: Unit,
    /// The version that `first` installed.
    pub(super) version: VersionId,
    pub(super) second: Unit,
}

/// The state of one walk.
pub(super) struct Round<'r, 'a> {
    pub(super) saturation: &'r mut Saturation<'a>,
    pub(super) reach: &'r mut Reach,
    /// Arcs along which rule 1 applies: a cycle closed by `ww` is forbidden.
    pub(super) writer_arcs: Vec<Arc>,
    /// Arcs along which rule 2 applies: a cycle closed by `rw` is forbidden.
    pub(super) reader_arcs: Vec<Arc>,
    /// Arcs along which a fact adds links between the two writers.
    ww_arcs: Vec<Arc>,
    /// Arcs along which a fact adds links from readers of the earlier version.
    rw_arcs: Vec<Arc>,
    /// Per node: whether the walk has visited it.
    visited: Vec<bool>,
    /// Per node: before the visit, whether a new link leads to it; after it, whether its clock has
    /// moved.
    changed: Vec<bool>,
    /// The node the walk is at.
    current: Node,
    /// Links that the route does not know yet, to nodes that the walk has yet to visit: where from, and
    /// the next link to the same node.
    pending: Vec<(Node, u32)>,
    /// Per node, its first entry in `pending`, or [`NO_LINK`].
    first_pending: Vec<u32>,
    /// Whether a link has closed a cycle that is probably forbidden: no need to go on.
    cycle_closed: bool,
    /// Per order, the writers visited last in this round, the latest first; filled with [`NO_UNIT`].
    recent: Vec<[Unit; RECENT]>,
    /// Scratch space: writers that reach a node, with their versions.
    found: Vec<(Unit, VersionId)>,
    /// Scratch space: the chains of the writers in `found`.
    found_on: Vec<(ChainId, u32)>,
    /// Scratch space: per chain, the position below which writers were compared before.
    bound: Vec<u32>,
    /// Scratch space: chains and positions that their bound must not exceed.
    caps: Vec<(ChainId, u32)>,
}

impl<'r, 'a> Round<'r, 'a> {
    /// A round that has not begun.
    pub(super) fn new(
        saturation: &'r mut Saturation<'a>,
        reach: &'r mut Reach,
        all_changed: bool,
    ) -> Self {
        let automaton = saturation.automaton;
        let nodes = saturation.known.graph.nodes();
        let writer_arcs =
            automaton.arcs_of(Rel::Ww).filter(|arc| saturation.forbids(arc)).collect();
        let telling = |arc: &Arc| arc.jump || saturation.forbids(arc);
        let reader_arcs = automaton.missing().filter(telling).collect();
        Self {
            writer_arcs,
            reader_arcs,
            ww_arcs: automaton.arcs_of(Rel::Ww).filter(|arc| !arc.jump).collect(),
            rw_arcs: automaton.missing().filter(|arc| !arc.jump).collect(),
            visited: vec![false; nodes],
            changed: vec![all_changed; nodes],
            current: Node(0),
            pending: Vec::new(),
            first_pending: vec![NO_LINK; nodes],
            cycle_closed: false,
            recent: vec![[NO_UNIT; RECENT]; saturation.ir.orders.len()],
            found: Vec::new(),
            found_on: Vec::new(),
            bound: vec![0; reach.chains.count()],
            caps: Vec::new(),
            saturation,
            reach,
        }
    }
}

impl Round<'_, '_> {
    /// Links that are younger than the route count from the start.
    fn start(&mut self, route: &Route, since: usize) {
        for link in &self.saturation.known.graph.links[since..] {
            self.changed[link.to.index()] = true;
        }
        for at in 0..route.younger(&self.saturation.known.graph).len() {
            let Link { from, to, .. } = route.younger(&self.saturation.known.graph)[at];
            self.delay(from, to);
        }
    }

    /// What reaches the first node will reach the second, when the walk gets there.
    fn delay(&mut self, from: Node, to: Node) {
        self.pending.push((from, self.first_pending[to.index()]));
        self.first_pending[to.index()] = self.pending.len() as u32 - 1;
    }

    /// Visits all nodes. False if it ended early, at a forbidden cycle.
    fn walk(&mut self, route: &Route, budget: &Budget) -> Result<bool, Stop> {
        let mut ticker = budget.ticker();
        let mut old = vec![0; self.reach.chains.count()];
        let mut seen = old.clone();
        for &node in &route.order {
            ticker.tick()?;
            if self.cycle_closed && !self.saturation.patient {
                return Ok(false);
            }
            self.current = node;
            if !self.needs_visit(node, route) {
                self.visited[node.index()] = true;
                continue;
            }
            old.copy_from_slice(self.reach.clocks.row(node));
            self.bring_up_to_date(node, route);
            self.visited[node.index()] = true;
            self.changed[node.index()] = self.reach.clocks.row(node) != old;
            let Some(unit) = self.saturation.known.graph.unit(node) else {
                self.reach.settle(node);
                continue;
            };
            // What is found may move this very clock: then look again at what moved.
            while self.reach.clocks.row(node) != old {
                seen.copy_from_slice(self.reach.clocks.row(node));
                self.apply_rules(unit, node, &old);
                std::mem::swap(&mut old, &mut seen);
            }
            self.reach.settle(node);
        }
        Ok(true)
    }

    /// Whether something may have changed for a node.
    fn needs_visit(&self, node: Node, route: &Route) -> bool {
        self.changed[node.index()]
            || self.first_pending[node.index()] != NO_LINK
            || route.before(node).iter().any(|&from| self.changed[from.index()])
    }

    /// Merges into the clock of a node those of all nodes that links to it come from.
    fn bring_up_to_date(&mut self, node: Node, route: &Route) {
        self.reach.clocks.start(&self.reach.chains, node);
        for &from in route.before(node) {
            self.reach.merge(from, node);
        }
        let mut next = self.first_pending[node.index()];
        while let Some(&(from, following)) = self.pending.get(next as usize) {
            self.reach.merge(from, node);
            next = following;
        }
    }

    /// Applies both rules to the part of a node's clock that has moved since `old`.
    fn apply_rules(&mut self, unit: Unit, node: Node, old: &[u32]) {
        let state = self.saturation.known.graph.state(node);
        for at in 0..self.writer_arcs.len() {
            let arc = self.writer_arcs[at];
            if arc.from == state {
                self.order_before_own_version(Site { unit, node, arc }, old);
            }
        }
        for at in 0..self.reader_arcs.len() {
            let arc = self.reader_arcs[at];
            if arc.from == state {
                self.order_before_version_read(Site { unit, node, arc }, old);
            }
        }
    }

    /// Rule 1: of the writers of a key, one that reaches another installed the earlier version.
    fn order_before_own_version(&mut self, site: Site, old: &[u32]) {
        let Site { unit, node, arc } = site;
        if !self.saturation.ir.units[unit.index()].sure {
            return;
        }
        for at in 0..self.saturation.versions.of_unit(unit).len() {
            let order = self.saturation.versions.of_unit(unit)[at].order;
            let lower = self.rank_compared(order, site);
            if !self.find_in_window(order, site, lower, old) {
                self.bound.copy_from_slice(old);
                self.skip_compared(order, site);
                self.find_on_chains(order, site);
            }
            self.note_recent(order, unit);
            for at in 0..self.found.len() {
                let (writer, version) = self.found[at];
                let closing = Dep { from: unit, to: writer, via: Via::Ww(order) };
                let from = self.saturation.known.graph.node(writer, arc.to);
                let fact = Fact { order, first: writer, version, second: unit };
                self.learn(fact, closing, from, node);
            }
        }
    }

    /// Rule 2, for all reads of a unit.
    fn order_before_version_read(&mut self, site: Site, old: &[u32]) {
        for at in 0..self.saturation.reads_of.of(site.unit).len() {
            let read = self.saturation.reads_of.of(site.unit)[at];
            self.order_before_source(site, read, old);
        }
    }

    /// Rule 2: a writer of a key that reaches a reader installed an earlier version than the one that
    /// was read.
    pub(super) fn order_before_source(&mut self, site: Site, read: ReadId, old: &[u32]) {
        let Site { unit, node, arc } = site;
        let Some(Source::Unit(source)) = self.saturation.known.fixed[read.index()] else { return };
        if !arc.counts(&self.saturation.ir.reads[read.index()]) {
            return;
        }
        let order = self.saturation.reads[read.index()].1;
        // What reaches the source's version was compared there, by rule 1.
        let compared = match self.ww_arcs[..] {
            [only] if only.from == arc.to => {
                Some(self.saturation.known.graph.node(source, only.to))
            }
            _ => None,
        };
        let lower = compared.map_or(Rank::MIN, |node| self.reach.ranks.lower(node));
        if !self.find_in_window(order, site, lower, old) {
            self.bound.copy_from_slice(old);
            if let Some(compared) = compared {
                self.raise_bound(compared);
            }
            self.find_on_chains(order, site);
        }
        for at in 0..self.found.len() {
            let (writer, version) = self.found[at];
            if writer == source || self.is_implied(writer, source) {
                continue;
            }
            let closing = Dep { from: unit, to: writer, via: Via::Rw(read) };
            let from = self.saturation.known.graph.node(writer, arc.to);
            let fact = Fact { order, first: writer, version, second: source };
            self.learn(fact, closing, from, node);
        }
    }

    /// Finds the last writers of a key, other than the unit itself, that have reached the node since
    /// `old` and do not rank below `lower`. Returns false if windows are not the way to find them.
    fn find_in_window(&mut self, order: OrderId, site: Site, lower: Rank, old: &[u32]) -> bool {
        let Site { unit, node, arc } = site;
        let Self { saturation, reach, found, found_on, .. } = self;
        let lower = reach.ranks.lower(node).max(lower);
        let Some(window) = reach.ranks.window(saturation.versions, order, lower, node) else {
            return false;
        };
        let row = reach.clocks.row(node);
        found.clear();
        found_on.clear();
        for writer in window.iter().rev().filter(|writer| writer.unit != unit) {
            let place = reach.chains.place(saturation.known.graph.node(writer.unit, arc.to));
            let Some((chain, position)) = place else { continue };
            let is_news = (old[chain.index()]..row[chain.index()]).contains(&position);
            if !is_news {
                continue;
            }
            let found_before = found_on.iter().position(|&(on, _)| on == chain);
            match found_before {
                // Ranks usually ascend along a chain: then this never happens.
                Some(at) if found_on[at].1 < position => {
                    found_on[at].1 = position;
                    found[at] = (writer.unit, writer.version);
                }
                Some(_) => {}
                None => {
                    found_on.push((chain, position));
                    found.push((writer.unit, writer.version));
                }
            }
        }
        true
    }

    /// Finds the last writers of a key, other than the unit itself, on the chains that have moved above
    /// their bounds.
    fn find_on_chains(&mut self, order: OrderId, site: Site) {
        let Site { unit, node, arc } = site;
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let row = self.reach.clocks.row(node);
        let writers = &mut self.reach.writers[arc.to as usize];
        writers.last_reaching(order, row, &self.bound, unit, |writer, version| {
            found.push((writer, version));
        });
        self.found = found;
    }

    /// The rank below which every writer of a key was compared with a recent writer that reaches the
    /// node.
    fn rank_compared(&self, order: OrderId, Site { unit, node, arc }: Site) -> Rank {
        let ranks = &self.reach.ranks;
        let graph = &self.saturation.known.graph;
        let recent = self.recent[order.index()].into_iter();
        let others = recent.filter(|&last| last != NO_UNIT && last != unit);
        let reaching = others.filter(|&last| self.reach.reaches(graph.node(last, arc.to), node));
        let lower = |last: Unit| ranks.lower(graph.node(last, arc.from)).min(ranks.rank(last));
        reaching.map(lower).max().unwrap_or(Rank::MIN)
    }

    /// Raises the bounds to what was compared with a recent writer of the key that reaches the node,
    /// but never beyond that writer, which has yet to be compared itself.
    fn skip_compared(&mut self, order: OrderId, Site { unit, node, arc }: Site) {
        self.caps.clear();
        let recent = self.recent[order.index()];
        for last in recent.into_iter().filter(|&last| last != NO_UNIT && last != unit) {
            let entry = self.saturation.known.graph.node(last, arc.to);
            let Some((chain, position)) = self.reach.chains.place(entry) else { continue };
            let is_news = self.bound[chain.index()] <= position;
            if is_news && self.reach.reaches(entry, node) {
                self.raise_bound(self.saturation.known.graph.node(last, arc.from));
                self.caps.push((chain, position));
            }
        }
        for &(chain, position) in &self.caps {
            let bound = &mut self.bound[chain.index()];
            *bound = position.min(*bound);
        }
    }

    /// Writers that reach this node were compared before.
    fn raise_bound(&mut self, node: Node) {
        for (bound, &reached) in self.bound.iter_mut().zip(self.reach.clocks.row(node)) {
            *bound = reached.max(*bound);
        }
    }

    fn note_recent(&mut self, order: OrderId, unit: Unit) {
        let recent = &mut self.recent[order.index()];
        if recent[0] != unit {
            recent.copy_within(..RECENT - 1, 1);
            recent[0] = unit;
        }
    }

    /// Whether every link that the order of two versions adds between their writers is implied
    /// already; what the order means for readers is then worked out at the later writer.
    fn is_implied(&self, first: Unit, second: Unit) -> bool {
        let graph = &self.saturation.known.graph;
        let implied =
            |arc: &Arc| self.reach.reaches(graph.node(first, arc.from), graph.node(second, arc.to));
        self.ww_arcs.iter().all(implied)
    }

    /// Adds the links that follow from a fact. The fact is kept if any of them is new: then proofs may
    /// need it. Its opposite would add the dependency `closing`, which with a path between the nodes
    /// makes a forbidden cycle.
    pub(super) fn learn(&mut self, fact: Fact, closing: Dep, from: Node, to: Node) {
        let before = self.saturation.known.graph.next_link();
        let Fact { order, first, version, second } = fact;
        for at in 0..self.ww_arcs.len() {
            let arc = self.ww_arcs[at];
            let graph = &self.saturation.known.graph;
            let ends = (graph.node(first, arc.from), graph.node(second, arc.to));
            self.link(ends, Via::Ww(order));
        }
        for at in 0..self.rw_arcs.len() {
            let arc = self.rw_arcs[at];
            let later = self.saturation.known.graph.node(second, arc.to);
            for at in 0..self.saturation.readers.count(version) {
                let read = self.saturation.readers.of(version, at);
                let reader = self.saturation.reads[read.index()].0;
                if reader != second && arc.counts(&self.saturation.ir.reads[read.index()]) {
                    let earlier = self.saturation.known.graph.node(reader, arc.from);
                    self.link((earlier, later), Via::Rw(read));
                }
            }
        }
        if self.saturation.known.graph.next_link() > before {
            let derivation = Derivation { closing, from, to, before };
            let literal = Literal::Before(order, first, second);
            self.saturation.known.facts.entry(literal).or_insert(derivation);
        }
    }

    /// Adds a link unless it is implied. It counts at once for this node and for nodes that the walk has
    /// yet to visit, in the next round for the others.
    fn link(&mut self, (from, to): (Node, Node), via: Via) {
        let known = match self.reach.chains.place(from) {
            Some(_) => self.reach.reaches(from, to),
            None => !self.saturation.loose.insert((from, to)),
        };
        if known {
            return;
        }
        self.saturation.known.graph.links.push(Link { from, to, label: Label::Dep(via) });
        if !self.visited[from.index()] {
            return;
        }
        self.cycle_closed |= self.reach.reaches(to, from) && self.is_forbidden(to);
        if to == self.current {
            self.reach.merge(from, to);
        } else if !self.visited[to.index()] {
            self.delay(from, to);
        }
    }

    /// Whether cycles through a unit's node are forbidden.
    fn is_forbidden(&self, node: Node) -> bool {
        let Saturation { known, automaton, .. } = &*self.saturation;
        let graph = &known.graph;
        graph.unit(node).is_some() && automaton.acyclic[graph.state(node) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::Automaton;
    use crate::ir::text::parse;
    use crate::solve::context::Context;
    use crate::solve::graph::Graph;
    use crate::solve::saturate::saturate;
    use crate::solve::versions::Versions;
    use tristan_ground::Threads;

    /// The example at the top of this file; `A B C R` are the units `0 1 2 3`.
    const EXAMPLE: &str = r#"ir 1
formula acyclic(so | wr | ww | rw)
drift 0
unit 0 txn=0 sure writes
unit 1 txn=1 sure writes
unit 2 txn=2 sure writes
unit 3 txn=3 sure reads
order 0 "x" : 0 1 2
read 0 unit=3 op=0 order=0 oneof 0
edge 0 -> 2 so reason=session
edge 1 -> 3 so reason=session
"#;

    #[test]
    fn the_worked_example_derives_what_the_table_says() {
        let ir = &parse(EXAMPLE).expect("it is well formed");
        let automaton = &Automaton::compile(&ir.formula);
        let known = &Graph::known(ir, automaton);
        let versions = &Versions::new(ir);
        let threads = Threads::new(1);
        let context = Context { ir, automaton, known, versions, saturated: None, threads };
        let saturated = saturate(&context, &Budget::default()).expect("there is no limit");
        assert!(saturated.contradictions.is_empty());
        let [a, b, c, r] = [0, 1, 2, 3].map(Unit);
        let (x, read) = (OrderId(0), ReadId(0));
        let facts = [Literal::Before(x, a, c), Literal::Before(x, b, a)];
        assert_eq!(saturated.facts.len(), facts.len());
        assert!(facts.iter().all(|fact| saturated.facts.contains_key(fact)));
        let new = saturated.graph.links.iter().filter_map(|link| match link.label {
            Label::Dep(Via::Ww(_) | Via::Rw(_)) => Some(*link),
            _ => None,
        });
        let link =
            |from, to, via| Link { from: Node::of(from), to: Node::of(to), label: Label::Dep(via) };
        assert_eq!(new.collect::<Vec<_>>(), [link(r, c, Via::Rw(read)), link(b, a, Via::Ww(x))]);
    }
}
