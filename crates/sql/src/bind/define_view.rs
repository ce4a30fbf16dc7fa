//! CREATE VIEW, CREATE MATERIALIZED VIEW, REFRESH MATERIALIZED VIEW.
//!
//! Layer `bind`; changes the catalog.
//!
//! A materialized view is a table that is filled from a query. REFRESH replaces all rows at once, also for
//! transactions that began before, unlike other changes. So the view becomes another table, as with an ALTER TABLE
//! that gives the rows another shape.

use std::sync::Arc;

use sqlparser::ast;

use crate::catalog::{Catalog, Table, View, table_name};
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::parse::is_unfilled;
use crate::plan::{Plan, Query};

use super::binder::Binder;
use super::create_from::{add_columns, filling};
use super::view_target::{check_option, view_target};

pub(super) fn create_view(catalog: &mut Catalog, create: &ast::CreateView) -> Result<Option<Plan>> {
    if create.temporary {
        return unsupported("a view of one session");
    }
    let name = catalog.new_name(&table_name(&create.name)?, false)?;
    if catalog.own_table(&name).is_some() {
        return match create.materialized && create.if_not_exists {
            true => Ok(None),
            false => fail(ErrorClass::DuplicateTable, format!("{name} already exists")),
        };
    }
    // A view that is not current was dropped together with a column, or the server would refuse another one.
    let current = catalog.view(&name).is_some_and(|view| catalog.is_current(view));
    if current && !create.or_replace {
        return match create.if_not_exists && !create.materialized {
            true => Ok(None),
            false => fail(ErrorClass::DuplicateTable, format!("view {name} already exists")),
        };
    }
    let (mut view, bound) = read_view(catalog, create, name)?;
    if create.materialized {
        return create_materialized(catalog, create, view, bound);
    }
    let Some(check) = check_option(create) else { return unsupported("this CHECK OPTION") };
    view.target = view_target(catalog, create, &view.name, check).map(Box::new);
    // A view that is replaced keeps its triggers.
    if let Some(before) = catalog.view(&view.name).filter(|_| create.or_replace) {
        if !current && !before.triggers.is_empty() {
            return unsupported("another definition of a view with triggers over changed tables");
        }
        view.triggers.clone_from(&before.triggers);
    }
    catalog.add_view(view);
    Ok(None)
}

fn read_view(catalog: &Catalog, create: &ast::CreateView, name: String) -> Result<(View, Query)> {
    let mut binder = Binder::new(catalog, &[], &[]);
    let bound = binder.view_query(&create.query)?;
    if create.columns.len() > bound.output.len() {
        return fail(ErrorClass::Syntax, "more names than columns");
    }
    let (tables, views) = binder.into_used();
    if tables.iter().any(|table| table.nature.temporary) {
        return unsupported("a view over a temporary table");
    }
    let columns = create.columns.iter().map(|column| column.name.value.clone()).collect();
    let query = (*create.query).clone();
    Ok((View { name, columns, query, tables, views, target: None, triggers: Vec::new() }, bound))
}

fn create_materialized(
    catalog: &mut Catalog,
    create: &ast::CreateView,
    view: View,
    bound: Query,
) -> Result<Option<Plan>> {
    let option = |option: &ast::SqlOption| matches!(option, ast::SqlOption::KeyValue { key, .. } if is_unfilled(&key.value));
    let filled = match &create.options {
        ast::CreateTableOptions::With(options) => !options.iter().any(option),
        _ => true,
    };
    let mut table = Table::empty(catalog.next_id(), view.name.clone());
    add_columns(&mut table, &view.columns, &bound)?;
    (table.nature.materialized, table.nature.unfilled) = (true, !filled);
    let plan = filling(&table, bound);
    catalog.add_materialized(table, Arc::new(view));
    Ok(filled.then_some(plan))
}

/// `REFRESH MATERIALIZED VIEW m`, which leaves it without rows if it is not filled.
pub(crate) fn refresh(catalog: &mut Catalog, name: &str, filled: bool) -> Result<Option<Plan>> {
    let Some(before) = catalog.named(name)?.cloned() else {
        return fail(ErrorClass::UndefinedTable, format!("{name} does not exist"));
    };
    let Some(view) = catalog.query_of(before.id()).cloned() else {
        return unsupported(format!("REFRESH of {name}, which is no materialized view"));
    };
    let bound = Binder::new(catalog, &[], &[]).current_view(&view)?;
    let mut table = Table { id: catalog.next_id(), ..(*before).clone() };
    table.nature.unfilled = !filled;
    table.number();
    let plan = filling(&table, bound);
    catalog.change_materialized(&before, table, view);
    Ok(filled.then_some(plan))
}

/// Says whether it was there.
pub(super) fn drop_materialized(catalog: &mut Catalog, name: &str, cascade: bool) -> Result<bool> {
    let Some(table) = catalog.named(name)?.cloned() else { return Ok(false) };
    if !table.nature.materialized {
        return unsupported(format!("DROP MATERIALIZED VIEW {name}, which is a table"));
    }
    catalog.remove(name);
    if cascade {
        catalog.remove_views_over(&table);
    }
    Ok(true)
}
