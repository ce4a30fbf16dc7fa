//! Prints a history in the simple format, leaving out what it has no words for.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::choice;
use crate::content::Shown;
use crate::object::{Object, pairs, shown, shown_pairs, values};
use tristan_history::{
    Datum, History, Initial, Observed, Op, OpKind, OpStatus, Outcome, Presence, TxnId, ValueId,
};

/// Prints one line per transaction, in order of their ids.
pub(crate) fn write(history: &History, out: &mut impl Write) -> io::Result<()> {
    header(history, out)?;
    let mut place = vec![0usize; history.txns.len()];
    for session in &history.sessions {
        for (position, id) in session.txns.iter().enumerate() {
            place[id.index()] = position;
        }
    }
    history.txn_ids().try_for_each(|id| txn(history, id, place[id.index()], out))
}

/// Prints the first line, if it has something to say.
fn header(history: &History, out: &mut impl Write) -> io::Result<()> {
    let initial = initial(history);
    let own = choice::OWN.unusual(history.header.own_writes);
    let order = choice::ORDER.unusual(history.header.key_order);
    let times = choice::TIMES.unusual(history.header.clock);
    if initial.is_none() && own.is_none() && order.is_none() && times.is_none() {
        return Ok(());
    }
    let mut object = Object::open(out)?;
    object.maybe("initial", initial)?;
    object.maybe("own", own)?;
    object.maybe("order", order)?;
    object.maybe("times", times)?;
    object.close()
}

fn initial(history: &History) -> Option<Box<RawValue>> {
    match &history.header.initial {
        Initial::Empty | Initial::Unknown => None,
        Initial::Uniform(value) => {
            let value = history.value(*value);
            match is_object(&value) {
                // An object would be taken for one value per key.
                true => raw(&value.to_string()),
                false => raw(&Shown(&value)),
            }
        }
        Initial::Given(map) => {
            let pairs = map.iter().map(|(key, value)| (history.key(*key).to_string(), value));
            let pairs: BTreeMap<String, Cow<'_, Datum>> =
                pairs.map(|(key, value)| (key, history.value(*value))).collect();
            let shown: BTreeMap<&String, Shown<'_>> =
                pairs.iter().map(|(key, value)| (key, Shown(value))).collect();
            raw(&shown)
        }
    }
}

/// Whether a value is printed as a JSON object.
pub(super) fn is_object(value: &Datum) -> bool {
    match value {
        Datum::Bytes(_) => true,
        Datum::Json(json) => json.starts_with('{'),
        Datum::Int(_) | Datum::Text(_) => false,
    }
}

fn raw(printed: &(impl Serialize + ?Sized)) -> Option<Box<RawValue>> {
    to_raw_value(printed).ok()
}

fn txn(history: &History, id: TxnId, place: usize, out: &mut impl Write) -> io::Result<()> {
    let txn = history.txn(id);
    let mut object = Object::open(out)?;
    object.maybe("id", txn.name.as_ref())?;
    object.field("s", &history.sessions[txn.session.index()].name)?;
    object.field("i", &place)?;
    object.maybe("t0", txn.begin().call)?;
    object.maybe("t1", txn.end().ret)?;
    let status = match txn.outcome {
        Outcome::Committed => "c",
        Outcome::Aborted => "a",
        Outcome::Unknown => "u",
    };
    object.field("st", status)?;
    let done = history.ops_of(id).iter().filter(|op| op.status != OpStatus::Failed);
    let ops: Vec<Box<RawValue>> = done
        .filter(|op| !is_pending_rollback(op))
        .filter_map(|op| item(history, &op.kind))
        .collect();
    object.field("ops", &ops)?;
    object.maybe("err", txn.error.as_ref())?;
    object.close()
}

/// A rollback that never returned undoes nothing.
fn is_pending_rollback(op: &Op) -> bool {
    op.status == OpStatus::Pending && matches!(op.kind, OpKind::RollbackTo { .. })
}

/// An operation as it is printed; `None` when its result is unknown.
fn item(history: &History, kind: &OpKind) -> Option<Box<RawValue>> {
    let key = kind.key().map(|key| history.key(key));
    let value = |value: &ValueId| raw(&Shown(&history.value(*value)));
    let seen = |seen: &Observed| match seen {
        Observed::Unknown => None,
        Observed::Absent => raw(&()),
        Observed::Value(read) => value(read),
    };
    match kind {
        OpKind::Get { seen: read, .. } => raw(&("r", key, seen(read)?)),
        OpKind::Put { value: new, .. } | OpKind::PutIf { value: new, rows: None, .. } => {
            raw(&("w", key, value(new)))
        }
        OpKind::PutIf { value: new, when, rows: Some(rows), .. } => {
            let tag = match when {
                Presence::Present => "u",
                Presence::Absent => "i",
            };
            raw(&(tag, key, value(new), rows))
        }
        OpKind::Savepoint { name } => raw(&("sp", name)),
        OpKind::RollbackTo { name } => raw(&("rb", name)),
        OpKind::Delete { rows: None, .. } => raw(&("d", key)),
        OpKind::Delete { rows: Some(rows), .. } => raw(&("d", key, rows)),
        OpKind::ReadModifyWrite { seen: read, value: new, .. } => match seen(read) {
            Some(old) => raw(&("rw", key, old, value(new))),
            None => raw(&("w", key, value(new))),
        },
        OpKind::Append { element, .. } => raw(&("a", key, value(element))),
        OpKind::ReadList { elements, .. } => {
            raw(&("l", key, shown(&values(history, elements.as_deref()?))))
        }
        OpKind::Scan { range, items, .. } => {
            let tag = if range.reverse { "sr" } else { "s" };
            let items = pairs(history, items.as_deref()?);
            raw(&(tag, &range.lo, &range.hi, shown_pairs(&items)))
        }
        OpKind::Iterate { range, items, reached_end } => {
            let stop = if *reached_end { "end" } else { "more" };
            let tag = if range.reverse { "itr" } else { "it" };
            let items = pairs(history, items.as_deref()?);
            raw(&(tag, &range.lo, &range.hi, shown_pairs(&items), stop))
        }
    }
}
