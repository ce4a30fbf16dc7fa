//! FROM: where rows come from.
//!
//! The columns of all tables of a query stand side by side in one row. A source is evaluated behind the
//! columns to its left, so that a table can be looked up by what is already known.
//!
//! Layer `bind`; knows scopes and how both sides of an equality are compared.

use std::sync::Arc;

use sqlparser::ast::{self, JoinConstraint, JoinOperator};

use crate::catalog::{Table, table_name};
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::parse::last_name;
use crate::plan::{CompareOp, Expr, Join, JoinKind, NodeId, Output, Query, Source, is_closed};
use crate::types::Type;

use super::binder::Binder;
use super::columns::uses_own_query;
use super::operators::compare;
use super::quotients::shows_longer;
use super::scope::{Recursive, Relation, ScopeColumn};

impl Binder<'_> {
    /// Binds FROM into the innermost scope.
    pub(super) fn from(&mut self, from: &[ast::TableWithJoins]) -> Result<Source> {
        let mut source = Source::Nothing;
        if let [item] = from
            && !self.dialect.is_strictly_typed()
            && is_dual(item)
        {
            return Ok(source);
        }
        for item in from {
            let next = self.table_with_joins(item)?;
            source = inner(source, next);
        }
        Ok(source)
    }

    fn table_with_joins(&mut self, item: &ast::TableWithJoins) -> Result<Source> {
        let first = self.scope()?.relations.len();
        let source = self.table_factor(&item.relation)?;
        self.joins(source, &item.joins, first)
    }

    /// Joins behind the one table that is in scope.
    pub(super) fn joined(&mut self, source: Source, joins: &[ast::Join]) -> Result<Source> {
        self.joins(source, joins, 0)
    }

    fn joins(&mut self, mut source: Source, joins: &[ast::Join], first: usize) -> Result<Source> {
        for join in joins {
            source = self.join(source, join, first)?;
        }
        Ok(source)
    }

    fn join(&mut self, left: Source, join: &ast::Join, first: usize) -> Result<Source> {
        let (kind, constraint) = match &join.join_operator {
            JoinOperator::Join(constraint) | JoinOperator::Inner(constraint) => {
                (JoinKind::Inner, constraint)
            }
            JoinOperator::Left(constraint) | JoinOperator::LeftOuter(constraint) => {
                (JoinKind::Left, constraint)
            }
            JoinOperator::Right(constraint) | JoinOperator::RightOuter(constraint) => {
                (JoinKind::Right, constraint)
            }
            JoinOperator::FullOuter(constraint) if self.dialect.is_strictly_typed() => {
                (JoinKind::Full, constraint)
            }
            JoinOperator::CrossJoin(constraint) => (JoinKind::Inner, constraint),
            other => return unsupported(format!("the join {other:?}")),
        };
        let split = self.scope()?.relations.len();
        let right = self.table_factor(&join.relation)?;
        let on = match constraint {
            JoinConstraint::On(on) => self.on(on, first)?,
            JoinConstraint::None => Vec::new(),
            JoinConstraint::Using(names) => {
                let names = names.iter().map(last_name).collect::<Result<Vec<_>>>()?;
                self.using(kind, &names, first, split)?
            }
            JoinConstraint::Natural => {
                let names = self.shared_names(first, split)?;
                self.using(kind, &names, first, split)?
            }
        };
        let id = NodeId::default();
        let join = Join { id, kind, left, right, on, together: Vec::new() };
        refuse_backward(&join)?;
        Ok(Source::Join(Box::new(join)))
    }

    /// The condition of a join. A comma binds less tightly than JOIN, so what stands before one is not seen.
    fn on(&mut self, on: &ast::Expr, first: usize) -> Result<Vec<Expr>> {
        let before: Vec<Relation> = self.scope()?.relations.drain(..first).collect();
        let bound = self.expr(on).and_then(|bound| self.condition(bound));
        self.scope()?.relations.splice(..0, before);
        Ok(self.conjuncts(bound?))
    }

    /// The names that both sides of a natural join have.
    fn shared_names(&mut self, first: usize, split: usize) -> Result<Vec<String>> {
        let relations = &self.scope()?.relations;
        let names = |range: &[Relation]| -> Vec<String> {
            let columns = range.iter().flat_map(|relation| &relation.columns);
            columns.filter(|column| !column.merged).map(|column| column.name.clone()).collect()
        };
        let right = names(&relations[split..]);
        Ok(names(&relations[first..split])
            .into_iter()
            .filter(|name| right.contains(name))
            .collect())
    }

    /// Equal columns of both sides; the right one is not shown again.
    fn using(
        &mut self,
        kind: JoinKind,
        names: &[String],
        first: usize,
        split: usize,
    ) -> Result<Vec<Expr>> {
        if !matches!(kind, JoinKind::Inner | JoinKind::Left) {
            return unsupported("USING or NATURAL with RIGHT or FULL JOIN");
        }
        let mut on = Vec::new();
        for (place, name) in names.iter().enumerate() {
            let left = self.side_column(name, first, split)?;
            let end = self.scope()?.relations.len();
            let right = self.side_column(name, split, end)?;
            let types = (self.column_type(left)?, self.column_type(right)?);
            let (l, r, collation) =
                self.comparable((Expr::column(left), types.0), (Expr::column(right), types.1))?;
            on.push(compare(CompareOp::Eq, collation, l, r));
            let scope = self.scope()?;
            if let Some(column) = scope.column_mut(left) {
                column.leads = Some((first, split, place));
            }
            if let Some(column) = scope.column_mut(right) {
                column.merged = true;
            }
        }
        Ok(on)
    }

    fn side_column(&mut self, name: &str, from: usize, to: usize) -> Result<usize> {
        let mut found = None;
        for relation in &self.scope()?.relations[from..to] {
            for (index, column) in relation.columns.iter().enumerate() {
                if column.merged || !column.name.eq_ignore_ascii_case(name) {
                    continue;
                }
                column.refuse_blurred()?;
                if found.replace(relation.at + index).is_some() {
                    return fail(
                        ErrorClass::AmbiguousColumn,
                        format!("column reference {name} is ambiguous"),
                    );
                }
            }
        }
        match found {
            Some(index) => Ok(index),
            None => fail(ErrorClass::UndefinedColumn, format!("column {name} does not exist")),
        }
    }

    fn column_type(&mut self, index: usize) -> Result<Type> {
        let relations = &self.scope()?.relations;
        let relation =
            relations.iter().find(|one| (one.at..one.at + one.columns.len()).contains(&index));
        match relation {
            Some(relation) => Ok(relation.columns[index - relation.at].ty),
            None => fail(ErrorClass::UndefinedColumn, "no such column"),
        }
    }

    fn table_factor(&mut self, factor: &ast::TableFactor) -> Result<Source> {
        use ast::TableFactor as F;
        match factor {
            F::Table { name, alias, args: None, version: None, sample, partitions, .. }
                if partitions.is_empty() && takes_all(sample.as_ref()) =>
            {
                self.named_table(name, alias.as_ref())
            }
            F::Derived { lateral: false, subquery, alias, sample: None } => {
                // It sees the queries further out, but not its neighbours.
                let scope = std::mem::take(self.scope()?);
                let aggregates = self.aggregates.take();
                self.inner += 1;
                let query = self.query(subquery);
                self.inner -= 1;
                self.aggregates = aggregates;
                *self.scope()? = scope;
                let Some(alias) = alias else {
                    return fail(ErrorClass::Syntax, "a query in FROM needs a name");
                };
                self.derived(query?, &alias.name.value.clone(), Some(alias), true)
            }
            F::UNNEST { alias, array_exprs, with_offset: false, with_ordinality, .. } => {
                self.unnest(array_exprs, *with_ordinality, alias.as_ref())
            }
            F::Derived { lateral: true, subquery, alias, sample: None } => {
                self.lateral(subquery, alias.as_ref())
            }
            F::Table {
                name,
                alias,
                args: Some(args),
                with_ordinality: false,
                version: None,
                sample: None,
                partitions,
                ..
            } if partitions.is_empty() && args.settings.is_none() => {
                self.table_function(name, &args.args, alias.as_ref())
            }
            F::Function { name, args, with_ordinality: false, alias, .. } => {
                self.table_function(name, args, alias.as_ref())
            }
            F::NestedJoin { table_with_joins, alias: None } => {
                self.table_with_joins(table_with_joins)
            }
            other => unsupported(format!("FROM {other}")),
        }
    }

    /// A table, or a query of WITH.
    fn named_table(
        &mut self,
        name: &ast::ObjectName,
        alias: Option<&ast::TableAlias>,
    ) -> Result<Source> {
        let last = last_name(name)?;
        if name.0.len() == 1
            && let Some(recursive) = self.working(&last)
        {
            return self.working_table(Recursive { name: last, ..recursive }, alias);
        }
        if name.0.len() == 1
            && let Some(returned) = self.returned(&last)
        {
            if returned.output.is_empty() {
                return unsupported("a data-modifying WITH without RETURNING, used as a table");
            }
            return self.working_table(returned, alias);
        }
        let mut named = self.named.iter().enumerate().rev().filter(|_| name.0.len() == 1);
        if let Some((place, (_, query))) =
            named.find(|(_, (named, _))| named.eq_ignore_ascii_case(&last))
        {
            let query = query.clone();
            if query.limit.is_some() {
                if self.spent.contains(&place) {
                    return unsupported("LIMIT in a query of WITH that is used twice");
                }
                self.spent.push(place);
            }
            return self.derived(query, &last, alias, false);
        }
        if let Some(view) = self.catalog.view(&table_name(name)?) {
            return self.view(view, &last, alias);
        }
        if let Some(numbers) = self.numbers_named(name)? {
            return self.numbers(numbers, &last, alias);
        }
        let table = self.table(name)?;
        if table.nature.materialized && self.locks.is_some() {
            return unsupported("locks on the rows of a materialized view");
        }
        if table.nature.unfilled {
            return unsupported(format!("the materialized view {name}, which has no rows yet"));
        }
        self.used.push(Arc::clone(table));
        let shown = alias.map_or(table.short_name(), |alias| &alias.name.value).to_owned();
        let scope = self.scope()?;
        let mut others = scope.relations.iter();
        if name.0.len() > 1 && others.any(|one| one.name.eq_ignore_ascii_case(&shown)) {
            return unsupported(format!("another table {shown} next to {name}"));
        }
        let at = scope.width();
        let mut relation = Relation::of_table(table, &shown, at);
        rename(&mut relation.columns, alias)?;
        let is_named = |name: &String| name.eq_ignore_ascii_case(&shown);
        let locks = |names: &Vec<String>| names.is_empty() || names.iter().any(is_named);
        let locked = self.locks.as_ref().is_some_and(locks);
        if locked {
            relation.columns.push(ScopeColumn::row_number());
        }
        self.enter(relation)?;
        Ok(all_rows(table, locked))
    }

    /// The rows that came last in the recursive query around.
    fn working_table(
        &mut self,
        recursive: Recursive,
        alias: Option<&ast::TableAlias>,
    ) -> Result<Source> {
        let Recursive { name, number, output } = recursive;
        let shown = alias.map_or(name, |alias| alias.name.value.clone());
        let mut columns: Vec<ScopeColumn> =
            output.into_iter().map(|Output { name, ty }| ScopeColumn::new(&name, ty)).collect();
        rename(&mut columns, alias)?;
        let (at, width) = (self.scope()?.width(), columns.len());
        self.enter(Relation { name: shown, columns, at })?;
        Ok(Source::Working { number, width })
    }

    pub(super) fn derived(
        &mut self,
        mut query: Query,
        name: &str,
        alias: Option<&ast::TableAlias>,
        fresh: bool,
    ) -> Result<Source> {
        let shown = alias.map_or(name, |alias| &alias.name.value);
        let loose = !self.dialect.is_strictly_typed();
        let output = query.output.iter().enumerate();
        let mut columns: Vec<ScopeColumn> = output
            .map(|(place, column)| ScopeColumn {
                unsure: loose && shows_longer(&query, place),
                ..ScopeColumn::new(&column.name, column.ty)
            })
            .collect();
        rename(&mut columns, alias)?;
        let (at, width) = (self.scope()?.width(), columns.len());
        self.enter(Relation { name: shown.to_owned(), columns, at })?;
        // A query with a name may stand several times, each time the same.
        let closed = is_closed(&mut query);
        if !fresh && !closed {
            return unsupported("a WITH query whose result depends on where it is used");
        }
        Ok(Source::Derived { query: Box::new(query), width, lateral: !closed })
    }

    pub(super) fn enter(&mut self, relation: Relation) -> Result<()> {
        let scope = self.scope()?;
        if scope.relations.iter().any(|one| one.name.eq_ignore_ascii_case(&relation.name)) {
            return fail(ErrorClass::DuplicateAlias, format!("{} is named twice", relation.name));
        }
        scope.relations.push(relation);
        Ok(())
    }
}

/// `FROM DUAL`: nothing.
fn is_dual(item: &ast::TableWithJoins) -> bool {
    let ast::TableFactor::Table { name, alias: None, args: None, .. } = &item.relation else {
        return false;
    };
    item.joins.is_empty() && name.to_string().eq_ignore_ascii_case("dual")
}

/// Both, side by side.
pub(super) fn inner(left: Source, right: Source) -> Source {
    match left {
        Source::Nothing => right,
        left => Source::Join(Box::new(Join {
            id: NodeId::default(),
            kind: JoinKind::Inner,
            left,
            right,
            on: Vec::new(),
            together: Vec::new(),
        })),
    }
}

pub(super) fn rename(columns: &mut [ScopeColumn], alias: Option<&ast::TableAlias>) -> Result<()> {
    let Some(alias) = alias else { return Ok(()) };
    if alias.columns.len() > columns.len() {
        return fail(ErrorClass::InvalidColumnReference, "more names than columns");
    }
    for (column, name) in columns.iter_mut().zip(&alias.columns) {
        column.name.clone_from(&name.name.value);
    }
    Ok(())
}

/// Whether a sample is none, or one of all rows.
fn takes_all(sample: Option<&ast::TableSampleKind>) -> bool {
    let Some(
        ast::TableSampleKind::BeforeTableAlias(sample)
        | ast::TableSampleKind::AfterTableAlias(sample),
    ) = sample
    else {
        return true;
    };
    let all = |quantity: &ast::TableSampleQuantity| quantity.value.to_string() == "100";
    matches!(sample.name, Some(ast::TableSampleMethod::System | ast::TableSampleMethod::Bernoulli))
        && sample.quantity.as_ref().is_some_and(all)
        && sample.seed.is_none()
}

/// All rows of a table.
pub(super) fn all_rows(table: &Table, numbered: bool) -> Source {
    Source::Table {
        id: NodeId::default(),
        table: table.id(),
        width: table.columns().len(),
        access: None,
        numbered,
        filter: Vec::new(),
        early: Vec::new(),
        alone: Vec::new(),
    }
}

/// The right side of RIGHT and FULL JOIN cannot use the left side.
fn refuse_backward(join: &Join) -> Result<()> {
    let backward = matches!(join.kind, JoinKind::Right | JoinKind::Full);
    if backward && looks_left(&join.right) {
        return unsupported("LATERAL on the right side of RIGHT or FULL JOIN");
    }
    Ok(())
}

fn looks_left(source: &Source) -> bool {
    match source {
        Source::Derived { lateral, .. } => *lateral,
        Source::Series { args, .. }
        | Source::Called { args, .. }
        | Source::Unnest { arrays: args, .. } => args.iter().any(uses_own_query),
        Source::Join(join) => looks_left(&join.left) || looks_left(&join.right),
        Source::Nothing | Source::Table { .. } | Source::Working { .. } => false,
    }
}
