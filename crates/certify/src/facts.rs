//! Facts about the whole trace: recomputed from it.

use std::collections::BTreeSet;

use tristan_history::{KeyId, TxnId, ValueId};
use tristan_verdict::{Content, Fact, Refutation};

use crate::error::CertifyError;
use crate::operations::Seen;
use crate::reading::{Read, Reading};
use crate::support::needed;
use crate::writes::attempts;

/// Checks every fact of a refutation.
pub(crate) fn check(reading: &Reading<'_>, refutation: &Refutation) -> Result<(), CertifyError> {
    for (number, fact) in refutation.facts.iter().enumerate() {
        let wrong = |problem: String| CertifyError::Fact { fact: number, problem };
        match fact {
            Fact::OnlyVersions { key, content, txns } => {
                let key = reading.history.keys.find(key).map(KeyId);
                let found = key.map(|key| versions(reading, key, content)).unwrap_or_default();
                same(&found, txns).map_err(wrong)?;
            }
            Fact::OnlyWrites { key, content, txns } => {
                let key = reading.history.keys.find(key).map(KeyId);
                let found = key.map(|key| writes(reading, key, content)).unwrap_or_default();
                same(&found, txns).map_err(wrong)?;
            }
            Fact::ListShows { txn, op, key, first, then } => {
                let key = reading.history.keys.find(key).map(KeyId);
                let read = key.and_then(|key| reading.read_of_key(TxnId(*txn), *op, key));
                let shown = read.is_some_and(|(_, read)| {
                    reading.list_shows(&read, TxnId(*first), TxnId(*then))
                });
                if !shown {
                    return Err(wrong("the list does not show this order".to_owned()));
                }
            }
            Fact::TookEffect { txn, reader, op } => {
                let reads = reading.reads_at(TxnId(*reader), *op).iter();
                let shows = |read: &Read| needed(reading, read).contains(&TxnId(*txn));
                if !reads.clone().any(shows) {
                    let told = "the read does not show that the transaction took effect";
                    return Err(wrong(told.to_owned()));
                }
            }
        }
    }
    Ok(())
}

/// The transactions that facts name as readers or writers.
pub(crate) fn named(refutation: &Refutation) -> BTreeSet<u32> {
    let mut named = BTreeSet::new();
    for fact in &refutation.facts {
        match fact {
            Fact::OnlyVersions { txns, .. } | Fact::OnlyWrites { txns, .. } => named.extend(txns),
            Fact::ListShows { txn, first, then, .. } => named.extend([txn, first, then]),
            Fact::TookEffect { txn, reader, .. } => named.extend([txn, reader]),
        }
    }
    named
}

/// The keys that facts speak of.
pub(crate) fn keys(reading: &Reading<'_>, refutation: &Refutation) -> Vec<KeyId> {
    let mut keys = Vec::new();
    for fact in &refutation.facts {
        match fact {
            Fact::OnlyVersions { key, .. }
            | Fact::OnlyWrites { key, .. }
            | Fact::ListShows { key, .. } => {
                keys.extend(reading.history.keys.find(key).map(KeyId));
            }
            Fact::TookEffect { reader, op, .. } => {
                keys.extend(reading.reads_at(TxnId(*reader), *op).iter().map(|read| read.key));
            }
        }
    }
    keys
}

fn same(found: &BTreeSet<u32>, told: &[u32]) -> Result<(), String> {
    if found.iter().eq(told) {
        return Ok(());
    }
    let missing = found.iter().find(|txn| !told.contains(txn));
    let surplus = told.iter().find(|txn| !found.contains(txn));
    Err(match (missing, surplus) {
        (Some(txn), _) => format!("it leaves out transaction {txn}"),
        (None, Some(txn)) => format!("transaction {txn} does not belong there"),
        (None, None) => "its transactions are not in ascending order".to_owned(),
    })
}

/// The transactions that installed a version of the key with this content.
fn versions(reading: &Reading<'_>, key: KeyId, content: &Content) -> BTreeSet<u32> {
    let Some(wanted) = wanted(reading, content) else { return BTreeSet::new() };
    match wanted {
        Wanted::Element(element) => {
            let appends = reading.appends.iter();
            let kept = appends.filter(|append| !reading.is_taken_back(append));
            kept.filter(|append| (append.key, append.element) == (key, element))
                .map(|append| append.txn.0)
                .collect()
        }
        Wanted::Cell(seen) => {
            let first = reading.finals.partition_point(|&(other, ..)| other < key);
            let of_key = reading.finals[first..].iter().take_while(|&&(other, ..)| other == key);
            of_key.filter(|&&(_, cell, _)| seen.fits(cell)).map(|&(_, _, txn)| txn.0).collect()
        }
    }
}

/// The transactions that ever wrote this content to the key.
fn writes(reading: &Reading<'_>, key: KeyId, content: &Content) -> BTreeSet<u32> {
    let Some(wanted) = wanted(reading, content) else { return BTreeSet::new() };
    match wanted {
        Wanted::Element(element) => {
            let appends = reading.appends.iter();
            appends
                .filter(|append| (append.key, append.element) == (key, element))
                .map(|append| append.txn.0)
                .collect()
        }
        Wanted::Cell(seen) => attempts(reading.history, &reading.undone)
            .iter()
            .filter(|write| write.key == key && seen.fits(write.cell))
            .map(|write| write.txn.0)
            .collect(),
    }
}

enum Wanted {
    Cell(Seen),
    Element(ValueId),
}

/// The content as the trace numbers it; `None` if the value is nowhere in the trace.
fn wanted(reading: &Reading<'_>, content: &Content) -> Option<Wanted> {
    let number = |value| reading.history.values.find(value).map(ValueId);
    match content {
        Content::Absent => Some(Wanted::Cell(Seen::Absent)),
        Content::Present => Some(Wanted::Cell(Seen::Present)),
        Content::Value(value) => number(value).map(|value| Wanted::Cell(Seen::Value(value))),
        Content::Element(element) => number(element).map(Wanted::Element),
    }
}
