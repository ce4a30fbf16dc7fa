//! What INSERT, UPDATE and DELETE write: a table, or a table through a view.
//!
//! Layer `bind`; knows scopes and the catalog.

use sqlparser::ast;

use crate::catalog::{DefaultValue, Table, ViewFilter, table_name};
use crate::error::{ErrorClass, Result, unsupported};
use crate::plan::{Expr, WriteCheck, walk_columns};
use crate::special::Special;
use crate::types::Type;

use super::asks::asks;
use super::binder::Binder;
use super::doubt::conversion_in;
use super::scope::Scope;

/// A table that a statement writes, with the names that it has there.
pub(super) struct Written<'a> {
    pub(super) table: &'a Table,
    /// The columns of a view, in its order; `None` if it is a table.
    pub(super) order: Option<&'a [usize]>,
    filters: &'a [ViewFilter],
}

impl<'a> Written<'a> {
    /// A table by its own names.
    pub(super) fn of(table: &'a Table) -> Self {
        Self { table, order: None, filters: &[] }
    }

    pub(super) fn is_view(&self) -> bool {
        self.order.is_some()
    }

    /// The columns that it shows, in their order.
    pub(super) fn columns(&self) -> Vec<usize> {
        match self.order {
            Some(order) => order.to_vec(),
            None => (0..self.table.columns().len()).collect(),
        }
    }

    /// Whether `*` shows its columns in another order than they have in the table.
    fn is_shuffled(&self) -> bool {
        self.order.is_some_and(|order| !order.is_sorted())
    }
}

impl<'a> Binder<'a> {
    /// What a statement writes that names it.
    pub(super) fn written(&self, name: &ast::ObjectName) -> Result<Written<'a>> {
        let written = table_name(name)?;
        if self.catalog.named(&written)?.is_none()
            && let Some(view) = self.catalog.view(&written)
        {
            if !view.triggers.is_empty() {
                return unsupported(format!("writing to the view {written}, which has triggers"));
            }
            return match &view.target {
                Some(target) if self.catalog.is_current(view) => Ok(Written {
                    table: &target.table,
                    order: Some(&target.order),
                    filters: &target.filters,
                }),
                _ => unsupported(format!("writing through the view {written}")),
            };
        }
        let table = self.table(name)?;
        match table.nature.materialized {
            true => unsupported(format!("writing to the materialized view {written}")),
            false => Ok(Written::of(table)),
        }
    }

    /// What is not supported when a view is written.
    pub(super) fn refuse_in_views(
        &self,
        written: &Written<'_>,
        returning: Option<&Vec<ast::SelectItem>>,
    ) -> Result<()> {
        match written.is_shuffled() && returning.is_some() {
            true => unsupported("RETURNING from a view with its columns in another order"),
            false => Ok(()),
        }
    }

    /// What an INSERT through a view would do that is not supported.
    pub(super) fn refuse_insert(
        &mut self,
        written: &Written<'_>,
        insert: &ast::Insert,
    ) -> Result<()> {
        let Some(order) = written.order else { return Ok(()) };
        if insert.on.is_some() || insert.replace_into || insert.ignore {
            return unsupported("an INSERT through a view that may meet rows with the same key");
        }
        // MySQL has an error of its own for this.
        let missing = |(place, column): (usize, &crate::catalog::Column)| {
            !order.contains(&place)
                && column.is_not_null()
                && column.default == DefaultValue::Nothing
        };
        let strict = self.dialect.is_strictly_typed();
        if !strict && self.deferred.is_none() {
            let filters = self.view_filters(written)?;
            let error = filters.iter().find_map(conversion_in);
            self.deferred = error.map(|error| (error, false));
        }
        match !strict && written.table.columns().iter().enumerate().any(missing) {
            true => unsupported("an INSERT through a view that hides a column without a default"),
            false => self.refuse_in_views(written, insert.returning.as_ref()),
        }
    }

    /// MariaDB converts a number that a view compares with a YEAR in the memory of the row that INSERT … SELECT fills
    /// next, and stores it if no other value is given.
    pub(super) fn refuse_compared_years(
        &mut self,
        written: &Written<'_>,
        given: &[usize],
    ) -> Result<()> {
        if self.dialect.is_strictly_typed() {
            return Ok(());
        }
        let is_year = |column: usize| {
            let column = written.table.columns().get(column);
            column.is_some_and(|column| column.ty() == Type::Special(Special::Year))
        };
        let mut compared = false;
        for filter in self.view_filters(written)? {
            walk_columns(&mut filter.clone(), &mut |_, column| {
                compared |= is_year(column) && !given.contains(&column);
            });
        }
        match compared {
            true => unsupported(
                "INSERT … SELECT through a view with a condition on a YEAR that it leaves out",
            ),
            false => Ok(()),
        }
    }

    /// The conditions of a view on the rows that a statement finds.
    pub(super) fn view_filters(&mut self, written: &Written<'_>) -> Result<Vec<Expr>> {
        let mut bound = Vec::new();
        for filter in written.filters {
            let condition = self.view_filter(filter)?;
            bound.extend(self.conjuncts(condition));
        }
        Ok(bound)
    }

    /// What rows have to meet that are written through a view.
    pub(super) fn view_checks(&mut self, written: &Written<'_>) -> Result<Vec<WriteCheck>> {
        let checked = written.filters.iter().filter(|filter| filter.checked);
        let both = !written.table.checks.is_empty() && checked.clone().next().is_some();
        if both && !self.dialect.is_strictly_typed() {
            return unsupported("CHECK OPTION of a view of a table with conditions of its own");
        }
        let counts = |column: usize| {
            let column = written.table.columns().get(column);
            column.is_some_and(|column| matches!(column.default, DefaultValue::Sequence { .. }))
        };
        let checks = checked.map(|filter| {
            let class = if filter.divides { ErrorClass::Check } else { ErrorClass::ViewCheck };
            let expr = self.view_filter(filter)?;
            let mut early = false;
            walk_columns(&mut expr.clone(), &mut |_, column| early |= counts(column));
            if early && !self.dialect.is_strictly_typed() {
                return unsupported("CHECK OPTION about a number that is counted after the check");
            }
            Ok(WriteCheck { expr, class })
        });
        checks.collect()
    }

    fn view_filter(&mut self, filter: &ViewFilter) -> Result<Expr> {
        let (outside, locals) =
            (std::mem::take(&mut self.scopes), std::mem::take(&mut self.locals));
        self.scopes.push(Scope::of_table(&filter.table, &filter.shown));
        let bound = self.expr(&filter.condition);
        (self.scopes, self.locals) = (outside, locals);
        let mut condition = self.condition(bound?)?;
        match asks(&mut condition) {
            true => unsupported("writing through a view with a query or a call in its condition"),
            false => Ok(condition),
        }
    }
}
