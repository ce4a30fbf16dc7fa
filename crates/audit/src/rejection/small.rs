//! A small log that is still wrong.
//!
//! ```text
//!   T1 … T900   T901 … T950 ✗        the state after T900 becomes the start,
//!   └─ start ─┘ └─ which of these    and what is not needed for the mistake is left out
//!                  matter? ─┘
//! ```
//!
//! A transaction is left out only if the rest is explained without the bad one and not explained
//! with it, and at the same statement, which then has no right answers but those it has in the whole
//! log. So the small log is wrong for the same reason, not because something is missing, and a
//! database that carries it out gives an answer that the verdict expects. Where the answer is wrong in every state, the
//! rest need not be explained.

use std::collections::{BTreeSet, HashSet};

use serde_json::{Value as Json, json};
use tristan_sqltext::{Dialect as TextDialect, TokenKind, Words, tokens};

use super::expected::{Wrong, wrong};
use crate::error::Error;
use crate::explain::Effort;
use crate::load::{Loader, Source};
use crate::log::{Header, Item, TextSource, write_line};
use crate::model::{Call, Observed, Outcome, Txn};
use crate::options::AuditOptions;
use crate::passes::{End, Run, decide_soon, run_until};
use crate::search::{Extent, State};
use crate::sql::{alters, definitions, is_definition};
use crate::watched_budget::WatchedBudget;

/// How many transactions before the bad one are looked at, from few to many.
const TAILS: [usize; 4] = [8, 32, 128, 512];

/// With so few transactions and rows, transactions are thinned out before rows are.
const FEW_TXNS: usize = 40;
const FEW_ROWS: usize = 2_000;

/// How many logs are tried at most to find a smaller one.
const TRIES: usize = 600;

/// A log in pieces.
#[derive(Clone, Debug)]
pub(super) struct Small {
    /// Whose SQL it is.
    pub(super) dialect: String,
    /// The collation of the database, if it is known.
    collation: Option<String>,
    /// The time zone of all sessions, if it is known.
    timezone: Option<String>,
    /// The statements that make tables.
    pub(super) schema: Vec<String>,
    /// The rows of the start, with their tables.
    pub(super) rows: Vec<(String, Vec<Json>)>,
    /// The transactions, in the order of their begins.
    pub(super) txns: Vec<Txn>,
}

/// The smallest log found in which this transaction is still wrong.
pub(super) fn small(
    source: Source<'_>,
    options: &AuditOptions,
    bad: &Wrong,
    budget: &WatchedBudget<'_>,
) -> Result<Option<Small>, Error> {
    let Some((header, schema, txns)) = read(source, options, bad.place.0)? else { return Ok(None) };
    let mut tries = TRIES;
    for tail in TAILS {
        let first = txns.len().saturating_sub(tail);
        let Some(found) = cut(source, options, &schema, &txns[first..], first == 0, budget)? else {
            continue;
        };
        let dialect = header.dialect.clone().unwrap_or_else(|| "postgresql".to_owned());
        let (collation, timezone) = (header.collation.clone(), header.timezone.clone());
        let small = Small { dialect, collation, timezone, schema: schema.clone(), ..found };
        let Ok(small) = judged(small, options) else { continue };
        let mut is_wrong = |small: &Small| is_wrong(small, options, bad, budget, &mut tries);
        let named = (small.rows.len() > FEW_ROWS).then(|| small.with_named_rows());
        let found = match named.filter(&mut is_wrong) {
            None => Some(small).filter(&mut is_wrong),
            named => named,
        };
        if let Some(small) = found {
            let small = reduce(small, options, bad, budget, &mut tries);
            return Ok(Some(small).filter(|small| stands_alone(small, options, bad, budget)));
        }
        if first == 0 {
            break;
        }
    }
    Ok(None)
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

/// The first line of a log, its tables and its transactions.
type Contents = (Header, Vec<String>, Vec<Txn>);

/// The first line, the tables and the transactions that can matter to one. Returns `None` if a table is altered on
/// the way: a small log has all its tables from the start.
fn read(source: Source<'_>, options: &AuditOptions, bad: u64) -> Result<Option<Contents>, Error> {
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
    Ok(Some((header, schema, txns)))
}

/// The last transactions, with the state before them as the start.
fn cut(
    source: Source<'_>,
    options: &AuditOptions,
    schema: &[String],
    tail: &[Txn],
    whole: bool,
    budget: &WatchedBudget<'_>,
) -> Result<Option<Small>, Error> {
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
    Ok(Some(Small {
        dialect: String::new(),
        collation: None,
        timezone: None,
        schema: schema.to_vec(),
        rows,
        txns,
    }))
}

/// Whether the bad transaction, and nothing else, is wrong.
fn is_wrong(
    small: &Small,
    options: &AuditOptions,
    bad: &Wrong,
    budget: &WatchedBudget<'_>,
    tries: &mut usize,
) -> bool {
    let Some(left) = tries.checked_sub(1) else { return false };
    *tries = left;
    let without = small.txns.iter().filter(|txn| txn.number != bad.place.0);
    let rest = Small { txns: without.cloned().collect(), ..small.clone() };
    (bad.impossible || is_explained(&rest, options, budget))
        && mistake(small, options, budget).is_some_and(|wrong| bad.allows(&wrong))
}

/// Whether a small log shows its mistake on its own. Its blurred columns hold values that stand for unknown ones; a
/// reader compares them, too.
fn stands_alone(
    small: &Small,
    options: &AuditOptions,
    bad: &Wrong,
    budget: &WatchedBudget<'_>,
) -> bool {
    let compared = AuditOptions { blurred: BTreeSet::new(), ..options.clone() };
    options.blurred.is_empty() || is_wrong(small, &compared, bad, budget, &mut 1)
}

/// Whether the likely order explains a log.
fn is_explained(small: &Small, options: &AuditOptions, budget: &WatchedBudget<'_>) -> bool {
    let (options, budget) = (without_schema(options), budget.unwatched());
    let small = small.source();
    let extent = Extent::default();
    let pass = run_until(Source::Log(&small), &options, Effort::GREEDY, &budget, extent);
    pass.is_ok_and(|pass| matches!(pass.end, End::Explained))
}

/// What nothing explains, if that is soon found out.
fn mistake(small: &Small, options: &AuditOptions, budget: &WatchedBudget<'_>) -> Option<Wrong> {
    let (options, budget) = (without_schema(options), budget.unwatched());
    let small = small.source();
    let run = Run { source: Source::Log(&small), options: &options, budget: &budget };
    let (pass, effort) = decide_soon(&run).ok()?;
    match &pass.end {
        End::Unexplained(unexplained)
            if unexplained.impossible.is_some()
                || effort.full && pass.search.notes.untried().is_none() =>
        {
            Some(wrong(&pass, unexplained))
        }
        _ => None,
    }
}

/// Leaves out what is not needed, in pieces that get smaller.
fn reduce(
    mut small: Small,
    options: &AuditOptions,
    bad: &Wrong,
    budget: &WatchedBudget<'_>,
    tries: &mut usize,
) -> Small {
    // Every try has to load all rows that are left, and most have nothing to do with it.
    if small.txns.len() <= FEW_TXNS && small.rows.len() <= FEW_ROWS {
        small.txns = fewer_txns(&small, options, bad, budget, tries);
    }
    let keep = |small: Small, fewer: Small, tries: &mut usize| {
        if is_wrong(&fewer, options, bad, budget, tries) { fewer } else { small }
    };
    let mentioned = small.mentioned();
    small = keep(small, mentioned, tries);
    small.rows = fewer_rows(&small, options, bad, budget, tries);
    small.txns = fewer_txns(&small, options, bad, budget, tries);
    let mentioned = small.mentioned();
    small = keep(small, mentioned, tries);
    small.rows = fewer_rows(&small, options, bad, budget, tries);
    small
}

/// The transactions without which it is another mistake, or none.
fn fewer_txns(
    small: &Small,
    options: &AuditOptions,
    bad: &Wrong,
    budget: &WatchedBudget<'_>,
    tries: &mut usize,
) -> Vec<Txn> {
    *tries = TRIES;
    thin(small.txns.clone(), |txns| {
        if budget.is_up() || !txns.iter().any(|txn| txn.number == bad.place.0) {
            return false;
        }
        is_wrong(&Small { txns: txns.to_vec(), ..small.clone() }, options, bad, budget, tries)
    })
}

/// The rows of the start without which it is another mistake, or none.
fn fewer_rows(
    small: &Small,
    options: &AuditOptions,
    bad: &Wrong,
    budget: &WatchedBudget<'_>,
    tries: &mut usize,
) -> Vec<(String, Vec<Json>)> {
    *tries = TRIES;
    thin(small.rows.clone(), |rows| {
        let fewer = Small { rows: rows.to_vec(), ..small.clone() };
        !budget.is_up() && is_wrong(&fewer, options, bad, budget, tries)
    })
}

/// A short list for which something still holds: pieces are left out, halves first, then quarters, …
fn thin<T: Clone>(mut list: Vec<T>, mut holds: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut piece = list.len().div_ceil(2).max(1);
    loop {
        let mut at = 0;
        while at < list.len() {
            let mut shorter = list.clone();
            shorter.drain(at..(at + piece).min(list.len()));
            match holds(&shorter) {
                true => list = shorter,
                false => at += piece,
            }
        }
        if piece == 1 {
            return list;
        }
        piece = piece.div_ceil(2);
    }
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

    /// Without the rows whose first value, which usually is their key, is in no statement and in no
    /// answer.
    fn with_named_rows(&self) -> Self {
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
    fn mentioned(&self) -> Self {
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

#[cfg(test)]
mod tests {
    use super::thin;

    #[test]
    fn leaves_out_whatever_is_not_needed() {
        let list: Vec<u32> = (0..100).collect();
        let needed = |list: &[u32]| list.contains(&17) && list.contains(&93);
        assert_eq!(thin(list, needed), [17, 93]);
    }
}
