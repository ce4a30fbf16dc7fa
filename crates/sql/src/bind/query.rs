//! Queries: WITH, set operations, VALUES, ORDER BY, LIMIT.
//!
//! Layer `bind`; puts queries around SELECTs.

use sqlparser::ast::{self, SetExpr, SetOperator, SetQuantifier};

use crate::dialect::Dialect;
use crate::error::{ErrorClass, ExecutionError, Result, fail, unsupported};
use crate::parse::last_name;
use crate::plan::{
    Body, CastMode, Expr, NodeId, Output, Query, Select, SetKind, SortKey, Source, is_closed,
    rewrite_query,
};
use crate::types::Type;

use super::binder::Binder;
use super::chars::{converted, refuse_several_lengths};
use super::columns::uses_own_query;
use super::order::position;
use super::recursive::{mentions, refuse_mentions};
use super::scope::Scope;
use super::select::Bound;

impl Binder<'_> {
    /// Binds a query.
    pub(super) fn query(&mut self, query: &ast::Query) -> Result<Query> {
        let windows = self.windows.take();
        let bound = self.deeper(|binder| binder.query_with(query));
        self.windows = windows;
        bound
    }

    fn query_with(&mut self, query: &ast::Query) -> Result<Query> {
        // Only a plain SELECT leaves its types open.
        if !matches!(*query.body, SetExpr::Select(_)) {
            self.leaves_types_open = false;
        }
        if query.for_clause.is_some()
            || query.settings.is_some()
            || query.format_clause.is_some()
            || !query.pipe_operators.is_empty()
        {
            return unsupported("a query with clauses of other databases");
        }
        if query.locks.iter().any(|lock| lock.nonblock == Some(ast::NonBlock::SkipLocked)) {
            return unsupported("SKIP LOCKED");
        }
        let named = self.named.len();
        let locked = self.locked_tables(query);
        let locks = std::mem::replace(&mut self.locks, locked);
        let bound = self.with(query.with.as_ref()).and_then(|()| self.plain_query(query));
        self.locks = locks;
        self.named.truncate(named);
        let bound = bound?;
        if !query.locks.is_empty() && self.dialect.is_strictly_typed() {
            refuse_locks(&bound)?;
        }
        Ok(bound)
    }

    /// The tables that the outermost query locks, where that shows in its answer: PostgreSQL looks at rows again
    /// after it has waited for them.
    fn locked_tables(&self, query: &ast::Query) -> Option<Vec<String>> {
        let outermost = self.inner == 0 && self.scopes.is_empty();
        if query.locks.is_empty() || !outermost || !self.dialect.is_strictly_typed() {
            return None;
        }
        let named =
            query.locks.iter().map(|lock| lock.of.as_ref().map(|name| last_name(name).ok()));
        let named: Option<Vec<String>> = named.map(Option::flatten).collect();
        Some(named.unwrap_or_default())
    }

    pub(super) fn with(&mut self, with: Option<&ast::With>) -> Result<()> {
        let allows_changes = std::mem::take(&mut self.allows_changes);
        let Some(with) = with else { return Ok(()) };
        for (place, cte) in with.cte_tables.iter().enumerate() {
            if with.recursive {
                refuse_mentions(cte, &with.cte_tables[place + 1..])?;
            }
            if self.returned(&cte.alias.name.value).is_some() {
                return unsupported("two queries of WITH with one name");
            }
            if allows_changes && self.change(cte)? {
                continue;
            }
            self.inner += 1;
            let query = match with.recursive && mentions(&cte.query, &cte.alias.name.value) {
                true => self.recursive(cte),
                false => self.query(&cte.query),
            };
            self.inner -= 1;
            let mut query = query?;
            if cte.alias.columns.len() > query.output.len() {
                return fail(ErrorClass::InvalidColumnReference, "more names than columns");
            }
            for (column, name) in query.output.iter_mut().zip(&cte.alias.columns) {
                column.name.clone_from(&name.name.value);
            }
            if self.working(&cte.alias.name.value).is_some() {
                return unsupported(
                    "a query with the same name as the recursive query that contains it",
                );
            }
            let place = self.named.len();
            self.spent.retain(|spent| *spent != place);
            self.named.push((cte.alias.name.value.clone(), query));
        }
        Ok(())
    }

    fn plain_query(&mut self, query: &ast::Query) -> Result<Query> {
        let order = match &query.order_by {
            None => &[][..],
            Some(ast::OrderBy {
                kind: ast::OrderByKind::Expressions(exprs),
                interpolate: None,
            }) => exprs,
            Some(other) => return unsupported(other.to_string()),
        };
        let mut bound = match &*query.body {
            SetExpr::Select(select) => {
                let bound = self.select(select, order)?;
                selected(bound)
            }
            other => {
                let mut bound = self.set_expr(other)?;
                if bound.first_of.is_some() && !order.is_empty() {
                    return unsupported("ORDER BY outside DISTINCT ON");
                }
                if !bound.is_plain() {
                    bound = wrapped(bound, None);
                }
                bound.order = self.output_order(order, &bound.output)?;
                bound
            }
        };
        (bound.limit, bound.offset) = self.window(query)?;
        self.refuse_skipped_duplicates(&bound)?;
        bound.with_ties = query.fetch.as_ref().is_some_and(|fetch| fetch.with_ties);
        if bound.with_ties && (bound.order.is_empty() || self.dialect == Dialect::MySql) {
            return unsupported("WITH TIES without an order, or in this database");
        }
        Ok(bound)
    }

    /// MariaDB skips rows before it removes duplicates, if all rows are the same.
    fn refuse_skipped_duplicates(&self, query: &Query) -> Result<()> {
        let Body::Select(select) = &query.body else { return Ok(()) };
        let same = select.distinct.is_some() && !select.items.iter().any(uses_own_query);
        match same && query.offset.is_some() && !self.dialect.is_strictly_typed() {
            true => unsupported("an offset behind DISTINCT of constants"),
            false => Ok(()),
        }
    }

    /// ORDER BY of a set operation knows only the columns of the result.
    fn output_order(
        &mut self,
        order: &[ast::OrderByExpr],
        output: &[Output],
    ) -> Result<Vec<SortKey>> {
        let mut keys = Vec::new();
        for one in order {
            let index = match (position(&one.expr), &one.expr) {
                (Some(number), _) => number.checked_sub(1).filter(|index| *index < output.len()),
                (None, ast::Expr::Identifier(ident)) => {
                    output.iter().position(|column| column.name.eq_ignore_ascii_case(&ident.value))
                }
                _ => return unsupported("ORDER BY an expression over a set operation"),
            };
            let Some(index) = index else {
                return fail(
                    ErrorClass::UndefinedColumn,
                    format!("column {} does not exist", one.expr),
                );
            };
            keys.push(self.sort_key(index, output[index].ty, one)?);
        }
        Ok(keys)
    }

    fn window(&mut self, query: &ast::Query) -> Result<(Option<Expr>, Option<Expr>)> {
        let (limit, offset) = match (&query.limit_clause, &query.fetch) {
            (None, None) => return Ok((None, None)),
            (Some(ast::LimitClause::LimitOffset { limit, offset, limit_by }), None)
                if limit_by.is_empty() =>
            {
                (limit.clone(), offset.as_ref().map(|offset| offset.value.clone()))
            }
            (Some(ast::LimitClause::OffsetCommaLimit { offset, limit }), None) => {
                (Some(limit.clone()), Some(offset.clone()))
            }
            (clause, Some(fetch)) if !fetch.percent => {
                let offset = match clause {
                    Some(ast::LimitClause::LimitOffset { limit: None, offset, .. }) => {
                        offset.as_ref().map(|offset| offset.value.clone())
                    }
                    None => None,
                    _ => return unsupported("LIMIT and FETCH together"),
                };
                let one = || ast::Expr::value(ast::Value::Number("1".to_owned(), false));
                (Some(fetch.quantity.clone().unwrap_or_else(one)), offset)
            }
            _ => return unsupported("this LIMIT"),
        };
        // LIMIT cannot use the columns of its query.
        let scopes = std::mem::take(&mut self.scopes);
        let bound = self.bound(limit).and_then(|limit| Ok((limit, self.bound(offset)?)));
        let inside = !scopes.is_empty();
        self.scopes = scopes;
        match bound {
            Err(ExecutionError::Server(error)) if inside => {
                unsupported(format!("LIMIT that refers to an outer query ({})", error.detail))
            }
            bound => bound,
        }
    }

    pub(super) fn bound(&mut self, bound: Option<ast::Expr>) -> Result<Option<Expr>> {
        let Some(bound) = bound else { return Ok(None) };
        if matches!(&bound, ast::Expr::Identifier(all) if all.value.eq_ignore_ascii_case("all")) {
            return Ok(None);
        }
        let (expr, ty) = self.expr(&bound)?;
        match ty {
            Type::Int(_) => Ok(Some(expr)),
            Type::Unknown => Ok(Some(self.resolve(expr, Type::INT8)?)),
            Type::Decimal(_) if self.dialect.is_strictly_typed() => {
                Ok(Some(expr.cast(Type::INT8, CastMode::Implicit)))
            }
            _ => fail(ErrorClass::Syntax, "LIMIT requires a whole number"),
        }
    }

    pub(super) fn set_expr(&mut self, body: &SetExpr) -> Result<Query> {
        self.deeper(|binder| match body {
            SetExpr::Select(select) => {
                binder.leaves_types_open = binder.dialect.is_strictly_typed();
                let bound = binder.select(select, &[]);
                binder.leaves_types_open = false;
                Ok(selected(bound?))
            }
            SetExpr::Query(query) => binder.query(query),
            SetExpr::SetOperation { left, op, set_quantifier, right } => {
                binder.set_operation(left, *op, *set_quantifier, right)
            }
            SetExpr::Values(values) => binder.values(&values.rows),
            other => unsupported(format!("the query {other}")),
        })
    }

    fn set_operation(
        &mut self,
        left: &SetExpr,
        op: SetOperator,
        quantifier: SetQuantifier,
        right: &SetExpr,
    ) -> Result<Query> {
        let kind = match op {
            SetOperator::Union => SetKind::Union,
            SetOperator::Except => SetKind::Except,
            SetOperator::Intersect => SetKind::Intersect,
            SetOperator::Minus => return unsupported("MINUS"),
        };
        let all = match quantifier {
            SetQuantifier::All => true,
            SetQuantifier::Distinct | SetQuantifier::None => false,
            other => return unsupported(format!("{op} {other}")),
        };
        let (mut left, mut right) = (self.set_expr(left)?, self.set_expr(right)?);
        if left.output.len() != right.output.len() {
            return fail(ErrorClass::ColumnCount, "queries with different numbers of columns");
        }
        let pairs = left.output.iter().zip(&right.output);
        let types = pairs
            .map(|(left, right)| self.union_type(left.ty, right.ty))
            .collect::<Result<Vec<_>>>()?;
        if !(all && kind == SetKind::Union) {
            types.iter().copied().try_for_each(refuse_several_lengths)?;
        }
        for (place, ty) in types.iter().enumerate() {
            self.refuse_shown(&left, place, *ty)?;
            self.refuse_shown(&right, place, *ty)?;
        }
        self.resolve_items(&mut left, &types)?;
        self.resolve_items(&mut right, &types)?;
        let output: Vec<Output> = left
            .output
            .iter()
            .zip(&types)
            .map(|(column, ty)| Output { name: column.name.clone(), ty: *ty })
            .collect();
        let collations = types.iter().map(|ty| ty.collation(self.catalog.collation())).collect();
        let (left, right) =
            (Box::new(wrapped(left, Some(&types))), Box::new(wrapped(right, Some(&types))));
        let body = Body::Set { kind, all, left, right, collations };
        Ok(Query::plain(body, output))
    }

    /// Gives literals of a SELECT the types that they have in a set operation.
    pub(super) fn resolve_items(&self, query: &mut Query, types: &[Type]) -> Result<()> {
        let Body::Select(select) = &mut query.body else { return Ok(()) };
        for ((item, column), ty) in select.items.iter_mut().zip(&mut query.output).zip(types) {
            if column.ty == Type::Unknown && matches!(item, Expr::Const(_) | Expr::Param { .. }) {
                *item = self.resolve(std::mem::replace(item, Expr::null()), *ty)?;
                column.ty = *ty;
            }
        }
        Ok(())
    }

    fn union_type(&self, left: Type, right: Type) -> Result<Type> {
        self.common(&[left, right])
    }

    fn values(&mut self, rows: &[ast::Parens<Vec<ast::Expr>>]) -> Result<Query> {
        self.scopes.push(Scope::default());
        let bound = self.values_in_scope(rows);
        self.scopes.pop();
        bound
    }

    fn values_in_scope(&mut self, rows: &[ast::Parens<Vec<ast::Expr>>]) -> Result<Query> {
        let mut bound = Vec::new();
        for row in rows {
            bound.push(
                row.content.iter().map(|value| self.expr(value)).collect::<Result<Vec<_>>>()?,
            );
        }
        let width = bound.first().map_or(0, Vec::len);
        if bound.iter().any(|row| row.len() != width) {
            return fail(ErrorClass::ColumnCount, "rows of different length");
        }
        let mut output = Vec::new();
        for index in 0..width {
            let types: Vec<Type> = bound.iter().map(|row| row[index].1).collect();
            output.push(Output { name: format!("column{}", index + 1), ty: self.common(&types)? });
        }
        let mut rows = Vec::new();
        for row in bound {
            let converted = row
                .into_iter()
                .zip(&output)
                .map(|(value, column)| self.to_common(value, column.ty));
            rows.push(converted.collect::<Result<Vec<_>>>()?);
        }
        Ok(Query::plain(Body::Values(rows), output))
    }
}

/// PostgreSQL locks only rows of tables that a query shows one by one.
fn refuse_locks(query: &Query) -> Result<()> {
    let allowed = match &query.body {
        Body::Select(select) => {
            select.grouping.is_none()
                && select.windows.is_none()
                && select.distinct.is_none()
                && query.first_of.is_none()
        }
        Body::Set { .. } | Body::Values(_) => false,
        Body::Recursive { .. } => true,
    };
    match allowed {
        true => Ok(()),
        false => {
            fail(ErrorClass::NotImplemented, "FOR UPDATE of rows that are not those of a table")
        }
    }
}

/// A query around a query, which can have an order of its own, or other types.
fn wrapped(query: Query, types: Option<&[Type]>) -> Query {
    if let Some(types) = types
        && query.output.iter().zip(types).all(|(column, ty)| column.ty == *ty)
        && query.is_plain()
    {
        return query;
    }
    let mut output = query.output.clone();
    let mut items = Vec::new();
    for (index, column) in output.iter_mut().enumerate() {
        let expr = Expr::column(index);
        match types.and_then(|types| types.get(index)) {
            Some(ty) if *ty != column.ty => {
                items.push(converted((expr, column.ty), *ty, CastMode::Implicit));
                column.ty = *ty;
            }
            _ => items.push(expr),
        }
    }
    let mut query = query;
    // The query is one level further in now.
    rewrite_query(&mut query, 0, &mut |part: &mut Expr, depth: usize| {
        if let Expr::Column { depth: out, .. } = part
            && *out > depth
        {
            *out += 1;
        }
        true
    });
    let lateral = !is_closed(&mut query);
    let source = Source::Derived { width: output.len(), query: Box::new(query), lateral };
    let select = Select {
        id: NodeId::default(),
        source,
        filter: Vec::new(),
        grouping: None,
        having: None,
        windows: None,
        items,
        distinct: None,
    };
    Query::plain(Body::Select(Box::new(select)), output)
}

/// A SELECT with its order.
fn selected((select, output, order, first_of): Bound) -> Query {
    Query { order, first_of, ..Query::plain(Body::Select(Box::new(select)), output) }
}
