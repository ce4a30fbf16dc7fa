//! The writers of every key, by chain: who was the last one that a clock has seen?

use super::automaton::State;
use super::clocks::Chains;
use super::graph::Graph;
use crate::ir::{Ir, Unit};

/// Writers of each version order whose node in one state is on a chain. Questions come roughly
/// in the order of time, so each group remembers where the last answer was; nearly every question
/// ends there, without a look at the writers.
#[derive(Debug, Default)]
pub struct WriterIndex {
    /// Per order, its first group; one more than there are orders.
    first_group: Vec<u32>,
    /// The writers of one order on one chain; a last group closes the list.
    groups: Vec<Group>,
    /// Per entry, ascending within a group: the position on the chain.
    positions: Vec<u32>,
    /// Per entry: the writer, and the number of its version.
    writers: Vec<(Unit, u32)>,
}

/// The writers of one order on one chain.
#[derive(Clone, Copy, Debug)]
struct Group {
    chain: u32,
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
    fn new(chain: u32, start: u32) -> Self {
        Self { chain, start, seen: 0, from: u32::MAX, to: 0 }
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

impl WriterIndex {
    /// Indexes the nodes of sure writers in a state.
    pub fn build(ir: &Ir, graph: &Graph, chains: &Chains, state: State) -> Self {
        let mut index = Self { first_group: vec![0], ..Self::default() };
        let mut first_version = 0;
        let mut entries: Vec<(u32, u32, Unit, u32)> = Vec::new();
        for order in &ir.orders {
            entries.clear();
            for (&unit, version) in order.writers.iter().zip(first_version..) {
                let place = chains.place(graph.node(unit, state));
                if let Some((chain, position)) = place.filter(|_| ir.units[unit as usize].sure) {
                    entries.push((chain, position, unit, version));
                }
            }
            first_version += order.writers.len() as u32;
            entries.sort_unstable();
            index.add(&entries);
        }
        index.groups.push(Group::new(u32::MAX, index.positions.len() as u32));
        index
    }

    fn add(&mut self, entries: &[(u32, u32, Unit, u32)]) {
        let mut current = None;
        for &(chain, position, unit, version) in entries {
            if current != Some(chain) {
                self.groups.push(Group::new(chain, self.positions.len() as u32));
                current = Some(chain);
            }
            self.positions.push(position);
            self.writers.push((unit, version));
        }
        self.first_group.push(self.groups.len() as u32);
    }

    /// Calls `found` with the last writer on each chain, and the number of its version, whose
    /// position is below the clock row and not below the floor. One unit is left out.
    pub fn last_reaching(
        &mut self,
        order: u32,
        row: &[u32],
        floor: &[u32],
        but: Unit,
        mut found: impl FnMut(Unit, u32),
    ) {
        let groups = self.first_group[order as usize] as usize
            ..self.first_group[order as usize + 1] as usize;
        for at in groups {
            let end = self.groups[at + 1].start as usize;
            let group = &mut self.groups[at];
            let (reached, floor) = (row[group.chain as usize], floor[group.chain as usize]);
            if reached <= floor {
                continue;
            }
            let start = group.start as usize;
            if reached < group.from || reached > group.to {
                group.seek(&self.positions[start..end], reached);
            }
            if group.from <= floor {
                continue;
            }
            let mut last = start + group.seen as usize - 1;
            if self.writers[last].0 == but {
                if last == start || self.positions[last - 1] < floor {
                    continue;
                }
                last -= 1;
            }
            let (unit, version) = self.writers[last];
            found(unit, version);
        }
    }
}
