//! The verifier: what must hold of every IR, checked after lowering and after every module.
//!
//! 1. Units of edges, reads and orders exist.
//! 2. Writers of an order are ascending, and marked as writers.
//! 3. Sources of a read are ascending, without repetition; each unit among them is a writer of
//!    the read's order and not the reader.
//! 4. No edge leads from a unit to itself.
//! 5. The readers of reads with sources are marked as readers.

use super::{Ir, Source};

/// An invariant that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct VerifyError(String);

/// Checks all invariants.
///
/// # Errors
/// The first one that does not hold.
pub fn verify(ir: &Ir) -> Result<(), VerifyError> {
    verify_orders(ir)?;
    verify_reads(ir)?;
    for (index, edge) in ir.edges.iter().enumerate() {
        require(exists(ir, edge.from) && exists(ir, edge.to), || {
            format!("edge {index}: no such unit")
        })?;
        require(edge.from != edge.to, || format!("edge {index} leads from a unit to itself"))?;
    }
    Ok(())
}

fn verify_orders(ir: &Ir) -> Result<(), VerifyError> {
    for (index, order) in ir.orders.iter().enumerate() {
        let sorted = order.writers.windows(2).all(|pair| pair[0] < pair[1]);
        require(sorted, || format!("order {index}: writers are not ascending"))?;
        for &writer in &order.writers {
            require(exists(ir, writer), || format!("order {index}: no unit {}", writer.0))?;
            let marked = ir.units[writer.index()].writes;
            require(marked, || {
                format!("order {index}: unit {} is not marked as a writer", writer.0)
            })?;
        }
    }
    Ok(())
}

fn verify_reads(ir: &Ir) -> Result<(), VerifyError> {
    for (index, read) in ir.reads.iter().enumerate() {
        require(exists(ir, read.unit), || format!("read {index}: no unit {}", read.unit.0))?;
        let Some(order) = ir.orders.get(read.order.index()) else {
            return Err(VerifyError(format!("read {index}: no order {}", read.order.0)));
        };
        let sorted = read.sources.windows(2).all(|pair| pair[0] < pair[1]);
        require(sorted, || format!("read {index}: sources are not ascending"))?;
        for source in &read.sources {
            if let Source::Unit(unit) = source {
                let writes = order.writers.binary_search(unit).is_ok() && *unit != read.unit;
                require(writes, || format!("read {index}: unit {} cannot be its source", unit.0))?;
            }
        }
        let marked = read.sources.is_empty() || ir.units[read.unit.index()].reads;
        require(marked, || format!("read {index}: its unit is not marked as a reader"))?;
    }
    Ok(())
}

fn exists(ir: &Ir, unit: super::Unit) -> bool {
    unit.index() < ir.units.len()
}

fn require(holds: bool, what: impl FnOnce() -> String) -> Result<(), VerifyError> {
    if holds { Ok(()) } else { Err(VerifyError(what())) }
}
