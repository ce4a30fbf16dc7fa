//! Conflicts of a part, told in terms of the whole it was cut from.

use super::conflict::{Cause, Conflict, Literal};
use super::graph::Via;
use super::paths::Dep;
use crate::ir::restrict::Part;
use crate::ir::{Ir, OrderId, ReadId, Source, Unit};

/// A conflict of the part, in terms of the whole.
pub(super) fn widened(ir: &Ir, part: &Part, conflict: Conflict) -> Conflict {
    let unit = |unit: Unit| part.units[unit.index()];
    let read = |read: ReadId| part.reads[read.index()];
    let order = |order: OrderId| part.orders[order.index()];
    let via = |via: Via| match via {
        Via::Known(edge) => Via::Known(part.edges[edge.index()]),
        Via::Wr(id) => Via::Wr(read(id)),
        Via::Rw(id) => Via::Rw(read(id)),
        Via::Ww(id) => Via::Ww(order(id)),
        Via::Rt | Via::Cc | Via::Bc => via,
    };
    let widen_dep = |dep: Dep| Dep { from: unit(dep.from), to: unit(dep.to), via: via(dep.via) };
    let mut literals: Vec<Literal> = conflict
        .literals
        .iter()
        .map(|literal| match *literal {
            Literal::Reads(id, Source::Unit(source)) => {
                Literal::Reads(read(id), Source::Unit(unit(source)))
            }
            Literal::Reads(id, Source::Initial) => Literal::Reads(read(id), Source::Initial),
            Literal::Before(id, first, second) => {
                Literal::Before(order(id), unit(first), unit(second))
            }
        })
        .collect();
    literals.sort_unstable();
    debug_assert!(literals.iter().all(|literal| match literal {
        Literal::Reads(id, _) => id.index() < ir.reads.len(),
        Literal::Before(id, ..) => id.index() < ir.orders.len(),
    }));
    let cause = match conflict.cause {
        Cause::Cycle(cycle) => Cause::Cycle(cycle.into_iter().map(widen_dep).collect()),
        Cause::NoSource(id) => Cause::NoSource(read(id)),
        Cause::ListOrder(id) => Cause::ListOrder(read(id)),
        Cause::InitialClash => Cause::InitialClash,
    };
    Conflict { literals, cause }
}
