//! Statements on tables with blurred columns ([`crate::Catalog::blurred`]).
//!
//! A statement may fill a blurred column, but not read it: whatever it is filled with, nothing is known of it. A
//! statement may return it, if the query uses it for nothing else. The column of the answer is then *masked*: it is
//! NULL, and not compared.
//!
//! Layer `bind`; knows scopes and tables.

use sqlparser::ast;

use crate::catalog::Table;
use crate::error::{ExecutionError, Result};
use crate::plan::{Expr, NumberCall, SortKey, rewrite};

use super::binder::{Binder, Typed};
use super::scope::{WindowCalls, refuse_blurred};
use super::writes::target;

impl Binder<'_> {
    /// The value of an assignment as it is written; `None` for DEFAULT. A blurred column may be assigned to another
    /// one.
    pub(super) fn assigned_value(
        &mut self,
        table: &Table,
        assignment: &ast::Assignment,
    ) -> Result<Option<Typed>> {
        let given = self.given_value(&assignment.value);
        let Err(ExecutionError::Blurred(_)) = &given else { return given };
        match target(table, &assignment.target) {
            Ok(column) if table.columns()[column].blurred && is_name(&assignment.value) => Ok(None),
            _ => given,
        }
    }

    /// Refuses an assignment to a blurred column that orders the rows of its table: MySQL and MariaDB may then miss a
    /// row while they change others, or meet it twice.
    pub(super) fn refuse_moved_row(&self, table: &Table, column: usize) -> Result<()> {
        match table.orders_rows_by(column) && !self.dialect.is_strictly_typed() {
            true => refuse_blurred(table, column),
            false => Ok(()),
        }
    }

    /// Refuses a query that uses a masked column for anything but its output.
    pub(super) fn refuse_masked(
        &self,
        order: &[SortKey],
        windows: Option<&WindowCalls>,
    ) -> Result<()> {
        let masks = self.masks.as_deref().unwrap_or_default();
        let groups = self.aggregates.as_ref().is_some_and(|all| !all.is_empty());
        let windows = windows.is_some_and(|calls| !calls.is_empty());
        let orders = |place: &usize| order.iter().any(|key| key.index == *place);
        match masks.iter().find(|(place, _)| groups || windows || orders(place)) {
            Some((_, column)) => Err(ExecutionError::Blurred(column.clone())),
            None => Ok(()),
        }
    }
}

/// Whether a query shows rows to the client one by one, as they are.
pub(super) fn shows_rows(query: &ast::Query) -> bool {
    let ast::SetExpr::Select(select) = &*query.body else { return false };
    let grouped = match &select.group_by {
        ast::GroupByExpr::Expressions(keys, modifiers) => !keys.is_empty() || !modifiers.is_empty(),
        ast::GroupByExpr::All(_) => true,
    };
    let alone = query.with.is_none() && select.into.is_none();
    alone && !grouped && select.distinct.is_none() && select.having.is_none()
}

/// What goes into a blurred column: DEFAULT, which is NULL there. What a statement gives instead must do nothing else.
pub(super) fn unseen_value(
    table: &Table,
    column: usize,
    given: Option<Typed>,
) -> Result<Option<Expr>> {
    match given {
        Some((expr, _)) if does_something(&expr) => refuse_blurred(table, column).map(|()| None),
        _ => Ok(None),
    }
}

/// Whether an expression may do something or read rows while it is computed. Sequences count, which nothing depends on
/// but values that are not known.
fn does_something(expr: &Expr) -> bool {
    let mut found = false;
    rewrite(&mut expr.clone(), 0, &mut |part: &mut Expr, _: usize| {
        found |= match part {
            Expr::Routine { .. }
            | Expr::Session(_)
            | Expr::Exists { .. }
            | Expr::Scalar { .. }
            | Expr::Quantified { .. } => true,
            Expr::Number { call, .. } => {
                matches!(call, NumberCall::Set(_) | NumberCall::Remember)
            }
            _ => false,
        };
        true
    });
    found
}

/// Refuses an INSERT whose conflict handling depends on a blurred key.
pub(super) fn refuse_blurred_keys(insert: &ast::Insert, table: &Table) -> Result<()> {
    let named =
        |on: &ast::OnConflict| matches!(on.conflict_target, Some(ast::ConflictTarget::Columns(_)));
    let minds = match &insert.on {
        Some(ast::OnInsert::OnConflict(on)) => !named(on),
        Some(_) => true,
        None => insert.ignore || insert.replace_into,
    };
    match table.blurred_key_column().filter(|_| minds) {
        Some(column) => refuse_blurred(table, column),
        None => Ok(()),
    }
}

/// Whether an expression is the name of a column.
pub(super) fn is_name(expr: &ast::Expr) -> bool {
    matches!(expr, ast::Expr::Identifier(_) | ast::Expr::CompoundIdentifier(_))
}
