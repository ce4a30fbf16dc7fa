//! Statements next to columns of which nothing is known.
//!
//! A statement may fill such a column, but not read it: whatever it is filled with, nothing is known of it. It may
//! return it, if nothing is made of it but a value of the answer.
//!
//! Layer `bind`; knows scopes and tables.

use sqlparser::ast;

use crate::catalog::Table;
use crate::error::{ExecutionError, Result, unsupported};
use crate::plan::{Expr, NumberCall, SortKey, rewrite};

use super::binder::{Binder, Typed};
use super::scope::WindowCalls;
use super::scope::refuse_blurred;
use super::writes::target;

impl Binder<'_> {
    /// The value of an assignment as it is written; `None` for DEFAULT. A column of which nothing is known may be
    /// assigned to another one.
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

    /// Refuses a query that makes anything else of a column that it shows and of which nothing is known.
    pub(super) fn refuse_masked(
        &self,
        order: &[SortKey],
        windows: Option<&WindowCalls>,
    ) -> Result<()> {
        let masks = self.masks.as_deref().unwrap_or_default();
        let groups = self.aggregates.as_ref().is_some_and(|all| !all.is_empty());
        let windows = windows.is_some_and(|calls| !calls.is_empty());
        let orders = order.iter().any(|key| masks.contains(&key.index));
        match !masks.is_empty() && (groups || windows || orders) {
            true => Err(ExecutionError::Blurred(self.masked.clone().unwrap_or_default())),
            false => Ok(()),
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

/// What goes into a column of which nothing is known: DEFAULT, which is NULL there. What a statement gives instead must
/// do nothing else.
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

/// Refuses what an INSERT does about keys of which it is not known whether they are there already.
pub(super) fn refuse_blurred_keys(insert: &ast::Insert, table: &Table) -> Result<()> {
    let named =
        |on: &ast::OnConflict| matches!(on.conflict_target, Some(ast::ConflictTarget::Columns(_)));
    let minds = match &insert.on {
        Some(ast::OnInsert::OnConflict(on)) => !named(on),
        Some(_) => true,
        None => insert.ignore || insert.replace_into,
    };
    if !minds || !table.has_blurred_keys() {
        return Ok(());
    }
    (0..table.columns().len()).try_for_each(|column| refuse_blurred(table, column))?;
    unsupported("a key with a column of which nothing is known")
}

/// Whether an expression is the name of a column.
pub(super) fn is_name(expr: &ast::Expr) -> bool {
    matches!(expr, ast::Expr::Identifier(_) | ast::Expr::CompoundIdentifier(_))
}
