//! Which columns a statement fills with values that only the server knows.
//!
//! Layer `run`; reads plans and the defaults of tables.

use crate::catalog::{Catalog, Column, DefaultValue, Table};
use crate::plan::{
    Assignment, ConflictAction, Expr, Fill, Insert, InsertSource, OnConflict, Plan, Visit, rewrite,
    rewrite_plan,
};
use crate::rows::TableId;

/// The columns that a plan fills with values that only the server knows. Returns `None` if anything else in it depends
/// on such values, or if foreign keys may carry them on.
pub(crate) fn filled(catalog: &Catalog, plan: &Plan) -> Option<Vec<(TableId, usize)>> {
    let (table, columns, values) = match plan {
        Plan::Insert(insert) => {
            let table = catalog.by_id(insert.table)?;
            (table, inserted(catalog, table, insert), values_of(insert))
        }
        Plan::Update(update) => {
            let table = catalog.by_id(update.locate.table)?;
            (table, assigned(table, &update.assignments), own_values(&update.assignments))
        }
        Plan::Doubtful(_, plan) => return filled(catalog, plan),
        _ => return None,
    };
    let moved = |column: &usize| {
        catalog.referrers(table.id()).any(|(_, key)| key.acts() && key.referred.contains(column))
    };
    let elsewhere = count(plan) > values;
    let clear = !elsewhere && !columns.iter().any(moved);
    clear.then(|| columns.into_iter().map(|column| (table.id(), column)).collect())
}

/// The columns of new rows, and of those that are updated instead.
fn inserted(catalog: &Catalog, table: &Table, insert: &Insert) -> Vec<usize> {
    let strict = catalog.dialect().is_strictly_typed();
    let is_filled = |place: usize, column: &Column| match insert.fills.get(place) {
        Some(Fill::Given(given)) => {
            // AUTO_INCREMENT takes NULL and 0 for DEFAULT.
            let counts = !strict && matches!(column.default, DefaultValue::Sequence { .. });
            counts || given_by_server(insert, *given, column)
        }
        _ => is_default(column),
    };
    let columns = table.columns().iter().enumerate();
    let mut all: Vec<usize> = columns
        .filter(|(place, column)| is_filled(*place, column))
        .map(|(place, _)| place)
        .collect();
    all.extend(assigned(table, insert.assignments()));
    all
}

fn given_by_server(insert: &Insert, place: usize, column: &Column) -> bool {
    let InsertSource::Values(rows) = &insert.source else { return false };
    rows.iter().any(|row| match row.get(place) {
        Some(Some(value)) => opens(value) > 0,
        _ => is_default(column),
    })
}

/// The columns that are assigned, and those that hold the time of the change.
fn assigned(table: &Table, assignments: &[Assignment]) -> Vec<usize> {
    let by_server = |one: &&Assignment| match &one.value {
        Some(value) => opens(value) > 0,
        None => is_default(&table.columns()[one.column]),
    };
    let assigned = assignments.iter().filter(by_server).map(|one| one.column);
    assigned.chain(table.renewed()).collect()
}

/// Whether a column that no value is given for is filled by the server.
fn is_default(column: &Column) -> bool {
    match &column.default {
        DefaultValue::Sequence { .. } => true,
        DefaultValue::Expr(expr) => opens(expr) > 0,
        _ => false,
    }
}

/// How many values of the server go straight into columns.
fn values_of(insert: &Insert) -> usize {
    let rows = match &insert.source {
        InsertSource::Values(rows) => rows.as_slice(),
        InsertSource::Query(_) => &[],
    };
    let given: usize = rows.iter().flatten().flatten().map(opens).sum();
    let updated = match &insert.conflict {
        OnConflict::On { action: ConflictAction::Update { assignments, .. }, .. } => {
            own_values(assignments)
        }
        _ => 0,
    };
    given + updated
}

fn own_values(assignments: &[Assignment]) -> usize {
    assignments.iter().filter_map(|one| one.value.as_ref()).map(opens).sum()
}

/// How many values of the server an expression asks for.
fn opens(expr: &Expr) -> usize {
    let mut opened = Opened::default();
    rewrite(&mut expr.clone(), 0, &mut opened);
    opened.count
}

/// How many values of the server a whole plan asks for.
fn count(plan: &Plan) -> usize {
    let mut opened = Opened::default();
    rewrite_plan(&mut plan.clone(), &mut opened);
    opened.count
}

#[derive(Default)]
struct Opened {
    count: usize,
}

impl Visit for Opened {
    fn visit(&mut self, expr: &mut Expr, _: usize) -> bool {
        self.count += usize::from(matches!(
            expr,
            Expr::Open { .. } | Expr::Number { .. } | Expr::Routine { .. }
        ));
        true
    }
}
