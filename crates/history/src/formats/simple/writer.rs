//! Prints a history in the simple format, leaving out what it has no words for.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json};

use crate::formats::object::{Object, pairs, values};
use crate::{Datum, History, Initial, Observed, OpKind, OpStatus, Outcome, TxnId};

/// Prints one line per transaction, in order of their ids.
pub(crate) fn write(history: &History, out: &mut impl Write) -> io::Result<()> {
    initial(history, out)?;
    let mut place = vec![0usize; history.txns.len()];
    for session in &history.sessions {
        for (position, id) in session.txns.iter().enumerate() {
            place[id.index()] = position;
        }
    }
    history.txn_ids().try_for_each(|id| txn(history, id, place[id.index()], out))
}

fn initial(history: &History, out: &mut impl Write) -> io::Result<()> {
    let state = match &history.header.initial {
        Initial::Empty | Initial::Unknown => return Ok(()),
        Initial::Uniform(value) => json!(history.value(*value)),
        Initial::Given(map) => {
            let pairs = map.iter().map(|(key, value)| (history.key(*key).to_string(), value));
            let pairs: BTreeMap<String, &Datum> =
                pairs.map(|(key, value)| (key, history.value(*value))).collect();
            json!(pairs)
        }
    };
    let mut object = Object::open(out)?;
    object.field("initial", &state)?;
    object.close()
}

fn txn(history: &History, id: TxnId, place: usize, out: &mut impl Write) -> io::Result<()> {
    let txn = history.txn(id);
    let mut object = Object::open(out)?;
    object.maybe("id", txn.name.as_ref())?;
    object.field("s", &history.sessions[txn.session.index()].name)?;
    object.field("i", &place)?;
    object.maybe("t0", txn.begin.call)?;
    object.maybe("t1", txn.end.ret)?;
    let status = match txn.outcome {
        Outcome::Committed => "c",
        Outcome::Aborted => "a",
        Outcome::Unknown => "u",
    };
    object.field("st", status)?;
    let done = history.ops_of(id).iter().filter(|op| op.status != OpStatus::Failed);
    let ops: Vec<Value> = done.filter_map(|op| item(history, &op.kind)).collect();
    object.field("ops", &ops)?;
    object.maybe("err", txn.error.as_ref())?;
    object.close()
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
        OpKind::Savepoint { .. } | OpKind::RollbackTo { .. } => return None,
        OpKind::Put { value, .. } | OpKind::PutIf { value, .. } => {
            json!(["w", key, history.value(*value)])
        }
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
            json!(["s", range.lo, range.hi, pairs(history, items.as_deref()?)])
        }
        OpKind::Iterate { range, items, reached_end } => {
            let stop = if *reached_end { "end" } else { "more" };
            json!(["it", range.lo, range.hi, pairs(history, items.as_deref()?), stop])
        }
    })
}
