//! A small log as a script for a database: what each session sends, in the order in which it was sent.

use std::fmt::Write as _;

use serde_json::Value as Json;

use super::small::Small;
use crate::level::AuditLevel;
use crate::model::{Control, Observed, Outcome, Time, Txn};
use crate::sql::json_text;

/// The small log as an SQL script, with the session and the answer of each statement.
pub(super) fn script(small: &Small, level: AuditLevel) -> String {
    let mut out = String::from(
        "-- One session per number, in the order in which the statements were sent. Comments show the \
         answers in the log.\n",
    );
    for table in small.tables() {
        let _ = writeln!(out, "{table};");
    }
    for (table, row) in &small.rows {
        let values: Vec<String> = row.iter().map(literal).collect();
        let _ = writeln!(out, "INSERT INTO {table} VALUES ({});", values.join(", "));
    }
    for (_, line) in events(&small.txns, level, small.dialect == "postgresql") {
        out.push_str(&line);
        out.push('\n');
    }
    out
}

/// Begins, statements and ends, in the order of time.
fn events(txns: &[Txn], level: AuditLevel, postgres: bool) -> Vec<(Time, String)> {
    let mut events = Vec::new();
    for txn in txns {
        let session = format!("/* {} */ ", txn.number);
        events.push((txn.begin, begin(&session, level, postgres)));
        for call in &txn.calls {
            if call.control == Control::Other {
                continue;
            }
            let sql = with_params(&call.sql, &call.params);
            events.push((call.begin, format!("{session}{sql};{}", seen(&call.observed))));
        }
        let end = if txn.outcome == Outcome::Aborted { "ROLLBACK" } else { "COMMIT" };
        events.push((txn.commit, format!("{session}{end};")));
    }
    // Whatever has the same time keeps its order.
    events.sort_by_key(|(time, _)| *time);
    events
}

fn begin(session: &str, level: AuditLevel, postgres: bool) -> String {
    let name = match level {
        AuditLevel::Serializable | AuditLevel::StrictSerializable => "SERIALIZABLE",
        AuditLevel::ReadCommitted => "READ COMMITTED",
        _ => "REPEATABLE READ",
    };
    match postgres {
        true => format!("{session}BEGIN ISOLATION LEVEL {name};"),
        false => format!("{session}SET TRANSACTION ISOLATION LEVEL {name}; BEGIN;"),
    }
}

/// What was observed, as a comment.
fn seen(observed: &Observed) -> String {
    match observed {
        Observed::Rows { rows, .. } => {
            let rows: Vec<String> = rows
                .iter()
                .map(|row| {
                    format!("({})", row.iter().map(json_text).collect::<Vec<_>>().join(", "))
                })
                .collect();
            let rows = if rows.is_empty() { "no rows".to_owned() } else { rows.join(" ") };
            format!(" -- {rows}")
        }
        Observed::Affected(1) => " -- 1 row".to_owned(),
        Observed::Affected(count) => format!(" -- {count} rows"),
        Observed::Error(code) => format!(" -- error {code}"),
        Observed::Done | Observed::Nothing | Observed::Skipped => String::new(),
    }
}

/// A statement with its parameters in their places.
fn with_params(sql: &str, params: &[Json]) -> String {
    let mut text = sql.trim().trim_end_matches(';').to_owned();
    if text.contains("$1") {
        for (place, param) in params.iter().enumerate().rev() {
            text = text.replace(&format!("${}", place + 1), &literal(param));
        }
        return text;
    }
    let mut parts = text.split('?');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for (place, part) in parts.enumerate() {
        out.push_str(&params.get(place).map_or_else(|| "?".to_owned(), literal));
        out.push_str(part);
    }
    out
}

fn literal(json: &Json) -> String {
    match json {
        Json::String(text) => format!("'{}'", text.replace('\'', "''")),
        Json::Null => "NULL".to_owned(),
        other => other.to_string(),
    }
}
