//! Conflicts of a part, told in terms of the whole it was cut from.

use super::conflict::{Cause, Conflict, Literal};
use super::graph::Via;
use super::paths::Dep;
use crate::ir::restrict::Part;
use crate::ir::{Ir, Source, Unit};

/// A conflict of the part, in terms of the whole.
pub(super) fn widened(ir: &Ir, part: &Part, conflict: Conflict) -> Conflict {
    let unit = |unit: Unit| part.units[unit.index()];
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
