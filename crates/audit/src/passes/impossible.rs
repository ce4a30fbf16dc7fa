//! Answers that are wrong in every state.
//!
//! ```text
//!   SELECT id, name FROM t WHERE id = 97        answered (98, 'a')       the condition rules out this row
//!   SELECT name FROM t WHERE id = 97            answered ('zebra')       nothing in the log stores 'zebra' in t.name
//!   SELECT id FROM t ORDER BY id                answered (98), (97)      the rows are not in this order
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
//! 3. *The value.* A version of a row has in each column a value of the start of the log, or one that a statement of
//!    the log stored there. Statements that were rolled back are seen by their own transaction at most, and are read
//!    with it if they are judged. So if no row of the start has a value, and no statement stores it whatever rows there
//!    are ([`tristan_sql::Prepared::stored`]), no version has it. Foreign keys that act, triggers, routines and altered
//!    tables store values in other ways; where there are any, nothing is said.

use std::rc::Rc;

use tristan_sql::{Misshapen, ObservedValue, Type};

use crate::error::Error;
use crate::level::Kind;
use crate::load::{Loaded, Loader, Source};
use crate::options::AuditOptions;
use crate::search::{Impossible, Unexplained};
use crate::sql::observed_text;
use crate::statement::{Expected, Statement, Task};
use crate::watched_budget::WatchedBudget;
use crate::world::{TableId, Value};

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
        None => never_stored(source, options, budget, statement)?,
    };
    Ok(reason.map(|reason| Impossible { step, reason }))
}

/// The first transaction with rows that are wrong in every state.
///
/// The whole log is read before it is said: a transaction that overlaps with a change of its tables, or that comes after
/// a statement that is not supported, may mean something else than it seems to.
pub(super) fn first_impossible(
    source: Source<'_>,
    options: &AuditOptions,
    budget: &WatchedBudget<'_>,
) -> Result<Option<Unexplained>, Error> {
    let (mut loader, mut sql) = Loader::open(source, options)?;
    let mut first = None;
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
        if let Some(impossible) = (0..task.steps.len()).find_map(wrong) {
            let (task, tries) = (Rc::from(task), Vec::new());
            first = Some(Unexplained { task, tries, impossible: Some(impossible) });
        }
    }
    Ok(first)
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
        let (table, column) = (*displayed.get(place)?)?;
        let column = &statement.plan.catalog.by_id(table)?.columns()[column];
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

/// Values of a column that were shown, and that nothing was found to store so far.
struct Sought<'a> {
    table: TableId,
    column: usize,
    ty: Type,
    name: String,
    seen: Vec<&'a ObservedValue>,
}

/// Which of the values that were shown nothing stores.
fn never_stored(
    source: Source<'_>,
    options: &AuditOptions,
    budget: &WatchedBudget<'_>,
    statement: &Statement,
) -> Result<Option<String>, Error> {
    let Expected::Rows(rows) = &statement.expected else { return Ok(None) };
    let mut sought = sought(statement, rows);
    let (mut loader, mut sql) = Loader::open(source, options)?;
    loop {
        sought.retain(|one| !one.seen.is_empty());
        if sought.is_empty() || budget.is_up() {
            return Ok(None);
        }
        match loader.next(&mut sql)? {
            None => break,
            Some(Loaded::Row((table, _), row)) => {
                for one in sought.iter_mut().filter(|one| one.table == table) {
                    one.found(row.get(one.column));
                }
            }
            Some(Loaded::Task(task)) => {
                if !is_told_apart(&task, &mut sought) {
                    return Ok(None);
                }
            }
            Some(Loaded::Unsupported { .. }) => return Ok(None),
        }
    }
    // What is stored in a table that cannot be followed is not known, and the log has to be read without it.
    if !sql.lost.is_empty() {
        return Ok(None);
    }
    Ok(sought.first().and_then(|one| {
        let value = observed_text(one.seen.first()?, one.ty);
        Some(format!(
            "No statement in the log stores {value} in {}, and no row had this value at the start.",
            one.name
        ))
    }))
}

/// The values that a query shows of columns whose values look alike wherever they are shown.
fn sought<'a>(statement: &Statement, rows: &'a [Vec<ObservedValue>]) -> Vec<Sought<'a>> {
    let displayed = statement.plan.prepared.displayed().unwrap_or_default();
    let mut sought: Vec<Sought<'a>> = Vec::new();
    for (place, (table, column)) in
        displayed.into_iter().enumerate().filter_map(|(place, shown)| Some((place, shown?)))
    {
        let Some(found) = statement.plan.catalog.by_id(table) else { continue };
        let described = &found.columns()[column];
        let ty = described.ty();
        if !matches!(ty, Type::Bool | Type::Int(_) | Type::Decimal(_) | Type::Text { .. }) {
            continue;
        }
        let seen = rows.iter().filter_map(|row| row.get(place)).collect();
        let name = format!("{}.{}", found.short_name(), described.name());
        sought.push(Sought { table, column, ty, name, seen });
    }
    sought
}

/// Takes out what a transaction may store. Returns `false` if that may be anything.
fn is_told_apart(task: &Task, sought: &mut [Sought<'_>]) -> bool {
    let statements = task.steps.iter().filter_map(|step| step.statement());
    for statement in statements.filter(|statement| statement.kind() == Kind::Write) {
        let (prepared, catalog) = (&statement.plan.prepared, &statement.plan.catalog);
        let Some(stored) = prepared.stored(catalog, &statement.params) else { return false };
        let cascades = prepared.reach(catalog, &statement.params).cascades;
        for one in sought.iter_mut() {
            if cascades.contains(&one.table) {
                one.seen.clear();
            }
            let place = (one.table, one.column);
            let own = stored.iter().filter(|own| (own.table, own.column) == place);
            own.for_each(|own| one.found(own.value.as_ref()));
        }
    }
    true
}

impl Sought<'_> {
    /// The column may hold this value, or any.
    fn found(&mut self, value: Option<&Value>) {
        match value {
            Some(value) => self.seen.retain(|seen| !seen.is(value, self.ty)),
            None => self.seen.clear(),
        }
    }
}
