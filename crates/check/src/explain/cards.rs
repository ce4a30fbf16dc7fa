//! Transactions and operations in words, for reports that do not have the trace at hand.

use tristan_history::{
    History, Observed, Op, OpKind, OpStatus, Outcome, Presence, Txn, TxnId, ValueId,
};
use tristan_verdict::{OpCard, Times, TxnCard};

use super::deeds::deeds;

/// Cards for these transactions.
pub(crate) fn cards(history: &History, txns: &[u32]) -> Vec<TxnCard> {
    txns.iter().map(|&txn| card(history, TxnId(txn))).collect()
}

fn card(history: &History, id: TxnId) -> TxnCard {
    let txn = history.txn(id);
    let ops = history.ops_of(id);
    let card = |(op, deed): (&Op, _)| OpCard { text: in_words(history, op), line: op.line, deed };
    TxnCard {
        id: id.0,
        label: history.label(id),
        session: history.sessions[txn.session.index()].name.clone(),
        outcome: outcome(txn.outcome).to_owned(),
        lines: txn.lines,
        times: times(txn),
        error: txn.error.as_deref().map(str::to_owned),
        ops: ops.iter().zip(deeds(history, ops)).map(card).collect(),
    }
}

/// When a transaction ran, if the trace says so.
pub(super) fn times(txn: &Txn) -> Option<Times> {
    let (begin, end) = (txn.begin(), txn.end());
    let times = Times { begin: (begin.call, begin.ret), end: (end.call, end.ret) };
    times.span().map(|_| times)
}

/// How a transaction ended, in one word.
pub(super) fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Committed => "committed",
        Outcome::Aborted => "aborted",
        Outcome::Unknown => "unknown",
    }
}

fn count(rows: Option<u32>) -> String {
    match rows {
        None => "? rows".to_owned(),
        Some(1) => "1 row".to_owned(),
        Some(rows) => format!("{rows} rows"),
    }
}

/// An operation in words.
pub fn in_words(history: &History, op: &Op) -> String {
    let key = |key: &tristan_history::KeyId| history.key(*key).to_string();
    let value = |value: &ValueId| history.value(*value).to_string();
    let seen = |seen: &Observed| match seen {
        Observed::Unknown => "?".to_owned(),
        Observed::Absent => "absent".to_owned(),
        Observed::Value(id) => value(id),
    };
    let items = |items: &Option<tristan_history::Items>| match items {
        None => "?".to_owned(),
        Some(items) => {
            let pairs: Vec<String> =
                items.iter().map(|(k, v)| format!("{}={}", key(k), value(v))).collect();
            format!("[{}]", pairs.join(" "))
        }
    };
    let bound = |bound: &Option<tristan_history::Datum>| {
        bound.as_ref().map_or_else(|| "…".to_owned(), ToString::to_string)
    };
    let text = match &op.kind {
        OpKind::Get { key: k, seen: s, locking: false } => format!("read {} → {}", key(k), seen(s)),
        OpKind::Get { key: k, seen: s, .. } => format!("read {} for update → {}", key(k), seen(s)),
        OpKind::Put { key: k, value: v } => format!("write {} ← {}", key(k), value(v)),
        OpKind::PutIf { key: k, value: v, when, rows } => {
            let when = match when {
                Presence::Present => "present",
                Presence::Absent => "absent",
            };
            format!("write {} ← {} if {when} ({})", key(k), value(v), count(*rows))
        }
        OpKind::Savepoint { name } => format!("savepoint {name}"),
        OpKind::RollbackTo { name } => format!("rollback to {name}"),
        OpKind::Delete { key: k, rows: None } => format!("delete {}", key(k)),
        OpKind::Delete { key: k, rows } => format!("delete {} ({})", key(k), count(*rows)),
        OpKind::ReadModifyWrite { key: k, seen: s, value: v } => {
            format!("update {}: {} → {}", key(k), seen(s), value(v))
        }
        OpKind::Append { key: k, element } => format!("append {} ← {}", key(k), value(element)),
        OpKind::ReadList { key: k, elements: None } => format!("read list {} → ?", key(k)),
        OpKind::ReadList { key: k, elements: Some(list) } => {
            let list: Vec<String> = list.iter().map(value).collect();
            format!("read list {} → [{}]", key(k), list.join(" "))
        }
        OpKind::Scan { range, items: found, .. } => {
            format!("scan [{}, {}) → {}", bound(&range.lo), bound(&range.hi), items(found))
        }
        OpKind::Iterate { range, items: found, reached_end } => {
            let end = if *reached_end { ", end" } else { ", stopped" };
            format!("iterate [{}, {}) → {}{end}", bound(&range.lo), bound(&range.hi), items(found))
        }
    };
    match op.status {
        OpStatus::Done => text,
        OpStatus::Pending => format!("{text} (never returned)"),
        OpStatus::Failed => format!("{text} (failed)"),
    }
}
