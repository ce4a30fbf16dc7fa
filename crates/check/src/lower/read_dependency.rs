//! Read dependencies: each external read becomes a choice among its possible sources.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use tristan_ground::joined;
use tristan_history::{Initial, OpRef, TxnId};

use super::Numbering;
use super::merge::superfluous;
use crate::asg::{Asg, BadRead, ExternalRead, ReadKind, Seen};
use crate::ir::{InitialClaim, Ir, More, OrderId, Read, Source, Sources, Unit, UnitInfo};

/// Adds a [`Read`] per external read that is not dirty, and one without sources for every bad
/// read of a transaction that may not have taken effect. Marks the readers. Reads that session
/// order makes superfluous are left out if the problem is to be merged.
pub(crate) fn lower(asg: &Asg<'_>, numbering: &Numbering, ir: &mut Ir) {
    let left_out = if ir.merged { superfluous(asg) } else { Vec::new() };
    let units = &ir.units;
    let reads = asg.threads.each(units.len(), |range| {
        let count = |unit: &UnitInfo| asg.reads.count_of(unit.txn);
        let mut reads = Vec::with_capacity(units[range.clone()].iter().map(count).sum());
        for unit in range {
            let txn = units[unit].txn;
            if asg.reads_dirty(txn) {
                continue;
            }
            for (index, read) in asg.reads.of(txn) {
                if !left_out.get(index as usize).copied().unwrap_or(false) {
                    reads.push(lower_one(asg, numbering, Unit::new(unit), &read));
                }
            }
        }
        reads
    });
    ir.reads = joined(reads);
    ir.units.iter_mut().for_each(|unit| unit.reads = asg.reads.has(unit.txn));
    add_bad(asg, numbering, ir);
}

fn lower_one(asg: &Asg<'_>, numbering: &Numbering, unit: Unit, read: &ExternalRead) -> Read {
    let unknown_start = asg.history.header.initial == Initial::Unknown;
    let mut sources: SmallVec<[Source; 8]> = SmallVec::new();
    asg.for_each_source(read, |source| {
        sources.extend(match source {
            None => Some(Source::Initial),
            Some(txn) => numbering.unit(txn).map(Source::Unit),
        });
    });
    sources.sort_unstable();
    let shows = asg.lists.writers_in(read.txn, read.op);
    Read {
        unit,
        op: read.op,
        order: numbering.order_read(read.key),
        kind: read.kind,
        sources: sources.as_slice().into(),
        more: More {
            initial_claim: claim(read).filter(|_| unknown_start),
            shows: shows.map(|txns| txns.iter().filter_map(|&txn| numbering.unit(txn)).collect()),
        }
        .kept(),
    }
}

/// Reads that are wrong by themselves have no source: their unit did not take effect.
fn add_bad(asg: &Asg<'_>, numbering: &Numbering, ir: &mut Ir) {
    if asg.bad.is_empty() {
        return;
    }
    let place = |read: &Read| (read.unit, read.op, read.order);
    let lowered: FxHashSet<(Unit, u32, OrderId)> = ir.reads.iter().map(place).collect();
    let tolerated = |bad: &BadRead| bad.is_dirty() && asg.reads_dirty(bad.txn);
    for bad in asg.bad.iter().filter(|bad| !tolerated(bad)) {
        let order = numbering.order_read(bad.key);
        let fresh = |unit: &Unit| !lowered.contains(&(*unit, bad.op, order));
        if let Some(unit) = numbering.unit(bad.txn).filter(fresh) {
            ir.reads.push(Read {
                unit,
                op: bad.op,
                order,
                kind: bad_kind(asg, bad),
                sources: Sources::default(),
                more: None,
            });
        }
    }
}

/// Adds the reads of these units that were left out, if any were.
pub(crate) fn restore(asg: &Asg<'_>, units: &[Unit], ir: &mut Ir) {
    if !ir.merged {
        return;
    }
    let numbering = Numbering::of(asg, ir);
    let wanted: FxHashSet<Unit> = units.iter().copied().collect();
    let of_wanted = ir.reads.iter().filter(|read| wanted.contains(&read.unit));
    let known: FxHashSet<(Unit, u32, OrderId)> =
        of_wanted.map(|read| (read.unit, read.op, read.order)).collect();
    for &unit in units {
        for (_, read) in asg.reads.of(ir.units[unit.index()].txn) {
            let read = lower_one(asg, &numbering, unit, &read);
            if !known.contains(&(unit, read.op, read.order)) {
                ir.reads.push(read);
            }
        }
    }
}

/// Dirty reads create no dependencies; only those that nothing but an unknown initial state
/// explains are kept, because they must agree on it.
pub(crate) fn lower_dirty(
    asg: &Asg<'_>,
    numbering: &Numbering,
    dirty: impl Fn(TxnId) -> bool,
    ir: &mut Ir,
) {
    if asg.history.header.initial != Initial::Unknown {
        return;
    }
    for read in asg.reads.iter().filter(|read| dirty(read.txn)) {
        let hidden = asg.writes.hidden(read.key, read.seen, read.txn);
        let written = asg.writes.matching(read.key, read.seen).iter().any(|v| v.txn != read.txn)
            || hidden.is_some_and(|hidden| hidden.write.txn != read.txn);
        let Some(unit) = numbering.unit(read.txn).filter(|_| !written) else { continue };
        let Some(claim) = claim(&read) else { continue };
        ir.units[unit.index()].reads = true;
        ir.reads.push(Read {
            unit,
            op: read.op,
            order: numbering.order_read(read.key),
            kind: read.kind,
            sources: Source::Initial.into(),
            more: More { initial_claim: Some(claim), shows: None }.kept(),
        });
    }
}

/// How the key of a bad read was read.
fn bad_kind(asg: &Asg<'_>, bad: &BadRead) -> ReadKind {
    match asg.history.op(OpRef { txn: bad.txn, op: bad.op }).kind.key() {
        Some(_) => ReadKind::Point,
        None => ReadKind::Item,
    }
}

fn claim(read: &ExternalRead) -> Option<InitialClaim> {
    match read.seen {
        Seen::Absent => Some(InitialClaim::Absent),
        Seen::Present => Some(InitialClaim::Present),
        Seen::Value(value) => Some(InitialClaim::Value(value.0)),
        Seen::List(_) => None,
    }
}
