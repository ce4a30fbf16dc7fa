//! UPDATE and DELETE.
//!
//! Layer `bind`; knows the columns of tables, and FROM.

use sqlparser::ast;

use crate::catalog::Table;
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::parse::last_name;
use crate::plan::{Assignment, CastMode, Delete, Expr, Locate, NodeId, Output, Source, Update};
use crate::types::Type;

use super::binder::Binder;
use super::filter::push_down;
use super::from::{all_rows, inner};
use super::parts::{expanded, subscripts};
use super::scope::{Relation, Scope, ScopeColumn};
use super::written::Written;

/// Expressions and names of RETURNING.
pub(super) type Returning = Option<(Vec<Expr>, Vec<Output>)>;

impl<'a> Binder<'a> {
    pub(super) fn assignments(
        &mut self,
        table: &Table,
        assignments: &[ast::Assignment],
    ) -> Result<Vec<Assignment>> {
        let expanded = expanded(assignments)?;
        let assignments = expanded.as_slice();
        // All expressions are settled before any of them meets its column.
        let given = assignments.iter().map(|assignment| self.assigned_value(table, assignment));
        let given = given.collect::<Result<Vec<_>>>()?;
        let mut bound: Vec<Assignment> = Vec::new();
        for (assignment, given) in assignments.iter().zip(given) {
            if let Some((name, steps)) = subscripts(&assignment.target) {
                let column = column_of(table, &name)?;
                if bound.iter().any(|one| one.column == column) {
                    return unsupported("several assignments to parts of one column");
                }
                let value = Some(self.part_value(table, column, &steps, given)?);
                bound.push(Assignment { column, value });
                continue;
            }
            let column = target(table, &assignment.target)?;
            if self.dialect.is_strictly_typed() && bound.iter().any(|one| one.column == column) {
                return fail(ErrorClass::Syntax, "a column is assigned twice");
            }
            // MySQL complains only if there is a row to change.
            let computed = given.is_some() && table.columns()[column].is_computed();
            if computed && !self.dialect.is_strictly_typed() {
                return unsupported("a value for a column that the server computes");
            }
            self.refuse_moved_row(table, column)?;
            let value = self.column_value(table, column, given)?;
            bound.push(Assignment { column, value });
        }
        Ok(bound)
    }

    pub(super) fn update(&mut self, update: &ast::Update) -> Result<Update> {
        if update.or.is_some() || update.output.is_some() {
            return unsupported("UPDATE OR …");
        }
        let strict = self.dialect.is_strictly_typed();
        if strict && (!update.order_by.is_empty() || update.limit.is_some()) {
            return fail(ErrorClass::Syntax, "UPDATE with ORDER BY or LIMIT");
        }
        if !strict && update.returning.is_some() {
            return fail(ErrorClass::Syntax, "UPDATE … RETURNING");
        }
        let more = match &update.from {
            None => &[][..],
            Some(ast::UpdateTableFromKind::AfterSet(from)) if strict => from,
            Some(_) => return unsupported("FROM before SET"),
        };
        self.scopes.push(Scope::default());
        let bound = self.update_in_scope(update, more);
        self.scopes.pop();
        bound
    }

    fn update_in_scope(
        &mut self,
        update: &ast::Update,
        more: &[ast::TableWithJoins],
    ) -> Result<Update> {
        if self.dialect.is_strictly_typed() && !update.table.joins.is_empty() {
            return fail(ErrorClass::Syntax, "UPDATE of a join");
        }
        let (written, source) = self.target_table(&update.table, more, &update.assignments)?;
        self.refuse_in_views(&written, update.returning.as_ref())?;
        let assignments = self.assignments(written.table, &update.assignments)?;
        self.refuse_failing_row(more, &assignments)?;
        let by_default = assignments.iter().any(|one| one.value.is_none());
        if by_default && self.dialect.is_strictly_typed() && written.is_view() {
            return unsupported("SET … = DEFAULT through a view, which has defaults of its own");
        }
        let locate = self.locate(
            &written,
            source,
            update.selection.as_ref(),
            &update.order_by,
            update.limit.as_ref(),
        )?;
        let returning = self.returning(update.returning.as_deref())?;
        let checks = self.view_checks(&written)?;
        Ok(Update { locate, assignments, checks, returning })
    }

    /// PostgreSQL computes with the only row of `FROM (VALUES (…))` before it looks for rows to change, so that an
    /// error shows even if there are none.
    fn refuse_failing_row(
        &mut self,
        more: &[ast::TableWithJoins],
        assignments: &[Assignment],
    ) -> Result<()> {
        for item in more {
            let ast::TableFactor::Derived { subquery, alias: Some(alias), .. } = &item.relation
            else {
                continue;
            };
            let ast::SetExpr::Values(values) = &*subquery.body else { continue };
            let [row] = values.rows.as_slice() else { continue };
            let name = &alias.name.value;
            let relations = &self.scope()?.relations;
            let relation = relations.iter().find(|one| one.name.eq_ignore_ascii_case(name));
            let Some(at) = relation.map(|relation| relation.at) else { continue };
            let constants = row.content.iter().map(|value| Ok(self.expr(value)?.0));
            let constants = constants.collect::<Result<Vec<_>>>()?;
            let mut values = assignments.iter().filter_map(|one| one.value.as_ref());
            if values.any(|value| self.fails_with(value, at, &constants)) {
                return unsupported("a row of VALUES that cannot be stored, but need not be");
            }
        }
        Ok(())
    }

    /// The table that is changed comes first; its rows carry their numbers.
    fn target_table(
        &mut self,
        first: &ast::TableWithJoins,
        more: &[ast::TableWithJoins],
        assignments: &[ast::Assignment],
    ) -> Result<(Written<'a>, Source)> {
        let ast::TableFactor::Table { name, alias, .. } = &first.relation else {
            return unsupported("a change of something that is not a table");
        };
        let written = self.written(name)?;
        let table = written.table;
        let shown =
            alias.as_ref().map_or(table.short_name().to_owned(), |alias| alias.name.value.clone());
        for assignment in assignments {
            if let ast::AssignmentTarget::ColumnName(ast::ObjectName(parts)) = &assignment.target
                && let [.., ast::ObjectNamePart::Identifier(owner), _] = parts.as_slice()
                && subscripts(&assignment.target).is_none()
                && !owner.value.eq_ignore_ascii_case(&shown)
            {
                return unsupported("a change of several tables, or of one that is not the first");
            }
        }
        let mut relation = Relation::of_table(table, &shown, 0);
        relation.columns.push(ScopeColumn::row_number());
        self.scope()?.relations.push(relation);
        let mut source = all_rows(table, true);
        if !first.joins.is_empty() {
            source = self.joined(source, &first.joins)?;
        }
        for item in more {
            let next = self.from(std::slice::from_ref(item))?;
            source = inner(source, next);
        }
        Ok((written, source))
    }

    /// The conditions of WHERE.
    pub(super) fn selected(&mut self, selection: Option<&ast::Expr>) -> Result<Vec<Expr>> {
        let Some(selection) = selection else { return Ok(Vec::new()) };
        let bound = self.expr(selection)?;
        let condition = self.condition(bound)?;
        Ok(self.conjuncts(condition))
    }

    fn locate(
        &mut self,
        written: &Written<'_>,
        mut source: Source,
        selection: Option<&ast::Expr>,
        order: &[ast::OrderByExpr],
        limit: Option<&ast::Expr>,
    ) -> Result<Locate> {
        let mut filter = self.view_filters(written)?;
        if let Some(selection) = selection {
            let bound = self.expr(selection)?;
            let condition = self.condition(bound)?;
            filter.extend(self.conjuncts(condition));
        }
        let mut keys = Vec::new();
        for one in order {
            let (expr, ty) = self.expr(&one.expr)?;
            let key = self.sort_key(0, ty, one)?;
            keys.push((expr, key.descending, key.collation));
        }
        let limit = self.bound(limit.cloned())?;
        let filter = push_down(self.catalog, &mut source, filter);
        let id = NodeId::default();
        let table = written.table.id();
        Ok(Locate { id, table, source, filter, at: 0, order: keys, limit })
    }

    pub(super) fn delete(&mut self, delete: &ast::Delete) -> Result<Delete> {
        let strict = self.dialect.is_strictly_typed();
        if strict && (!delete.order_by.is_empty() || delete.limit.is_some()) {
            return fail(ErrorClass::Syntax, "DELETE with ORDER BY or LIMIT");
        }
        if delete.output.is_some() {
            return unsupported("DELETE with OUTPUT");
        }
        let ast::FromTable::WithFromKeyword(from) = &delete.from else {
            return unsupported("DELETE without FROM");
        };
        let [first] = from.as_slice() else { return unsupported("DELETE from several tables") };
        self.scopes.push(Scope::default());
        let bound = self.delete_in_scope(delete, first);
        self.scopes.pop();
        bound
    }

    fn delete_in_scope(
        &mut self,
        delete: &ast::Delete,
        first: &ast::TableWithJoins,
    ) -> Result<Delete> {
        if !first.joins.is_empty() {
            return unsupported("DELETE from a join");
        }
        let using = delete.using.as_deref().unwrap_or_default();
        let (written, source) = self.target_table(first, using, &[])?;
        self.refuse_in_views(&written, delete.returning.as_ref())?;
        let locate = self.locate(
            &written,
            source,
            delete.selection.as_ref(),
            &delete.order_by,
            delete.limit.as_ref(),
        )?;
        let returning = self.returning(delete.returning.as_deref())?;
        Ok(Delete { locate, returning })
    }

    /// RETURNING, over the columns in scope.
    pub(super) fn returning(&mut self, items: Option<&[ast::SelectItem]>) -> Result<Returning> {
        let Some(items) = items else { return Ok(None) };
        self.masking = self.masks.is_some();
        let items = self.items(items);
        self.masking = false;
        let items = items?;
        let output: Vec<Output> =
            items.iter().map(|item| Output { name: item.name.clone(), ty: item.ty }).collect();
        let mut exprs = Vec::new();
        for item in items {
            exprs.push(match (self.dialect.is_strictly_typed(), item.ty) {
                (false, Type::Decimal(Some(_))) => item.expr.cast(item.ty, CastMode::Implicit),
                _ => item.expr,
            });
        }
        Ok(Some((exprs, output)))
    }
}

/// The name that a table has in a statement.
pub(super) fn shown_name(relation: &ast::TableFactor) -> Option<String> {
    match relation {
        ast::TableFactor::Table { alias: Some(alias), .. } => Some(alias.name.value.clone()),
        ast::TableFactor::Table { name, .. } => last_name(name).ok(),
        _ => None,
    }
}

/// The column that holds the number of a row; it has no name that a statement can write.
pub(super) fn target(table: &Table, target: &ast::AssignmentTarget) -> Result<usize> {
    match target {
        ast::AssignmentTarget::ColumnName(name) => column_of(table, &last_name(name)?),
        ast::AssignmentTarget::Tuple(_) => unsupported("SET (a, b) = …"),
    }
}

pub(super) fn column_of(table: &Table, name: &str) -> Result<usize> {
    match table.column(name) {
        Some(column) => Ok(column),
        None => fail(ErrorClass::UndefinedColumn, format!("{} has no column {name}", table.name())),
    }
}
