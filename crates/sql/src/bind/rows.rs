//! Rows as values: `SELECT t FROM t`, `ROW(1, 'a')`, `(t).name`.
//!
//! A row is shown, and its fields are taken out of it by name. How rows compare, and when one is NULL, is not known
//! here. A table beside others may have no row to show, so only the row of a table that stands alone is one.
//!
//! Layer `bind`; knows scopes.

use sqlparser::ast;

use crate::error::{Result, unsupported};
use crate::plan::{Expr, Function};
use crate::types::{Element, Type};
use crate::value::RangeOf;

use super::binder::{Binder, Typed};

impl Binder<'_> {
    /// The row of the only table of the query, if this is its name.
    pub(super) fn whole_row(&mut self, name: &str) -> Result<Option<Typed>> {
        if self.scopes.is_empty() {
            return Ok(None);
        }
        match self.row_of(name)? {
            Some(columns) => {
                record(columns.into_iter().map(|(_, column)| column).collect()).map(Some)
            }
            None => Ok(None),
        }
    }

    /// `ROW(…)`.
    pub(super) fn row_value(&mut self, fields: &[ast::Expr]) -> Result<Typed> {
        let fields = fields.iter().map(|field| {
            let bound = self.expr(field)?;
            Ok(self.settle(bound))
        });
        let fields = fields.collect::<Result<_>>()?;
        record(fields)
    }

    /// `(t).name`, where `t` is a table; `None` if it is something else.
    pub(super) fn field(
        &mut self,
        root: &ast::Expr,
        chain: &[ast::AccessExpr],
    ) -> Result<Option<Typed>> {
        let ast::Expr::Nested(inner) = root else { return Ok(None) };
        let (ast::Expr::Identifier(table), [ast::AccessExpr::Dot(ast::Expr::Identifier(field))]) =
            (&**inner, chain)
        else {
            return Ok(None);
        };
        if self.scopes.is_empty() || self.row_of(&table.value)?.is_none() {
            return Ok(None);
        }
        self.name(Some(&table.value), &field.value).map(Some)
    }
}

fn record(fields: Vec<Typed>) -> Result<Typed> {
    for (_, ty) in &fields {
        let by_session = |ty: Type| {
            matches!(ty, Type::Instant(_) | Type::Interval | Type::Range(RangeOf::Instant))
        };
        let element = match ty {
            Type::Array(element) => Element::ty(*element),
            other => *other,
        };
        if by_session(element) || matches!(element, Type::Real | Type::Char(_) | Type::Unknown) {
            return unsupported(format!("a row with a value of the type {ty:?}"));
        }
    }
    let args: Vec<Expr> = fields.into_iter().map(|(expr, _)| expr).collect();
    let (function, result) = (Function::MakeRecord, Type::Record);
    Ok((Expr::Call { function, result, args }, result))
}
