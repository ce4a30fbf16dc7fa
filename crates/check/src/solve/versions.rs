//! Versions, numbered by order and then by writer.

use std::ops::Range;

use tristan_ground::id;

use super::flat_lists::FlatLists;
use crate::ir::{Ir, OrderId, Unit};

id!(
    /// A version: its number among all versions of a problem.
    pub(crate) struct VersionId
);

/// Which number each version has.
#[derive(Debug)]
pub(crate) struct Versions {
    /// The number of each order's first version; one entry more than there are orders.
    first: Vec<u32>,
    /// The versions each unit installs, ascending.
    written: FlatLists<Unit, Written>,
}

/// A version that a unit installs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    pub(crate) order: OrderId,
    pub(crate) version: VersionId,
}

impl Versions {
    /// Numbers the versions of a problem.
    pub(crate) fn new(ir: &Ir) -> Self {
        let mut first = Vec::with_capacity(ir.orders.len() + 1);
        let mut count = 0;
        first.push(count);
        for order in &ir.orders {
            count += order.writers.len() as u32;
            first.push(count);
        }
        let orders = OrderId::enumerate(&ir.orders);
        let writers =
            orders.flat_map(|(id, order)| order.writers.iter().map(move |&unit| (id, unit)));
        let written = VersionId::enumerate(writers)
            .map(|(version, (order, unit))| (unit, Written { order, version }));
        Self { written: FlatLists::group(ir.units.len(), written), first }
    }

    /// How many versions there are.
    pub(crate) fn count(&self) -> usize {
        self.first[self.first.len() - 1] as usize
    }

    /// The versions of an order, as its writers are listed.
    pub(crate) fn of_order(&self, order: OrderId) -> impl Iterator<Item = VersionId> + use<> {
        self.places(order).map(VersionId::new)
    }

    /// The indexes of the versions of an order.
    pub(crate) fn places(&self, order: OrderId) -> Range<usize> {
        self.first[order.index()] as usize..self.first[order.index() + 1] as usize
    }

    /// The versions a unit installs, by order.
    pub(crate) fn of_unit(&self, unit: Unit) -> &[Written] {
        self.written.of(unit)
    }

    /// The version a unit installs in an order; it must be one of its writers.
    pub(crate) fn of(&self, order: OrderId, unit: Unit) -> VersionId {
        let written = self.of_unit(unit);
        let at = written.binary_search_by_key(&order, |one| one.order);
        written[at.expect("a source is a writer of its order")].version
    }
}
