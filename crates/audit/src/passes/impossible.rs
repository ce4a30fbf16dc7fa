//! Answers that are wrong in every state.
//!
//! ```text
//!   SELECT id, name FROM t WHERE id = 97        answered (98, 'a')       the condition rules out this row
//!   SELECT name FROM t WHERE id = 97            answered ('zebra')       nothing in the log stores 'zebra' in t.name
//!   SELECT id FROM t ORDER BY id                answered (98), (97)      the rows are not in this order
//!   SELECT id, name FROM t                      answered (NULL, 'a')     nothing can store NULL in t.id
//! ```
//!
//! Which order the transactions took, and which state a statement read, makes no difference to such an answer. So
//! whenever a pass gets stuck, the audit checks for such an answer before it tries other orders; when many transactions
//! overlap, there are too many orders to try. The first time, it looks for one in the whole log: the pass may be stuck
//! long before the mistake, at a transaction that another order explains.
//!
//! # Why a rejection is certain
//!
//! 1. *The condition.* At every level, a row of the answer is made of one version of a row of each table, and these
//!    versions together met the conditions of the statement: those that the statement saw first, or, where it had to wait
//!    for locks, those that it looked at again. [`tristan_sql::Prepared::ruled_out`] evaluates a condition over values
//!    that the answer itself shows.
//! 2. *The order.* What ORDER BY, DISTINCT and LIMIT ask for holds of the rows that a query computes, in any state. A
//!    statement that locks rows may show what they have become since; nothing is said of these.
//! 3. *The value.* No row ever had it (`never_stored.rs`).

use std::rc::Rc;

use tristan_sql::{Misshapen, ObservedValue};

use super::never_stored::{Sought, never_stored};
use crate::error::Error;
use crate::level::Kind;
use crate::load::{Loaded, Loader, Source};
use crate::options::AuditOptions;
use crate::search::{Impossible, Unexplained};
use crate::sql::observed_text;
use crate::statement::{Expected, Statement, Task};
use crate::watched_budget::WatchedBudget;

/// Whether the answer that a pass could not explain is wrong in every state. Returns `None` if it need not be.
pub(super) fn impossible(
    source: Source<'_>,
    options: &AuditOptions,
    budget: &WatchedBudget<'_>,
    unexplained: &Unexplained,
) -> Result<Option<Impossible>, Error> {
    let Some(step) = unexplained.step() else { return Ok(None) };
    let Some(statement) = unexplained.task.statement(step) else { return Ok(None) };
    let reason = match wrong_rows(statement) {
        Some(reason) => Some(reason),
        None => {
            let mut sought = Sought::default();
            sought.add(unexplained.task.serial, step, statement);
            never_stored(source, options, budget, sought)?.map(|found| found.reason)
        }
    };
    Ok(reason.map(|reason| Impossible { step, reason }))
}

/// The first transaction with rows that are wrong in every state.
///
/// The whole log is read before it is said: a transaction that overlaps with a change of its tables, or that comes after
/// a statement that is not supported, may mean something else than it seems to. Values that nothing stored are sought
/// if `values` says so.
pub(super) fn first_impossible(
    source: Source<'_>,
    options: &AuditOptions,
    budget: &WatchedBudget<'_>,
    values: bool,
) -> Result<Option<Unexplained>, Error> {
    let (mut loader, mut sql) = Loader::open(source, options)?;
    let (mut first, mut sought) = (None, Sought::default());
    while let Some(loaded) = loader.next(&mut sql)? {
        if budget.is_up() {
            return Ok(None);
        }
        let task = match loaded {
            Loaded::Task(task) if first.is_none() && task.must_be_explained() => task,
            Loaded::Task(_) | Loaded::Row(..) => continue,
            Loaded::Unsupported { .. } => return Ok(None),
        };
        let wrong = |step| Some(Impossible { step, reason: wrong_rows(task.statement(step)?)? });
        match (0..task.steps.len()).find_map(wrong) {
            Some(impossible) => first = Some((Rc::from(task), impossible)),
            None if values => sought.add_all(&task),
            None => {}
        }
    }
    if first.is_none()
        && let Some(found) = never_stored(source, options, budget, sought)?
    {
        let impossible = Impossible { step: found.step, reason: found.reason };
        first = task_of(source, options, found.serial)?.map(|task| (task, impossible));
    }
    let unexplained = |(task, impossible)| Unexplained {
        task,
        tries: Vec::new(),
        impossible: Some(impossible),
        combined: None,
    };
    Ok(first.map(unexplained))
}

/// A transaction of the log.
fn task_of(
    source: Source<'_>,
    options: &AuditOptions,
    serial: u32,
) -> Result<Option<Rc<Task>>, Error> {
    let (mut loader, mut sql) = Loader::open(source, options)?;
    while let Some(loaded) = loader.next(&mut sql)? {
        match loaded {
            Loaded::Task(task) if task.serial == serial => return Ok(Some(Rc::from(task))),
            _ => {}
        }
    }
    Ok(None)
}

/// Why the rows that a statement showed are wrong in every state.
fn wrong_rows(statement: &Statement) -> Option<String> {
    let Expected::Rows(rows) = &statement.expected else { return None };
    misshapen(statement, rows).or_else(|| ruled_out(statement, rows))
}

/// What is wrong with the rows together: their order, their number, or that one is shown twice.
fn misshapen(statement: &Statement, rows: &[Vec<ObservedValue>]) -> Option<String> {
    if statement.kind() != Kind::Read {
        return None;
    }
    Some(match statement.plan.prepared.misshapen(&statement.params, rows)? {
        Misshapen::Order(row) => format!(
            "Rows {row} and {} of the answer are not in the order that ORDER BY specifies.",
            row + 1
        ),
        Misshapen::Repeated(row) => {
            format!("Row {} of the answer duplicates an earlier row despite DISTINCT.", row + 1)
        }
        Misshapen::Limit(rows) => {
            format!("The answer has more rows than LIMIT {rows} allows.")
        }
    })
}

/// Which of the rows that were shown do not meet the condition.
fn ruled_out(statement: &Statement, rows: &[Vec<ObservedValue>]) -> Option<String> {
    let prepared = &statement.plan.prepared;
    let (row, columns) = rows.iter().find_map(|row| {
        let columns = prepared.ruled_out(&statement.plan.catalog, &statement.params, row)?;
        Some((row, columns))
    })?;
    let displayed = prepared.displayed()?;
    let mut values: Vec<String> = Vec::new();
    for place in columns {
        let shown = (*displayed.get(place)?)?;
        let column = &statement.plan.catalog.by_id(shown.table)?.columns()[shown.column];
        let value = format!("{} = {}", column.name(), observed_text(row.get(place)?, column.ty()));
        if !values.contains(&value) {
            values.push(value);
        }
    }
    Some(format!(
        "The conditions of the statement exclude a row with {} in every state.",
        values.join(" and ")
    ))
}
