//! A part of a problem: some of its units, and what can be said about them alone.
//!
//! A refutation of a part refutes the whole: its edges are edges of the whole, and a read is kept
//! only if all its possible sources are.

use rustc_hash::FxHashMap;
use tristan_spec::Rel;

use super::{
    Edge, Ir, More, Read, Reason, Source, Sources, Unit, VersionOrder, Writers, known_times,
};

/// A part, and where its pieces are in the whole.
#[derive(Clone, Debug)]
pub struct Part {
    /// The part, as a problem of its own.
    pub ir: Ir,
    /// Per unit of the part, the unit of the whole.
    pub units: Vec<Unit>,
    /// Per read of the part, the read of the whole.
    pub reads: Vec<u32>,
    /// Per order of the part, the order of the whole.
    pub orders: Vec<u32>,
    /// Per edge of the part, the first edge of the path it stands for.
    pub edges: Vec<u32>,
}

/// The part with these units (ascending).
pub fn restrict(ir: &Ir, units: &[Unit]) -> Part {
    let number: FxHashMap<Unit, Unit> =
        units.iter().enumerate().map(|(new, &old)| (old, new as Unit)).collect();
    let mut part = Part {
        ir: Ir {
            formula: ir.formula.clone(),
            units: units.iter().map(|&unit| ir.units[unit as usize].clone()).collect(),
            times: known_times(units.iter().map(|&unit| ir.times(unit))),
            edges: Vec::new(),
            reads: Vec::new(),
            orders: Vec::new(),
            drift: ir.drift,
            merged: false,
        },
        units: units.to_vec(),
        reads: Vec::new(),
        orders: Vec::new(),
        edges: Vec::new(),
    };
    let orders = keep_orders(ir, &number, &mut part);
    keep_reads(ir, &number, &orders, &mut part);
    keep_edges(ir, &number, &orders, &mut part);
    part
}

fn keep_orders(ir: &Ir, number: &FxHashMap<Unit, Unit>, part: &mut Part) -> FxHashMap<u32, u32> {
    let mut orders = FxHashMap::default();
    let mut keep = |index: u32, writers: Writers, part: &mut Part| {
        orders.insert(index, part.orders.len() as u32);
        part.orders.push(index);
        part.ir.orders.push(VersionOrder { key: ir.orders[index as usize].key.clone(), writers });
    };
    let mut read: Vec<bool> = vec![false; ir.orders.len()];
    for one in ir.reads.iter().filter(|one| number.contains_key(&one.unit)) {
        read[one.order as usize] = true;
    }
    for (index, order) in ir.orders.iter().enumerate() {
        let kept = order.writers.iter().filter_map(|writer| number.get(writer).copied());
        let writers: Writers = kept.collect();
        if writers.len() > 1 || read[index] {
            keep(index as u32, writers, part);
        }
    }
    orders
}

fn keep_reads(
    ir: &Ir,
    number: &FxHashMap<Unit, Unit>,
    orders: &FxHashMap<u32, u32>,
    part: &mut Part,
) {
    for (index, read) in ir.reads.iter().enumerate() {
        let Some(&unit) = number.get(&read.unit) else { continue };
        let source = |source: &Source| match source {
            Source::Initial => Some(Source::Initial),
            Source::Unit(old) => number.get(old).copied().map(Source::Unit),
        };
        let sources: Option<Sources> = read.sources.iter().map(source).collect();
        let shown = |units: &[Unit]| units.iter().map(|old| number.get(old).copied()).collect();
        let shows: Option<Option<Box<[Unit]>>> = read.shows().map(shown);
        if let (Some(sources), false) = (sources, shows == Some(None)) {
            let order = orders[&read.order];
            let initial_claim = read.initial_claim();
            let more = More { initial_claim, shows: shows.flatten() }.kept();
            part.reads.push(index as u32);
            let (op, kind) = (read.op, read.kind);
            part.ir.reads.push(Read { unit, op, order, kind, sources, more });
        }
    }
}

/// Known orders are transitive: an edge of the part stands for a path over units left out.
fn keep_edges(
    ir: &Ir,
    number: &FxHashMap<Unit, Unit>,
    orders: &FxHashMap<u32, u32>,
    part: &mut Part,
) {
    let mut leaving: FxHashMap<Unit, Vec<u32>> = FxHashMap::default();
    for (index, edge) in ir.edges.iter().enumerate() {
        leaving.entry(edge.from).or_default().push(index as u32);
    }
    for (new, &old) in part.units.clone().iter().enumerate() {
        let firsts = leaving.get(&old).cloned().unwrap_or_default();
        for first in firsts {
            let edge = &ir.edges[first as usize];
            for end in next_kept(ir, number, &leaving, first) {
                let reason = match &edge.reason {
                    Reason::Listed { order, reader, op } => match orders.get(order) {
                        Some(&order) => Reason::Listed { order, reader: *reader, op: *op },
                        None => continue,
                    },
                    other => other.clone(),
                };
                part.edges.push(first);
                part.ir.edges.push(Edge { from: new as Unit, to: end, rel: edge.rel, reason });
            }
        }
    }
}

/// The kept units that paths of one relation, starting with an edge, meet first.
fn next_kept(
    ir: &Ir,
    number: &FxHashMap<Unit, Unit>,
    leaving: &FxHashMap<Unit, Vec<u32>>,
    first: u32,
) -> Vec<Unit> {
    let start = &ir.edges[first as usize];
    let follows = |edge: &Edge| edge.rel == start.rel && same_order(&edge.reason, &start.reason);
    let mut found = Vec::new();
    let mut stack = vec![start.to];
    let mut seen: rustc_hash::FxHashSet<Unit> = rustc_hash::FxHashSet::default();
    while let Some(unit) = stack.pop() {
        if !seen.insert(unit) {
            continue;
        }
        match number.get(&unit) {
            Some(&kept) if unit != start.from => found.push(kept),
            Some(_) => {}
            None => {
                let edges = leaving.get(&unit).into_iter().flatten();
                let next = edges.map(|&edge| &ir.edges[edge as usize]).filter(|edge| follows(edge));
                stack.extend(next.map(|edge| edge.to));
            }
        }
    }
    debug_assert!([Rel::So, Rel::Ww, Rel::Rt].contains(&start.rel));
    found.sort_unstable();
    found
}

/// Lists are followed only within one list read: what two of them show together needs the
/// transactions they share.
fn same_order(first: &Reason, second: &Reason) -> bool {
    let listed = |reason: &Reason| matches!(reason, Reason::Listed { .. });
    first == second || !listed(first) && !listed(second)
}
