//! Literals and conflicts: what a cycle proves.
//!
//! A [`Literal`] is a choice made one way. A [`Conflict`] lists literals that cannot all hold,
//! with the reason. Facts that hold anyway - a read with one source, a known edge - are not
//! literals, so a conflict without literals is a refutation.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use tristan_history::TxnId;

use super::graph::Via;
use super::paths::Dep;
use crate::ir::support::add_supporters;
use crate::ir::{Ir, OrderId, ReadId, Source, Unit};

/// A choice, made one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Literal {
    /// This read has this source.
    Reads(ReadId, Source),
    /// In this version order, the first unit's version precedes the second's.
    Before(OrderId, Unit, Unit),
}

/// Why literals cannot all hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Cause {
    /// They close a forbidden cycle.
    Cycle(Vec<Dep>),
    /// Two reads claim different initial states.
    InitialClash,
    /// This read has no source, so its unit did not take effect.
    NoSource(ReadId),
    /// This list read shows the contrary.
    ListOrder(ReadId),
}

/// Literals that cannot all hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Conflict {
    /// The literals, ascending.
    pub(crate) literals: Vec<Literal>,
    /// Why.
    pub(crate) cause: Cause,
}

/// What a conflict was found with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chosen<'a> {
    /// The source of every read, as far as it is chosen.
    pub(crate) sources: &'a [Option<Source>],
    /// Per unit that may not have taken effect, the read that shows it did; empty if no such
    /// unit takes part.
    pub(crate) support: &'a [Option<ReadId>],
    /// One read that has another source than `sources` says.
    pub(crate) instead: Option<(ReadId, Source)>,
}

impl Chosen<'_> {
    fn source(&self, read: ReadId) -> Option<Source> {
        match self.instead {
            Some((other, source)) if other == read => Some(source),
            _ => self.sources[read.index()],
        }
    }
}

impl Conflict {
    /// The conflict a forbidden cycle proves, given what it was found with.
    pub(crate) fn of_cycle(ir: &Ir, chosen: Chosen<'_>, cycle: Vec<Dep>) -> Self {
        let mut literals = LiteralCollector::new(ir, chosen);
        for dep in &cycle {
            literals.dependency(dep);
        }
        literals.finish(Cause::Cycle(cycle))
    }

    /// A conflict of another cause among reads and orders.
    pub(crate) fn of_literals(
        ir: &Ir,
        chosen: Chosen<'_>,
        given: &[Literal],
        cause: Cause,
    ) -> Self {
        let mut literals = LiteralCollector::new(ir, chosen);
        for &literal in given {
            literals.add(literal);
            // The cause does not name its reads, so the literals do, even where they are facts.
            if !literals.literals.contains(&literal) {
                literals.literals.push(literal);
            }
        }
        literals.finish(cause)
    }

    /// Whether the literals contradict each other, so that the conflict says nothing by itself.
    /// Two derived facts may: then the contradiction is in their derivations.
    pub(crate) fn is_vacuous(&self) -> bool {
        self.literals.iter().any(|literal| match *literal {
            Literal::Before(order, first, second) => {
                self.literals.contains(&Literal::Before(order, second, first))
            }
            Literal::Reads(..) => false,
        })
    }

    /// The conflict that a unit took effect although one of its reads has no source.
    pub(crate) fn of_sourceless(ir: &Ir, chosen: Chosen<'_>, read: ReadId) -> Self {
        let mut literals = LiteralCollector::new(ir, chosen);
        literals.support(ir.reads[read.index()].unit);
        literals.finish(Cause::NoSource(read))
    }
}

/// Collects the literals a proof depends on.
struct LiteralCollector<'a> {
    ir: &'a Ir,
    chosen: Chosen<'a>,
    literals: Vec<Literal>,
    supported: FxHashSet<Unit>,
}

impl<'a> LiteralCollector<'a> {
    fn new(ir: &'a Ir, chosen: Chosen<'a>) -> Self {
        Self { ir, chosen, literals: Vec::new(), supported: FxHashSet::default() }
    }

    fn finish(mut self, cause: Cause) -> Conflict {
        self.literals.sort_unstable();
        self.literals.dedup();
        Conflict { literals: self.literals, cause }
    }

    fn dependency(&mut self, dep: &Dep) {
        self.support(dep.from);
        self.support(dep.to);
        match dep.via {
            Via::Wr(read) => self.read(read),
            Via::Ww(order) => self.add(Literal::Before(order, dep.from, dep.to)),
            Via::Rw(read) => {
                self.read(read);
                if let Some(Source::Unit(source)) = self.chosen.source(read) {
                    let order = self.ir.reads[read.index()].order;
                    self.add(Literal::Before(order, source, dep.to));
                    self.support(source);
                }
            }
            Via::Known(_) | Via::Rt | Via::Cc | Via::Bc => {}
        }
    }

    fn read(&mut self, read: ReadId) {
        if let Some(source) = self.chosen.source(read) {
            self.add(Literal::Reads(read, source));
        }
    }

    fn add(&mut self, literal: Literal) {
        match literal {
            Literal::Reads(read, _) => {
                self.support(self.ir.reads[read.index()].unit);
                if self.ir.reads[read.index()].sources.len() > 1 {
                    self.literals.push(literal);
                }
            }
            Literal::Before(_, first, second) => {
                self.support(first);
                self.support(second);
                self.literals.push(literal);
            }
        }
    }

    /// A unit that may not have taken effect did because some read came from it.
    fn support(&mut self, unit: Unit) {
        if self.ir.units[unit.index()].sure || !self.supported.insert(unit) {
            return;
        }
        if let Some(&Some(read)) = self.chosen.support.get(unit.index()) {
            self.read(read);
        }
    }
}

/// Every unit that conflicts rest on: those they speak of, all possible sources of their reads, and
/// the readers that show an order of versions or that a transaction of unknown outcome took effect.
pub(crate) fn units_of(ir: &Ir, conflicts: &[Conflict]) -> Vec<Unit> {
    let mut units = BTreeSet::new();
    let mut readers: FxHashSet<TxnId> = FxHashSet::default();
    let read = |id: ReadId, units: &mut BTreeSet<Unit>| {
        let read = &ir.reads[id.index()];
        units.insert(read.unit);
        units.extend(read.sources.iter().filter_map(|source| match source {
            Source::Unit(unit) => Some(*unit),
            Source::Initial => None,
        }));
    };
    for conflict in conflicts {
        for literal in &conflict.literals {
            match literal {
                Literal::Reads(id, _) => read(*id, &mut units),
                Literal::Before(_, first, second) => units.extend([*first, *second]),
            }
        }
        match &conflict.cause {
            Cause::Cycle(cycle) => {
                for dep in cycle {
                    units.extend([dep.from, dep.to]);
                    match dep.via {
                        Via::Wr(id) | Via::Rw(id) => read(id, &mut units),
                        Via::Known(edge) => readers.extend(ir.edges[edge.index()].shown_by()),
                        Via::Ww(_) | Via::Rt | Via::Cc | Via::Bc => {}
                    }
                }
            }
            Cause::NoSource(id) | Cause::ListOrder(id) => read(*id, &mut units),
            Cause::InitialClash => {}
        }
    }
    if !readers.is_empty() {
        let shows = |unit: &Unit| readers.contains(&ir.units[unit.index()].txn);
        units.extend(Unit::all(ir.units.len()).filter(shows));
    }
    add_supporters(ir, &mut units);
    units.into_iter().collect()
}
