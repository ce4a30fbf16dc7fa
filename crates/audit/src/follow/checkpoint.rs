//! The state at a cut, in a file, to go on from later.
//!
//! ```text
//!   {"tristan":"checkpoint/1", …}    where the log goes on, and what is known besides tables
//!   {"tristan":"sql-log/1", …}       from here on a SQL log, which has the tables and rows
//!   {"schema":"CREATE TABLE …"}
//!   {"rows":"accounts","values":[…]}
//!   {"sum":"9f3c…"}                  of all lines before
//! ```
//!
//! The log goes on at the first line of a transaction that is not judged for good. Other transactions have lines
//! behind it, too; their numbers are listed and they are passed over. A checkpoint is read back before it is written,
//! so it never holds other rows than the audit has.

use std::collections::BTreeMap;
use std::hash::{Hash as _, Hasher as _};

use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::report::FollowReport;
use crate::error::Error;
use crate::load::{Loader, Source, Start};
use crate::log::{Header, TextSource};
use crate::options::AuditOptions;
use crate::sql::Remembered;
use crate::world::{Key, Row};

/// What the first line of a checkpoint says.
const FORMAT: &str = "checkpoint/1";
/// How many rows are on one line.
const ROWS: usize = 1_000;

/// Where to go on.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Place {
    /// How many bytes and lines of the log come before it.
    pub(super) offset: u64,
    pub(super) lines: u64,
    /// Transactions with lines behind it that are judged for good.
    pub(super) done: Vec<u64>,
    /// How many of the first transactions to come are counted already.
    pub(super) carried: usize,
    pub(super) certain: bool,
    pub(super) report: FollowReport,
}

/// The first line of a checkpoint.
#[derive(Debug, Deserialize, Serialize)]
struct Saved {
    tristan: String,
    /// What the audit was asked for.
    asked: String,
    /// Of the first line of the log.
    log: String,
    place: Place,
    remembered: Remembered,
    schema: Vec<String>,
}

/// What there is to write.
pub(super) struct Draft<'a> {
    pub(super) start: &'a Start,
    pub(super) header: &'a Header,
    pub(super) first_line: u64,
    pub(super) place: Place,
}

/// The text of a checkpoint.
pub(super) fn write(draft: Draft<'_>, options: &AuditOptions) -> Result<String, Error> {
    let Draft { start, header, .. } = draft;
    let unusual = "a session has chosen a search path, which a checkpoint cannot hold";
    let remembered = start.sql.remembered().ok_or_else(|| wrong(unusual))?;
    let saved = Saved {
        tristan: FORMAT.to_owned(),
        asked: asked(options),
        log: format!("{:016x}", draft.first_line),
        place: draft.place,
        remembered,
        schema: start.schema.clone(),
    };
    let tables = tables(start, header);
    let (_, rows) = Loader::beginning(Source::Log(&source(&tables)), options)?;
    if shown(&rows) != shown(&start.rows) {
        return Err(wrong("the tables contain values that a checkpoint cannot hold"));
    }
    let saved = serde_json::to_string(&saved).map_err(|error| wrong(&error.to_string()))?;
    let text = format!("{saved}\n{tables}");
    let sum = json!({"sum": format!("{:016x}", sum(text.as_bytes()))});
    Ok(format!("{text}{sum}\n"))
}

/// What a checkpoint says: where to go on, the state there, and the first line of its log.
pub(super) fn read(
    text: &str,
    first_line: u64,
    options: &AuditOptions,
) -> Result<(Place, Start, String), Error> {
    let damaged =
        || wrong("the checkpoint is damaged; delete it to start from the beginning of the log");
    let body = text.trim_end().rfind('\n').map(|end| &text[..=end]).ok_or_else(damaged)?;
    let last: Json = serde_json::from_str(&text[body.len()..]).map_err(|_| damaged())?;
    if last["sum"] != format!("{:016x}", sum(body.as_bytes())) {
        return Err(damaged());
    }
    let (saved, tables) = body.split_once('\n').ok_or_else(damaged)?;
    let saved: Saved = serde_json::from_str(saved).map_err(|_| damaged())?;
    if saved.tristan != FORMAT {
        return Err(wrong("the checkpoint was written by another version of tristan"));
    }
    if saved.asked != asked(options) {
        let problem =
            format!("the checkpoint belongs to an audit with other options: {}", saved.asked);
        return Err(wrong(&problem));
    }
    if saved.log != format!("{first_line:016x}") {
        return Err(wrong("the checkpoint belongs to another log"));
    }
    let (mut sql, rows) = Loader::beginning(Source::Log(&source(tables)), options)?;
    sql.remember(saved.remembered);
    let start = Start::new(sql, rows, saved.schema);
    let header = tables.lines().next().unwrap_or_default().to_owned() + "\n";
    Ok((saved.place, start, header))
}

/// A number that two texts hardly ever share.
pub(super) fn sum(text: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}

fn wrong(problem: &str) -> Error {
    Error::Checkpoint { problem: problem.to_owned() }
}

/// What has to be asked for again.
fn asked(options: &AuditOptions) -> String {
    let AuditOptions { level, drift, conflict, aborted, .. } = options;
    let collation = options.collation.as_deref().unwrap_or("as in the log");
    format!(
        "level {level}, clock drift {drift} ns, conflict {conflict:?}, aborted {aborted}, collation {collation}"
    )
}

fn source(tables: &str) -> TextSource {
    TextSource::new("the checkpoint", tables.as_bytes())
}

/// Tables and rows, as a log begins with them.
fn tables(start: &Start, header: &Header) -> String {
    let mut lines = vec![json!({
        "tristan": "sql-log/1",
        "dialect": header.dialect,
        "collation": header.collation,
        "timezone": header.timezone,
        "sorted": header.sorted,
    })];
    lines.extend(start.schema.iter().map(|sql| json!({"schema": sql})));
    let mut rows: BTreeMap<String, Vec<Vec<Json>>> = BTreeMap::new();
    for (number, (key, row)) in start.rows.iter().enumerate() {
        let Some((table, values)) = start.sql.start_row(*key, row, number) else { continue };
        rows.entry(table).or_default().push(values);
    }
    for (table, rows) in &rows {
        lines.extend(rows.chunks(ROWS).map(|rows| json!({"rows": table, "values": rows})));
    }
    lines.into_iter().map(|line| format!("{line}\n")).collect()
}

/// Rows with all that can be different about them.
fn shown(rows: &[(Key, Row)]) -> Vec<String> {
    let mut all: Vec<String> = rows.iter().map(|(_, row)| format!("{row:?}")).collect();
    all.sort_unstable();
    all
}
