//! Operations in words, for comparison with those of a verdict.

use tristan_history::{
    Datum, History, KeyId, Observed, Op, OpKind, OpStatus, Presence, Range, ValueId,
};

/// The usual words for an operation.
pub(crate) fn of(history: &History, operation: &Op) -> String {
    let words = done(history, &operation.kind);
    match operation.status {
        OpStatus::Done => words,
        OpStatus::Failed => format!("{words} (failed)"),
        OpStatus::Pending => format!("{words} (never returned)"),
    }
}

fn done(history: &History, kind: &OpKind) -> String {
    let key = |key: &KeyId| history.key(*key);
    let value = |value: &ValueId| history.value(*value);
    let lock = |locking: &bool| if *locking { " for update" } else { "" };
    match kind {
        OpKind::Get { key: read, seen, locking } => {
            format!("read {}{} → {}", key(read), lock(locking), found(history, *seen))
        }
        OpKind::Put { key: written, value: new } => {
            format!("write {} ← {}", key(written), value(new))
        }
        OpKind::PutIf { key: written, value: new, when, rows } => {
            let when = match when {
                Presence::Present => "present",
                Presence::Absent => "absent",
            };
            format!("write {} ← {} if {when} ({})", key(written), value(new), counted(*rows))
        }
        OpKind::Delete { key: deleted, rows: None } => format!("delete {}", key(deleted)),
        OpKind::Delete { key: deleted, rows } => {
            format!("delete {} ({})", key(deleted), counted(*rows))
        }
        OpKind::ReadModifyWrite { key: updated, seen, value: new } => {
            format!("update {}: {} → {}", key(updated), found(history, *seen), value(new))
        }
        OpKind::Append { key: list, element } => {
            format!("append {} ← {}", key(list), value(element))
        }
        OpKind::ReadList { key: read, elements } => {
            let shown = |element: &ValueId| value(element).to_string();
            format!("read list {} → {}", key(read), listed(elements.as_deref(), shown))
        }
        OpKind::Scan { range, items, locking } => {
            let shown = |(k, v): &(KeyId, ValueId)| format!("{}={}", key(k), value(v));
            let items = listed(items.as_deref(), shown);
            format!("scan {}{} → {items}", bounds(range), lock(locking))
        }
        OpKind::Iterate { range, items, reached_end } => {
            let shown = |(k, v): &(KeyId, ValueId)| format!("{}={}", key(k), value(v));
            let items = listed(items.as_deref(), shown);
            let end = if *reached_end { "end" } else { "stopped" };
            format!("iterate {} → {items}, {end}", bounds(range))
        }
        OpKind::Savepoint { name } => format!("savepoint {name}"),
        OpKind::RollbackTo { name } => format!("rollback to {name}"),
    }
}

fn found(history: &History, seen: Observed) -> String {
    match seen {
        Observed::Unknown => "?".to_owned(),
        Observed::Absent => "absent".to_owned(),
        Observed::Value(value) => history.value(value).to_string(),
    }
}

fn counted(rows: Option<u32>) -> String {
    match rows {
        None => "? rows".to_owned(),
        Some(1) => "1 row".to_owned(),
        Some(rows) => format!("{rows} rows"),
    }
}

fn listed<T>(items: Option<&[T]>, shown: impl Fn(&T) -> String) -> String {
    match items {
        None => "?".to_owned(),
        Some(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(" ")),
    }
}

fn bounds(range: &Range) -> String {
    let bound = |bound: &Option<Datum>| bound.as_ref().map_or("…".to_owned(), Datum::to_string);
    format!("[{}, {})", bound(&range.lo), bound(&range.hi))
}
