//! The refutation of a reject, in terms of the trace.

use std::collections::BTreeSet;

use tristan_history::{Datum, TxnId};
use tristan_spec::{Level, Rel};
use tristan_verdict::{
    Answer, Bad, Choice, Conflict as Told, Edge, EdgeKind, Literal as Said, Refutation, Rule,
    Source as From,
};

use super::facts::{self, FactContext};
use super::{anomaly, bad_read};
use crate::asg::{Asg, BadRead};
use crate::ir::{EdgeId, Ir, OrderId, Read, ReadId, ReadKind, Source, Unit};
use crate::passes::minimise::Core;
use crate::solve::conflict::{Cause, Conflict, Literal};
use crate::solve::graph::Via;
use crate::solve::paths::Dep;

/// The rejection for a single observation that is wrong by itself.
pub fn of_bad(asg: &Asg<'_>, bad: &BadRead) -> Answer {
    let told = Bad {
        kind: bad.kind,
        txn: bad.txn.0,
        op: bad.op,
        key: asg.history.key(bad.key).clone(),
        writer: bad.writer.map(|txn| txn.0),
        other: bad.other.map(|(txn, op)| (txn.0, op)),
    };
    let mut core: Vec<u32> = [Some(bad.txn), bad.writer, bad.other.map(|(txn, _)| txn)]
        .into_iter()
        .flatten()
        .map(|txn| txn.0)
        .collect();
    core.sort_unstable();
    core.dedup();
    let anomaly = bad_read::anomaly(asg.history, &told);
    let facts = facts::of_bad(asg, &told);
    let refutation =
        Refutation { bad: Some(told), core, minimal: true, facts, ..Refutation::default() };
    Answer::Reject { anomaly, refutation }
}

/// The rejection for conflicts that leave no assignment.
pub fn of_conflicts(asg: &Asg<'_>, level: &Level, core: &Core) -> Answer {
    let ir = &core.ir;
    let told: Vec<Told> = core.conflicts.iter().map(|conflict| tell(ir, conflict)).collect();
    let choices = choices(ir, &core.conflicts);
    let mut txns = txns_of(&told, &choices);
    let facts = FactContext { asg, ir, level }.facts(&told, &choices, &mut txns);
    let anomaly = anomaly::of_conflicts(asg.history, &told);
    // Whether a reader that only shows a fact can be left out was not tried.
    let tried = |txn: &u32| ir.units.iter().any(|unit| unit.txn.0 == *txn);
    let minimal = core.minimal && txns.iter().all(tried);
    let core = txns.into_iter().collect();
    let refutation =
        Refutation { choices, conflicts: told, core, minimal, facts, ..Refutation::default() };
    Answer::Reject { anomaly, refutation }
}

/// A source in terms of the trace.
pub fn source(ir: &Ir, source: Source) -> From {
    match source {
        Source::Initial => From::Initial,
        Source::Unit(unit) => From::Txn(txn(ir, unit).0),
    }
}

fn txn(ir: &Ir, unit: Unit) -> TxnId {
    ir.units[unit.index()].txn
}

fn tell(ir: &Ir, conflict: &Conflict) -> Told {
    let place = |read: ReadId| {
        let read = &ir.reads[read.index()];
        (txn(ir, read.unit).0, read.op)
    };
    let rule = match &conflict.cause {
        Cause::Cycle(cycle) => {
            let sources = sources_in(conflict);
            Rule::Cycle(cycle.iter().map(|dep| edge(ir, dep, &sources)).collect())
        }
        Cause::InitialClash => Rule::InitialClash,
        Cause::NoSource(read) => {
            let (txn, op) = place(*read);
            Rule::NoSource(txn, op)
        }
        Cause::ListOrder(read) => {
            let (txn, op) = place(*read);
            Rule::ListOrder(txn, op)
        }
    };
    Told { literals: conflict.literals.iter().map(|&literal| say(ir, literal)).collect(), rule }
}

fn say(ir: &Ir, literal: Literal) -> Said {
    match literal {
        Literal::Reads(read, from) => {
            let from = source(ir, from);
            let read = &ir.reads[read.index()];
            Said::Reads { txn: txn(ir, read.unit).0, op: read.op, key: range_key(ir, read), from }
        }
        Literal::Before(order, first, then) => Said::Before {
            key: ir.orders[order.index()].key.clone(),
            first: txn(ir, first).0,
            then: txn(ir, then).0,
        },
    }
}

/// The key, if the read is one of several of its operation.
pub(crate) fn range_key(ir: &Ir, read: &Read) -> Option<Datum> {
    (read.kind != ReadKind::Point).then(|| ir.orders[read.order.index()].key.clone())
}

/// The sources of ambiguous reads that a conflict assumes.
fn sources_in(conflict: &Conflict) -> Vec<(ReadId, Source)> {
    let reads = conflict.literals.iter().filter_map(|literal| match literal {
        Literal::Reads(read, source) => Some((*read, *source)),
        Literal::Before(..) => None,
    });
    reads.collect()
}

fn edge(ir: &Ir, dep: &Dep, sources: &[(ReadId, Source)]) -> Edge {
    let key = |order: OrderId| Some(ir.orders[order.index()].key.clone());
    let (kind, key, read_op, over) = match dep.via {
        Via::Known(id) => known(ir, id),
        Via::Rt => (EdgeKind::Rt, None, None, None),
        Via::Cc => (EdgeKind::Cc, None, None, None),
        Via::Bc => (EdgeKind::Bc, None, None, None),
        Via::Ww(order) => (EdgeKind::Ww, key(order), None, None),
        Via::Wr(read) => {
            let read = &ir.reads[read.index()];
            let kind = match read.kind {
                ReadKind::Predicate => EdgeKind::Pwr,
                _ => EdgeKind::Wr,
            };
            (kind, key(read.order), Some(read.op), None)
        }
        Via::Rw(id) => {
            let read = &ir.reads[id.index()];
            let assumed = sources.iter().find(|(read, _)| *read == id).map(|(_, from)| *from);
            let from = assumed.or_else(|| read.sources.first().copied());
            let over = from.map(|from| source(ir, from));
            let kind = match read.kind {
                ReadKind::Predicate => EdgeKind::Prw,
                _ => EdgeKind::Rw,
            };
            (kind, key(read.order), Some(read.op), over)
        }
    };
    Edge { from: txn(ir, dep.from).0, to: txn(ir, dep.to).0, kind, key, read_op, over }
}

type EdgeParts = (EdgeKind, Option<Datum>, Option<u32>, Option<From>);

fn known(ir: &Ir, id: EdgeId) -> EdgeParts {
    let edge = &ir.edges[id.index()];
    match (edge.rel, &edge.reason) {
        (Rel::Ww, crate::ir::Reason::Listed { order, .. }) => {
            (EdgeKind::Ww, Some(ir.orders[order.index()].key.clone()), None, None)
        }
        (Rel::Ww, _) => (EdgeKind::Ww, None, None, None),
        (Rel::Rt, _) => (EdgeKind::Rt, None, None, None),
        _ => (EdgeKind::So, None, None, None),
    }
}

/// Every ambiguous read that some literal speaks of, with all its sources.
fn choices(ir: &Ir, conflicts: &[Conflict]) -> Vec<Choice> {
    let reads: BTreeSet<ReadId> =
        conflicts.iter().flat_map(sources_in).map(|(read, _)| read).collect();
    let choice = |id: ReadId| {
        let read = &ir.reads[id.index()];
        Choice {
            txn: txn(ir, read.unit).0,
            op: read.op,
            key: ir.orders[read.order.index()].key.clone(),
            sources: read.sources.iter().map(|&from| source(ir, from)).collect(),
        }
    };
    reads.into_iter().map(choice).collect()
}

fn txns_of(conflicts: &[Told], choices: &[Choice]) -> BTreeSet<u32> {
    let mut core = BTreeSet::new();
    let add_source = |from: &From, core: &mut BTreeSet<u32>| {
        if let From::Txn(txn) = from {
            core.insert(*txn);
        }
    };
    for choice in choices {
        core.insert(choice.txn);
        choice.sources.iter().for_each(|from| add_source(from, &mut core));
    }
    for conflict in conflicts {
        for literal in &conflict.literals {
            match literal {
                Said::Reads { txn, from, .. } => {
                    core.insert(*txn);
                    add_source(from, &mut core);
                }
                Said::Before { first, then, .. } => core.extend([*first, *then]),
            }
        }
        match &conflict.rule {
            Rule::Cycle(edges) => {
                for edge in edges {
                    core.extend([edge.from, edge.to]);
                    edge.over.iter().for_each(|from| add_source(from, &mut core));
                }
            }
            Rule::NoSource(txn, _) | Rule::ListOrder(txn, _) => {
                core.insert(*txn);
            }
            Rule::InitialClash => {}
        }
    }
    core
}
