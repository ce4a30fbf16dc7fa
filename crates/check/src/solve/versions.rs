//! Versions, numbered by order and then by writer.

use crate::ir::{Ir, Unit};

/// Which number each version has.
#[derive(Debug)]
pub(crate) struct Versions {
    /// The number of each order's first version; one entry more than there are orders.
    first: Vec<u32>,
    /// Per unit, its first entry in `written`; one entry more than there are units.
    first_written: Vec<u32>,
    /// The versions each unit installs, ascending.
    written: Vec<Written>,
}

/// A version that a unit installs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Written {
    /// The version order.
    pub(crate) order: u32,
    /// The number of the version.
    pub(crate) version: u32,
}

impl Versions {
    /// Numbers the versions of a problem.
    pub(crate) fn new(ir: &Ir) -> Self {
        let mut first = Vec::with_capacity(ir.orders.len() + 1);
        let mut first_written = vec![0u32; ir.units.len() + 1];
        let mut count = 0;
        for order in &ir.orders {
            first.push(count);
            count += order.writers.len() as u32;
            for &writer in &order.writers {
                first_written[writer.index() + 1] += 1;
            }
        }
        first.push(count);
        for unit in 0..ir.units.len() {
            first_written[unit + 1] += first_written[unit];
        }
        let mut next = first_written.clone();
        let mut written = vec![Written::default(); count as usize];
        for (index, order) in ir.orders.iter().enumerate() {
            for (&writer, version) in order.writers.iter().zip(first[index]..) {
                let slot = &mut next[writer.index()];
                written[*slot as usize] = Written { order: index as u32, version };
                *slot += 1;
            }
        }
        Self { first, first_written, written }
    }

    /// How many versions there are.
    pub(crate) fn count(&self) -> u32 {
        self.first[self.first.len() - 1]
    }

    /// The number of an order's first version.
    pub(crate) fn first(&self, order: u32) -> u32 {
        self.first[order as usize]
    }

    /// The versions a unit installs, by order.
    pub(crate) fn of_unit(&self, unit: Unit) -> &[Written] {
        let range = self.first_written[unit.index()]..self.first_written[unit.index() + 1];
        &self.written[range.start as usize..range.end as usize]
    }

    /// The version a unit installs in an order; it must be one of its writers.
    pub(crate) fn of(&self, order: u32, unit: Unit) -> u32 {
        let written = self.of_unit(unit);
        let at = written.binary_search_by_key(&order, |one| one.order);
        written[at.expect("a source is a writer of its order")].version
    }
}
