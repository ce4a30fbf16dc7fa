//! Collects hints while a trace is read. They may name transactions and deletes that come later,
//! so names are looked up only when every line was seen.
//!
//! ```text
//!   "from":"B"                          ──► SourceHint   read from transaction B
//!   "dead":7    and, somewhere,   "op":"delete","v":7
//!                                       ──► SourceHint   read from the transaction that deletes
//!   "stamp":12                          ──► StampHint
//!   {"hint":"order","k":"x","txns":…}   ──► OrderHint
//! ```

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::line::Line;
use super::scalar::{Payload, Written};
use crate::error::{ContentError, short};
use crate::pair::Pair;
use tristan_history::{
    Datum, Hints, HistoryBuilder, Interner, KeyId, Observed, OpKind, OpRef, OrderHint, SourceHint,
    StampHint, TxnId, ValueId,
};

/// Hints with names that are not looked up yet.
#[derive(Debug, Default)]
pub(super) struct LooseHints {
    sources: Vec<LooseSource>,
    orders: Vec<LooseOrder>,
    stamps: BTreeMap<TxnId, StampHint>,
    /// The writer of each tombstone, and its line.
    tombstones: FxHashMap<(KeyId, Datum), (TxnId, u32)>,
}

#[derive(Debug)]
struct LooseSource {
    op: OpRef,
    key: KeyId,
    origin: Origin,
    line: u32,
}

#[derive(Debug)]
struct LooseOrder {
    key: KeyId,
    names: Vec<Datum>,
    line: u32,
}

/// Where a read came from, as written.
#[derive(Debug)]
enum Origin {
    Initial,
    Txn(Datum),
    Tombstone(Datum),
}

/// A line and what is wrong with it.
type LineError = (u32, ContentError);

impl LooseHints {
    /// Notes what the answer to an operation says about its sources.
    pub(super) fn answered(
        &mut self,
        op: OpRef,
        kind: &OpKind,
        line: &mut Line,
        builder: &mut HistoryBuilder,
        number: u32,
    ) -> Result<(), ContentError> {
        let from = line.from.take().map(|from| sources(from, kind)).transpose()?;
        let dead = line.dead.take().map(|dead| tombstones(dead, kind, builder)).transpose()?;
        let said = from.into_iter().chain(dead).flatten();
        let loose = said.map(|(key, origin)| LooseSource { op, key, origin, line: number });
        self.sources.extend(loose);
        Ok(())
    }

    /// Notes the id that a delete gives to the tombstone it writes.
    pub(super) fn deleted(
        &mut self,
        txn: TxnId,
        kind: &OpKind,
        line: &mut Line,
        number: u32,
    ) -> Result<(), ContentError> {
        let OpKind::Delete { key, .. } = kind else { return Ok(()) };
        let Some(written) = line.value.take() else { return Ok(()) };
        let Written::One(id) = written else {
            return Err(ContentError::new("no single id in \"v\"", "the id of the tombstone"));
        };
        let (writer, before) = *self.tombstones.entry((*key, id.clone())).or_insert((txn, number));
        match writer == txn {
            true => Ok(()),
            false => Err(ContentError::new(
                format!("tombstone {} of this key again", short(&id)),
                format!("an id other than the one on line {before}"),
            )),
        }
    }

    /// Notes a line that says in which order transactions wrote a key.
    pub(super) fn order(&mut self, key: KeyId, names: Vec<Datum>, line: u32) {
        self.orders.push(LooseOrder { key, names, line });
    }

    /// Notes when a transaction started, in logical time.
    pub(super) fn started(&mut self, txn: TxnId, time: i64, line: u32) {
        let stamp = self.stamp(txn);
        (stamp.start, stamp.line) = (Some(time), line);
    }

    /// Notes when a transaction committed, in logical time.
    pub(super) fn committed(&mut self, txn: TxnId, time: i64, line: u32) {
        let stamp = self.stamp(txn);
        (stamp.commit, stamp.line) = (Some(time), line);
    }

    fn stamp(&mut self, txn: TxnId) -> &mut StampHint {
        let blank = StampHint { txn, start: None, commit: None, line: 0 };
        self.stamps.entry(txn).or_insert(blank)
    }

    /// Looks up all names.
    pub(super) fn resolve(
        self,
        txns: &FxHashMap<Datum, usize>,
        keys: &Interner,
    ) -> Result<Hints, LineError> {
        let Self { sources, orders, stamps, tombstones } = self;
        let txn = |name: &Datum, field, line| match txns.get(name) {
            Some(&index) => Ok(TxnId::new(index)),
            None => Err((line, unknown(format!("transaction {}", short(name)), field))),
        };
        let source = |LooseSource { op, key, origin, line }| {
            let from = match origin {
                Origin::Initial => None,
                Origin::Txn(name) => Some(txn(&name, "from", line)?),
                Origin::Tombstone(id) => match tombstones.get(&(key, id.clone())) {
                    Some(&(writer, _)) => Some(writer),
                    None => return Err((line, no_tombstone(&id, keys.get(key.0)))),
                },
            };
            Ok(SourceHint { op, key, from, line })
        };
        let order = |LooseOrder { key, names, line }| {
            let writers =
                names.iter().map(|name| txn(name, "txns", line)).collect::<Result<_, _>>();
            Ok(OrderHint { key, writers: writers?, line })
        };
        Ok(Hints {
            sources: sources.into_iter().map(source).collect::<Result<_, LineError>>()?,
            orders: orders.into_iter().map(order).collect::<Result<_, LineError>>()?,
            stamps: stamps.into_values().collect(),
        })
    }
}

/// The sources that `from` names: one for a point read, one per item for a range read.
fn sources(
    from: Payload<Option<Datum>>,
    kind: &OpKind,
) -> Result<Vec<(KeyId, Origin)>, ContentError> {
    let origin = |name: Option<Datum>| name.map_or(Origin::Initial, Origin::Txn);
    match (from, kind.key(), items_of(kind)) {
        (Payload::Null, Some(key), _) => Ok(vec![(key, Origin::Initial)]),
        (Payload::One(name), Some(key), _) => Ok(vec![(key, Origin::Txn(name))]),
        (Payload::List(names), None, items) if names.len() == items.len() => {
            Ok(items.iter().map(|item| item.0).zip(names.into_iter().map(origin)).collect())
        }
        (Payload::List(names), None, items) => Err(ContentError::new(
            format!("{} transactions in \"from\"", names.len()),
            format!("one for each of the {} items", items.len()),
        )),
        (Payload::List(_), Some(_), _) => {
            Err(ContentError::new("a list in \"from\"", "one transaction, or null"))
        }
        (Payload::Null | Payload::One(_), None, _) => {
            Err(ContentError::new("no list in \"from\"", "a list with a transaction per item"))
        }
    }
}

/// The tombstones that `dead` names: one for a point read that found nothing, pairs of key and id
/// for a range read.
fn tombstones(
    dead: Payload<Pair>,
    kind: &OpKind,
    builder: &mut HistoryBuilder,
) -> Result<Vec<(KeyId, Origin)>, ContentError> {
    let mut pair = |Pair(key, id)| (builder.key(key), Origin::Tombstone(id));
    match (dead, kind) {
        (Payload::List(pairs), OpKind::Scan { .. } | OpKind::Iterate { .. }) => {
            Ok(pairs.into_iter().map(&mut pair).collect())
        }
        (_, OpKind::Scan { .. } | OpKind::Iterate { .. }) => {
            Err(ContentError::new("no list in \"dead\"", "a list of pairs [key, id]"))
        }
        (
            Payload::One(id),
            OpKind::Get { key, seen: Observed::Absent, .. }
            | OpKind::ReadModifyWrite { key, seen: Observed::Absent, .. },
        ) => Ok(vec![(*key, Origin::Tombstone(id))]),
        (Payload::One(_), _) => Err(ContentError::new(
            "\"dead\" on a read that found a value",
            "it on one that found none",
        )),
        _ => Err(ContentError::new("no single id in \"dead\"", "the id of one tombstone")),
    }
}

fn items_of(kind: &OpKind) -> &[(KeyId, ValueId)] {
    match kind {
        OpKind::Scan { items: Some(items), .. } | OpKind::Iterate { items: Some(items), .. } => {
            items
        }
        _ => &[],
    }
}

fn unknown(what: String, field: &str) -> ContentError {
    ContentError::new(format!("{what} in \"{field}\""), "a transaction of this trace")
}

fn no_tombstone(id: &Datum, key: &Datum) -> ContentError {
    ContentError::new(
        format!("tombstone {} of key {} in \"dead\"", short(id), short(key)),
        "one that a delete of this key wrote",
    )
}
