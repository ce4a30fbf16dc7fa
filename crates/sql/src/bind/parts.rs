//! Assignments to several columns at once, and to parts of a column: `SET (a, b) = (1, 2)`, `SET a[2] = 3`,
//! `SET doc['a']['b'] = '1'`.
//!
//! Layer `bind`; knows types and plans. The parser has left subscripts as names in brackets.

use sqlparser::ast;

use crate::catalog::Table;
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::parse::{parse_expr, tokens};
use crate::plan::{ArrayFunction, Expr, Function, JsonFunction};
use crate::types::{Element, Type};

use super::binder::{Binder, Typed};
use super::functions::plain_args;
use super::scope::refuse_blurred;

/// One assignment for each column.
pub(super) fn expanded(assignments: &[ast::Assignment]) -> Result<Vec<ast::Assignment>> {
    let mut all = Vec::new();
    for assignment in assignments {
        let ast::AssignmentTarget::Tuple(columns) = &assignment.target else {
            all.push(assignment.clone());
            continue;
        };
        let values = values_of(&assignment.value)?;
        if values.len() != columns.len() {
            return fail(ErrorClass::Syntax, "a different number of columns and values");
        }
        for (column, value) in columns.iter().zip(values) {
            let target = ast::AssignmentTarget::ColumnName(column.clone());
            all.push(ast::Assignment { target, value });
        }
    }
    Ok(all)
}

fn values_of(value: &ast::Expr) -> Result<Vec<ast::Expr>> {
    match value {
        ast::Expr::Tuple(values) => Ok(values.clone()),
        ast::Expr::Function(call) if call.name.to_string().eq_ignore_ascii_case("row") => {
            plain_args(call)
        }
        ast::Expr::Subquery(query) => columns_of(query),
        other => unsupported(format!("several columns set to {other}")),
    }
}

/// A query for each column of a query. Without a LIMIT, all of them are about the same row.
fn columns_of(query: &ast::Query) -> Result<Vec<ast::Expr>> {
    let ast::SetExpr::Select(select) = &*query.body else {
        return unsupported("several columns set to something other than a SELECT");
    };
    let plain = query.limit_clause.is_none() && query.fetch.is_none() && select.distinct.is_none();
    let one = |item: &ast::SelectItem| match item {
        ast::SelectItem::UnnamedExpr(_) | ast::SelectItem::ExprWithAlias { .. } if plain => {
            let mut select = select.clone();
            select.projection = vec![item.clone()];
            let body = Box::new(ast::SetExpr::Select(select));
            Ok(ast::Expr::Subquery(Box::new(ast::Query { body, ..query.clone() })))
        }
        _ => unsupported("several columns set to a query with * or LIMIT"),
    };
    select.projection.iter().map(one).collect()
}

/// The column and the subscripts behind it, if there are any.
pub(super) fn subscripts(target: &ast::AssignmentTarget) -> Option<(String, Vec<String>)> {
    let ast::AssignmentTarget::ColumnName(ast::ObjectName(parts)) = target else { return None };
    let (mut column, mut steps) = (None, Vec::new());
    for part in parts {
        let ast::ObjectNamePart::Identifier(ident) = part else { return None };
        match ident.value.strip_prefix('[').and_then(|step| step.strip_suffix(']')) {
            Some(step) if ident.quote_style.is_some() => steps.push(step.to_owned()),
            _ => column = Some(ident.value.clone()),
        }
    }
    (!steps.is_empty()).then_some((column?, steps))
}

impl Binder<'_> {
    /// The whole column with another part.
    pub(super) fn part_value(
        &mut self,
        table: &Table,
        column: usize,
        steps: &[String],
        given: Option<Typed>,
    ) -> Result<Expr> {
        let Some(given) = given else { return unsupported("DEFAULT for a part of a column") };
        refuse_blurred(table, column)?;
        let (whole, ty) = (Expr::column(column), table.columns()[column].ty());
        let mut bound = Vec::new();
        for step in steps {
            let read = tokens(self.dialect, step)
                .ok()
                .and_then(|tokens| parse_expr(self.dialect, tokens).ok());
            match read {
                Some(step) => bound.push(self.expr(&step)?),
                None => return unsupported(format!("the subscript {step}")),
            }
        }
        match (ty, bound.as_slice()) {
            (Type::Array(element), [(index, Type::Int(_))]) => {
                let value = self.assign(given, element.ty())?;
                let function = Function::Array(ArrayFunction::Assign);
                let args = vec![whole, index.clone(), value];
                Ok(Expr::Call { function, result: ty, args })
            }
            (Type::Json, steps) => {
                let steps = steps.iter().map(|step| self.argument(step.clone(), Type::TEXT));
                let args = steps.collect::<Result<Vec<_>>>()?;
                let result = Type::Array(Element::Text);
                let path = Expr::Call { function: Function::MakeArray, result, args };
                let value = self.assign(given, Type::Json)?;
                let function = Function::Json(JsonFunction::Assign);
                Ok(Expr::Call { function, result: ty, args: vec![whole, path, value] })
            }
            _ => unsupported("an assignment to a part of this column"),
        }
    }
}
