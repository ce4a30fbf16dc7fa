//! Logs written down in a few lines.
//!
//! ```text
//!   schema: CREATE TABLE t (k INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 0)
//!   1 [0 9]: SELECT v FROM t WHERE k = 1 => 0; UPDATE t SET v = 1 WHERE k = 1 => #1
//! ```
//!
//! The number of a transaction, its begin and end, and its statements with what was observed: rows
//! separated by `|` with values separated by commas, `()` for no rows, `#` and a number of affected
//! rows, `!` and the code of an error, nothing for nothing. `aborted` or `unknown` before the colon says how
//! it ended. The first statement runs at the begin, the last one just before the commit.

#![allow(dead_code, reason = "every test uses some of this")]

use serde_json::{Value as Json, json};
use tristan_audit::log::TextSource;
use tristan_audit::{AuditLevel, AuditOptions, audit};
use tristan_verdict::audit::{AuditAnswer, AuditVerdict};

/// The log that a few lines describe.
pub fn log(text: &str) -> TextSource {
    let mut lines = vec![json!({"tristan": "sql-log/1", "dialect": "postgresql"}).to_string()];
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.strip_prefix("schema:") {
            Some(sql) => lines.push(json!({"schema": sql.trim()}).to_string()),
            None => lines.push(transaction(line).to_string()),
        }
    }
    TextSource::new("log", (lines.join("\n") + "\n").into_bytes())
}

fn transaction(line: &str) -> Json {
    let (head, body) = line.split_once(':').expect("a head and statements");
    let numbers: Vec<i64> = head
        .split(|letter: char| !letter.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect();
    let steps = body.split(';').map(str::trim).filter(|step| !step.is_empty());
    let mut steps: Vec<Json> = steps.map(step).collect();
    if let [_, begin, end] = numbers[..] {
        let last = i64::try_from(steps.len()).expect("few") - 1;
        for (step, place) in steps.iter_mut().zip(0..) {
            let at = begin + place * (end - 2 - begin) / last.max(1);
            step["at"] = json!([at, at + 1]);
        }
    }
    let mut txn = json!({"txn": numbers[0], "c": numbers[0], "do": steps});
    if let [_, begin, end] = numbers[..] {
        txn["at"] = json!([begin, end]);
        txn["commit"] = json!([end - 1, end]);
    }
    for outcome in ["aborted", "unknown"] {
        if head.contains(outcome) {
            txn["outcome"] = json!(outcome);
        }
    }
    txn
}

fn step(text: &str) -> Json {
    let (sql, seen) = text.split_once("=>").unwrap_or((text, ""));
    let mut step = json!({"sql": sql.trim()});
    let seen = seen.trim();
    if let Some(count) = seen.strip_prefix('#') {
        step["affected"] = json!(count.parse::<u64>().expect("a number"));
    } else if let Some(code) = seen.strip_prefix('!') {
        step["error"] = json!({"code": code});
    } else if seen == "()" {
        step["rows"] = json!([]);
    } else if !seen.is_empty() {
        let rows: Vec<Vec<Json>> = seen
            .split('|')
            .map(|row| row.split(',').map(|value| datum(value.trim())).collect())
            .collect();
        step["rows"] = json!(rows);
    }
    step
}

fn datum(text: &str) -> Json {
    match text {
        "null" => Json::Null,
        _ => text.parse::<i64>().map_or_else(|_| json!(text), |number| json!(number)),
    }
}

/// The verdict about a few lines.
pub fn judge(text: &str, level: AuditLevel) -> AuditVerdict {
    audit(&log(text), &limited(level)).expect("a log")
}

/// A level, and a limit that no machine reaches with the small logs of these tests.
pub fn limited(level: AuditLevel) -> AuditOptions {
    AuditOptions { time: Some(120_000), ..AuditOptions::new(level) }
}

/// `accept`, `reject T` or `unknown: why`.
pub fn word(verdict: &AuditVerdict) -> String {
    match &verdict.answer {
        AuditAnswer::Accept { .. } => "accept".to_owned(),
        AuditAnswer::Reject { rejection } => format!("reject {}", rejection.transaction),
        AuditAnswer::Unknown { reason, .. } => format!("unknown: {reason}"),
    }
}

/// The verdict on a log of a dialect at `ser`.
pub fn judged(dialect: &str, lines: &str) -> AuditVerdict {
    judged_with(dialect, lines, &AuditOptions::new(AuditLevel::Serializable))
}

/// The same with other options.
pub fn judged_with(dialect: &str, lines: &str, options: &AuditOptions) -> AuditVerdict {
    let header = format!("{{\"tristan\":\"sql-log/1\",\"dialect\":\"{dialect}\"}}\n");
    let source = TextSource::new("log", (header + lines.trim_start()).into_bytes());
    audit(&source, options).expect("a log")
}

/// Why a verdict is unknown. Empty if it is an accept or a reject.
pub fn unknown(verdict: &AuditVerdict) -> &str {
    match &verdict.answer {
        AuditAnswer::Unknown { reason, .. } => reason,
        _ => "",
    }
}
