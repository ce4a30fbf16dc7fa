//! Prints a history in the simple format, leaving out what it has no words for.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json};

use crate::formats::choice;
use crate::formats::object::{Object, pairs, values};
use crate::{Datum, History, Initial, Observed, Op, OpKind, OpStatus, Outcome, Presence, TxnId};

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
    if initial.is_none() && own.is_none() && order.is_none() {
        return Ok(());
    }
    let mut object = Object::open(out)?;
    object.maybe("initial", initial)?;
    object.maybe("own", own)?;
    object.maybe("order", order)?;
    object.close()
}

fn initial(history: &History) -> Option<Value> {
    match &history.header.initial {
        Initial::Empty | Initial::Unknown => None,
        Initial::Uniform(value) => Some(match &*history.value(*value) {
            // An object would be taken for one value per key.
            bytes @ Datum::Bytes(_) => json!(bytes.to_string()),
            value => json!(value),
        }),
        Initial::Given(map) => {
            let pairs = map.iter().map(|(key, value)| (history.key(*key).to_string(), value));
            let pairs: BTreeMap<String, Cow<'_, Datum>> =
                pairs.map(|(key, value)| (key, history.value(*value))).collect();
            Some(json!(pairs))
        }
    }
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
    let ops: Vec<Value> = done
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
fn item(history: &History, kind: &OpKind) -> Option<Value> {
    let key = kind.key().map(|key| history.key(key));
    let seen = |seen: &Observed| match seen {
        Observed::Unknown => None,
        Observed::Absent => Some(Value::Null),
        Observed::Value(value) => Some(json!(history.value(*value))),
    };
    Some(match kind {
        OpKind::Get { seen: read, .. } => json!(["r", key, seen(read)?]),
        OpKind::Put { value, .. } | OpKind::PutIf { value, rows: None, .. } => {
            json!(["w", key, history.value(*value)])
        }
        OpKind::PutIf { value, when, rows: Some(rows), .. } => {
            let tag = match when {
                Presence::Present => "u",
                Presence::Absent => "i",
            };
            json!([tag, key, history.value(*value), rows])
        }
        OpKind::Savepoint { name } => json!(["sp", name]),
        OpKind::RollbackTo { name } => json!(["rb", name]),
        OpKind::Delete { rows: None, .. } => json!(["d", key]),
        OpKind::Delete { rows: Some(rows), .. } => json!(["d", key, rows]),
        OpKind::ReadModifyWrite { seen: read, value, .. } => match seen(read) {
            Some(old) => json!(["rw", key, old, history.value(*value)]),
            None => json!(["w", key, history.value(*value)]),
        },
        OpKind::Append { element, .. } => json!(["a", key, history.value(*element)]),
        OpKind::ReadList { elements, .. } => {
            json!(["l", key, values(history, elements.as_deref()?)])
        }
        OpKind::Scan { range, items, .. } => {
            let tag = if range.reverse { "sr" } else { "s" };
            json!([tag, range.lo, range.hi, pairs(history, items.as_deref()?)])
        }
        OpKind::Iterate { range, items, reached_end } => {
            let stop = if *reached_end { "end" } else { "more" };
            let tag = if range.reverse { "itr" } else { "it" };
            json!([tag, range.lo, range.hi, pairs(history, items.as_deref()?), stop])
        }
    })
}
