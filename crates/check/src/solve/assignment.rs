//! A total assignment: a source for every read, an order for every key's versions.

use std::collections::VecDeque;

use super::conflict::Chosen;
use super::flat_lists::FlatLists;
use super::order::Position;
use crate::automaton::State;
use crate::ir::{Ir, OrderId, ReadId, Source, Unit};

/// One way to resolve every superposition.
#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    /// Which units take effect.
    pub(crate) live: Vec<bool>,
    /// The source of every read of a live unit that has one; `None` for the others.
    pub(crate) sources: Vec<Option<Source>>,
    /// Per unit that is live without being sure, the read that shows it is; readers lead back
    /// to sure units. Empty if every unit is sure.
    pub(crate) support: Vec<Option<ReadId>>,
    /// Per version order, the live writers, earliest version first.
    pub(crate) versions: FlatLists<OrderId, Unit>,
    /// An order the version orders were read off, if there is one.
    pub(crate) places: Option<Places>,
}

/// Where units stand in an order of what happened.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// How many places each unit has.
    pub(crate) states: usize,
    /// Per unit, its places, those of one unit next to each other.
    pub(crate) position: Vec<Position>,
}

impl Places {
    /// Where a unit in a state stands; units with one place stand there in every state.
    pub(crate) fn of(&self, unit: Unit, state: State) -> Position {
        let state = if self.states == 1 { 0 } else { state as usize };
        self.position[unit.index() * self.states + state]
    }
}

impl Assignment {
    /// Decides which units take effect: the sure units, and those that a live unit reads from. Reads of
    /// units that do not take effect lose their source. The version orders are still empty.
    pub(crate) fn settle(ir: &Ir, sources: Vec<Option<Source>>) -> Self {
        let live: Vec<bool> = ir.units.iter().map(|unit| unit.sure).collect();
        let (support, versions) = (Vec::new(), FlatLists::default());
        let mut settled = Self { live, sources, support, versions, places: None };
        if settled.live.iter().any(|&sure| !sure) {
            settled.spread(ir);
        }
        settled
    }

    /// What conflicts found in this assignment rest on.
    pub(crate) fn chosen(&self) -> Chosen<'_> {
        Chosen { sources: &self.sources, support: &self.support, instead: None }
    }

    fn spread(&mut self, ir: &Ir) {
        self.support = vec![None; ir.units.len()];
        let mut reads_of: Vec<Vec<ReadId>> = vec![Vec::new(); ir.units.len()];
        for (id, read) in ReadId::enumerate(&ir.reads) {
            reads_of[read.unit.index()].push(id);
        }
        let sure = |unit: &Unit| ir.units[unit.index()].sure;
        let mut queue: VecDeque<Unit> = Unit::all(ir.units.len()).filter(sure).collect();
        while let Some(reader) = queue.pop_front() {
            for &read in &reads_of[reader.index()] {
                let listed = ir.reads[read.index()].shows().unwrap_or_default();
                let source = match self.sources[read.index()] {
                    Some(Source::Unit(source)) => Some(source),
                    _ => None,
                };
                for unit in listed.iter().copied().chain(source) {
                    if !std::mem::replace(&mut self.live[unit.index()], true) {
                        self.support[unit.index()] = Some(read);
                        queue.push_back(unit);
                    }
                }
            }
        }
        for (read, source) in ir.reads.iter().zip(&mut self.sources) {
            if !self.live[read.unit.index()] {
                *source = None;
            }
        }
    }
}
