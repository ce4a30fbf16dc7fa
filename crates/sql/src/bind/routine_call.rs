//! Calls of functions of the user: which one is meant, its arguments in order, and its rows in FROM.
//!
//! Layer `bind`; knows routines and types.

use std::sync::Arc;

use sqlparser::ast;

use crate::catalog::{HIDDEN, Routine, RowType};
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::{Expr, Source};
use crate::types::Type;

use super::binder::{Binder, Typed};
use super::from::rename;
use super::scope::{Relation, ScopeColumn};

impl Binder<'_> {
    /// The value of a function of the user; `None` if there is none of this name.
    pub(super) fn routine_value(
        &mut self,
        name: &str,
        args: &[ast::FunctionArg],
    ) -> Result<Option<Typed>> {
        let Some((key, routine, args)) = self.routine_call(name, args)? else { return Ok(None) };
        if routine.rows.is_some() {
            return unsupported(format!(
                "the function {name}, which returns rows, outside of FROM"
            ));
        }
        let result = routine.returns.unwrap_or(Type::Unknown);
        Ok(Some((Expr::Routine { name: key, args }, result)))
    }

    /// The function that is called, under the name that the catalog has for it, and its arguments.
    #[allow(clippy::type_complexity, reason = "a name, a function and arguments")]
    fn routine_call(
        &mut self,
        name: &str,
        args: &[ast::FunctionArg],
    ) -> Result<Option<(String, Arc<Routine>, Vec<Expr>)>> {
        let Some(latest) = self.catalog.routine(name).map(Arc::clone) else { return Ok(None) };
        self.catalog.refuse_ambiguous(name)?;
        let mut given: Vec<(Option<String>, Typed)> = Vec::new();
        for arg in args {
            let (label, value) = match arg {
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(value)) => (None, value),
                ast::FunctionArg::ExprNamed {
                    name: ast::Expr::Identifier(name),
                    arg: ast::FunctionArgExpr::Expr(value),
                    operator:
                        ast::FunctionArgOperator::RightArrow | ast::FunctionArgOperator::Assignment,
                } if self.dialect.is_strictly_typed() => (Some(name.value.clone()), value),
                other => return unsupported(format!("the argument {other}")),
            };
            given.push((label, self.expr(value)?));
        }
        let (key, routine) = match self.catalog.is_overloaded(name) {
            true => self.overloaded(name, &given)?,
            false => (name.to_owned(), latest),
        };
        let mut places: Vec<Option<Typed>> = vec![None; routine.params.len()];
        for (place, (label, value)) in given.into_iter().enumerate() {
            let place = match &label {
                None => Some(place),
                Some(label) => routine.params.iter().position(|param| {
                    let known = param.name.strip_prefix(HIDDEN).unwrap_or(&param.name);
                    known.eq_ignore_ascii_case(label)
                }),
            };
            match place.and_then(|place| places.get_mut(place)) {
                Some(free) if free.is_none() => *free = Some(value),
                _ => return no_such(name, routine.params.len()),
            }
        }
        let mut bound = Vec::new();
        for (param, value) in routine.params.iter().zip(places) {
            let value = match (value, &param.default) {
                (Some(value), _) => value,
                (None, Some(default)) => self.expr(default)?,
                (None, None) => return no_such(name, routine.params.len()),
            };
            bound.push(self.assign(value, param.ty)?);
        }
        Ok(Some((key, routine, bound)))
    }

    /// One of several functions of a name: the one whose parameters have exactly the types of the arguments.
    fn overloaded(
        &self,
        name: &str,
        given: &[(Option<String>, Typed)],
    ) -> Result<(String, Arc<Routine>)> {
        let types: Vec<Type> = given.iter().map(|(_, (_, ty))| *ty).collect();
        let plain = given.iter().all(|(label, _)| label.is_none());
        match self.catalog.routine_for(name, &types) {
            Some(found) if plain => Ok(found),
            _ => unsupported(format!("the overloaded function {name} with these arguments")),
        }
    }

    /// A function of the user in FROM; `None` if there is none of this name.
    pub(super) fn routine_rows(
        &mut self,
        name: &str,
        args: &[ast::FunctionArg],
        alias: Option<&ast::TableAlias>,
    ) -> Result<Option<Source>> {
        if self.catalog.routine(name).is_none() {
            return Ok(None);
        }
        self.refuse_lateral()?;
        let aggregates = self.aggregates.take();
        let call = self.routine_call(name, args);
        self.aggregates = aggregates;
        let Some((key, routine, args)) = call? else { return Ok(None) };
        let shown = alias.map_or(name, |alias| &alias.name.value).to_owned();
        let mut columns: Vec<ScopeColumn> = match &routine.rows {
            Some(RowType::Columns(columns)) => {
                columns.iter().map(|(name, ty)| ScopeColumn::new(name, *ty)).collect()
            }
            // A function with one column gives it the name that it is given itself.
            Some(RowType::Single(ty)) => vec![ScopeColumn::new(&shown, *ty)],
            Some(RowType::Table(table)) => match self.catalog.table(table) {
                Some(table) => {
                    let columns = table.columns().iter();
                    columns.map(|column| ScopeColumn::new(column.name(), column.ty())).collect()
                }
                None => return unsupported(format!("a function that returns rows of {table}")),
            },
            None => return unsupported(format!("the function {name} in FROM")),
        };
        let types = columns.iter().map(|column| column.ty).collect();
        rename(&mut columns, alias)?;
        let at = self.scope()?.width();
        self.enter(Relation { name: shown, columns, at })?;
        Ok(Some(Source::Called { name: key, args, types }))
    }
}

fn no_such<T>(name: &str, takes: usize) -> Result<T> {
    fail(ErrorClass::UndefinedFunction, format!("{name} takes {takes} arguments"))
}
