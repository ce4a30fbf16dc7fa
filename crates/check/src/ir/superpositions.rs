//! How much a problem leaves open, in numbers.

use rustc_hash::FxHashSet;
use tristan_spec::Rel;

use super::{Ir, OrderId, Unit};

/// What is in superposition before anything is derived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Superpositions {
    /// Reads with several possible sources.
    pub reads: usize,
    /// The sources of these reads, together.
    pub sources: usize,
    /// Links that are missing to one known order of the versions of every key.
    pub links: usize,
}

impl Superpositions {
    /// Counts what a problem leaves open.
    pub(crate) fn of(ir: &Ir) -> Self {
        let open = || ir.reads.iter().filter(|read| read.sources.len() > 1);
        Self {
            reads: open().count(),
            sources: open().map(|read| read.sources.len()).sum(),
            links: missing_links(ir),
        }
    }
}

fn missing_links(ir: &Ir) -> usize {
    let all: usize = ir.orders.iter().map(|order| order.writers.len().saturating_sub(1)).sum();
    let mut written: Vec<Vec<OrderId>> = vec![Vec::new(); ir.units.len()];
    for (id, order) in OrderId::enumerate(&ir.orders) {
        for &writer in &order.writers {
            written[writer.index()].push(id);
        }
    }
    let mut known: FxHashSet<(OrderId, Unit, Unit)> = FxHashSet::default();
    for edge in ir.edges.iter().filter(|edge| edge.rel == Rel::Ww) {
        let later = &written[edge.to.index()];
        let shared = written[edge.from.index()].iter().filter(|order| later.contains(order));
        known.extend(shared.map(|&order| (order, edge.from, edge.to)));
    }
    all.saturating_sub(known.len())
}
