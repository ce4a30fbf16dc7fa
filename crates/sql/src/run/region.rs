//! Rows of a table by what their columns are equal to, before and after the parameters of a statement are known.
//!
//! Layer `run`; knows plans.

use crate::plan::Expr;
use crate::rows::TableId;
use crate::value::Value;

/// The rows of a table that have these values in these columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// The table that the rows belong to.
    pub table: TableId,
    /// Columns and their values, in the form that lookups compare; empty for all rows.
    pub fixed: Vec<(usize, Value)>,
}

/// Rows of a table whose columns are equal to something.
#[derive(Debug, Clone)]
pub(super) struct Spot {
    pub(super) table: TableId,
    pub(super) fixed: Vec<(usize, Expr)>,
    /// Are these values of new rows, which the table converts?
    pub(super) stored: bool,
    /// The foreign key of another table whose columns have these values, if there is one.
    pub(super) referring: Option<Referring>,
}

impl Spot {
    pub(super) fn whole(table: TableId) -> Self {
        Self { table, fixed: Vec::new(), stored: false, referring: None }
    }

    /// The same for some of the columns.
    pub(super) fn only(&self, keeps: impl Fn(usize) -> bool) -> Self {
        let fixed = self.fixed.iter().filter(|(column, _)| keeps(*column)).cloned().collect();
        Self { fixed, ..*self }
    }
}

/// A foreign key of a table, by its number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Referring {
    pub(super) child: TableId,
    pub(super) key: usize,
}

/// Whether an expression has the same value whatever rows there are.
pub(super) fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Param { .. } => true,
        Expr::Cast { expr, .. } | Expr::Neg(_, expr) => is_constant(expr),
        Expr::Arith { left, right, .. } => is_constant(left) && is_constant(right),
        Expr::Call { args, .. } => args.iter().all(is_constant),
        _ => false,
    }
}
