//! A topological order that reads like an execution.
//!
//! Among the nodes that could come next, a writer waits while a unit has yet to read the
//! version it would replace. Most orders found this way contradict no anti-dependency, so that
//! the version orders read off them are right at the first guess.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;
use tristan_spec::Rel;

use super::flat_lists::FlatLists;
use super::graph::{Graph, Node};
use super::order::Position;
use super::queue::Queue;
use super::versions::{VersionId, Versions, Written};
use crate::automaton::{Arc, Automaton, State};
use crate::ir::{Ir, OrderId, ReadId, Source, Unit};

/// Where links lead: those of every order, and some more.
pub(crate) struct After<'a> {
    /// Those of every order.
    pub(crate) derived: &'a FlatLists<Node, Node>,
    /// The others.
    pub(crate) more: &'a FlatLists<Node, Node>,
}

impl After<'_> {
    fn of(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        self.derived.of(node).iter().chain(self.more.of(node)).copied()
    }

    /// How many links lead to each node.
    fn predecessors(&self, nodes: usize) -> Vec<u32> {
        let mut count = vec![0; nodes];
        for to in self.derived.all().iter().chain(self.more.all()) {
            count[to.index()] += 1;
        }
        count
    }
}

/// Which units read and write what, and in which state that counts.
#[derive(Debug)]
pub(crate) struct Schedule<'a> {
    /// The numbers of versions; initial versions come last, by order.
    versions: &'a Versions,
    /// The reads of each unit, by order.
    reads_of: FlatLists<Unit, ReadId>,
    order_of_read: Vec<OrderId>,
    /// The arcs of anti-dependencies and versions: a unit has read in the state the first starts
    /// from, and its versions are there in the state the second starts from.
    arcs: Option<(Arc, Arc)>,
    orders: usize,
    /// What the reads whose sources are fixed come from, if every unit surely took effect.
    fixed: Option<Awaited>,
}

/// Which versions are read.
#[derive(Clone, Debug)]
struct Awaited {
    /// The version each read comes from, or [`NO_VERSION`].
    version_of: Vec<VersionId>,
    /// Per version: how many are to read it.
    readers: Vec<u32>,
}

impl<'a> Schedule<'a> {
    /// Collects which units read what.
    pub(crate) fn new(ir: &Ir, automaton: &Automaton, versions: &'a Versions) -> Self {
        let free = automaton.missing().find(|arc| !arc.jump);
        let rw = free.or_else(|| automaton.missing().next());
        let ww = automaton.arcs_of(Rel::Ww).find(|arc| !arc.jump);
        let arcs = rw.zip(ww);
        let reads = ReadId::enumerate(&ir.reads).map(|(id, read)| (read.order, id));
        let by_order = FlatLists::group(ir.orders.len(), reads);
        let reads = by_order.all().iter().map(|&read| (ir.reads[read.index()].unit, read));
        let reads_of = FlatLists::group(ir.units.len(), reads);
        let order_of_read = ir.reads.iter().map(|read| read.order).collect();
        let orders = ir.orders.len();
        Self { versions, reads_of, order_of_read, arcs, orders, fixed: None }
    }

    /// From now on the sources of reads are these where they are known here.
    pub(crate) fn fix(&mut self, ir: &Ir, fixed: &[Option<Source>]) {
        let reads = ReadId::all(fixed.len());
        self.fixed = Some(self.awaited(ir, fixed, reads, self.nothing_awaited()));
    }

    fn nothing_awaited(&self) -> Awaited {
        let versions = self.versions.count() + self.orders;
        Awaited {
            version_of: vec![NO_VERSION; self.order_of_read.len()],
            readers: vec![0; versions],
        }
    }

    /// Adds what some reads come from.
    fn awaited(
        &self,
        ir: &Ir,
        sources: &[Option<Source>],
        reads: impl Iterator<Item = ReadId>,
        mut awaited: Awaited,
    ) -> Awaited {
        let counts =
            |read: ReadId| self.arcs.is_some_and(|(rw, _)| rw.counts(&ir.reads[read.index()]));
        for read in reads {
            if let Some(source) = sources[read.index()].filter(|_| counts(read)) {
                let version = self.version(read, source);
                awaited.version_of[read.index()] = version;
                awaited.readers[version.index()] += 1;
            }
        }
        awaited
    }

    /// The states in which units read and write.
    pub(crate) fn states(&self) -> (State, State) {
        self.arcs.map_or((0, 0), |(rw, ww)| (rw.from, ww.from))
    }

    /// The position of every node of a graph whose links are given apart, if the reads have these
    /// sources; `open` are those without a fixed one. `None` if there is a cycle.
    pub(crate) fn positions(
        &self,
        ir: &Ir,
        graph: &Graph,
        after: &After<'_>,
        sources: &[Option<Source>],
        open: impl Iterator<Item = ReadId>,
    ) -> Option<Vec<Position>> {
        let awaited = match &self.fixed {
            Some(fixed) => self.awaited(ir, sources, open, fixed.clone()),
            None => self.awaited(ir, sources, ReadId::all(sources.len()), self.nothing_awaited()),
        };
        let mut run = Execution::start(self, graph, after, awaited);
        run.finish(after);
        (run.taken == graph.nodes()).then_some(run.position)
    }

    /// The version a read comes from.
    fn version(&self, read: ReadId, source: Source) -> VersionId {
        let order = self.order_of_read[read.index()];
        match source {
            Source::Initial => self.initial(order),
            Source::Unit(unit) => self.versions.of(order, unit),
        }
    }

    /// The initial version of an order.
    fn initial(&self, order: OrderId) -> VersionId {
        VersionId::new(self.versions.count() + order.index())
    }
}

/// Of a read without a source.
const NO_VERSION: VersionId = VersionId(u32::MAX);

/// One such order in the making.
struct Execution<'a> {
    schedule: &'a Schedule<'a>,
    graph: &'a Graph,
    /// The version each read comes from, or [`NO_VERSION`].
    version_of: Vec<VersionId>,
    /// Per version: how many are still to read it.
    awaited: Vec<u32>,
    /// Per order: the version that is there now.
    current: Vec<VersionId>,
    /// How many predecessors each node still waits for.
    waiting: Vec<u32>,
    ready: Queue,
    /// Nodes that wait for the readers of an order's current version.
    parked: FxHashMap<OrderId, BinaryHeap<Reverse<(Unit, Node)>>>,
    /// Every node that has ever waited, once.
    all_parked: BinaryHeap<Reverse<(Unit, Node)>>,
    /// Of each node that has waited, the order it waited for last.
    waited_for: FxHashMap<Node, OrderId>,
    position: Vec<Position>,
    taken: usize,
}

/// Position of a node that has not been taken.
const OPEN: Position = Position(u32::MAX);

impl<'a> Execution<'a> {
    fn start(
        schedule: &'a Schedule<'a>,
        graph: &'a Graph,
        after: &After<'_>,
        Awaited { version_of, readers: awaited }: Awaited,
    ) -> Self {
        let waiting = after.predecessors(graph.nodes());
        let mut run = Self {
            schedule,
            graph,
            version_of,
            awaited,
            current: OrderId::all(schedule.orders).map(|order| schedule.initial(order)).collect(),
            ready: Queue::new(graph),
            parked: FxHashMap::default(),
            all_parked: BinaryHeap::new(),
            waited_for: FxHashMap::default(),
            position: vec![OPEN; graph.nodes()],
            waiting,
            taken: 0,
        };
        for node in Node::all(graph.nodes()).filter(|&node| run.waiting[node.index()] == 0) {
            run.ready.add(node);
        }
        run
    }

    fn entry(&self, node: Node) -> Reverse<(Unit, Node)> {
        Reverse((self.graph.unit(node).unwrap_or(Unit(0)), node))
    }

    fn finish(&mut self, after: &After<'_>) {
        loop {
            if let Some(node) = self.ready.take() {
                if self.position[node.index()] == OPEN {
                    match self.blocked_by(node) {
                        Some(order) => self.park(node, order),
                        None => self.take(node, after),
                    }
                }
            } else if let Some(Reverse((_, node))) = self.all_parked.pop() {
                if self.position[node.index()] == OPEN {
                    self.take(node, after);
                }
            } else {
                return;
            }
        }
    }

    /// A node waits for the readers of an order's current version. If it was let go by another
    /// order, the next one in that line gets its turn.
    fn park(&mut self, node: Node, order: OrderId) {
        let entry = self.entry(node);
        self.parked.entry(order).or_default().push(entry);
        match self.waited_for.insert(node, order) {
            None => self.all_parked.push(entry),
            Some(other) if other != order => self.release(other),
            Some(_) => {}
        }
    }

    /// An order whose current version others than the node's unit are still to read.
    fn blocked_by(&self, node: Node) -> Option<OrderId> {
        let unit = self.graph.unit(node).filter(|_| self.schedule.arcs.is_some())?;
        let written = self.schedule.versions.of_unit(unit).iter();
        written.map(|one| one.order).find(|&order| {
            let current = self.current[order.index()];
            let awaited = self.awaited[current.index()];
            awaited > 0 && awaited > self.own_reads(unit, order, current)
        })
    }

    /// How many reads of a version of an order are the unit's own.
    fn own_reads(&self, unit: Unit, order: OrderId, version: VersionId) -> u32 {
        let order_of = |read: ReadId| self.schedule.order_of_read[read.index()];
        let reads = self.schedule.reads_of.of(unit);
        let first = reads.partition_point(|&read| order_of(read) < order);
        let of_order = reads[first..].iter().take_while(|&&read| order_of(read) == order);
        of_order.filter(|&&read| self.version_of[read.index()] == version).count() as u32
    }

    fn take(&mut self, node: Node, after: &After<'_>) {
        self.position[node.index()] = Position::new(self.taken);
        self.taken += 1;
        if let (Some(unit), Some((rw, ww))) = (self.graph.unit(node), self.schedule.arcs) {
            if self.graph.state(node) == rw.from {
                self.read(unit);
            }
            if self.graph.state(node) == ww.from {
                self.write(unit);
            }
        }
        for to in after.of(node) {
            self.waiting[to.index()] -= 1;
            if self.waiting[to.index()] == 0 {
                self.ready.add(to);
            }
        }
    }

    fn read(&mut self, unit: Unit) {
        for &read in self.schedule.reads_of.of(unit) {
            let version = self.version_of[read.index()];
            if version == NO_VERSION {
                continue;
            }
            self.awaited[version.index()] -= 1;
            // Perhaps only the waiting writer itself is still to read.
            let order = self.schedule.order_of_read[read.index()];
            if self.awaited[version.index()] <= 1 && self.current[order.index()] == version {
                self.release(order);
            }
        }
    }

    fn write(&mut self, unit: Unit) {
        for &Written { order, version } in self.schedule.versions.of_unit(unit) {
            self.current[order.index()] = version;
            if self.awaited[version.index()] <= 1 {
                self.release(order);
            }
        }
    }

    /// The first in line for an order may look again.
    fn release(&mut self, order: OrderId) {
        let Some(line) = self.parked.get_mut(&order) else { return };
        while let Some(entry) = line.pop() {
            if self.position[entry.0.1.index()] == OPEN {
                return self.ready.add(entry.0.1);
            }
        }
    }
}
