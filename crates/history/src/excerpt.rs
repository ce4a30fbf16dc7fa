//! Part of a history: some of its transactions, of these some operations, and of these what they wrote
//! or what they saw of some keys.
//!
//! ```text
//!   T7: scan [1, 99) → 4=1 7=2 …     kept for key 7      T7: scan [7, 8) → 7=2
//!   T9: insert 7 ← 2 if absent       kept as a write     T9: write 7 ← 2
//! ```
//!
//! What is left out was not seen, so an excerpt is a weaker statement than the whole. That holds only
//! as long as every transaction that can have written what is read in the excerpt is in it too, with
//! all its writes of the key: it is up to the caller to see to that.

mod aspect;
mod tables;

use std::collections::{BTreeMap, BTreeSet};

pub use aspect::{Aspect, key_range};
use tables::Tables;

use crate::{Header, History, Initial, KeyId, Op, OpKind, Range, Txn, TxnId, ValueId};

/// What is kept: per transaction and operation, which aspects of it.
pub type Kept = BTreeMap<TxnId, BTreeMap<u32, BTreeSet<Aspect>>>;

/// A part of a history, and where in the whole it was.
#[derive(Clone, Debug)]
pub struct Excerpt {
    /// The part, with no other keys and values than its own.
    pub history: History,
    /// Per transaction of the part, where it was.
    pub places: Vec<Place>,
}

/// Where a transaction of an excerpt was in the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The transaction.
    pub txn: TxnId,
    /// Per operation of the part, its number in the whole. A range read may have become several.
    pub ops: Vec<u32>,
    /// Whether some range reads were cut down to some of their keys.
    pub narrowed: bool,
}

/// All of a history.
pub fn everything(history: &History) -> Kept {
    let whole = |txn| {
        let ops = 0..history.txn(txn).op_count;
        (txn, ops.map(|op| (op, BTreeSet::from([Aspect::Whole]))).collect())
    };
    history.txn_ids().map(whole).collect()
}

/// The history with nothing but what is kept, in the order of the whole. Hints and notes are left
/// out, and so is the initial state of keys that nothing kept can have touched. Names stay, and
/// unnamed transactions get the names that people know them by.
pub fn excerpt(history: &History, kept: &Kept) -> Excerpt {
    let mut places = Vec::with_capacity(kept.len());
    let mut ops: Vec<Vec<Op>> = Vec::with_capacity(kept.len());
    for (&txn, aspects) in kept {
        let mut place = Place { txn, ops: Vec::new(), narrowed: false };
        let mut parts = Vec::new();
        for (&number, aspects) in aspects {
            let op = &history.ops_of(txn)[number as usize];
            let left = aspect::part(history, op, aspects);
            place.narrowed |= aspects.iter().any(|aspect| matches!(aspect, Aspect::Key(_)));
            place.ops.extend(left.iter().map(|_| number));
            parts.extend(left);
        }
        places.push(place);
        ops.push(parts);
    }
    let initial = initial(history, ops.iter().flatten());
    let mut tables = Tables::of(history, ops.iter().flatten(), &initial);
    for (place, ops) in places.iter().zip(&ops) {
        let original = history.txn(place.txn);
        let name = history.sessions[original.session.index()].name.clone();
        let session = tables.builder.session(name);
        let name = original.name.clone();
        let name = name.or_else(|| Some(Box::new(history.label(place.txn).as_str().into())));
        tables.builder.add_txn(Txn { session, name, ..original.clone() });
        for op in ops {
            let kind = tables.kind(&op.kind);
            tables.builder.push_op(Op { kind, ..op.clone() });
        }
    }
    let initial = tables.initial(&initial);
    tables.builder.history_mut().header = Header { initial, ..history.header.clone() };
    Excerpt { history: tables.builder.finish(), places }
}

/// The initial state, without keys that none of the operations can have touched.
fn initial<'o>(history: &History, ops: impl Iterator<Item = &'o Op> + Clone) -> Initial {
    let Initial::Given(given) = &history.header.initial else {
        return history.header.initial.clone();
    };
    let touched: BTreeSet<KeyId> = ops.clone().filter_map(|op| op.kind.key()).collect();
    let ranges: Vec<&Range> = ops.filter_map(|op| range(&op.kind)).collect();
    let order = history.header.key_order;
    let is_needed = |key: &KeyId| {
        touched.contains(key) || ranges.iter().any(|range| range.contains(order, history.key(*key)))
    };
    let needed: BTreeMap<KeyId, ValueId> =
        given.iter().filter(|(key, _)| is_needed(key)).map(|(key, value)| (*key, *value)).collect();
    Initial::Given(needed)
}

fn range(kind: &OpKind) -> Option<&Range> {
    match kind {
        OpKind::Scan { range, .. } | OpKind::Iterate { range, .. } => Some(range),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HistoryBuilder, Outcome, Presence};

    #[test]
    fn of_an_operation_only_some_aspects_are_kept() {
        let mut builder = HistoryBuilder::default();
        let (key, value) = (builder.key(7), builder.value(2));
        let when = Presence::Absent;
        let insert = OpKind::PutIf { key, value, when, rows: Some(1) };
        builder.begin("a").op(insert).end(Outcome::Committed);
        builder.begin("b").scan_keys(1..99, &[(4, 1), (7, 2)]).end(Outcome::Committed);
        let history = builder.finish();
        let kept = Kept::from([
            (TxnId(0), BTreeMap::from([(0, BTreeSet::from([Aspect::Write]))])),
            (TxnId(1), BTreeMap::from([(0, BTreeSet::from([Aspect::Key(key)]))])),
        ]);
        let Excerpt { history: part, places } = excerpt(&history, &kept);
        assert!(matches!(part.ops[0].kind, OpKind::Put { .. }));
        let OpKind::Scan { range, items: Some(items), .. } = &part.ops[1].kind else {
            unreachable!("a scan stays one");
        };
        assert_eq!((range.lo.clone(), range.hi.clone()), (Some(7.into()), Some(8.into())));
        assert_eq!((items.len(), part.keys.len(), part.values.len()), (1, 1, 1));
        assert!(!places[0].narrowed && places[1].narrowed);
    }
}
