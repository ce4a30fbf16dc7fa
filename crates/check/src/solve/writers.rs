//! The writers of every key, by chain: who was the last one that a clock has seen?

use super::automaton::State;
use super::clocks::Chains;
use super::graph::Graph;
use crate::ir::{Ir, Unit};

/// Writers of each version order whose node in one state is on a chain.
#[derive(Debug)]
pub struct WriterIndex {
    /// Per order, its first entry; one more than there are orders.
    first: Vec<u32>,
    /// Chain, position on it and unit, sorted within each order.
    entries: Vec<(u32, u32, Unit)>,
}

impl WriterIndex {
    /// Indexes the nodes of sure writers in a state.
    pub fn build(ir: &Ir, graph: &Graph, chains: &Chains, state: State) -> Self {
        let mut first = vec![0];
        let mut entries = Vec::new();
        for order in &ir.orders {
            let from = entries.len();
            let sure = order.writers.iter().filter(|&&unit| ir.units[unit as usize].sure);
            entries.extend(sure.filter_map(|&unit| {
                let (chain, position) = chains.place(graph.node(unit, state))?;
                Some((chain, position, unit))
            }));
            entries[from..].sort_unstable();
            first.push(entries.len() as u32);
        }
        Self { first, entries }
    }

    /// Calls `found` with the last writer on each chain that reaches the owner of the clock row.
    pub fn last_reaching(&self, order: u32, row: &[u32], found: impl FnMut(Unit)) {
        self.last_reaching_but(order, row, Unit::MAX, found);
    }

    /// The same, leaving one unit out.
    pub fn last_reaching_but(
        &self,
        order: u32,
        row: &[u32],
        but: Unit,
        mut found: impl FnMut(Unit),
    ) {
        let mut rest = &self.entries
            [self.first[order as usize] as usize..self.first[order as usize + 1] as usize];
        while let Some(&(chain, position, _)) = rest.first() {
            let size = match rest.get(1) {
                Some(next) if next.0 == chain => rest.partition_point(|entry| entry.0 == chain),
                _ => 1,
            };
            let (group, others) = rest.split_at(size);
            rest = others;
            let reached = row[chain as usize];
            if position >= reached {
                continue;
            }
            let seen = group.partition_point(|entry| entry.1 < reached);
            let last = group[..seen].iter().rev().find(|entry| entry.2 != but);
            if let Some(&(_, _, unit)) = last {
                found(unit);
            }
        }
    }
}
