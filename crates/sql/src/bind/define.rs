//! Definitions: CREATE TABLE, CREATE INDEX, CREATE VIEW, DROP.
//!
//! Layer `bind`; with `draft.rs` and `alter.rs` the only part of it that changes the catalog.
//!
//! A definition may have work to do with rows as well: a table that is made from a query is filled, a table
//! that is altered gets its rows in their new shape, and a new key or condition is checked. [`define`] returns
//! that work as a plan, which is carried out with the catalog as it is after the definition.

use std::sync::Arc;

use sqlparser::ast;

use crate::catalog::{Catalog, Key, Nature, Table, table_name};
use crate::error::{ErrorClass, ExecutionError, Result, fail, unsupported};
use crate::parse::{last_name, like_element};
use crate::plan::{NodeIds, Plan, Rebuild, number_plan};

use super::alter::{alter_table, has_long_key, rename_tables};
use super::binder::Binder;
use super::collations::table_collation;
use super::create_from::{create_from, select_into};
use super::define_view::{create_view, drop_materialized};
use super::domains::create_domain;
use super::draft::{Draft, prefixed};
use super::enumerations::{alter_type, create_type, drop_type};
use super::partitions::{create_partition, divide, drop_partition};
use super::schemas::{create_schema, drop_schema};
use super::sequences::own_sequences;
use super::writes::column_of;

/// Carries out a statement that changes tables. Returns what is to be done with rows, if there is something.
pub(crate) fn define(catalog: &mut Catalog, statement: &ast::Statement) -> Result<Option<Plan>> {
    let mut work = match statement {
        ast::Statement::CreateTable(create) => create_table(catalog, create)?,
        ast::Statement::CreateIndex(index) => create_index(catalog, index)?,
        ast::Statement::CreateView(create) => create_view(catalog, create)?,
        ast::Statement::Query(query) => select_into(catalog, query)?,
        ast::Statement::CreateSchema { schema_name, if_not_exists, .. } => {
            create_schema(catalog, schema_name, *if_not_exists)?;
            None
        }
        ast::Statement::AlterTable(alter) => alter_table(catalog, alter)?,
        ast::Statement::RenameTable(renames) => {
            rename_tables(catalog, renames)?;
            None
        }
        ast::Statement::AlterIndex { name, operation } => {
            let ast::AlterIndexOperation::RenameIndex { index_name } = operation;
            rename_index(catalog, &table_name(name)?, &last_name(index_name)?)?;
            None
        }
        ast::Statement::Drop { object_type, if_exists, names, cascade, table, .. } => {
            if let ([name], ast::ObjectType::Table) = (names.as_slice(), object_type)
                && let Some(plan) = drop_partition(catalog, &table_name(name)?)?
            {
                return Ok(Some(plan));
            }
            for name in names {
                drop_one(catalog, *object_type, name, *if_exists, *cascade, table.as_ref())?;
            }
            None
        }
        ast::Statement::CreateType { name, representation } => {
            create_type(catalog, name, representation.as_ref())?;
            None
        }
        ast::Statement::AlterType(alter) => {
            alter_type(catalog, alter)?;
            None
        }
        ast::Statement::CreateDomain(create) => {
            create_domain(catalog, create)?;
            None
        }
        other => return Err(ExecutionError::Unsupported(format!("the definition {other}"))),
    };
    if let Some(plan) = &mut work {
        number_plan(&mut NodeIds::default(), plan);
    }
    Ok(work)
}

fn drop_one(
    catalog: &mut Catalog,
    kind: ast::ObjectType,
    written: &ast::ObjectName,
    if_exists: bool,
    cascade: bool,
    table: Option<&ast::ObjectName>,
) -> Result<()> {
    if kind == ast::ObjectType::Schema {
        return drop_schema(catalog, &last_name(written)?, cascade);
    }
    let name = table_name(written)?;
    let found = match kind {
        ast::ObjectType::MaterializedView => drop_materialized(catalog, &name, cascade)?,
        ast::ObjectType::Table => drop_table(catalog, &name, cascade)?,
        ast::ObjectType::View => drop_view(catalog, &name, cascade)?,
        ast::ObjectType::Index => drop_index(catalog, &name, table, if_exists)?,
        ast::ObjectType::Type => drop_type(catalog, &name, cascade)?,
        _ => return unsupported(format!("DROP {kind}")),
    };
    match found || if_exists {
        true => Ok(()),
        false => fail(ErrorClass::UndefinedTable, format!("{name} does not exist")),
    }
}

fn drop_table(catalog: &mut Catalog, name: &str, cascade: bool) -> Result<bool> {
    let Some(table) = catalog.named(name)?.cloned() else { return Ok(false) };
    catalog.remove(name);
    catalog.remove_sequences_of(&table);
    if cascade || table.nature.partitions.is_some() {
        catalog.remove_views_over(&table);
    }
    Ok(true)
}

fn drop_view(catalog: &mut Catalog, name: &str, cascade: bool) -> Result<bool> {
    if cascade && catalog.view(name).is_some() {
        return unsupported("DROP VIEW … CASCADE");
    }
    Ok(catalog.remove_view(name))
}

/// An index of PostgreSQL has a name of its own; in MySQL, it belongs to its table.
fn drop_index(
    catalog: &mut Catalog,
    name: &str,
    table: Option<&ast::ObjectName>,
    if_exists: bool,
) -> Result<bool> {
    let owner = table.map(table_name).transpose()?;
    let Some(before) = index_owner(catalog, name, owner.as_deref()) else {
        // A key has a name that the server chose if the log names none.
        let nameless = |table: &Arc<Table>| table.keys().iter().any(|key| key.name.is_empty());
        let known = catalog.dialect().is_strictly_typed() && !catalog.tables().any(nameless);
        return match if_exists && known {
            true => Ok(true),
            false => unsupported(format!("DROP INDEX {name}, which the log does not show")),
        };
    };
    let mut table = (*before).clone();
    table.keys.retain(|key| !key.name.eq_ignore_ascii_case(name));
    catalog.change(&before, table);
    Ok(true)
}

fn rename_index(catalog: &mut Catalog, name: &str, to: &str) -> Result<()> {
    let Some(before) = index_owner(catalog, name, None) else {
        return unsupported(format!("ALTER INDEX {name}, which the log does not show"));
    };
    let mut table = (*before).clone();
    let keys = table.keys.iter_mut().filter(|key| key.name.eq_ignore_ascii_case(name));
    keys.for_each(|key| to.clone_into(&mut key.name));
    catalog.change(&before, table);
    Ok(())
}

/// The only table that has an index with this name.
fn index_owner(catalog: &Catalog, name: &str, owner: Option<&str>) -> Option<Arc<Table>> {
    let has = |table: &&Arc<Table>| {
        owner.is_none_or(|owner| catalog.means(owner, table.name()))
            && table.keys().iter().any(|key| key.name.eq_ignore_ascii_case(name))
    };
    let mut owners = catalog.tables().filter(has);
    let first = owners.next()?;
    owners.next().is_none().then(|| Arc::clone(first))
}

fn create_index(catalog: &mut Catalog, index: &ast::CreateIndex) -> Result<Option<Plan>> {
    let name = table_name(&index.table_name)?;
    let Some(before) = catalog.named(&name)?.cloned() else {
        // An index of a partition only makes things faster.
        return match !index.unique && catalog.view(&name).is_some() {
            true => Ok(None),
            false => fail(ErrorClass::UndefinedTable, format!("table {name} does not exist")),
        };
    };
    let mut table = (*before).clone();
    let name = index.name.as_ref().map(last_name).transpose()?.unwrap_or_default();
    if index.if_not_exists && table.keys.iter().any(|key| key.name.eq_ignore_ascii_case(&name)) {
        return Ok(None);
    }
    let mut columns = Vec::new();
    let mut exprs = Vec::new();
    for column in &index.columns {
        match &column.column.expr {
            ast::Expr::Identifier(ident) => columns.push(column_of(&table, &ident.value)?),
            // An index that is not unique only makes things faster.
            other if !index.unique && !catalog.dialect().is_strictly_typed() => {
                if let Some(name) = prefixed(other) {
                    columns.push(column_of(&table, &name)?);
                }
            }
            _ if !index.unique => {}
            expr => exprs.push(Binder::new(catalog, &[], &[]).key_expression(&table, expr)?),
        }
    }
    let whole = columns.len() + exprs.len() == index.columns.len();
    if !whole || index.predicate.is_some() && !index.unique {
        return Ok(None);
    }
    let filter = match &index.predicate {
        Some(predicate) => Some(Binder::new(catalog, &[], &[]).table_condition(&table, predicate)?),
        None => None,
    };
    let nulls_equal = index.nulls_distinct == Some(false);
    table.keys.push(Key { filter, nulls_equal, exprs, ..Key::over(name, columns, index.unique) });
    if !catalog.dialect().is_strictly_typed() && index.unique && has_long_key(&table) {
        return unsupported("a key of long texts that is added to a table with rows");
    }
    table.number();
    let id = table.id();
    catalog.change(&before, table);
    Ok(index.unique.then(|| Plan::Rebuild(Box::new(Rebuild::check(id)))))
}

/// Adds the table that a statement describes; does nothing if it is there and the statement says IF NOT
/// EXISTS.
fn create_table(catalog: &mut Catalog, create: &ast::CreateTable) -> Result<Option<Plan>> {
    let written = table_name(&create.name)?;
    catalog.named(&written)?;
    let name = catalog.new_name(&written, create.temporary)?;
    if catalog.is_taken(&name) {
        if create.if_not_exists {
            return Ok(None);
        }
        if !create.or_replace {
            return fail(ErrorClass::DuplicateTable, format!("table {name} already exists"));
        }
        catalog.remove(&name);
    }
    if create.inherits.is_some() {
        return unsupported("a table with parents");
    }
    if let Some(parent) = &create.partition_of {
        return create_partition(catalog, create, name, parent);
    }
    let mut empty = Table::empty(catalog.next_id(), name);
    empty.nature = nature(create)?;
    empty.collation = table_collation(catalog.dialect(), &create.table_options);
    if let Some(query) = &create.query {
        // A column of a domain would give the new column its conditions.
        let conditions = !create.constraints.is_empty() || catalog.has_domains();
        if conditions || !catalog.dialect().is_strictly_typed() {
            return unsupported("CREATE TABLE from a query");
        }
        let names = create.columns.iter().map(|column| column.name.value.clone()).collect();
        let filled = create.with_data.is_none_or(|with| with.data);
        return create_from(catalog, empty, names, query, filled);
    }
    if let Some(like) = &create.like {
        return create_like(catalog, empty, like);
    }
    let mut draft = Draft::of(empty);
    for column in &create.columns {
        match like_element(&column.name.value) {
            Some((model, options)) => draft.like(catalog, model, options)?,
            None => draft.column(catalog, column)?,
        }
    }
    draft.collate();
    for constraint in &create.constraints {
        draft.constraint(catalog, constraint)?;
    }
    draft.count_from_option(catalog, &create.table_options)?;
    let foreign = draft.has_foreign();
    let sequences = std::mem::take(&mut draft.sequences);
    let mut table = draft.finish(catalog)?;
    if let Some(by) = &create.partition_by {
        divide(catalog, &mut table, by)?;
    }
    catalog.add(table);
    sequences.into_iter().for_each(|sequence| catalog.put_sequence(sequence));
    catalog.note_foreign_keys(foreign);
    Ok(None)
}

/// What kind of table a statement makes.
fn nature(create: &ast::CreateTable) -> Result<Nature> {
    let drops_at_commit = match &create.on_commit {
        None | Some(ast::OnCommit::PreserveRows) => false,
        Some(ast::OnCommit::Drop) => true,
        Some(ast::OnCommit::DeleteRows) => return unsupported("ON COMMIT DELETE ROWS"),
    };
    Ok(Nature { temporary: create.temporary, drops_at_commit, ..Nature::default() })
}

/// `CREATE TABLE … LIKE …` of MySQL: everything but the rows and the foreign keys.
fn create_like(
    catalog: &mut Catalog,
    empty: Table,
    like: &ast::CreateTableLikeKind,
) -> Result<Option<Plan>> {
    let ast::CreateTableLikeKind::Plain(like) = like else {
        return unsupported("CREATE TABLE from another table");
    };
    let name = table_name(&like.name)?;
    let Some(model) = catalog.named(&name)? else {
        return fail(ErrorClass::UndefinedTable, format!("table {name} does not exist"));
    };
    let mut table = Table { id: empty.id, name: empty.name, ..(**model).clone() };
    table.foreign.clear();
    table.triggers.clear();
    table.number();
    let own = own_sequences(catalog, &mut table);
    catalog.add(table);
    own.into_iter().for_each(|sequence| catalog.put_sequence(sequence));
    Ok(None)
}
