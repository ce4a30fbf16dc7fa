//! Which keys the target of an ON CONFLICT means.
//!
//! Layer `bind`; knows the keys of tables. PostgreSQL takes every unique index with exactly these columns and
//! expressions, in any order. If the target has a condition, an index without one will do as well, and so will
//! one whose condition follows from it. Here it has to be the same one.

use sqlparser::ast;

use crate::catalog::{Key, Table};
use crate::error::{Result, unsupported};
use crate::parse::{parse_expr, target_condition, target_expression, tokens};
use crate::plan::{Expr, NodeIds, number_expr};

use super::asks::asks;
use super::binder::Binder;
use super::scope::refuse_blurred;
use super::writes::column_of;

/// What stands behind ON CONFLICT.
pub(super) struct ConflictTarget {
    columns: Vec<usize>,
    exprs: Vec<Expr>,
    filter: Option<Expr>,
}

impl ConflictTarget {
    /// Whether it means this key.
    pub(super) fn is(&self, key: &Key) -> bool {
        let mut columns = key.columns().to_vec();
        columns.sort_unstable();
        let has = |all: &[Expr], one: &Expr| all.iter().any(|other| same(other, one));
        let exprs = self.exprs.len() == key.exprs.len()
            && self.exprs.iter().all(|one| has(&key.exprs, one))
            && key.exprs.iter().all(|one| has(&self.exprs, one));
        let filter = match (&key.filter, &self.filter) {
            (None, _) => true,
            (Some(own), Some(wanted)) => same(own, wanted),
            (Some(_), None) => false,
        };
        columns == self.columns && exprs && filter
    }

    pub(super) fn is_beyond_columns(&self) -> bool {
        !self.exprs.is_empty() || self.filter.is_some()
    }
}

impl Binder<'_> {
    pub(super) fn conflict_target(
        &mut self,
        table: &Table,
        names: &[ast::Ident],
    ) -> Result<ConflictTarget> {
        let mut target = ConflictTarget { columns: Vec::new(), exprs: Vec::new(), filter: None };
        for name in names {
            if let Some(text) = target_expression(&name.value) {
                match self.target_text(text)? {
                    ast::Expr::Identifier(ident) => {
                        target.columns.push(column_of(table, &ident.value)?);
                    }
                    expr => target.exprs.push(self.key_expression(table, &expr)?),
                }
            } else if let Some(text) = target_condition(&name.value) {
                let written = self.target_text(text)?;
                target.filter = Some(self.table_condition(table, &written)?);
            } else {
                target.columns.push(column_of(table, &name.value)?);
            }
        }
        target.columns.iter().try_for_each(|column| refuse_blurred(table, *column))?;
        target.columns.sort_unstable();
        target.columns.dedup();
        Ok(target)
    }

    fn target_text(&self, text: &str) -> Result<ast::Expr> {
        let parsed = tokens(self.dialect, text)
            .map_err(|error| error.to_string())
            .and_then(|tokens| parse_expr(self.dialect, tokens));
        parsed.or_else(|_| unsupported(format!("ON CONFLICT ({text})")))
    }

    /// An expression that an index is over. It may use nothing but the row.
    pub(super) fn key_expression(&mut self, table: &Table, expr: &ast::Expr) -> Result<Expr> {
        let written = match expr {
            ast::Expr::Nested(inner) => inner,
            other => other,
        };
        let bound = self.table_expr(table, written)?;
        let (mut bound, _) = self.settle(bound);
        match asks(&mut bound) || self.deferred.is_some() {
            true => unsupported("an index on an expression that calls functions or queries"),
            false => Ok(bound),
        }
    }
}

/// Whether two expressions are written alike, whatever numbers their nodes have.
fn same(one: &Expr, other: &Expr) -> bool {
    let plain = |expr: &Expr| {
        let mut expr = expr.clone();
        number_expr(&mut NodeIds::default(), &mut expr);
        expr
    };
    plain(one) == plain(other)
}
