//! INSERT and REPLACE.
//!
//! Layer `bind`; knows the columns of tables.

use std::sync::Arc;

use sqlparser::ast;

use crate::catalog::{Column, DefaultValue, Event, Table, Timing, Trigger, table_name};
use crate::error::{ErrorClass, ExecutionError, Result, ServerError, fail, unsupported};
use crate::parse::{Overriding, last_name, overriding};
use crate::plan::{Body, CastMode, Expr, Fill, Insert, InsertSource, OnConflict, Output, Query};
use crate::rows::TableId;
use crate::types::Type;

use super::binder::{Binder, Typed};
use super::blurred::unseen_value;
use super::casts::plain;
use super::predicates::has_columns;
use super::quotients::shows_longer;
use super::scope::{Scope, refuse_blurred};
use super::writes::{column_of, target};
use super::written::Written;

/// The columns of a view as those of a table that holds nothing.
fn as_table(name: &str, output: &[Output]) -> Table {
    let columns = output.iter().map(Column::of_output);
    Table { columns: columns.collect(), ..Table::empty(TableId(u32::MAX), name.to_owned()) }
}

impl Binder<'_> {
    pub(super) fn insert(&mut self, insert: &ast::Insert) -> Result<Insert> {
        refuse_insert_extras(insert)?;
        let ast::TableObject::TableName(name) = &insert.table else {
            return unsupported("INSERT into something that is not a table");
        };
        if let Some(insert) = self.insert_instead(insert, name)? {
            return Ok(insert);
        }
        let written = self.written(name)?;
        self.refuse_insert(&written, insert)?;
        let table = written.table;
        let last = insert.columns.last().map(last_name).transpose()?;
        self.overriding = last.and_then(|name| overriding(&name));
        let (columns, rows) = self.insert_rows(insert, &written)?;
        let source = match rows {
            Some(rows) => InsertSource::Values(self.insert_values(table, &columns, &rows)?),
            None => {
                self.refuse_compared_years(&written, &columns)?;
                self.insert_query(insert, table, &columns)?
            }
        };
        let mut fills = vec![Fill::Default; table.columns().len()];
        for (place, column) in columns.iter().enumerate() {
            let counts = matches!(table.columns()[*column].default, DefaultValue::Sequence { .. });
            if !(counts && self.overriding == Some(Overriding::User)) {
                fills[*column] = Fill::Given(place);
            }
        }
        self.overriding = None;
        self.fold_defaults(table, &fills);
        let shown =
            insert.table_alias.as_ref().map_or(table.short_name(), |alias| &alias.alias.value);
        let several = matches!(&source, InsertSource::Values(rows) if rows.len() > 1);
        let of_rows = self.deferred.take_if(|_| several);
        let conflict = self.conflict(insert, table, shown)?;
        self.deferred_of_rows(of_rows);
        let scope = Scope::of_table(table, shown);
        self.scopes.push(match self.dialect.is_strictly_typed() {
            true => scope.telling_new_rows(),
            false => scope,
        });
        let returning = self.returning(insert.returning.as_deref());
        self.scopes.pop();
        let checks = self.view_checks(&written)?;
        let (table, returning) = (table.id(), returning?);
        Ok(Insert { table, fills, source, conflict, instead: None, checks, returning })
    }

    /// PostgreSQL computes constant defaults of columns that are left out while it plans, even if there are no rows.
    fn fold_defaults(&mut self, table: &Table, fills: &[Fill]) {
        let left_out =
            table.columns().iter().zip(fills).filter(|(_, fill)| **fill == Fill::Default);
        for (column, _) in left_out {
            if let (DefaultValue::Expr(default), None) = (&column.default, &self.deferred) {
                self.fold(default.clone());
            }
        }
    }

    /// PostgreSQL computes the constants of DO UPDATE before those of several rows, and looks for the key last.
    fn deferred_of_rows(&mut self, of_rows: Option<(ServerError, bool)>) {
        let Some(of_rows) = of_rows else { return };
        let later = |(found, _): &(ServerError, bool)| found.class == ErrorClass::NoConstraint;
        let by_server = of_rows.0.class == ErrorClass::GeneratedAlways;
        let (_, certain) = of_rows;
        if !certain && matches!(self.deferred, Some((_, true))) {
            return;
        }
        if by_server || self.deferred.as_ref().is_none_or(later) {
            self.deferred = Some(of_rows);
        }
    }

    /// INSERT into a view with triggers that do something else instead; `None` if it is something else.
    fn insert_instead(
        &mut self,
        insert: &ast::Insert,
        name: &ast::ObjectName,
    ) -> Result<Option<Insert>> {
        let Some(view) = self.catalog.view(&table_name(name)?).map(Arc::clone) else {
            return Ok(None);
        };
        let fires = |trigger: &Trigger| trigger.fires(Timing::Instead, Event::Insert, true);
        if !view.triggers.iter().any(fires) {
            return Ok(None);
        }
        if insert.returning.is_some() || insert.on.is_some() || !self.catalog.is_current(&view) {
            return unsupported("this INSERT into a view with triggers");
        }
        let mut output = self.deeper(|binder| binder.view_query(&view.query))?.output;
        for (column, name) in output.iter_mut().zip(&view.columns) {
            column.name.clone_from(name);
        }
        let table = as_table(&view.name, &output);
        let (columns, rows) = self.insert_rows(insert, &Written::of(&table))?;
        let source = match rows {
            Some(rows) => InsertSource::Values(self.insert_values(&table, &columns, &rows)?),
            None => self.insert_query(insert, &table, &columns)?,
        };
        let mut fills = vec![Fill::Default; output.len()];
        for (place, column) in columns.iter().enumerate() {
            fills[*column] = Fill::Given(place);
        }
        let (conflict, instead) = (OnConflict::Fail, Some((view.name.clone(), output)));
        let (table, checks) = (table.id(), Vec::new());
        Ok(Some(Insert { table, fills, source, conflict, instead, checks, returning: None }))
    }

    /// The columns that are given, and the rows if they are written down.
    #[allow(clippy::type_complexity, reason = "columns and rows")]
    fn insert_rows(
        &mut self,
        insert: &ast::Insert,
        written: &Written<'_>,
    ) -> Result<(Vec<usize>, Option<Vec<Vec<ast::Expr>>>)> {
        let (table, shown) = (written.table, written.columns());
        if !insert.assignments.is_empty() {
            let mut columns = Vec::new();
            let mut row = Vec::new();
            for assignment in &insert.assignments {
                columns.push(target(table, &assignment.target)?);
                row.push(assignment.value.clone());
            }
            return Ok((columns, Some(vec![row])));
        }
        let mut columns = Vec::new();
        for name in &insert.columns {
            let name = last_name(name)?;
            if overriding(&name).is_some() {
                continue;
            }
            let column = column_of(table, &name)?;
            if columns.contains(&column) {
                return fail(ErrorClass::DuplicateColumn, "a column is named twice");
            }
            columns.push(column);
        }
        let rows = match insert.source.as_deref() {
            None => Some(vec![Vec::new()]),
            Some(query) => match &*query.body {
                ast::SetExpr::Values(values) if is_bare(query) => {
                    Some(values.rows.iter().map(|row| row.content.clone()).collect())
                }
                _ => None,
            },
        };
        if columns.is_empty() {
            let width = rows.as_ref().and_then(|rows| rows.first()).map_or(shown.len(), Vec::len);
            let all = shown.len();
            // PostgreSQL takes fewer values than columns, MySQL does not.
            let fewer = self.dialect.is_strictly_typed() || (width == 0 && insert.source.is_some());
            let length = if fewer { width.min(all) } else { all };
            let length = if rows.as_ref().is_some_and(|rows| rows.iter().all(Vec::is_empty)) {
                0
            } else {
                length
            };
            columns = shown[..length].to_vec();
        }
        Ok((columns, rows))
    }

    fn insert_values(
        &mut self,
        table: &Table,
        columns: &[usize],
        rows: &[Vec<ast::Expr>],
    ) -> Result<Vec<Vec<Option<Expr>>>> {
        let mut bound = Vec::new();
        for row in rows {
            let differs = row.len() != columns.len();
            // PostgreSQL settles the types of a row before it counts its values.
            let settles = !differs || self.dialect.is_strictly_typed();
            let values = row.iter().take(if settles { row.len() } else { 0 });
            let given = values.map(|value| self.given_value(value)).collect::<Result<Vec<_>>>()?;
            if differs {
                return fail(
                    ErrorClass::ColumnCount,
                    "the number of values differs from the number of columns",
                );
            }
            let own = |(given, column): (&Option<Typed>, &usize)| {
                given.is_some() && table.columns()[*column].is_computed()
            };
            // MySQL stores the rows before this one first.
            let late = rows.len() > 1 && !self.dialect.is_strictly_typed();
            if late && given.iter().zip(columns).any(own) {
                return unsupported("a value for a column that the server computes");
            }
            let values = given.into_iter().zip(columns);
            let values = values.map(|(given, column)| self.column_value(table, *column, given));
            bound.push(values.collect::<Result<Vec<_>>>()?);
        }
        Ok(bound)
    }

    /// A value as it is written; `None` for DEFAULT.
    pub(super) fn given_value(&mut self, value: &ast::Expr) -> Result<Option<Typed>> {
        let default = |ident: &ast::Ident| {
            ident.quote_style.is_none() && ident.value.eq_ignore_ascii_case("default")
        };
        match value {
            ast::Expr::Identifier(ident) if default(ident) => Ok(None),
            other => self.raw(other).map(Some),
        }
    }

    /// A value for a column; `None` for DEFAULT.
    pub(super) fn column_value(
        &mut self,
        table: &Table,
        column: usize,
        given: Option<Typed>,
    ) -> Result<Option<Expr>> {
        if table.columns()[column].blurred {
            return unseen_value(table, column, given);
        }
        let column = &table.columns()[column];
        let Some(given) = given else {
            // PostgreSQL computes a constant default while it plans, whether it fits or not.
            if let DefaultValue::Expr(default) = &column.default {
                self.fold(default.clone());
            }
            return Ok(None);
        };
        // MariaDB takes NULL, and MySQL nothing.
        let certain = matches!(&given.0, Expr::Const(value) if !value.is_null());
        if column.is_computed() && !certain && !self.dialect.is_strictly_typed() {
            return unsupported("a value for a column that the server computes");
        }
        self.refuse_own_value(column)?;
        let assigned = self.assign(given, column.ty())?;
        Ok(Some(self.fold(assigned)))
    }

    /// A statement may not give a value for a column that only the server fills.
    fn refuse_own_value(&mut self, column: &Column) -> Result<()> {
        let by_server = match column.default {
            DefaultValue::Sequence { always, .. } => always && self.overriding.is_none(),
            DefaultValue::Generated(_) | DefaultValue::Virtual(_) => true,
            _ => false,
        };
        if !by_server {
            return Ok(());
        }
        let detail = format!("{} is filled by the server", column.name());
        let error = ServerError { class: ErrorClass::GeneratedAlways, detail };
        if !self.dialect.is_strictly_typed() {
            return Err(ExecutionError::Server(error));
        }
        // PostgreSQL settles all names and types first, and computes with constants later.
        self.deferred = Some((error, true));
        Ok(())
    }

    fn insert_query(
        &mut self,
        insert: &ast::Insert,
        table: &Table,
        columns: &[usize],
    ) -> Result<InsertSource> {
        let Some(query) = insert.source.as_deref() else {
            return unsupported("INSERT without rows");
        };
        self.leaves_types_open = self.dialect.is_strictly_typed();
        let before = self.deferred.take();
        let query = self.query(query);
        let found = self.deferred.take();
        self.leaves_types_open = false;
        let query = query?;
        let too_few = insert.columns.is_empty()
            && self.dialect.is_strictly_typed()
            && query.output.len() < columns.len();
        if too_few {
            return unsupported("INSERT … SELECT of fewer columns than the table has");
        }
        if query.output.len() != columns.len() {
            return fail(
                ErrorClass::ColumnCount,
                "the number of values differs from the number of columns",
            );
        }
        for (place, column) in columns.iter().enumerate() {
            refuse_blurred(table, *column)?;
            if self.dialect.is_strictly_typed() {
                self.refuse_own_value(&table.columns()[*column])?;
            } else if table.columns()[*column].is_computed() {
                return unsupported("a value for a column that the server computes");
            } else if shows_longer(&query, place) {
                return unsupported("INSERT … SELECT of a quotient");
            }
            // Whether it can be stored at all is known before it runs.
            let to = table.columns()[*column].ty();
            if query.output[place].ty == Type::Char(None) && !matches!(to, Type::Char(_)) {
                return unsupported("INSERT of CHARs of several lengths into another type");
            }
            self.assign((Expr::Column { depth: 0, index: place }, query.output[place].ty), to)?;
            self.check_constant(&query, place, to, found.is_some())?;
        }
        // Values are computed and stored column by column, before conditions are looked at.
        let stored = self.deferred.take();
        let own = |(error, _): &(ServerError, bool)| error.class == ErrorClass::GeneratedAlways;
        self.deferred = match is_simple(&query) {
            _ if stored.as_ref().is_some_and(own) => stored,
            true => before.or(stored).or(found),
            false => before.or(found).or(stored),
        };
        Ok(InsertSource::Query(query))
    }

    /// A constant that does not fit its column is an error even if there are no rows. The same goes for an
    /// error that was found in what is no constant then.
    fn check_constant(&mut self, query: &Query, place: usize, to: Type, found: bool) -> Result<()> {
        let Body::Select(select) = &query.body else { return Ok(()) };
        let constant = match select.items.get(place) {
            Some(constant @ Expr::Const(_)) => constant.clone(),
            Some(other) if found && select.grouping.is_none() && select.windows.is_none() => {
                other.clone()
            }
            Some(other) if !has_columns(other) && self.deferred.is_none() => {
                let stored = other.clone().cast(to, CastMode::Assign);
                self.deferred = self.fails_eagerly(&stored).map(|error| (error, false));
                return Ok(());
            }
            _ => return Ok(()),
        };
        let literal = matches!(constant, Expr::Const(_))
            && query.output[place].ty == Type::Unknown
            && self.dialect.is_strictly_typed();
        let constant = if literal { self.resolve(constant, plain(to))? } else { constant };
        let fails = self.deferred.is_some();
        self.fold(constant.cast(to, CastMode::Assign));
        // Behind an order or a limit, PostgreSQL converts constants only for the rows that there are.
        let late = query.limit.is_some() || query.offset.is_some() || !query.order.is_empty();
        if late && !fails && self.deferred.is_some() && self.dialect.is_strictly_typed() {
            return unsupported(
                "INSERT of a constant that does not fit, from a query with an order or a limit",
            );
        }
        Ok(())
    }
}

/// Whether a query is nothing but expressions over rows.
fn is_simple(query: &Query) -> bool {
    match &query.body {
        Body::Select(select) => {
            select.grouping.is_none()
                && select.windows.is_none()
                && select.distinct.is_none()
                && query.limit.is_none()
                && query.first_of.is_none()
        }
        _ => false,
    }
}

fn is_bare(query: &ast::Query) -> bool {
    query.with.is_none()
        && query.order_by.is_none()
        && query.limit_clause.is_none()
        && query.fetch.is_none()
}

fn refuse_insert_extras(insert: &ast::Insert) -> Result<()> {
    let extras = [
        ("INSERT OR …", insert.or.is_some()),
        ("INSERT OVERWRITE", insert.overwrite),
        (
            "INSERT into partitions",
            insert.partitioned.is_some() || !insert.after_columns.is_empty(),
        ),
        ("INSERT with OUTPUT", insert.output.is_some()),
        ("INSERT with a format", insert.settings.is_some() || insert.format_clause.is_some()),
        ("INSERT into several tables", insert.multi_table_insert_type.is_some()),
        ("INSERT DELAYED", insert.priority == Some(ast::MysqlInsertPriority::Delayed)),
    ];
    match extras.iter().find(|(_, there)| *there) {
        Some((name, _)) => unsupported(*name),
        None => Ok(()),
    }
}
