//! The writers of every key, by chain: who was the last one that a clock has seen?

use super::clocks::{ChainId, Chains};
use super::graph::Graph;
use super::versions::{VersionId, Versions};
use crate::automaton::State;
use crate::ir::{Ir, OrderId, Unit};

/// Writers of each version order whose node in one state is on a chain. Questions come roughly
/// in the order of time, so each group remembers where the last answer was; nearly every question
/// ends there, without a look at the writers.
#[derive(Clone, Debug, Default)]
pub(crate) struct WriterIndex {
    /// Per order, its first group; one more than there are orders.
    first_group: Vec<u32>,
    /// The writers of one order on one chain; a last group closes the list. An order with writers
    /// on most chains has a group for every chain, so that it can be found by its number.
    groups: Vec<Group>,
    /// Per group, its chain.
    chains: Vec<ChainId>,
    /// Per entry, ascending within a group: the position on the chain.
    positions: Vec<u32>,
    /// Per entry: the writer and its version.
    writers: Vec<(Unit, VersionId)>,
}

/// The writers of one order on one chain.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// Its first entry.
    start: u32,
    /// How many entries were below the bound asked about last.
    seen: u32,
    /// The answer is the same for bounds from here ...
    from: u32,
    /// ... to here.
    to: u32,
}

impl Group {
    /// A group of which nothing was asked.
    fn new(start: u32) -> Self {
        Self { start, seen: 0, from: u32::MAX, to: 0 }
    }

    /// Looks for a bound among the positions of the group.
    fn seek(&mut self, positions: &[u32], bound: u32) {
        let mut seen = self.seen as usize;
        if seen < positions.len() && positions[seen] < bound {
            seen += 1;
        }
        let settled = seen.checked_sub(1).is_none_or(|last| positions[last] < bound)
            && positions.get(seen).is_none_or(|&next| next >= bound);
        if !settled {
            seen = positions.partition_point(|&position| position < bound);
        }
        self.seen = seen as u32;
        self.from = seen.checked_sub(1).map_or(0, |last| positions[last] + 1);
        self.to = positions.get(seen).copied().unwrap_or(u32::MAX);
    }
}

/// A writer of an order, and its position on a chain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    chain: ChainId,
    position: u32,
    unit: Unit,
    version: VersionId,
}

impl WriterIndex {
    /// Indexes the nodes of sure writers in a state.
    pub(crate) fn build(
        ir: &Ir,
        graph: &Graph,
        versions: &Versions,
        chains: &Chains,
        state: State,
    ) -> Self {
        let mut index = Self { first_group: vec![0], ..Self::default() };
        let mut entries: Vec<Entry> = Vec::new();
        for (id, order) in OrderId::enumerate(&ir.orders) {
            entries.clear();
            for (&unit, version) in order.writers.iter().zip(versions.of_order(id)) {
                let place = chains.place(graph.node(unit, state));
                if let Some((chain, position)) = place.filter(|_| ir.units[unit.index()].sure) {
                    entries.push(Entry { chain, position, unit, version });
                }
            }
            entries.sort_unstable();
            index.add(&entries, chains.count());
        }
        index.groups.push(Group::new(index.positions.len() as u32));
        index
    }

    /// Adds the groups of an order: for all chains, or for those that have entries.
    fn add(&mut self, entries: &[Entry], chains: usize) {
        let by_chain = || entries.chunk_by(|a, b| a.chain == b.chain);
        let all = 2 * by_chain().count() > chains;
        let mut next = 0;
        for of_chain in by_chain() {
            let chain = of_chain[0].chain.index();
            let first = if all { next } else { chain };
            (first..=chain).for_each(|chain| self.open(ChainId::new(chain)));
            next = chain + 1;
            self.positions.extend(of_chain.iter().map(|entry| entry.position));
            self.writers.extend(of_chain.iter().map(|entry| (entry.unit, entry.version)));
        }
        if all {
            (next..chains).for_each(|chain| self.open(ChainId::new(chain)));
        }
        self.first_group.push(self.groups.len() as u32);
    }

    fn open(&mut self, chain: ChainId) {
        self.groups.push(Group::new(self.positions.len() as u32));
        self.chains.push(chain);
    }

    /// Calls `found` with the last writer on each chain, and its version, whose
    /// position is below the clock row and not below the lower bound. One unit is left out.
    pub(crate) fn last_reaching(
        &mut self,
        order: OrderId,
        row: &[u32],
        lower: &[u32],
        but: Unit,
        mut found: impl FnMut(Unit, VersionId),
    ) {
        let groups =
            self.first_group[order.index()] as usize..self.first_group[order.index() + 1] as usize;
        if groups.len() == row.len() {
            for (chain, (&reached, &lower)) in row.iter().zip(lower).enumerate() {
                if reached > lower {
                    self.last_in_group(groups.start + chain, reached, lower, but, &mut found);
                }
            }
            return;
        }
        for group in groups {
            let chain = self.chains[group].index();
            if row[chain] > lower[chain] {
                self.last_in_group(group, row[chain], lower[chain], but, &mut found);
            }
        }
    }

    /// Calls `found` with the first writer on each chain that is reached; so are those after it.
    pub(crate) fn first_reached(
        &self,
        order: OrderId,
        is_reached: impl Fn(Unit) -> bool,
        mut found: impl FnMut(Unit),
    ) {
        let groups =
            self.first_group[order.index()] as usize..self.first_group[order.index() + 1] as usize;
        for group in groups {
            let (start, end) = (self.groups[group].start, self.groups[group + 1].start);
            let writers = &self.writers[start as usize..end as usize];
            let before = writers.partition_point(|&(unit, _)| !is_reached(unit));
            if let Some(&(unit, _)) = writers.get(before).filter(|&&(unit, _)| is_reached(unit)) {
                found(unit);
            }
        }
    }

    fn last_in_group(
        &mut self,
        at: usize,
        reached: u32,
        lower: u32,
        but: Unit,
        found: &mut impl FnMut(Unit, VersionId),
    ) {
        let end = self.groups[at + 1].start as usize;
        let group = &mut self.groups[at];
        let start = group.start as usize;
        if reached < group.from || reached > group.to {
            group.seek(&self.positions[start..end], reached);
        }
        if group.from <= lower {
            return;
        }
        let mut last = start + group.seen as usize - 1;
        if self.writers[last].0 == but {
            if last == start || self.positions[last - 1] < lower {
                return;
            }
            last -= 1;
        }
        let (unit, version) = self.writers[last];
        found(unit, version);
    }
}
