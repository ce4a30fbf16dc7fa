//! A small log as a script for a database: what each session sends, in the order in which it was sent.

use std::fmt::Write as _;

use serde_json::Value as Json;
use tristan_sqltext::{Dialect, TokenKind, tokens};

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
    let dialect = Dialect::from_name(&small.dialect).unwrap_or(Dialect::PostgreSql);
    for (_, line) in events(&small.txns, level, dialect) {
        out.push_str(&line);
        out.push('\n');
    }
    out
}

/// Begins, statements and ends, in the order of time.
fn events(txns: &[Txn], level: AuditLevel, dialect: Dialect) -> Vec<(Time, String)> {
    let mut events = Vec::new();
    for txn in txns {
        let session = format!("/* {} */ ", txn.number);
        events.push((txn.begin, begin(&session, level, dialect)));
        for call in &txn.calls {
            if matches!(call.control, Control::Other | Control::Path(_)) {
                continue;
            }
            let sql = with_params(&call.sql, &call.params, dialect);
            events.push((call.begin, format!("{session}{sql};{}", seen(&call.observed))));
        }
        let end = if txn.outcome == Outcome::Aborted { "ROLLBACK" } else { "COMMIT" };
        events.push((txn.commit, format!("{session}{end};")));
    }
    // Whatever has the same time keeps its order.
    events.sort_by_key(|(time, _)| *time);
    events
}

fn begin(session: &str, level: AuditLevel, dialect: Dialect) -> String {
    let name = match level {
        AuditLevel::Serializable | AuditLevel::StrictSerializable => "SERIALIZABLE",
        AuditLevel::ReadCommitted | AuditLevel::StrongReadCommitted => "READ COMMITTED",
        _ => "REPEATABLE READ",
    };
    match dialect {
        Dialect::PostgreSql => format!("{session}BEGIN ISOLATION LEVEL {name};"),
        _ => format!("{session}SET TRANSACTION ISOLATION LEVEL {name}; BEGIN;"),
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
fn with_params(sql: &str, params: &[Json], dialect: Dialect) -> String {
    let (mut out, mut written) = (String::new(), 0);
    for token in tokens(sql, dialect) {
        if let TokenKind::Param(number) = token.kind
            && let Some(param) = params.get(number)
        {
            out.push_str(&sql[written..token.start]);
            out.push_str(&literal(param));
            written = token.end;
        }
    }
    out.push_str(&sql[written..]);
    out.trim().trim_end_matches(';').to_owned()
}

fn literal(json: &Json) -> String {
    match json {
        Json::String(text) => format!("'{}'", text.replace('\'', "''")),
        Json::Null => "NULL".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parameters_are_put_where_the_statement_has_them() {
        let params = [json!(7), json!("it's")];
        for (sql, dialect, expected) in [
            (
                "SELECT '$1', $2 /* $1 */ WHERE k = $1;",
                Dialect::PostgreSql,
                "SELECT '$1', 'it''s' /* $1 */ WHERE k = 7",
            ),
            (
                "SELECT '?' WHERE k = ? AND v = ?",
                Dialect::MySql,
                "SELECT '?' WHERE k = 7 AND v = 'it''s'",
            ),
        ] {
            assert_eq!(with_params(sql, &params, dialect), expected);
        }
    }
}
