//! Localise: solve the knots on their own before the whole again.
//!
//! The conflicts of one test name a few units. Taken as a problem of its own these are decided
//! quickly, often by many more conflicts, all of which hold for the whole; if they cannot be
//! satisfied, neither can the whole.

use crate::budget::{Budget, Stop};
use crate::ir::Ir;
use crate::ir::Source;
use crate::ir::restrict::{Part, restrict};
use crate::solve::automaton::Automaton;
use crate::solve::conflict::{Cause, Conflict, Literal, units_of};
use crate::solve::graph::{Graph, Via};
use crate::solve::paths::Dep;
use crate::solve::refine::{Rules, learn_all};
use crate::solve::versions::Versions;
use crate::threads::Threads;

/// Larger knots are left to the whole.
const LARGEST: usize = 4_000;

/// Everything that is learnt by deciding the units of some conflicts on their own.
///
/// # Errors
/// If the budget is used up.
pub fn localise(
    ir: &Ir,
    automaton: &Automaton,
    conflicts: &[Conflict],
    budget: &Budget,
) -> Result<Vec<Conflict>, Stop> {
    let units = units_of(ir, conflicts);
    if units.len() > LARGEST || units.len() == ir.units.len() {
        return Ok(Vec::new());
    }
    let part = restrict(ir, &units);
    let known = Graph::known(&part.ir, automaton);
    let versions = Versions::new(&part.ir);
    let rules = Rules {
        ir: &part.ir,
        automaton,
        known: &known,
        versions: &versions,
        saturated: None,
        threads: Threads::new(1),
    };
    let learnt = learn_all(&rules, budget)?;
    Ok(learnt.into_iter().map(|conflict| widen(ir, &part, conflict)).collect())
}

/// A conflict of the part, in terms of the whole.
pub(crate) fn widen(ir: &Ir, part: &Part, conflict: Conflict) -> Conflict {
    let unit = |unit: u32| part.units[unit as usize];
    let read = |read: u32| part.reads[read as usize];
    let order = |order: u32| part.orders[order as usize];
    let via = |via: Via| match via {
        Via::Known(edge) => Via::Known(part.edges[edge as usize]),
        Via::Wr(index) => Via::Wr(read(index)),
        Via::Rw(index) => Via::Rw(read(index)),
        Via::Ww(index) => Via::Ww(order(index)),
        Via::Rt | Via::Cc | Via::Bc => via,
    };
    let widen_dep = |dep: Dep| Dep { from: unit(dep.from), to: unit(dep.to), via: via(dep.via) };
    let mut literals: Vec<Literal> = conflict
        .literals
        .iter()
        .map(|literal| match *literal {
            Literal::Reads(index, Source::Unit(source)) => {
                Literal::Reads(read(index), Source::Unit(unit(source)))
            }
            Literal::Reads(index, Source::Initial) => Literal::Reads(read(index), Source::Initial),
            Literal::Before(index, first, second) => {
                Literal::Before(order(index), unit(first), unit(second))
            }
        })
        .collect();
    literals.sort_unstable();
    debug_assert!(literals.iter().all(|literal| match literal {
        Literal::Reads(index, _) => (*index as usize) < ir.reads.len(),
        Literal::Before(index, ..) => (*index as usize) < ir.orders.len(),
    }));
    let cause = match conflict.cause {
        Cause::Cycle(cycle) => Cause::Cycle(cycle.into_iter().map(widen_dep).collect()),
        Cause::NoSource(index) => Cause::NoSource(read(index)),
        Cause::ListOrder(index) => Cause::ListOrder(read(index)),
        Cause::InitialClash => Cause::InitialClash,
    };
    Conflict { literals, cause }
}
