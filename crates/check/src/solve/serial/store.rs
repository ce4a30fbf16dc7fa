//! A store in the middle of a replay: what it holds, and which transactions could run next.

use std::collections::BTreeSet;

use tristan_ground::scrambled;

use super::super::context::Context;
use super::super::flat_lists::FlatLists;
use super::super::graph::{Graph, Node};
use super::super::versions::{VersionId, Versions, Written};
use super::visible::Visible;
use crate::ir::{OrderId, ReadId, Unit};

/// A store, and the units that have not run on it yet.
pub(super) struct Store<'a> {
    graph: &'a Graph,
    versions: &'a Versions,
    visible: &'a Visible<'a>,
    /// Where the links of the graph lead.
    after: FlatLists<Node, Node>,
    /// Who reads.
    unit_of: Vec<Unit>,
    /// Per version: the reads that may see it.
    readers: FlatLists<VersionId, ReadId>,
    /// Per order: the version that is there now.
    current: Vec<VersionId>,
    /// Per node: how many others come before it and have not been taken.
    waiting: Vec<u32>,
    /// Per unit: how many of its reads would see something else now.
    unmet: Vec<u32>,
    /// Per order: the reads of units that wait for no other.
    watching: Vec<Vec<ReadId>>,
    /// Per read: how many of the versions that it may see are to come.
    chances: Vec<u32>,
    /// Per order: how many reads are to come that can see nothing but what is there now.
    last: Vec<u32>,
    /// The units that could run now.
    ready: BTreeSet<Unit>,
    /// A number for what has run and what is there now.
    hash: u64,
    /// Per unit: whether it has run.
    has_run: Vec<bool>,
    /// The units that have run, in their order.
    run: Vec<Unit>,
    /// What they have replaced.
    replaced: Vec<VersionId>,
}

impl<'a> Store<'a> {
    /// The store at the start.
    pub(super) fn new(context: &Context<'a>, visible: &'a Visible<'a>) -> Self {
        let Context { ir, versions, .. } = *context;
        let graph = context.derived();
        let after = graph.after();
        let mut waiting = vec![0; graph.nodes()];
        after.all().iter().for_each(|to| waiting[to.index()] += 1);
        let readers = visible.readers();
        let mut chances = vec![0; ir.reads.len()];
        for version in VersionId::all(versions.count()) {
            readers.of(version).iter().for_each(|read| chances[read.index()] += 1);
        }
        let mut last = vec![0; ir.orders.len()];
        for (chances, read) in chances.iter().zip(&ir.reads) {
            last[read.order.index()] += u32::from(*chances == 0);
        }
        let mut store = Self {
            graph,
            versions,
            visible,
            after,
            unit_of: ir.reads.iter().map(|read| read.unit).collect(),
            readers,
            current: OrderId::all(ir.orders.len()).map(|order| visible.initial(order)).collect(),
            waiting,
            unmet: vec![0; ir.units.len()],
            watching: vec![Vec::new(); ir.orders.len()],
            chances,
            last,
            ready: BTreeSet::new(),
            hash: 0,
            has_run: vec![false; ir.units.len()],
            run: Vec::new(),
            replaced: Vec::new(),
        };
        let is_free = |node: &Node| store.waiting[node.index()] == 0;
        let free: Vec<Node> = Node::all(graph.nodes()).filter(is_free).collect();
        free.into_iter().for_each(|node| store.admit(node));
        store
    }

    /// How many units there are.
    pub(super) fn units(&self) -> usize {
        self.unmet.len()
    }

    /// How many reads are looked at, of units that wait for no other.
    pub(super) fn watched(&self) -> usize {
        self.watching.iter().map(Vec::len).sum()
    }

    /// The units that have run, in their order.
    pub(super) fn run(&self) -> &[Unit] {
        &self.run
    }

    /// A number for what has run and what is there now.
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// The units that could run now without making others impossible, the likely ones first.
    pub(super) fn ready(&self) -> impl Iterator<Item = Unit> + '_ {
        self.ready.iter().copied().filter(|&unit| !self.is_fatal(unit))
    }

    /// Whether a unit would overwrite a version that another unit still has to read and that no later
    /// write can restore.
    fn is_fatal(&self, unit: Unit) -> bool {
        let written = self.versions.of_unit(unit).iter().map(|written| written.order);
        written.into_iter().any(|order| {
            let last = self.last[order.index()];
            last > 0 && last > self.own_last(unit, order)
        })
    }

    /// How many of those reads are the unit's own.
    fn own_last(&self, unit: Unit, order: OrderId) -> u32 {
        let own = self.visible.reads_of(unit).iter();
        let own = own.filter(|&&read| self.visible.order(read) == order);
        own.filter(|read| self.chances[read.index()] == 0).count() as u32
    }

    /// How much closer to running the units that wait would be after this one.
    pub(super) fn help(&self, unit: Unit) -> f64 {
        let mut changes: Vec<(Unit, i32)> = Vec::new();
        for &Written { order, version } in self.versions.of_unit(unit) {
            let before = self.current[order.index()];
            for &read in &self.watching[order.index()] {
                let reader = self.unit_of[read.index()];
                let unmet = |version| i32::from(!self.visible.sees(read, version));
                let change = unmet(version) - unmet(before);
                if change == 0 || reader == unit {
                    continue;
                }
                match changes.iter_mut().find(|(other, _)| *other == reader) {
                    Some((_, sum)) => *sum += change,
                    None => changes.push((reader, change)),
                }
            }
        }
        let nearness = |unmet: i32| 0.5f64.powi(unmet);
        let gain = |&(reader, change): &(Unit, i32)| {
            let unmet = self.unmet[reader.index()] as i32;
            nearness(unmet + change) - nearness(unmet)
        };
        changes.iter().map(gain).sum()
    }

    /// Runs a unit that is ready.
    pub(super) fn take(&mut self, unit: Unit) {
        self.retire(unit);
        self.count_last(unit, u32::wrapping_sub);
        self.has_run[unit.index()] = true;
        for &Written { order, version } in self.versions.of_unit(unit) {
            for &read in self.readers.of(version) {
                self.chances[read.index()] -= 1;
                if self.chances[read.index()] == 0 && !self.has_run(read) {
                    self.last[order.index()] += 1;
                }
            }
            let before = self.put(order, version);
            self.replaced.push(before);
        }
        self.hash ^= hash_of(unit);
        self.run.push(unit);
        self.pass(self.graph.node(unit, 0));
    }

    /// Undoes the last unit. Returns false if there is none.
    pub(super) fn undo(&mut self) -> bool {
        let Some(unit) = self.run.pop() else { return false };
        self.unpass(self.graph.node(unit, 0));
        self.hash ^= hash_of(unit);
        for &Written { order, version } in self.versions.of_unit(unit).iter().rev() {
            let before = self.replaced.pop().expect("every version replaced another");
            self.put(order, before);
            for &read in self.readers.of(version) {
                if self.chances[read.index()] == 0 && !self.has_run(read) {
                    self.last[order.index()] -= 1;
                }
                self.chances[read.index()] += 1;
            }
        }
        self.has_run[unit.index()] = false;
        self.count_last(unit, u32::wrapping_add);
        self.attend(unit);
        true
    }

    fn has_run(&self, read: ReadId) -> bool {
        self.has_run[self.unit_of[read.index()].index()]
    }

    /// A unit's own reads are still to come, or no longer.
    fn count_last(&mut self, unit: Unit, count: fn(u32, u32) -> u32) {
        for &read in self.visible.reads_of(unit) {
            let last = &mut self.last[self.visible.order(read).index()];
            *last = count(*last, u32::from(self.chances[read.index()] == 0));
        }
    }

    /// Replaces the version of an order; returns the one that was there.
    fn put(&mut self, order: OrderId, version: VersionId) -> VersionId {
        let before = std::mem::replace(&mut self.current[order.index()], version);
        self.hash ^= scrambled(u64::from(self.visible.class(before)) << 1)
            ^ scrambled(u64::from(self.visible.class(version)) << 1);
        for &read in &self.watching[order.index()] {
            let unit = self.unit_of[read.index()];
            let unmet = &mut self.unmet[unit.index()];
            match (self.visible.sees(read, before), self.visible.sees(read, version)) {
                (true, false) => {
                    *unmet += 1;
                    self.ready.remove(&unit);
                }
                (false, true) => {
                    *unmet -= 1;
                    if *unmet == 0 {
                        self.ready.insert(unit);
                    }
                }
                _ => {}
            }
        }
        before
    }

    /// A node waits for no other any more: a unit looks at what it would read, a helper is passed.
    fn admit(&mut self, node: Node) {
        match self.graph.unit(node) {
            Some(unit) => self.attend(unit),
            None => self.pass(node),
        }
    }

    /// Those that wait for a node wait no longer. A list of helpers instead of recursion: clocks link
    /// as many of them as there are units into one path.
    fn pass(&mut self, node: Node) {
        let mut passed = vec![node];
        while let Some(node) = passed.pop() {
            for at in 0..self.after.of(node).len() {
                let to = self.after.of(node)[at];
                self.waiting[to.index()] -= 1;
                if self.waiting[to.index()] == 0 {
                    match self.graph.unit(to) {
                        Some(unit) => self.attend(unit),
                        None => passed.push(to),
                    }
                }
            }
        }
    }

    /// The same, undone.
    fn unpass(&mut self, node: Node) {
        let mut undone = vec![node];
        while let Some(node) = undone.pop() {
            for at in 0..self.after.of(node).len() {
                let to = self.after.of(node)[at];
                if self.waiting[to.index()] == 0 {
                    match self.graph.unit(to) {
                        Some(unit) => self.retire(unit),
                        None => undone.push(to),
                    }
                }
                self.waiting[to.index()] += 1;
            }
        }
    }

    /// A unit begins to look at what it would read.
    fn attend(&mut self, unit: Unit) {
        let mut unmet = 0;
        for &read in self.visible.reads_of(unit) {
            let order = self.visible.order(read).index();
            unmet += u32::from(!self.visible.sees(read, self.current[order]));
            self.watching[order].push(read);
        }
        self.unmet[unit.index()] = unmet;
        if unmet == 0 {
            self.ready.insert(unit);
        }
    }

    /// A unit looks no more.
    fn retire(&mut self, unit: Unit) {
        self.ready.remove(&unit);
        for &read in self.visible.reads_of(unit).iter().rev() {
            let watching = &mut self.watching[self.visible.order(read).index()];
            if let Some(at) = watching.iter().rposition(|&one| one == read) {
                watching.swap_remove(at);
            }
        }
    }
}

fn hash_of(unit: Unit) -> u64 {
    scrambled(u64::from(unit.0) << 1 | 1)
}
