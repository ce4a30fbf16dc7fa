//! A part of a problem: some of its units, and what can be said about them alone.
//!
//! A refutation of a part refutes the whole: its edges are edges of the whole, and a read is kept
//! only if all its possible sources are. A unit of unknown outcome surely took effect only if a read
//! of the part shows it. An order that a list shows is kept only if the reader of such a list is in the
//! part and surely took effect there: a list that may never have been read shows nothing.

use rustc_hash::{FxHashMap, FxHashSet};
use tristan_history::TxnId;
use tristan_spec::Rel;

use super::{
    Edge, EdgeId, Ir, More, OrderId, Read, ReadId, Reason, Source, Sources, Unit, VersionOrder,
    Writers, known_times, support,
};

/// A part, and where its pieces are in the whole.
#[derive(Clone, Debug)]
pub struct Part {
    /// The part, as a problem of its own.
    pub ir: Ir,
    /// Per unit of the part, the unit of the whole.
    pub units: Vec<Unit>,
    /// Per read of the part, the read of the whole.
    pub reads: Vec<ReadId>,
    /// Per order of the part, the order of the whole.
    pub orders: Vec<OrderId>,
    /// Per edge of the part, the first edge of the path it stands for.
    pub edges: Vec<EdgeId>,
}

/// The part with these units (ascending).
pub fn restrict(ir: &Ir, units: &[Unit]) -> Part {
    let number: FxHashMap<Unit, Unit> =
        Unit::enumerate(units).map(|(new, &old)| (old, new)).collect();
    let mut part = Part {
        ir: Ir {
            formula: ir.formula.clone(),
            units: units.iter().map(|&unit| ir.units[unit.index()].clone()).collect(),
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
    support::settle(&mut part.ir);
    keep_edges(ir, &number, &orders, &mut part);
    part
}

fn keep_orders(
    ir: &Ir,
    number: &FxHashMap<Unit, Unit>,
    part: &mut Part,
) -> FxHashMap<OrderId, OrderId> {
    let mut orders = FxHashMap::default();
    let mut read: Vec<bool> = vec![false; ir.orders.len()];
    for one in ir.reads.iter().filter(|one| number.contains_key(&one.unit)) {
        read[one.order.index()] = true;
    }
    for (old, order) in OrderId::enumerate(&ir.orders) {
        let kept = order.writers.iter().filter_map(|writer| number.get(writer).copied());
        let writers: Writers = kept.collect();
        if writers.len() > 1 || read[old.index()] {
            orders.insert(old, OrderId::new(part.orders.len()));
            part.orders.push(old);
            part.ir.orders.push(VersionOrder { key: order.key.clone(), writers });
        }
    }
    orders
}

fn keep_reads(
    ir: &Ir,
    number: &FxHashMap<Unit, Unit>,
    orders: &FxHashMap<OrderId, OrderId>,
    part: &mut Part,
) {
    for (old, read) in ReadId::enumerate(&ir.reads) {
        let Some(&unit) = number.get(&read.unit) else { continue };
        let source = |source: &Source| match source {
            Source::Initial => Some(Source::Initial),
            Source::Unit(old) => number.get(old).copied().map(Source::Unit),
        };
        let sources: Option<Sources> = read.sources.iter().map(source).collect();
        let shown =
            |units: &[Unit]| units.iter().filter_map(|old| number.get(old).copied()).collect();
        if let Some(sources) = sources {
            let order = orders[&read.order];
            let initial_claim = read.initial_claim();
            let more = More { initial_claim, shows: read.shows().map(shown) }.kept();
            part.reads.push(old);
            let (op, kind) = (read.op, read.kind);
            part.ir.reads.push(Read { unit, op, order, kind, sources, more });
        }
    }
}

/// Known orders are transitive: an edge of the part stands for a path over units left out.
fn keep_edges(
    ir: &Ir,
    number: &FxHashMap<Unit, Unit>,
    orders: &FxHashMap<OrderId, OrderId>,
    part: &mut Part,
) {
    let mut leaving: FxHashMap<Unit, Vec<EdgeId>> = FxHashMap::default();
    for (id, edge) in EdgeId::enumerate(&ir.edges) {
        leaving.entry(edge.from).or_default().push(id);
    }
    let sure = part.ir.units.iter().filter(|unit| unit.sure);
    let sure: FxHashSet<TxnId> = sure.map(|unit| unit.txn).collect();
    let mut unshown: FxHashSet<OrderId> = FxHashSet::default();
    for (new, &old) in Unit::enumerate(&part.units.clone()) {
        let firsts = leaving.get(&old).cloned().unwrap_or_default();
        for first in firsts {
            let edge = &ir.edges[first.index()];
            let reason = match &edge.reason {
                Reason::Listed { order, reader, .. } if !sure.contains(reader) => {
                    unshown.insert(*order);
                    continue;
                }
                Reason::Listed { order, reader, op } => match orders.get(order) {
                    Some(&order) => Reason::Listed { order, reader: *reader, op: *op },
                    None => continue,
                },
                other => other.clone(),
            };
            for end in next_kept(ir, number, &leaving, first) {
                part.edges.push(first);
                let reason = reason.clone();
                part.ir.edges.push(Edge { from: new, to: end, rel: edge.rel, reason });
            }
        }
    }
    if !unshown.is_empty() {
        show_lists(ir, &leaving, &unshown, part);
    }
}

/// Where the reader of the longest list of a key is not in the part, or may not have taken effect there,
/// the longest list of a reader that surely took effect in the part shows the order. It is the beginning of the other one, so each of these
/// edges stands for a path of the whole.
fn show_lists(
    ir: &Ir,
    leaving: &FxHashMap<Unit, Vec<EdgeId>>,
    unshown: &FxHashSet<OrderId>,
    part: &mut Part,
) {
    let mut longest: FxHashMap<OrderId, ReadId> = FxHashMap::default();
    for (id, read) in ReadId::enumerate(&part.ir.reads) {
        let sure = part.ir.units[read.unit.index()].sure;
        let Some(shown) = read.shows().filter(|_| sure) else { continue };
        let best = longest.entry(read.order).or_insert(id);
        if shown.len() > part.ir.reads[best.index()].shows().map_or(0, <[Unit]>::len) {
            *best = id;
        }
    }
    for (new, &old) in OrderId::enumerate(&part.orders).filter(|(_, old)| unshown.contains(*old)) {
        let Some(read) = longest.get(&new).map(|read| &part.ir.reads[read.index()]) else {
            continue;
        };
        let shown = read.shows().unwrap_or_default();
        let reader = part.ir.units[read.unit.index()].txn;
        let reason = Reason::Listed { order: new, reader, op: read.op };
        let writers = part.ir.orders[new.index()].writers.iter().copied();
        let rest = writers.filter(|writer| !shown.contains(writer));
        let after = shown.last().map(|&last| rest.map(move |writer| (last, writer)));
        let chain = shown.windows(2).map(|pair| (pair[0], pair[1]));
        let of_order = |edge: &&EdgeId| matches!(ir.edges[edge.index()].reason, Reason::Listed { order, .. } if order == old);
        for (from, to) in chain.chain(after.into_iter().flatten()).collect::<Vec<_>>() {
            let edges = leaving.get(&part.units[from.index()]);
            let Some(&first) = edges.and_then(|edges| edges.iter().find(of_order)) else {
                continue;
            };
            part.edges.push(first);
            let reason = reason.clone();
            part.ir.edges.push(Edge { from, to, rel: Rel::Ww, reason });
        }
    }
}

/// The kept units that paths of one relation, starting with an edge, meet first.
fn next_kept(
    ir: &Ir,
    number: &FxHashMap<Unit, Unit>,
    leaving: &FxHashMap<Unit, Vec<EdgeId>>,
    first: EdgeId,
) -> Vec<Unit> {
    let start = &ir.edges[first.index()];
    let follows = |edge: &Edge| edge.rel == start.rel && same_order(&edge.reason, &start.reason);
    let mut found = Vec::new();
    let mut stack = vec![start.to];
    let mut seen: FxHashSet<Unit> = FxHashSet::default();
    while let Some(unit) = stack.pop() {
        if !seen.insert(unit) {
            continue;
        }
        match number.get(&unit) {
            Some(&kept) if unit != start.from => found.push(kept),
            Some(_) => {}
            None => {
                let edges = leaving.get(&unit).into_iter().flatten();
                let next = edges.map(|&edge| &ir.edges[edge.index()]).filter(|edge| follows(edge));
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
