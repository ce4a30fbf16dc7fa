//! Functions that return several rows.
//!
//! Layer `routine`, the half that runs.

use sqlparser::ast;

use crate::catalog::{Routine, RowType};
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::Plan;
use crate::types::Type;
use crate::value::Value;

use super::interpret::Interpreter;

impl Interpreter<'_, '_> {
    /// Makes room for the rows of a function. The columns of `RETURNS TABLE` are variables.
    pub(super) fn expect_rows(&mut self, routine: &Routine) -> Result<()> {
        let Some(rows) = &routine.rows else { return Ok(()) };
        let types = match rows {
            RowType::Single(ty) => vec![*ty],
            RowType::Table(name) => match self.run.catalog.table(name) {
                Some(table) => table.columns().iter().map(|column| column.ty()).collect(),
                None => return unsupported(format!("a function that returns rows of {name}")),
            },
            RowType::Columns(columns) => {
                self.row_variables = (self.names.len(), columns.len());
                if !routine.is_plain_sql {
                    columns.iter().for_each(|(name, ty)| self.add(name, *ty, Value::Null));
                }
                columns.iter().map(|(_, ty)| *ty).collect()
            }
        };
        self.row_types = Some(types);
        Ok(())
    }

    pub(super) fn return_query(&mut self, query: &ast::Statement) -> Result<()> {
        let Some(types) = self.row_types.clone() else {
            return fail(ErrorClass::Syntax, "RETURN QUERY in a function without rows");
        };
        let query = self.query(query)?;
        let same = query.output.len() == types.len()
            && query.output.iter().zip(&types).all(|(column, ty)| is_same(column.ty, *ty));
        if !same {
            return unsupported("RETURN QUERY of other types than the function returns");
        }
        let answer = self.run.statement(&Plan::Query(query))?;
        if let Some(rows) = answer.rows {
            // What is in FROM has no order, unless only some of the rows are shown.
            let rows = match (rows.offset, rows.limit) {
                (0, None) => rows.rows,
                _ => self.run.in_some_order(rows),
            };
            self.set_found(!rows.is_empty());
            self.rows.extend(rows);
        }
        Ok(())
    }

    pub(super) fn return_next(&mut self, value: Option<&ast::Expr>) -> Result<()> {
        let row = match (value, self.row_types.as_deref()) {
            (Some(value), Some([ty])) => vec![self.assigned(value, Some(*ty))?],
            (None, Some(_)) if self.row_variables.1 > 0 => {
                let (at, width) = self.row_variables;
                self.run.locals[at..at + width].to_vec()
            }
            _ => return unsupported("RETURN NEXT of a whole row"),
        };
        self.rows.push(row);
        Ok(())
    }
}

/// Whether a column has the type that a function returns; lengths and digits do not matter.
fn is_same(column: Type, returned: Type) -> bool {
    let text = |one: Type| matches!(one, Type::Text { .. });
    let number = |one: Type| matches!(one, Type::Decimal(_));
    column == returned || text(column) && text(returned) || number(column) && number(returned)
}
