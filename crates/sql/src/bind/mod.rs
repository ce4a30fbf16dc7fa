//! From a parsed statement to a plan: names become numbers of columns, types are settled, and
//! conversions that the server makes silently become visible.

mod aggregates;
mod alone;
mod casts;
mod conflict;
mod doubt;
mod expr;
mod filter;
mod fold;
mod from;
mod functions;
mod grouping;
mod insert;
mod items;
mod literal;
mod loose;
mod numeric_functions;
mod operators;
mod order;
mod predicates;
mod query;
mod reduce;
mod scope;
mod select;
mod strict;
mod subquery;
mod text_functions;
mod writes;

use sqlparser::ast;

use crate::catalog::{Catalog, Table};
use crate::dialect::Dialect;
use crate::error::{Class, Failure, Result, Stop, fail, failure, unsupported};
use crate::plan::{Aggregate, Expr, Plan, Query};
use crate::types::Type;
use crate::value::Value;

use scope::Scope;

/// An expression and its type.
pub(crate) type Typed = (Expr, Type);

/// Binds one statement.
pub(crate) struct Binder<'a> {
    catalog: &'a Catalog,
    dialect: Dialect,
    /// Types of parameters as far as they are known.
    params: &'a [Type],
    /// Variables of the routine around the statement.
    locals: &'a [(String, Type)],
    /// Values of these variables, as far as they are known.
    values: &'a [Value],
    /// Queries around the expression, the innermost last.
    scopes: Vec<Scope>,
    /// Aggregates of the query that is being bound; nothing where there may be none.
    aggregates: Option<Vec<Aggregate>>,
    /// Queries with names (`WITH`).
    named: Vec<(String, Query)>,
    /// How deep expressions and queries are nested.
    depth: usize,
    /// Do columns of a query stay without a type, because a table will give it to them?
    leaves_types_open: bool,
    /// An error in an expression that was computed early, and whether the server must find it, too.
    deferred: Option<(Failure, bool)>,
    /// How many queries are around the one that is being bound.
    inner: usize,
}

/// No sane statement is nested deeper; we stop before our stack does.
const MAX_DEPTH: usize = 120;

impl<'a> Binder<'a> {
    pub(crate) fn new(
        catalog: &'a Catalog,
        params: &'a [Type],
        locals: &'a [(String, Type)],
    ) -> Self {
        Self {
            catalog,
            dialect: catalog.dialect(),
            params,
            locals,
            values: &[],
            scopes: Vec::new(),
            aggregates: None,
            named: Vec::new(),
            depth: 0,
            leaves_types_open: false,
            deferred: None,
            inner: 0,
        }
    }

    /// With the values that variables have now, which a planner may look at.
    pub(crate) fn knowing(self, values: &'a [Value]) -> Self {
        Self { values, ..self }
    }

    /// Binds a statement that reads or changes rows; nothing if it is none.
    pub(crate) fn statement(&mut self, statement: &ast::Statement) -> Result<Option<Plan>> {
        let mut plan = self.any_statement(statement)?;
        if !self.dialect.is_strictly_typed() && self.deferred.is_none() {
            let doubt = plan.as_mut().and_then(doubt::early_conversion);
            self.deferred = doubt.map(|failure| (failure, false));
        }
        match (self.deferred.take(), plan) {
            (Some((failure, true)), _) => Err(Stop::Failure(failure)),
            (Some((failure, false)), Some(plan)) => {
                Ok(Some(Plan::Doubtful(failure, Box::new(plan))))
            }
            (_, plan) => Ok(plan),
        }
    }

    fn any_statement(&mut self, statement: &ast::Statement) -> Result<Option<Plan>> {
        Ok(Some(match statement {
            ast::Statement::Query(query) => Plan::Query(self.query(query)?),
            ast::Statement::Insert(insert) => Plan::Insert(Box::new(self.insert(insert)?)),
            ast::Statement::Update(update) => Plan::Update(Box::new(self.update(update)?)),
            ast::Statement::Delete(delete) => Plan::Delete(Box::new(self.delete(delete)?)),
            ast::Statement::Truncate(truncate) => self.truncate(truncate)?,
            ast::Statement::Call(call) => self.call(call)?,
            _ => return Ok(None),
        }))
    }

    /// An expression outside all queries, of this type if one is wanted.
    pub(crate) fn lone_expr(&mut self, expr: &ast::Expr, to: Option<Type>) -> Result<Typed> {
        let bound = self.expr(expr)?;
        match to {
            Some(to) => Ok((self.assign(bound, to)?, to)),
            None => Ok(self.settle(bound)),
        }
    }

    /// An expression over the columns of one table, as CHECK and DEFAULT have.
    pub(crate) fn table_expr(&mut self, table: &Table, expr: &ast::Expr) -> Result<Typed> {
        self.scopes.push(Scope::of_table(table, table.name()));
        let bound = self.expr(expr);
        self.scopes.pop();
        bound
    }

    pub(crate) fn table(&self, name: &ast::ObjectName) -> Result<&'a Table> {
        let last = last_name(name)?;
        match self.catalog.table(&last) {
            Some(table) => Ok(table),
            None => fail(Class::UndefinedTable, format!("table {last} does not exist")),
        }
    }

    fn call(&mut self, call: &ast::Function) -> Result<Plan> {
        let name = last_name(&call.name)?;
        let mut args = Vec::new();
        let mut targets = Vec::new();
        for arg in functions::plain_args(call)? {
            targets.push(match &arg {
                ast::Expr::Identifier(ident) if ident.value.starts_with('@') => {
                    Some(ident.value[1..].to_lowercase())
                }
                _ => None,
            });
            let bound = self.expr(&arg)?;
            args.push(self.settle(bound).0);
        }
        if self.catalog.routine(&name).is_none() {
            return fail(Class::UndefinedFunction, format!("procedure {name} does not exist"));
        }
        Ok(Plan::Call { name, args, targets })
    }

    fn truncate(&mut self, truncate: &ast::Truncate) -> Result<Plan> {
        if truncate.partitions.is_some()
            || truncate.identity.is_some()
            || truncate.cascade.is_some()
        {
            return unsupported("TRUNCATE with options");
        }
        let tables = truncate.table_names.iter().map(|target| Ok(self.table(&target.name)?.id()));
        Ok(Plan::Truncate(tables.collect::<Result<_>>()?))
    }

    /// Runs `bind` one level deeper.
    fn deeper<T>(&mut self, bind: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            return unsupported("a statement that is nested this deeply");
        }
        self.depth += 1;
        let bound = bind(self);
        self.depth -= 1;
        bound
    }

    /// The innermost query.
    fn scope(&mut self) -> Result<&mut Scope> {
        self.scopes.last_mut().ok_or_else(|| failure(Class::UndefinedColumn, "no table"))
    }
}

/// The last part of a name; databases and schemas in front of it are not told apart.
pub(crate) fn last_name(name: &ast::ObjectName) -> Result<String> {
    match name.0.last() {
        Some(ast::ObjectNamePart::Identifier(ident)) => Ok(ident.value.clone()),
        _ => unsupported(format!("the name {name}")),
    }
}
