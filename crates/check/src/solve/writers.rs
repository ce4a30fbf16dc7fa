//! The writers of every key, by chain: who was the last one that a clock has seen?

use super::automaton::State;
use super::clocks::Chains;
use super::graph::Graph;
use crate::ir::{Ir, Unit};

/// Writers of each version order whose node in one state is on a chain. Positions are kept
/// apart from the rest because nearly every question is answered by them alone.
#[derive(Debug, Default)]
pub struct WriterIndex {
    /// Per order, its first group; one more than there are orders.
    first_group: Vec<u32>,
    /// The writers of one order on one chain; a last group closes the list.
    groups: Vec<Group>,
    /// Per chain: positions are cut into 64 stretches of two to this power.
    stretch: Vec<u32>,
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
    /// One bit per stretch of the chain that has a writer: most questions end here.
    map: u64,
}

impl WriterIndex {
    /// Indexes the nodes of sure writers in a state.
    pub fn build(ir: &Ir, graph: &Graph, chains: &Chains, state: State) -> Self {
        let stretch = chains.lengths().iter().map(|&length| (length / 64 + 1).next_power_of_two());
        let stretch = stretch.map(u32::trailing_zeros).collect();
        let mut index = Self { first_group: vec![0], stretch, ..Self::default() };
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
        let start = index.positions.len() as u32;
        index.groups.push(Group { chain: u32::MAX, start, map: 0 });
        index
    }

    fn add(&mut self, entries: &[(u32, u32, Unit, u32)]) {
        let mut current = None;
        for &(chain, position, unit, version) in entries {
            if current != Some(chain) {
                let start = self.positions.len() as u32;
                self.groups.push(Group { chain, start, map: 0 });
                current = Some(chain);
            }
            if let Some(group) = self.groups.last_mut() {
                group.map |= 1 << (position >> self.stretch[chain as usize]);
            }
            self.positions.push(position);
            self.writers.push((unit, version));
        }
        self.first_group.push(self.groups.len() as u32);
    }

    /// The stretches of a chain between two positions, as bits.
    fn stretches(&self, chain: u32, from: u32, to: u32) -> u64 {
        let (from, to) = (from >> self.stretch[chain as usize], to >> self.stretch[chain as usize]);
        (u64::MAX << from.min(63)) & (u64::MAX >> (63 - to.min(63)))
    }

    /// Calls `found` with the last writer on each chain, and the number of its version, whose
    /// position is below the clock row and not below the floor. One unit is left out.
    pub fn last_reaching(
        &self,
        order: u32,
        row: &[u32],
        floor: &[u32],
        but: Unit,
        mut found: impl FnMut(Unit, u32),
    ) {
        let groups = self.first_group[order as usize] as usize
            ..self.first_group[order as usize + 1] as usize;
        for group in groups {
            let Group { chain, start, map } = self.groups[group];
            let (reached, floor) = (row[chain as usize], floor[chain as usize]);
            if reached <= floor || map & self.stretches(chain, floor, reached - 1) == 0 {
                continue;
            }
            let start = start as usize;
            let positions = &self.positions[start..self.groups[group + 1].start as usize];
            let mut seen = below(positions, reached);
            // Positions are at hand, writers are not: look at a writer only if it counts.
            if seen == 0 || positions[seen - 1] < floor {
                continue;
            }
            if self.writers[start + seen - 1].0 == but {
                seen -= 1;
            }
            if seen > 0 && positions[seen - 1] >= floor {
                let (unit, version) = self.writers[start + seen - 1];
                found(unit, version);
            }
        }
    }
}

/// How many of the ascending positions are below a bound.
fn below(positions: &[u32], bound: u32) -> usize {
    match positions.len() {
        0..=24 => positions.iter().map(|&position| usize::from(position < bound)).sum(),
        _ => positions.partition_point(|&position| position < bound),
    }
}
