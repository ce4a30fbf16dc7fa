//! Read dependencies: each external read becomes a choice among its possible sources.

use rustc_hash::FxHashSet;
use smallvec::smallvec;
use tristan_history::{Initial, OpRef};

use super::Numbering;
use crate::asg::{Asg, BadRead, ExternalRead, ReadKind, Seen};
use crate::ir::{InitialClaim, Ir, Read, Source, Sources, Unit};

/// Adds a [`Read`] per external read, and one without sources for every bad read of a
/// transaction that may not have taken effect. Marks the readers.
pub(crate) fn lower(asg: &Asg<'_>, numbering: &Numbering, ir: &mut Ir) {
    let unknown_start = asg.history.header.initial == Initial::Unknown;
    let reads_of = by_unit(asg, numbering, ir.units.len());
    for &index in &reads_of {
        let read = &asg.reads[index as usize];
        let Some(unit) = numbering.unit(read.txn) else { continue };
        let mut sources = Sources::new();
        asg.for_each_source(read, |source| {
            sources.extend(match source {
                None => Some(Source::Initial),
                Some(txn) => numbering.unit(txn).map(Source::Unit),
            });
        });
        sources.sort_unstable();
        ir.units[unit as usize].reads = true;
        let shows = asg.lists.writers_in(read.txn, read.op);
        ir.reads.push(Read {
            unit,
            op: read.op,
            order: numbering.order(read.key),
            kind: read.kind,
            sources,
            initial_claim: claim(read).filter(|_| unknown_start),
            shows: shows.map(|txns| txns.iter().filter_map(|&txn| numbering.unit(txn)).collect()),
        });
    }
    let lowered: FxHashSet<(Unit, u32)> = match asg.bad.is_empty() {
        true => FxHashSet::default(),
        false => ir.reads.iter().map(|read| (read.unit, read.op)).collect(),
    };
    for bad in &asg.bad {
        let fresh = |unit: &Unit| !lowered.contains(&(*unit, bad.op));
        if let Some(unit) = numbering.unit(bad.txn).filter(fresh) {
            ir.reads.push(Read {
                unit,
                op: bad.op,
                order: numbering.order(bad.key),
                kind: bad_kind(asg, bad),
                sources: Sources::new(),
                initial_claim: None,
                shows: None,
            });
        }
    }
}

/// The reads as their units are numbered.
fn by_unit(asg: &Asg<'_>, numbering: &Numbering, units: usize) -> Vec<u32> {
    let mut first = vec![u32::MAX; units];
    for (index, read) in asg.reads.iter().enumerate().rev() {
        if let Some(unit) = numbering.unit(read.txn) {
            first[unit as usize] = index as u32;
        }
    }
    let with_reads = first.into_iter().filter(|&first| first != u32::MAX);
    let of_txn = |first: u32| {
        let reads = &asg.reads[first as usize..];
        let count = reads.iter().take_while(|read| read.txn == reads[0].txn).count();
        first..first + count as u32
    };
    with_reads.flat_map(of_txn).collect()
}

/// Where dirty reads are allowed, reads create no dependencies; only those that nothing but an
/// unknown initial state explains are kept, because they must agree on it.
pub(crate) fn lower_dirty(asg: &Asg<'_>, numbering: &Numbering, ir: &mut Ir) {
    if asg.history.header.initial != Initial::Unknown {
        return;
    }
    for read in &asg.reads {
        let written = asg.writes.matching(read.key, read.seen).iter().any(|v| v.txn != read.txn)
            || asg
                .writes
                .hidden(read.key, read.seen, read.txn)
                .is_some_and(|write| write.version.txn != read.txn);
        let Some(unit) = numbering.unit(read.txn).filter(|_| !written) else { continue };
        let Some(claim) = claim(read) else { continue };
        ir.units[unit as usize].reads = true;
        ir.reads.push(Read {
            unit,
            op: read.op,
            order: numbering.order(read.key),
            kind: read.kind,
            sources: smallvec![Source::Initial],
            initial_claim: Some(claim),
            shows: None,
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
