//! Why nothing explains a transaction, for people.
//!
//! ```text
//!   expected.rs  what the statement would have answered in each state that was tried
//!   part.rs      the part of its answer that is wrong, if it is not all of it
//!   small.rs     a small log that is wrong for the same reason
//!   thin.rs      what of it is needed
//!   script.rs    the small log as a script for a database
//! ```

mod expected;
mod part;
mod script;
mod small;
mod thin;

use std::collections::BTreeSet;

use tristan_verdict::audit::{Possibility, Rejection, Told, WriterCard};

use crate::error::Error;
use crate::level::AuditLevel;
use crate::load::Source;
use crate::model::{Call, Control};
use crate::options::AuditOptions;
use crate::passes::Pass;
use crate::replay::{Orders, orders};
use crate::search::{Combined, Unexplained};
use crate::sql::told_observed;
use crate::statement::Task;
use crate::watched_budget::WatchedBudget;
use crate::world::Footprint;
use expected::{possibilities, wrong};
use part::Part;
use script::script;
use small::without_schema;
use thin::smallest;

/// What there is to say about a transaction that nothing explains.
pub(crate) fn rejection(
    source: Source<'_>,
    options: &AuditOptions,
    pass: &Pass,
    unexplained: &Unexplained,
    budget: &WatchedBudget<'_>,
) -> Result<Rejection, Error> {
    let small = smallest(source, options, &wrong(pass, unexplained), &budget.for_explaining())?;
    let task = &unexplained.task;
    let step = unexplained.step();
    let call = step.and_then(|step| task.call(step)).or_else(|| last_statement(task));
    let prepared = step.and_then(|step| Some(&task.statement(step)?.plan.prepared));
    let part = Part::of(pass, unexplained);
    let observed = || call.map_or(Told::Done, |call| told_observed(prepared, &call.observed));
    let mut look = Footprint { rows: Some(BTreeSet::new()), ..Footprint::default() };
    let mut expected = possibilities(pass, unexplained, step, &mut look);
    if unexplained.combined.is_some() {
        expected.truncate(Combined::SHOWN);
    }
    let writers = writers(pass, unexplained, &look);
    let statement = step.and_then(|step| task.statement_number(step));
    let Orders { dead_ends, anomaly } = match &small {
        Some(small) => orders(Source::Log(&small.source()), &without_schema(options))?,
        None => None,
    }
    .unwrap_or_default();
    Ok(Rejection {
        sentence: sentence(options, unexplained, statement, &expected),
        transaction: task.txn.number,
        line: task.txn.line,
        prefix: pass.explained,
        statement,
        sql: call.map(|call| call.sql.to_string()).unwrap_or_default(),
        params: call.into_iter().flat_map(|call| &call.params).map(ToString::to_string).collect(),
        part: part.as_ref().map(|part| part.title.clone()),
        observed: part.map_or_else(observed, |part| part.observed),
        expected,
        writers,
        impossible: unexplained.why_impossible(),
        anomaly,
        orders: dead_ends,
        shrunk: small.as_ref().map(|small| trimmed(small.lines())).unwrap_or_default(),
        script: small.map(|small| script(&small, options.level)).unwrap_or_default(),
    })
}

fn trimmed(mut lines: Vec<String>) -> Vec<String> {
    lines.retain(|line| !line.is_empty());
    lines
}

fn sentence(
    options: &AuditOptions,
    unexplained: &Unexplained,
    statement: Option<u64>,
    expected: &[Possibility],
) -> String {
    let (number, title) = (unexplained.task.txn.number, options.level.title());
    let is_wrong = unexplained.impossible.is_some() || !expected.is_empty();
    match statement {
        Some(statement) if is_wrong => format!(
            "Statement {statement} of transaction {number} returned a result that no correct \
             {title} execution explains."
        ),
        _ => format!(
            "Every answer in transaction {number} can be explained, but the transaction could not \
             have committed: {}.",
            match options.level {
                AuditLevel::Snapshot | AuditLevel::StrongSnapshot =>
                    "another transaction wrote one of its rows after its snapshot was taken",
                _ => "there is no valid position for it among the other transactions",
            }
        ),
    }
}

fn last_statement(task: &Task) -> Option<&Call> {
    task.txn.calls.iter().rfind(|call| call.control == Control::Statement)
}

/// The transactions that wrote the rows that the statement looked at.
fn writers(pass: &Pass, unexplained: &Unexplained, look: &Footprint) -> Vec<WriterCard> {
    const MOST: usize = 12;
    let Some((world, _)) = unexplained.tries.first() else { return Vec::new() };
    let store = &pass.search.store;
    let newest = store.position_of(world);
    let mut cards = Vec::new();
    for key in look.rows.iter().flatten().take(MOST) {
        let Some(serial) = store.writer_of(world, *key, newest) else { continue };
        let row = store.row_of(world, *key, newest);
        let sql = &pass.search.sql;
        let row = row.map_or_else(|| "(deleted)".to_owned(), |row| sql.row_text(*key, row));
        let txn = (serial > 0).then(|| pass.search.number(serial));
        let line = if serial > 0 { pass.search.line(serial) } else { 0 };
        let table = sql.catalog().by_id(key.0);
        let table = table.map_or("?", |table| table.name());
        cards.push(WriterCard { txn, line, row: format!("{table} {row}") });
    }
    cards
}
