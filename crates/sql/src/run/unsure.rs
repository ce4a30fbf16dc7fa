//! Counts of changed rows that depend on blurred columns.
//!
//! MySQL and MariaDB count the rows that an UPDATE changed. If it assigns a blurred column, a row may be another one in
//! that column alone.
//!
//! Layer `run`; reads plans and tables.

use crate::catalog::{Catalog, Table};
use crate::plan::{Assignment, OnConflict, Plan};

/// The blurred columns, with their tables, on which the number of changed rows depends.
pub(crate) fn unsure_columns(catalog: &Catalog, plan: &Plan) -> Vec<String> {
    if !catalog.dialect().counts_changed_rows() {
        return Vec::new();
    }
    match plan {
        Plan::Update(update) => match catalog.by_id(update.locate.table) {
            Some(table) => table.blurred_names(&assigned(&update.assignments)),
            None => Vec::new(),
        },
        Plan::Insert(insert) => {
            let Some(table) = catalog.by_id(insert.table) else { return Vec::new() };
            match insert.conflict {
                OnConflict::Replace => table.blurred_names(&every(table)),
                _ => table.blurred_names(&assigned(insert.assignments())),
            }
        }
        Plan::Doubtful(_, plan) => unsure_columns(catalog, plan),
        Plan::With { changes, last } => {
            let plans = changes.iter().map(|(_, plan)| plan).chain([&**last]);
            plans.flat_map(|plan| unsure_columns(catalog, plan)).collect()
        }
        _ => Vec::new(),
    }
}

fn assigned(assignments: &[Assignment]) -> Vec<usize> {
    assignments.iter().map(|one| one.column).collect()
}

fn every(table: &Table) -> Vec<usize> {
    (0..table.columns().len()).collect()
}
