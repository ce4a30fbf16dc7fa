//! Whole statements, and expressions that stand alone.
//!
//! Layer `bind`; the way into it. What leaves here is complete, so its nodes are numbered.

use sqlparser::ast;

use crate::catalog::Table;
use crate::error::{ErrorClass, ExecutionError, Result, fail, unsupported};
use crate::parse::last_name;
use crate::plan::{Expr, Plan, number_expr, number_plan};
use crate::rows::TableId;
use crate::types::Type;

use super::binder::{Binder, Typed};
use super::blurred::shows_rows;
use super::doubt::early_conversion;
use super::functions::plain_args;
use super::scope::Scope;

impl Binder<'_> {
    /// Binds a statement that reads or changes rows; `None` if it is another kind of statement.
    pub(crate) fn statement(&mut self, statement: &ast::Statement) -> Result<Option<Plan>> {
        let mut plan = self.any_statement(statement)?;
        if !self.dialect.is_strictly_typed() && self.deferred.is_none() {
            let doubt = plan.as_mut().and_then(early_conversion);
            self.deferred = doubt.map(|error| (error, false));
        }
        if let Some(plan) = &mut plan {
            number_plan(&mut self.ids, plan);
        }
        match (self.deferred.take(), plan) {
            (Some((error, true)), _) => Err(ExecutionError::Server(error)),
            (Some((error, false)), Some(plan)) => Ok(Some(Plan::Doubtful(error, Box::new(plan)))),
            (_, plan) => Ok(plan),
        }
    }

    pub(super) fn any_statement(&mut self, statement: &ast::Statement) -> Result<Option<Plan>> {
        Ok(Some(match statement {
            ast::Statement::Query(query) => match changes(query) {
                Some(change) if self.dialect.is_strictly_typed() => {
                    self.allows_changes = true;
                    self.with(query.with.as_ref())?;
                    let last = self.any_statement(change)?;
                    return last.map(|last| self.with_changes(last)).transpose();
                }
                _ => {
                    self.allows_changes = self.dialect.is_strictly_typed();
                    self.outermost = self.masks.is_some() && shows_rows(query);
                    let last = Plan::Query(self.query(query)?);
                    self.with_changes(last)?
                }
            },
            ast::Statement::Insert(insert) => Plan::Insert(Box::new(self.insert(insert)?)),
            ast::Statement::Update(update) => match self.update_of_several(update)? {
                Some(plan) => plan,
                None => Plan::Update(Box::new(self.update(update)?)),
            },
            ast::Statement::Delete(delete)
                if !self.dialect.is_strictly_typed()
                    && (!delete.tables.is_empty() || delete.using.is_some()) =>
            {
                self.delete_from_several(delete)?
            }
            ast::Statement::Delete(delete) => Plan::Delete(Box::new(self.delete(delete)?)),
            ast::Statement::Merge(merge) => Plan::Merge(Box::new(self.merge(merge)?)),
            ast::Statement::Truncate(truncate) => self.truncate(truncate)?,
            ast::Statement::Call(call) => self.call(call)?,
            ast::Statement::Declare { .. } => {
                return unsupported("a cursor that is not read forward");
            }
            ast::Statement::Fetch { .. } => {
                return unsupported("FETCH from a cursor that the log does not declare");
            }
            _ => return Ok(None),
        }))
    }

    /// An expression outside all queries, of this type if one is wanted.
    pub(crate) fn lone_expr(&mut self, expr: &ast::Expr, to: Option<Type>) -> Result<Typed> {
        let bound = self.expr(expr)?;
        let (mut expr, ty) = match to {
            Some(to) => (self.assign(bound, to)?, to),
            None => self.settle(bound),
        };
        number_expr(&mut self.ids, &mut expr);
        Ok((expr, ty))
    }

    /// An expression over the columns of one table, as CHECK and DEFAULT have.
    pub(crate) fn table_expr(&mut self, table: &Table, expr: &ast::Expr) -> Result<Typed> {
        self.scopes.push(Scope::of_table(table, table.short_name()));
        let bound = self.expr(expr);
        self.scopes.pop();
        bound
    }

    /// A condition over the columns of one table.
    pub(super) fn table_condition(&mut self, table: &Table, expr: &ast::Expr) -> Result<Expr> {
        let bound = self.table_expr(table, expr)?;
        self.condition(bound)
    }

    fn call(&mut self, call: &ast::Function) -> Result<Plan> {
        let name = last_name(&call.name)?;
        let mut args = Vec::new();
        let mut targets = Vec::new();
        for arg in plain_args(call)? {
            targets.push(match &arg {
                ast::Expr::Identifier(ident) if ident.value.starts_with('@') => {
                    Some(ident.value[1..].to_lowercase())
                }
                _ => None,
            });
            let bound = self.expr(&arg)?;
            args.push(self.settle(bound).0);
        }
        self.catalog.refuse_ambiguous(&name)?;
        if self.catalog.is_overloaded(&name) {
            return unsupported(format!("the overloaded procedure {name}"));
        }
        let Some(routine) = self.catalog.routine(&name) else {
            return fail(ErrorClass::UndefinedFunction, format!("procedure {name} does not exist"));
        };
        let mut left_out = routine.params.iter().skip(args.len());
        if left_out.any(|param| param.default.is_some()) {
            return unsupported("CALL without arguments that have defaults");
        }
        Ok(Plan::Call { name, args, targets })
    }

    fn truncate(&mut self, truncate: &ast::Truncate) -> Result<Plan> {
        if truncate.partitions.is_some() {
            return unsupported("TRUNCATE of partitions");
        }
        let tables = truncate.table_names.iter().map(|target| Ok(self.table(&target.name)?.id()));
        let mut tables = tables.collect::<Result<Vec<_>>>()?;
        let filled = |id: &_| self.catalog.by_id(*id).is_some_and(|one| one.nature.materialized);
        if tables.iter().any(filled) {
            return unsupported("TRUNCATE of a materialized view");
        }
        let mut place = 0;
        while truncate.cascade == Some(ast::CascadeOption::Cascade) && place < tables.len() {
            let referring = self.catalog.referrers(tables[place]).map(|(table, _)| table.id());
            let more: Vec<_> = referring.filter(|table| !tables.contains(table)).collect();
            tables.extend(more);
            place += 1;
        }
        tables.dedup();
        if self.dialect.is_strictly_typed() {
            let outside = |table: &TableId| {
                let mut referring = self.catalog.referrers(*table);
                referring.any(|(other, _)| !tables.contains(&other.id()))
            };
            if tables.iter().any(outside) {
                return fail(
                    ErrorClass::NotImplemented,
                    "TRUNCATE of a table that another refers to",
                );
            }
        }
        let restarts = !self.dialect.is_strictly_typed()
            || truncate.identity == Some(ast::TruncateIdentityOption::Restart);
        Ok(Plan::Truncate(tables, restarts))
    }
}

/// The statement behind WITH, if it changes rows and nothing else is around it.
pub(super) fn changes(query: &ast::Query) -> Option<&ast::Statement> {
    let bare = query.order_by.is_none()
        && query.limit_clause.is_none()
        && query.fetch.is_none()
        && query.locks.is_empty()
        && query.for_clause.is_none()
        && query.settings.is_none()
        && query.format_clause.is_none()
        && query.pipe_operators.is_empty();
    match &*query.body {
        ast::SetExpr::Insert(change)
        | ast::SetExpr::Update(change)
        | ast::SetExpr::Delete(change)
            if bare =>
        {
            Some(change)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::catalog::Catalog;
    use crate::dialect::Dialect;
    use crate::parse::parse_statement;
    use crate::plan::{Expr, NodeId, Query, Visit, rewrite_plan};

    use super::super::define::define;
    use super::*;

    struct Ids(Vec<NodeId>);

    impl Visit for Ids {
        fn visit(&mut self, _expr: &mut Expr, _depth: usize) -> bool {
            true
        }

        fn query(&mut self, query: &mut Query) {
            self.0.push(query.id);
        }
    }

    #[test]
    fn every_copy_of_a_query_has_an_id_of_its_own() {
        let dialect = Dialect::PostgreSql;
        let mut catalog = Catalog::new(dialect);
        let parse = |text: &str| parse_statement(dialect, text).expect(text);
        define(&mut catalog, &parse("CREATE TABLE t (x INT)")).expect("a table");
        let query = "WITH w AS (SELECT x FROM t) SELECT (SELECT 1) FROM w AS a, w AS b
                     WHERE a.x = (SELECT max(x) FROM t) AND b.x IN (SELECT x FROM w)";
        let mut binder = Binder::new(&catalog, &[], &[]);
        let mut plan = binder.statement(&parse(query)).expect(query).expect(query);
        let mut ids = Ids(Vec::new());
        rewrite_plan(&mut plan, &mut ids);
        for (place, id) in ids.0.iter().enumerate() {
            assert!(!ids.0[..place].contains(id), "{id:?} is there twice: {:?}", ids.0);
        }
        assert!(ids.0.len() >= 7, "{:?}", ids.0);
    }
}
