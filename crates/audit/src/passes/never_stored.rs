//! Values that an answer shows although nothing ever stored them.
//!
//! ```text
//!   start        t (1, 'ball')
//!   T1           UPDATE t SET name = 'kite' WHERE id = 1
//!   T2           SELECT name FROM t WHERE id = 1        answered 'zebra'
//! ```
//!
//! # Why a rejection is certain
//!
//! A version of a row has in each column a value of the start of the log, or one that a statement of the log stored
//! there. That includes statements that were rolled back: their own transaction may have seen what they stored. So if no
//! row of the start has a value, and no statement stores it whatever rows there are ([`tristan_sql::Prepared::stored`]),
//! no version has it. Where a statement may store any value, it may not store NULL in a column that is NOT NULL when it
//! runs. Tables that a foreign key changes are left out, and nothing is said if triggers or routines run or if a table
//! is altered: they store values in other ways.
//!
//! All values that the answers show are collected, and struck out while the log is read once more. The right side of a
//! LEFT JOIN may show NULL without a row, so NULL is not collected there.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use tristan_sql::{ObservedValue, Type};

use crate::error::Error;
use crate::level::Kind;
use crate::load::{Loaded, Loader, Source};
use crate::options::AuditOptions;
use crate::sql::observed_text;
use crate::statement::{Expected, Statement, Task};
use crate::watched_budget::WatchedBudget;
use crate::world::{TableId, Value};

/// Values that were shown, and that nothing was found to store so far, by table and column.
#[derive(Default)]
pub(super) struct Sought {
    columns: BTreeMap<(TableId, usize), Column>,
    /// How many values were added.
    added: usize,
}

/// The values of a column that are sought.
struct Column {
    ty: Type,
    name: String,
    seen: FxHashMap<ObservedValue, Seen>,
}

/// Where a value was shown first.
#[derive(Clone, Copy)]
struct Seen {
    /// How many values were added before it.
    place: usize,
    /// The transaction and its step.
    serial: u32,
    step: usize,
}

/// An answer with a value that nothing stores.
pub(super) struct NeverStored {
    pub(super) serial: u32,
    pub(super) step: usize,
    /// Why, as a sentence.
    pub(super) reason: String,
}

/// The first of the values that nothing stores.
pub(super) fn never_stored(
    source: Source<'_>,
    options: &AuditOptions,
    budget: &WatchedBudget<'_>,
    mut sought: Sought,
) -> Result<Option<NeverStored>, Error> {
    let (mut loader, mut sql) = Loader::open(source, options)?;
    loop {
        sought.columns.retain(|_, column| !column.seen.is_empty());
        if sought.columns.is_empty() || budget.is_up() {
            return Ok(None);
        }
        match loader.next(&mut sql)? {
            None => break,
            Some(Loaded::Row((table, _), row)) => {
                for ((_, place), column) in sought.of_table(table) {
                    column.found(row.get(*place));
                }
            }
            Some(Loaded::Task(task)) => {
                if !strike_out(&task, &mut sought) {
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
    Ok(sought.first())
}

/// Strikes out what a transaction may store. Returns `false` if that may be anything.
fn strike_out(task: &Task, sought: &mut Sought) -> bool {
    let statements = task.steps.iter().filter_map(|step| step.statement());
    for statement in statements.filter(|statement| statement.kind() == Kind::Write) {
        let (prepared, catalog) = (&statement.plan.prepared, &statement.plan.catalog);
        let Some(stored) = prepared.stored(catalog, &statement.params) else { return false };
        for table in prepared.reach(catalog, &statement.params).cascades {
            sought.of_table(table).for_each(|(_, column)| column.seen.clear());
        }
        for own in stored {
            let Some(column) = sought.columns.get_mut(&(own.table, own.column)) else { continue };
            let table = catalog.by_id(own.table);
            match &own.value {
                None if table.is_some_and(|table| table.columns()[own.column].is_not_null()) => {
                    column.seen.retain(|seen, _| *seen == ObservedValue::Null);
                }
                value => column.found(value.as_ref()),
            }
        }
    }
    true
}

impl Sought {
    /// Adds what all statements of a transaction showed.
    pub(super) fn add_all(&mut self, task: &Task) {
        for step in 0..task.steps.len() {
            if let Some(statement) = task.statement(step) {
                self.add(task.serial, step, statement);
            }
        }
    }

    /// Adds what a statement showed of columns of types that every client shows in one form.
    pub(super) fn add(&mut self, serial: u32, step: usize, statement: &Statement) {
        let Expected::Rows(rows) = &statement.expected else { return };
        let displayed = statement.plan.prepared.displayed().unwrap_or_default();
        let shown = displayed.into_iter().enumerate();
        for (place, shown) in shown.filter_map(|(place, shown)| Some((place, shown?))) {
            let Some(table) = statement.plan.catalog.by_id(shown.table) else { continue };
            let described = &table.columns()[shown.column];
            let ty = described.ty();
            if !matches!(ty, Type::Bool | Type::Int(_) | Type::Decimal(_) | Type::Text { .. }) {
                continue;
            }
            let column = self.columns.entry((shown.table, shown.column)).or_insert_with(|| {
                let name = format!("{}.{}", table.short_name(), described.name());
                Column { ty, name, seen: FxHashMap::default() }
            });
            for value in rows.iter().filter_map(|row| row.get(place)) {
                if shown.optional && *value == ObservedValue::Null {
                    continue;
                }
                self.added += 1;
                let seen = Seen { place: self.added, serial, step };
                column.seen.entry(value.normal(ty)).or_insert(seen);
            }
        }
    }

    /// The columns of a table.
    fn of_table(
        &mut self,
        table: TableId,
    ) -> impl Iterator<Item = (&(TableId, usize), &mut Column)> {
        self.columns.range_mut((table, 0)..=(table, usize::MAX))
    }

    /// The value that was shown first.
    fn first(&self) -> Option<NeverStored> {
        let all = self.columns.values().flat_map(|column| {
            column.seen.iter().map(move |(value, seen)| (seen.place, column, value, seen))
        });
        let (_, Column { ty, name, .. }, value, seen) = all.min_by_key(|(place, ..)| *place)?;
        let value = observed_text(value, *ty);
        Some(NeverStored {
            serial: seen.serial,
            step: seen.step,
            reason: format!(
                "No statement in the log stores {value} in {name}, and no row had this value at the start."
            ),
        })
    }
}

impl Column {
    /// The column may hold this value, or any.
    fn found(&mut self, value: Option<&Value>) {
        match value {
            Some(value) => drop(self.seen.remove(&ObservedValue::of(value, self.ty))),
            None => self.seen.clear(),
        }
    }
}
