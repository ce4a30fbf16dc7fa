//! Operations as data, for the pictures of a report.

use tristan_history::{
    Datum, History, Items, KeyId, Observed, Op, OpKind, OpStatus, Presence, Range, ValueId,
};
use tristan_verdict::{Deed, Saw};

use crate::asg::program::{Undone, written};
use crate::resolution::is_indeterminate;

/// A picture shows no more items of a range read.
const MOST_ITEMS: usize = 40;

/// What each operation of a transaction does; nothing for savepoints.
pub(super) fn deeds(history: &History, ops: &[Op]) -> Vec<Option<Deed>> {
    let undone = Undone::find(ops);
    let deed = |(at, op)| deed(history, op, undone.contains(at));
    ops.iter().enumerate().map(deed).collect()
}

fn deed(history: &History, op: &Op, undone: bool) -> Option<Deed> {
    let key = |key: &KeyId| history.key(*key).clone();
    let value = |value: &ValueId| history.value(*value).into_owned();
    let void = undone || written(op).is_none() && !is_indeterminate(op);
    Some(match &op.kind {
        OpKind::Get { key: k, .. } | OpKind::ReadList { key: k, .. } => {
            Deed::Read { key: key(k), saw: saw(history, op) }
        }
        OpKind::Put { key: k, value: v }
        | OpKind::PutIf { key: k, value: v, .. }
        | OpKind::ReadModifyWrite { key: k, value: v, .. } => {
            Deed::Write { key: key(k), value: Some(value(v)), void, saw: saw(history, op) }
        }
        OpKind::Delete { key: k, .. } => {
            Deed::Write { key: key(k), value: None, void, saw: saw(history, op) }
        }
        OpKind::Append { key: k, element } if undone || op.status == OpStatus::Failed => {
            Deed::Write { key: key(k), value: Some(value(element)), void: true, saw: None }
        }
        OpKind::Append { key: k, element } => Deed::Append { key: key(k), value: value(element) },
        OpKind::Scan { range, items, .. } => range_read(history, range, items.as_ref(), None),
        OpKind::Iterate { range, items, reached_end } => {
            range_read(history, range, items.as_ref(), Some(*reached_end))
        }
        OpKind::Savepoint { .. } | OpKind::RollbackTo { .. } => return None,
    })
}

/// What an operation found under its one key; `None` if it did not return or does not tell.
fn saw(history: &History, op: &Op) -> Option<Saw> {
    if op.status != OpStatus::Done {
        return None;
    }
    let value = |value: &ValueId| history.value(*value).into_owned();
    let there = |is_there: bool| if is_there { Saw::Present } else { Saw::Absent };
    match &op.kind {
        OpKind::Get { seen, .. } | OpKind::ReadModifyWrite { seen, .. } => match seen {
            Observed::Unknown => None,
            Observed::Absent => Some(Saw::Absent),
            Observed::Value(id) => Some(Saw::Value(value(id))),
        },
        OpKind::ReadList { elements, .. } => {
            elements.as_ref().map(|list| Saw::List(list.iter().map(value).collect()))
        }
        OpKind::PutIf { when, rows, .. } => {
            rows.map(|rows| there((*when == Presence::Present) == (rows > 0)))
        }
        OpKind::Delete { rows, .. } => rows.map(|rows| there(rows > 0)),
        _ => None,
    }
}

fn range_read(
    history: &History,
    range: &Range,
    items: Option<&Items>,
    to_end: Option<bool>,
) -> Deed {
    let all: Vec<&(KeyId, ValueId)> = items.into_iter().flat_map(|items| items.iter()).collect();
    let item = |(key, value): &(KeyId, ValueId)| -> (Datum, Datum) {
        (history.key(*key).clone(), history.value(*value).into_owned())
    };
    Deed::Range {
        low: range.lo.clone(),
        high: range.hi.clone(),
        reverse: range.reverse,
        to_end,
        items: all.iter().take(MOST_ITEMS).map(|pair| item(pair)).collect(),
        more: all.len().saturating_sub(MOST_ITEMS),
    }
}

#[cfg(test)]
mod tests {
    use tristan_history::{HistoryBuilder, Outcome, TxnId};

    use super::*;

    #[test]
    fn writes_that_do_not_last_are_void() {
        let mut builder = HistoryBuilder::default();
        let txn = builder.begin("s").savepoint("p").put("x", 1).rollback("p").put("y", 2);
        txn.append("l", 3).end(Outcome::Committed);
        let history = builder.finish();
        let deeds = deeds(&history, history.ops_of(TxnId(0)));
        let writes: Vec<Option<String>> = deeds
            .iter()
            .map(|deed| deed.as_ref().and_then(Deed::writes).map(ToString::to_string))
            .collect();
        let expected = [None, None, None, Some("y".to_owned()), Some("l".to_owned())];
        assert_eq!(writes, expected);
        assert!(deeds[0].is_none() && matches!(deeds[1], Some(Deed::Write { void: true, .. })));
    }

    #[test]
    fn operations_tell_what_they_found() {
        let mut builder = HistoryBuilder::default();
        let txn = builder.begin("s").get("x", Some(1)).get("y", None).list("l", &[3, 4]);
        txn.put_if("x", 2, Presence::Absent, Some(0)).delete("x").end(Outcome::Committed);
        let history = builder.finish();
        let saw = |deed: Option<Deed>| match deed {
            Some(Deed::Read { saw, .. } | Deed::Write { saw, .. }) => saw,
            _ => None,
        };
        let found: Vec<_> =
            deeds(&history, history.ops_of(TxnId(0))).into_iter().map(saw).collect();
        let one = Some(Saw::Value(Datum::Int(1)));
        let list = Some(Saw::List(vec![Datum::Int(3), Datum::Int(4)]));
        assert_eq!(found, [one, Some(Saw::Absent), list, Some(Saw::Present), None]);
    }
}
