//! A small log that is still wrong.
//!
//! ```text
//!   T1 … T900   T901 … T950 ✗        the state after T900 becomes the start,
//!   └─ start ─┘ └─ which of these    and what is not needed for the mistake is left out
//!                  matter? ─┘
//! ```
//!
//! This file puts the log together; `thin.rs` leaves out what does not matter.

use std::collections::{BTreeSet, HashSet};

use serde_json::{Value as Json, json};
use tristan_sqltext::{Dialect as TextDialect, TokenKind, Words, tokens};

use crate::error::Error;
use crate::explain::Effort;
use crate::load::{Loader, Source};
use crate::log::{Header, Item, TextSource, write_line};
use crate::model::{Call, Observed, Outcome, Txn};
use crate::options::AuditOptions;
use crate::passes::{End, run_until};
use crate::search::{Extent, State};
use crate::sql::{alters, definitions, is_definition};
use crate::watched_budget::WatchedBudget;

/// A log in pieces.
#[derive(Clone, Debug)]
pub(super) struct Small {
    /// Whose SQL it is.
    pub(super) dialect: String,
    /// The collation of the database, if it is known.
    pub(super) collation: Option<String>,
    /// The time zone of all sessions, if it is known.
    pub(super) timezone: Option<String>,
    /// The statements that make tables.
    pub(super) schema: Vec<String>,
    /// The rows of the start, with their tables.
    pub(super) rows: StartRows,
    /// The transactions, in the order of their begins.
    pub(super) txns: Vec<Txn>,
}

/// Leaves out the statements that are not judged: a small log must not depend on tables that
/// only the whole log shows to be excluded from the audit.
fn judged(mut small: Small, options: &AuditOptions) -> Result<Small, Error> {
    let all = options.unfollowed.is_empty() && options.unsupported.is_empty();
    if all && options.blurred.is_empty() {
        return Ok(small);
    }
    let empty = Small { txns: Vec::new(), ..small.clone() };
    let (mut loader, mut sql) =
        Loader::open(Source::Log(&empty.source()), &without_schema(options))?;
    while loader.next(&mut sql)?.is_some() {}
    for txn in &mut small.txns {
        txn.calls.retain(|call| sql.is_judged(call));
    }
    small.txns.retain(|txn| !txn.calls.is_empty());
    Ok(small)
}

/// The schema is part of a small log.
pub(super) fn without_schema(options: &AuditOptions) -> AuditOptions {
    AuditOptions { schema: None, ..options.clone() }
}

/// What of a log can matter to one of its transactions.
pub(super) struct Contents {
    header: Header,
    /// The statements that make tables.
    schema: Vec<String>,
    /// The transactions, up to those that begin before that one ends.
    txns: Vec<Txn>,
}

impl Contents {
    pub(super) fn transactions(&self) -> usize {
        self.txns.len()
    }

    /// The last transactions as a log of their own, which begins with the state before them. Returns `None` if that
    /// state is not known.
    pub(super) fn tail(
        &self,
        count: usize,
        source: Source<'_>,
        options: &AuditOptions,
        budget: &WatchedBudget<'_>,
    ) -> Result<Option<Small>, Error> {
        let tail = &self.txns[self.txns.len().saturating_sub(count)..];
        let whole = tail.len() == self.txns.len();
        let Some((rows, txns)) = cut(source, options, tail, whole, budget)? else {
            return Ok(None);
        };
        Ok(judged(self.with(rows, txns), options).ok())
    }

    /// One transaction on empty tables.
    pub(super) fn on_empty_tables(&self, txn: u64, options: &AuditOptions) -> Option<Small> {
        let txns = self.txns.iter().filter(|one| one.number == txn).cloned().collect();
        judged(self.with(Vec::new(), txns), options).ok()
    }

    fn with(&self, rows: StartRows, txns: Vec<Txn>) -> Small {
        Small {
            dialect: self.header.dialect.clone().unwrap_or_else(|| "postgresql".to_owned()),
            collation: self.header.collation.clone(),
            timezone: self.header.timezone.clone(),
            schema: self.schema.clone(),
            rows,
            txns,
        }
    }
}

/// What can matter to a transaction. Returns `None` if a table is altered on the way: a small log has all its tables
/// from the start.
pub(super) fn contents(
    source: Source<'_>,
    options: &AuditOptions,
    bad: u64,
) -> Result<Option<Contents>, Error> {
    let mut reader = source.items()?;
    let mut schema: Vec<String> = source.schema().to_vec();
    let name = |header: &Header| header.dialect.clone().unwrap_or_else(|| "postgresql".to_owned());
    if let Some(text) = &options.schema {
        schema.extend(definitions(text, &name(reader.header())).map(str::to_owned));
    }
    let mut txns: Vec<Txn> = Vec::new();
    let mut end = None;
    while let Some(item) = reader.next_item()? {
        match item {
            Item::Schema { sql, .. } => {
                schema.extend(definitions(&sql, &name(reader.header())).map(str::to_owned));
            }
            Item::Rows { .. } => {}
            Item::Txn(mut txn) => {
                let dialect = reader.header().dialect.as_deref();
                let failed = |call: &Call| matches!(call.observed, Observed::Error(_));
                let makes = |call: &mut Call| is_definition(&call.sql, dialect) && !failed(call);
                if txn.calls.iter().any(|call| alters(&call.sql, dialect) && !failed(call)) {
                    return Ok(None);
                }
                let made = txn.calls.extract_if(.., makes);
                schema.extend(made.map(|call| call.sql.to_string()));
                if end.is_some_and(|end| txn.begin > end) {
                    break;
                }
                if txn.number == bad {
                    end = Some(txn.end);
                }
                if !txn.calls.is_empty() && (txn.outcome != Outcome::Aborted || options.aborted) {
                    txns.push(*txn);
                }
            }
        }
    }
    let mut header = reader.header().clone();
    header.collation = options.collation.clone().or(header.collation);
    Ok(Some(Contents { header, schema, txns }))
}

/// Rows of the start, with their tables.
type StartRows = Vec<(String, Vec<Json>)>;

/// The state before the last transactions, and these together with those that are open then.
fn cut(
    source: Source<'_>,
    options: &AuditOptions,
    tail: &[Txn],
    whole: bool,
    budget: &WatchedBudget<'_>,
) -> Result<Option<(StartRows, Vec<Txn>)>, Error> {
    let Some(first) = tail.first() else { return Ok(None) };
    let budget = budget.unwatched();
    let until = if whole { 0 } else { first.number };
    let extent = Extent { until: Some(until), ..Extent::default() };
    let pass = run_until(source, options, Effort::GREEDY, &budget, extent)?;
    let Some(State { rows, open }) = pass.search.state() else { return Ok(None) };
    if !matches!(pass.end, End::Explained) {
        return Ok(None);
    }
    let rows = rows.into_iter().enumerate();
    let rows = rows.filter_map(|(number, (key, row))| pass.search.sql.start_row(key, &row, number));
    let rows = rows.collect();
    let mut txns: Vec<Txn> = open;
    txns.extend(tail.iter().cloned());
    Ok(Some((rows, txns)))
}

impl Small {
    pub(super) fn source(&self) -> TextSource {
        TextSource::new("small", self.lines().join("\n").into_bytes())
    }

    /// The log, line by line.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut header = json!({"tristan": "sql-log/1", "dialect": self.dialect});
        if let Some(collation) = &self.collation {
            header["collation"] = json!(collation);
        }
        if let Some(timezone) = &self.timezone {
            header["timezone"] = json!(timezone);
        }
        let mut lines = vec![header.to_string()];
        lines.extend(self.tables().map(|sql| json!({"schema": sql}).to_string()));
        for (table, row) in &self.rows {
            lines.push(json!({"rows": table, "values": [row]}).to_string());
        }
        lines.extend(self.txns.iter().map(write_line));
        lines.push(String::new());
        lines
    }

    /// With one call of one transaction, and no other.
    pub(super) fn only(&self, txn: u64, call: usize) -> Self {
        let mut txns: Vec<Txn> =
            self.txns.iter().filter(|one| one.number == txn).cloned().collect();
        for txn in &mut txns {
            txn.calls = txn.calls.drain(..).skip(call).take(1).collect();
        }
        Self { txns, ..self.clone() }
    }

    /// Without the rows whose first value, which usually is their key, is in no statement and in no
    /// answer.
    pub(super) fn with_named_rows(&self) -> Self {
        let dialect = self.text_dialect();
        let calls = self.txns.iter().flat_map(|txn| &txn.calls);
        let named: HashSet<String> = calls.flat_map(|call| values(call, dialect)).collect();
        let is_named = |row: &Vec<Json>| row.first().is_some_and(|key| named.contains(&text(key)));
        let rows = self.rows.iter().filter(|(_, row)| is_named(row));
        Self { rows: rows.cloned().collect(), ..self.clone() }
    }

    fn text_dialect(&self) -> TextDialect {
        TextDialect::from_name(&self.dialect).unwrap_or(TextDialect::PostgreSql)
    }

    /// Without the tables that the transactions do not mention. Tables that others refer to stay.
    pub(super) fn mentioned(&self) -> Self {
        let dialect = self.text_dialect();
        let calls = self.txns.iter().flat_map(|txn| &txn.calls);
        let mut kept: BTreeSet<String> = calls.flat_map(|call| names(&call.sql, dialect)).collect();
        let parts: Vec<SchemaPart<'_>> =
            self.schema.iter().map(|sql| SchemaPart::of(sql, dialect)).collect();
        let tables: BTreeSet<&String> =
            parts.iter().filter_map(|part| part.makes.as_ref()).collect();
        // What the definition of a table refers to has to be there.
        loop {
            let used = parts
                .iter()
                .filter(|part| part.makes.as_ref().is_some_and(|made| kept.contains(made)));
            let more: Vec<String> = used
                .flat_map(|part| &part.names)
                .filter(|name| tables.contains(name) && !kept.contains(*name))
                .cloned()
                .collect();
            if more.is_empty() {
                break;
            }
            kept.extend(more);
        }
        let is_kept = |part: &SchemaPart<'_>| {
            part.names.iter().all(|name| !tables.contains(name) || kept.contains(name))
        };
        let schema = parts.iter().filter(|part| is_kept(part)).map(|part| part.sql.to_owned());
        let last = |table: &str| table.rsplit('.').next().unwrap_or(table).to_lowercase();
        let rows = self.rows.iter().filter(|(table, _)| kept.contains(&last(table)));
        Self { schema: schema.collect(), rows: rows.cloned().collect(), ..self.clone() }
    }

    /// The statements that make tables and routines.
    pub(super) fn tables(&self) -> impl Iterator<Item = &str> {
        self.schema.iter().map(String::as_str)
    }
}

/// A statement of a schema.
struct SchemaPart<'a> {
    sql: &'a str,
    /// The table that it makes.
    makes: Option<String>,
    /// All names in it.
    names: BTreeSet<String>,
}

impl<'a> SchemaPart<'a> {
    fn of(sql: &'a str, dialect: TextDialect) -> Self {
        let tokens = tokens(sql, dialect);
        let mut words = Words::new(&tokens);
        let makes = words.eat("create table").then(|| {
            words.eat("if not exists");
            words.last_name()
        });
        Self { sql, makes: makes.flatten(), names: names(sql, dialect) }
    }
}

/// The names in a text, in lower case.
fn names(sql: &str, dialect: TextDialect) -> BTreeSet<String> {
    let names = tokens(sql, dialect).into_iter().filter_map(|token| match token.kind {
        TokenKind::Word(word) => Some(word.to_lowercase()),
        TokenKind::Quoted(name) => Some(name.to_lowercase()),
        _ => None,
    });
    names.collect()
}

/// The values in a statement and in its answer, as texts.
fn values(call: &Call, dialect: TextDialect) -> Vec<String> {
    let literals = tokens(&call.sql, dialect).into_iter().filter_map(|token| match token.kind {
        TokenKind::Number(number) => Some(number.to_owned()),
        TokenKind::Text(text) => Some(text),
        _ => None,
    });
    let shown = match &call.observed {
        Observed::Rows { rows, .. } => rows.as_slice(),
        _ => &[],
    };
    literals.chain(call.params.iter().chain(shown.iter().flatten()).map(text)).collect()
}

/// A text as it is, anything else as JSON.
fn text(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
