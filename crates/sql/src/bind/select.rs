//! SELECT.
//!
//! Layer `bind`; puts together FROM, WHERE, GROUP BY and what is shown.

use sqlparser::ast;

use crate::error::{ErrorClass, ExecutionError, Result, ServerError, fail, unsupported};
use crate::plan::{
    Body, CastMode, Expr, Grouping, NodeId, Output, Select, SortKey, Source, may_fail, rewrite,
    walk_columns,
};
use crate::types::Type;
use crate::value::Collation;

use super::binder::{Binder, Typed};
use super::chars::refuse_several_lengths;
use super::filter::push_down;
use super::grouping::over_groups;
use super::grouping_sets::{Keys, has_sets, refuse_shown};
use super::items::Item;
use super::order::{distinct_on, position};
use super::scope::Scope;

/// A bound SELECT: what it shows, its order, and the columns of DISTINCT ON.
pub(super) type Bound = (Select, Vec<Output>, Vec<SortKey>, Option<Vec<SortKey>>);

impl Binder<'_> {
    pub(super) fn select(
        &mut self,
        select: &ast::Select,
        order: &[ast::OrderByExpr],
    ) -> Result<Bound> {
        refuse_extras(select)?;
        self.scopes.push(Scope::default());
        let outer = self.aggregates.take();
        let bound = self.select_in_scope(select, order);
        self.aggregates = outer;
        self.scopes.pop();
        bound
    }

    fn select_in_scope(
        &mut self,
        select: &ast::Select,
        order: &[ast::OrderByExpr],
    ) -> Result<Bound> {
        let open = std::mem::take(&mut self.leaves_types_open);
        let outermost = std::mem::take(&mut self.outermost);
        let source = self.from(&select.from)?;
        let (mut source, with_series) = self.shown_series(select, source)?;
        let projection = with_series.as_ref().unwrap_or(&select.projection);
        self.aggregates = Some(Vec::new());
        self.leaves_types_open = open;
        self.allow_windows(select);
        self.masking = outermost && with_series.is_none();
        let items = self.items(projection);
        self.masking = false;
        let calls = self.windows.take();
        self.leaves_types_open = false;
        let items = items?;
        let filter = self.filter(select.selection.as_ref())?;
        let (keys, sets) = self.group_keys(&select.group_by, &items)?;
        self.offer_aliases(select)?;
        let having = match &select.having {
            Some(having) => {
                let bound = self.expr(having)?;
                let condition = self.condition(bound)?;
                Some(self.fold(condition))
            }
            None => None,
        };
        let distinct = self.distinct(select.distinct.as_ref(), &items)?;
        if sets.is_some() && !self.dialect.is_strictly_typed() {
            let plain = having.is_none() && distinct.is_none() && order.is_empty();
            refuse_beside_rollup(plain, &items, &keys)?;
        }
        let output: Vec<Output> =
            items.iter().map(|item| Output { name: item.name.clone(), ty: item.ty }).collect();
        self.windows = calls;
        let on = distinct_on(select.distinct.as_ref());
        let order: Vec<_> = order.iter().cloned().chain(on.iter().cloned()).collect();
        let (mut sort, hidden) = self.order(&order, &items, distinct.is_some())?;
        let first_of = self.first_of(&mut sort, on.len(), &items, &hidden)?;
        let calls = self.windows.take();
        if outermost {
            self.refuse_masked(&sort, calls.as_ref())?;
        }
        self.check_windows(select)?;
        let types: Vec<Type> = items.iter().map(|item| item.ty).collect();
        let mut exprs: Vec<Expr> = items.into_iter().map(|item| item.expr).chain(hidden).collect();
        let computed: Vec<bool> = exprs
            .iter()
            .map(|expr| !matches!(expr, Expr::Column { .. } | Expr::Const(_)))
            .collect();
        let mut having = having;
        let grouped = self.aggregates.as_ref().is_some_and(|all| !all.is_empty());
        if with_series.is_some()
            && (grouped || calls.as_ref().is_some_and(|calls| !calls.is_empty()))
        {
            return unsupported("generate_series() or unnest in a query with groups");
        }
        let mut grouping = self.grouping(keys, sets, &source, &mut exprs, &mut having)?;
        let windows = self.windowing(calls, &source, &mut grouping, &mut exprs)?;
        for ((expr, ty), computed) in exprs.iter_mut().zip(types).zip(computed) {
            if computed {
                self.round_output(expr, ty);
            }
        }
        self.doubt_below(&source, &filter);
        let filter = push_down(self.catalog, &mut source, filter);
        let id = NodeId::default();
        let select =
            Select { id, source, filter, grouping, having, windows, items: exprs, distinct };
        Ok((select, output, sort, first_of))
    }

    /// WHERE. Servers look at it after what is shown, so errors there come first.
    fn filter(&mut self, selection: Option<&ast::Expr>) -> Result<Vec<Expr>> {
        let Some(selection) = selection else { return Ok(Vec::new()) };
        let aggregates = self.aggregates.take();
        let bound = self.expr(selection);
        self.aggregates = aggregates;
        let condition = self.condition(bound?)?;
        Ok(self.conjuncts(condition))
    }

    /// PostgreSQL may decide a condition on the rows of a query in FROM, or of a view, before it makes these rows: for
    /// rows that other conditions drop, that belong to no group, or that are joined with nothing.
    fn doubt_below(&mut self, source: &Source, filter: &[Expr]) {
        let early = match source {
            Source::Derived { query, .. } => {
                matches!(&query.body, Body::Select(inner) if inner.grouping.is_some())
            }
            joined => has_derived(joined),
        };
        if early && self.dialect.is_strictly_typed() && filter.iter().any(may_fail) {
            let detail = "a condition may be decided for rows that are not shown".to_owned();
            let error = ServerError { class: ErrorClass::DivisionByZero, detail };
            self.deferred.get_or_insert((error, false));
        }
    }

    /// MySQL computes with more digits than it shows.
    fn round_output(&self, expr: &mut Expr, ty: Type) {
        if self.dialect.is_strictly_typed() || !matches!(ty, Type::Decimal(Some(_))) {
            return;
        }
        let inner = std::mem::replace(expr, Expr::null());
        *expr = inner.cast(ty, CastMode::Implicit);
    }

    /// Names of the columns may be used in HAVING and inside ORDER BY by MySQL.
    fn offer_aliases(&mut self, select: &ast::Select) -> Result<()> {
        if self.dialect.is_strictly_typed() {
            return Ok(());
        }
        let aliases = select.projection.iter().filter_map(|item| match item {
            ast::SelectItem::ExprWithAlias { expr, alias } => {
                Some((alias.value.clone(), expr.clone()))
            }
            _ => None,
        });
        self.scope()?.aliases = aliases.collect();
        Ok(())
    }

    fn group_keys(&mut self, group_by: &ast::GroupByExpr, items: &[Item]) -> Result<Keys> {
        let ast::GroupByExpr::Expressions(exprs, modifiers) = group_by else {
            return unsupported("GROUP BY ALL");
        };
        if let [ast::GroupByWithModifier::Rollup] = modifiers.as_slice()
            && self.is_mariadb()
        {
            let all = exprs.iter().map(|expr| vec![expr.clone()]).collect();
            return self.grouping_sets(&[ast::Expr::Rollup(all)], items);
        }
        if !modifiers.is_empty() || exprs.iter().any(has_sets) && !self.dialect.is_strictly_typed()
        {
            return unsupported("GROUP BY with ROLLUP, CUBE or SETS");
        }
        if exprs.iter().any(has_sets) {
            return self.grouping_sets(exprs, items);
        }
        let keys = exprs.iter().map(|expr| self.group_key(expr, items)).collect::<Result<_>>()?;
        Ok((keys, None))
    }

    pub(super) fn group_key(&mut self, expr: &ast::Expr, items: &[Item]) -> Result<Typed> {
        self.refuse_constant(expr)?;
        if let Some(position) = position(expr) {
            let Some(item) = position.checked_sub(1).and_then(|index| items.get(index)) else {
                return fail(
                    ErrorClass::InvalidColumnReference,
                    "the column to group by does not exist",
                );
            };
            return Ok((item.expr.clone(), item.ty));
        }
        let aggregates = self.aggregates.take();
        let bound = self.raw(expr);
        self.aggregates = aggregates;
        // A column of a table goes before a name that was given with AS, which goes before the whole row.
        let is_column = matches!(bound, Err(ExecutionError::Blurred(_)));
        if let (Err(_) | Ok((_, Type::Record)), ast::Expr::Identifier(ident)) = (&bound, expr)
            && !is_column
            && let Some(item) =
                items.iter().find(|item| item.named && item.name.eq_ignore_ascii_case(&ident.value))
        {
            return Ok((item.expr.clone(), item.ty));
        }
        let (expr, ty) = self.settle(bound?);
        Ok((self.fold(expr), ty))
    }

    fn grouping(
        &mut self,
        keys: Vec<Typed>,
        sets: Option<Vec<Vec<usize>>>,
        source: &Source,
        items: &mut [Expr],
        having: &mut Option<Expr>,
    ) -> Result<Option<Grouping>> {
        let by: Vec<Expr> = keys.iter().map(|(key, _)| key.clone()).collect();
        self.refuse_grouped(&by, items.iter().chain(having.iter()))?;
        let aggregates = self.aggregates.take().unwrap_or_default();
        let grouped = !keys.is_empty()
            || !aggregates.is_empty()
            || (having.is_some() && self.dialect.is_strictly_typed());
        if !grouped {
            if items.iter().any(asks_for_grouping) {
                return unsupported("GROUPING() without groups");
            }
            return Ok(None);
        }
        keys.iter().try_for_each(|(_, ty)| refuse_several_lengths(*ty))?;
        let keys: Vec<_> = keys
            .into_iter()
            .map(|(key, ty)| (key, ty.collation(self.catalog.collation())))
            .collect();
        if keys.iter().any(|(key, _)| has_aggregate(key)) {
            return fail(ErrorClass::Grouping, "an aggregate in GROUP BY");
        }
        let mut grouping = Grouping { keys, sets, aggregates, shown: Vec::new() };
        for expr in items.iter_mut().chain(having) {
            over_groups(self.catalog, source, &mut grouping, expr)?;
        }
        refuse_shown(&grouping)?;
        Ok(Some(grouping))
    }

    fn distinct(
        &self,
        distinct: Option<&ast::Distinct>,
        items: &[Item],
    ) -> Result<Option<Vec<Collation>>> {
        match distinct {
            None | Some(ast::Distinct::All) => Ok(None),
            Some(ast::Distinct::Distinct) => {
                items.iter().try_for_each(|item| refuse_several_lengths(item.ty))?;
                let usual = self.catalog.collation();
                Ok(Some(items.iter().map(|item| item.ty.collation(usual)).collect()))
            }
            Some(ast::Distinct::On(_)) if self.dialect.is_strictly_typed() => Ok(None),
            Some(ast::Distinct::On(_)) => unsupported("DISTINCT ON"),
        }
    }
}

fn has_aggregate(expr: &Expr) -> bool {
    let mut found = false;
    rewrite(&mut expr.clone(), 0, &mut |part: &mut Expr, _: usize| {
        found |= matches!(part, Expr::Aggregate(_));
        true
    });
    found
}

fn refuse_extras(select: &ast::Select) -> Result<()> {
    let extras = [
        ("TOP", select.top.is_some()),
        ("SELECT INTO", select.into.is_some()),
        ("LATERAL VIEW", !select.lateral_views.is_empty()),
        ("PREWHERE", select.prewhere.is_some()),
        ("CONNECT BY", !select.connect_by.is_empty()),
        ("CLUSTER BY", !select.cluster_by.is_empty()),
        ("DISTRIBUTE BY", !select.distribute_by.is_empty()),
        ("SORT BY", !select.sort_by.is_empty()),
        ("QUALIFY", select.qualify.is_some()),
        ("SELECT AS", select.value_table_mode.is_some()),
        ("EXCLUDE", select.exclude.is_some()),
        ("FROM first", select.flavor != ast::SelectFlavor::Standard),
    ];
    match extras.iter().find(|(_, there)| *there) {
        Some((name, _)) => unsupported(*name),
        None => Ok(()),
    }
}

/// Whether GROUPING() is in an expression.
fn asks_for_grouping(expr: &Expr) -> bool {
    let mut found = false;
    rewrite(&mut expr.clone(), 0, &mut |part: &mut Expr, _: usize| {
        found |= matches!(part, Expr::Grouping(_));
        !found
    });
    found
}

/// MariaDB refuses ORDER BY next to ROLLUP, and is not sure what a key is in an expression.
fn refuse_beside_rollup(plain: bool, items: &[Item], keys: &[Typed]) -> Result<()> {
    let is_key = |expr: &Expr| keys.iter().any(|key| key.0 == *expr);
    let sure = |expr: &Expr| {
        let mut columns = false;
        walk_columns(&mut expr.clone(), &mut |_, _| columns = true);
        is_key(expr) || !columns
    };
    match plain && items.iter().all(|item| sure(&item.expr)) {
        true => Ok(()),
        false => unsupported("ROLLUP with an order, a condition, or an expression over its keys"),
    }
}

/// Whether a query stands beside others in FROM.
fn has_derived(source: &Source) -> bool {
    match source {
        Source::Derived { .. } => true,
        Source::Join(join) => has_derived(&join.left) || has_derived(&join.right),
        _ => false,
    }
}
