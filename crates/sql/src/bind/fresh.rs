//! `xmax = 0` in the `RETURNING` of an `INSERT`: was this row inserted, or updated by `ON CONFLICT`?
//!
//! Layer `bind`; knows scopes.
//!
//! PostgreSQL stores in `xmax` who deleted or locked a row. A row that was just inserted has 0 there. `ON CONFLICT DO
//! UPDATE` locks a row before it updates it, and the new version keeps the number of the lock. Which number that is
//! only the server knows, so comparisons with 0 are all that is supported:
//!
//! ```text
//!   xmax = 0      xmax <> 0      xmax::text = '0'      xmax::text::bigint > 0
//! ```
//!
//! The rows that `RETURNING` looks at have one more column, which tells whether they are new.

use sqlparser::ast;

use crate::plan::{CompareOp, Expr};
use crate::types::Type;

use super::binder::{Binder, Typed};
use super::scope::{Scope, ScopeColumn};

/// As what `xmax` is compared.
#[derive(PartialEq, Eq)]
enum Form {
    Number,
    Text,
    Bigint,
}

impl Scope {
    /// With a column behind the others which tells whether a row was inserted; no name stands for it.
    pub(super) fn telling_new_rows(mut self) -> Self {
        if let Some(last) = self.relations.last_mut() {
            last.columns.push(ScopeColumn { merged: true, ..ScopeColumn::new("", Type::Bool) });
        }
        self
    }

    /// The column which tells whether a row was inserted, if there is one.
    fn new_rows(&self) -> Option<usize> {
        let [relation] = self.relations.as_slice() else { return None };
        let last = relation.columns.last()?;
        let tells = last.merged && last.name.is_empty() && last.ty == Type::Bool;
        tells.then(|| self.width() - 1)
    }
}

impl Binder<'_> {
    /// A comparison of `xmax` with 0, if this is one.
    pub(super) fn is_new(
        &self,
        left: &ast::Expr,
        op: CompareOp,
        right: &ast::Expr,
    ) -> Option<Typed> {
        let index = self.scopes.last()?.new_rows()?;
        let form = self.xmax(left)?;
        let zero = match bare(right) {
            ast::Expr::Value(value) => match &value.value {
                ast::Value::Number(digits, _) => digits == "0" && form != Form::Text,
                ast::Value::SingleQuotedString(text) => text == "0",
                _ => false,
            },
            _ => false,
        };
        let new = Expr::Column { depth: 0, index };
        match op {
            _ if !zero => None,
            CompareOp::Eq => Some((new, Type::Bool)),
            CompareOp::NotEq => Some((new.not(), Type::Bool)),
            CompareOp::Greater if form == Form::Bigint => Some((new.not(), Type::Bool)),
            _ => None,
        }
    }

    /// Whether an expression is `xmax`, and as what.
    fn xmax(&self, expr: &ast::Expr) -> Option<Form> {
        let is_xmax = |ident: &ast::Ident| ident.value.eq_ignore_ascii_case("xmax");
        match bare(expr) {
            ast::Expr::Identifier(ident) if is_xmax(ident) => Some(Form::Number),
            ast::Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [table, column] if is_xmax(column) => {
                    let relation = self.scopes.last()?.relations.last()?;
                    relation.name.eq_ignore_ascii_case(&table.value).then_some(Form::Number)
                }
                _ => None,
            },
            ast::Expr::Cast { expr, data_type, .. } => match (self.xmax(expr)?, data_type) {
                (Form::Number, ast::DataType::Text) => Some(Form::Text),
                (Form::Text, ast::DataType::BigInt(_) | ast::DataType::Int8(_)) => {
                    Some(Form::Bigint)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// An expression without the parentheses around it.
fn bare(expr: &ast::Expr) -> &ast::Expr {
    match expr {
        ast::Expr::Nested(inner) => bare(inner),
        other => other,
    }
}
