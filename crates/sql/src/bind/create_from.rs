//! Tables that are made from queries: `CREATE TABLE … AS`, `SELECT … INTO`.
//!
//! Layer `bind`; changes the catalog. The columns are those of the query, and so are the rows.

use sqlparser::ast;

use crate::catalog::{Catalog, Column, Nature, Table, table_name};
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::{Fill, Insert, InsertSource, OnConflict, Plan, Query};

use super::binder::Binder;
use super::select_into::new_table;

/// Adds a table with the columns of a query, some of which have other names. Returns what fills it.
pub(super) fn create_from(
    catalog: &mut Catalog,
    mut table: Table,
    names: Vec<String>,
    query: &ast::Query,
    filled: bool,
) -> Result<Option<Plan>> {
    let bound = Binder::new(catalog, &[], &[]).view_query(query)?;
    add_columns(&mut table, &names, &bound)?;
    let plan = filling(&table, bound);
    catalog.add(table);
    Ok(filled.then_some(plan))
}

/// `SELECT … INTO t`.
pub(super) fn select_into(catalog: &mut Catalog, query: &ast::Query) -> Result<Option<Plan>> {
    let Some(new) = new_table(query).filter(|_| !catalog.has_domains()) else {
        return unsupported("SELECT INTO this");
    };
    let name = catalog.new_name(&table_name(&new.name)?, new.temporary)?;
    if catalog.is_taken(&name) {
        return fail(ErrorClass::DuplicateTable, format!("table {name} already exists"));
    }
    let mut table = Table::empty(catalog.next_id(), name);
    table.nature = Nature { temporary: new.temporary, ..Nature::default() };
    create_from(catalog, table, Vec::new(), &new.query, true)
}

/// The columns of a query, with other names as far as there are some.
pub(super) fn add_columns(table: &mut Table, names: &[String], query: &Query) -> Result<()> {
    if names.len() > query.output.len() {
        return fail(ErrorClass::Syntax, "more names than columns");
    }
    for (place, output) in query.output.iter().enumerate() {
        let name = names.get(place).unwrap_or(&output.name);
        if table.column(name).is_some() {
            return fail(ErrorClass::DuplicateColumn, format!("{name} is defined twice"));
        }
        table.columns.push(Column { name: name.clone(), ..Column::of_output(output) });
    }
    Ok(())
}

/// Fills a table with the rows of a query.
pub(super) fn filling(table: &Table, query: Query) -> Plan {
    Plan::Insert(Box::new(Insert {
        instead: None,
        table: table.id(),
        fills: (0..table.columns().len()).map(Fill::Given).collect(),
        source: InsertSource::Query(query),
        conflict: OnConflict::Fail,
        checks: Vec::new(),
        returning: None,
    }))
}
