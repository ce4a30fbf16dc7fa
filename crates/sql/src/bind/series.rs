//! LATERAL queries and `generate_series()` in FROM.
//!
//! Both may use the columns to their left.
//!
//! Layer `bind`; knows scopes.

use sqlparser::ast;

use crate::error::{Result, unsupported};
use crate::parse::last_name;
use crate::plan::Source;
use crate::types::Type;

use super::binder::{Binder, Typed};
use super::columns::{has_own_values, uses_own_query};
use super::from::{inner, rename};
use super::functions::plain_args;
use super::scope::{Relation, ScopeColumn};
use super::table_functions::TableFunction;

const SERIES: &str = "generate_series";

/// The name of a series that stands in the list of what is shown, which no statement can use.
const SHOWN_SERIES: &str = "generate_series()";

impl Binder<'_> {
    /// `LATERAL (SELECT …) AS name`.
    pub(super) fn lateral(
        &mut self,
        query: &ast::Query,
        alias: Option<&ast::TableAlias>,
    ) -> Result<Source> {
        if !self.dialect.is_strictly_typed() {
            return unsupported("LATERAL");
        }
        self.refuse_lateral()?;
        let Some(alias) = alias else { return unsupported("LATERAL without a name") };
        let aggregates = self.aggregates.take();
        self.inner += 1;
        let query = self.query(query);
        self.inner -= 1;
        self.aggregates = aggregates;
        self.derived(query?, &alias.name.value.clone(), Some(alias), true)
    }

    /// A function in FROM.
    pub(super) fn table_function(
        &mut self,
        name: &ast::ObjectName,
        args: &[ast::FunctionArg],
        alias: Option<&ast::TableAlias>,
    ) -> Result<Source> {
        let name = last_name(name)?.to_lowercase();
        if !self.dialect.is_strictly_typed() {
            return unsupported(format!("the function {name} in FROM"));
        }
        if let Some(source) = self.routine_rows(&name, args, alias)? {
            return Ok(source);
        }
        let plain = |arg: &ast::FunctionArg| match arg {
            ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => Ok(expr.clone()),
            other => unsupported(format!("the argument {other}")),
        };
        let args = args.iter().map(plain).collect::<Result<Vec<_>>>()?;
        let aggregates = self.aggregates.take();
        let found = self.table_function_of(&name, &args, alias);
        self.aggregates = aggregates;
        let bound = match found? {
            Found::Rows(rows) => return self.function_rows(&name, rows, alias),
            Found::Series(bound) => bound,
        };
        self.refuse_lateral()?;
        let source = self.series(bound)?;
        let Source::Series { ty, .. } = source else { return unsupported("this series") };
        let shown = alias.map_or(name, |alias| alias.name.value.clone());
        let column = match alias.map(|alias| alias.columns.as_slice()) {
            None | Some([]) => shown.clone(),
            Some([column]) if column.data_type.is_none() => column.name.value.clone(),
            Some(_) => return unsupported("generate_series() with several columns"),
        };
        let columns = vec![ScopeColumn::new(&column, ty)];
        let at = self.scope()?.width();
        self.enter(Relation { name: shown, columns, at })?;
        Ok(source)
    }

    fn table_function_of(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        alias: Option<&ast::TableAlias>,
    ) -> Result<Found> {
        if let Some(rows) = self.populated(name, args)? {
            return Ok(Found::Rows(rows));
        }
        let bound = args.iter().map(|arg| self.expr(arg)).collect::<Result<Vec<_>>>()?;
        if let Some(rows) = self.json_records(name, &bound, alias)? {
            return Ok(Found::Rows(rows));
        }
        match self.rows_of(name, &bound)? {
            Some(rows) => Ok(Found::Rows(rows)),
            None if name == SERIES => Ok(Found::Series(bound)),
            None => unsupported(format!("the function {name} in FROM")),
        }
    }

    /// Enters the columns of a function in FROM.
    fn function_rows(
        &mut self,
        name: &str,
        rows: TableFunction,
        alias: Option<&ast::TableAlias>,
    ) -> Result<Source> {
        let TableFunction { mut columns, arrays, single } = rows;
        if arrays.iter().any(uses_own_query) {
            self.refuse_lateral()?;
        }
        if arrays.iter().any(has_own_values) {
            return unsupported(format!("{name} of server-generated values"));
        }
        // A function with one column gives it the name that it is given itself.
        if let ([column], Some(alias), true) = (columns.as_mut_slice(), alias, single) {
            column.name.clone_from(&alias.name.value);
        }
        let typed =
            alias.is_some_and(|alias| alias.columns.iter().any(|one| one.data_type.is_some()));
        if !typed {
            rename(&mut columns, alias)?;
        }
        let name = alias.map_or(name, |alias| &alias.name.value).to_owned();
        let at = self.scope()?.width();
        self.enter(Relation { name, columns, at })?;
        let arrays = arrays.into_iter().map(|array| self.fold(array)).collect();
        Ok(Source::Unnest { arrays, places: false })
    }

    /// A series in the list of what is shown stands beside the other tables, unseen by `*`; the list refers
    /// to it.
    pub(super) fn shown_series(
        &mut self,
        select: &ast::Select,
        source: Source,
    ) -> Result<(Source, Option<Vec<ast::SelectItem>>)> {
        let calls: Vec<(usize, &ast::Function)> = select
            .projection
            .iter()
            .enumerate()
            .filter_map(|(place, item)| Some((place, series_in(item)?)))
            .collect();
        let [(place, call)] = calls.as_slice() else {
            return match calls.is_empty() {
                true => Ok((source, None)),
                false => unsupported("several set-returning functions in one SELECT"),
            };
        };
        let ast::GroupByExpr::Expressions(keys, _) = &select.group_by else {
            return unsupported("GROUP BY ALL");
        };
        let plain = keys.is_empty() && select.having.is_none() && select.distinct.is_none();
        if !plain || !self.dialect.is_strictly_typed() || call.filter.is_some() {
            return unsupported("generate_series() or unnest in a query with groups");
        }
        let mut bound = Vec::new();
        for arg in plain_args(call)? {
            bound.push(self.expr(&arg)?);
        }
        let function = last_name(&call.name)?.to_lowercase();
        let (series, ty) = match self.rows_of(&function, &bound)? {
            Some(rows) => {
                let ([column], [array]) = (rows.columns.as_slice(), rows.arrays.as_slice()) else {
                    return unsupported("a row of several columns as a value");
                };
                if has_own_values(array) {
                    return unsupported(format!("{function} of server-generated values"));
                }
                let arrays = vec![self.fold(array.clone())];
                (Source::Unnest { arrays, places: false }, column.ty)
            }
            None => {
                let series = self.series(bound)?;
                let Source::Series { ty, .. } = series else { return unsupported("this series") };
                (series, ty)
            }
        };
        let column = ScopeColumn { merged: true, ..ScopeColumn::new(SERIES, ty) };
        let (name, at) = (SHOWN_SERIES.to_owned(), self.scope()?.width());
        self.enter(Relation { name, columns: vec![column], at })?;
        let mut items = select.projection.clone();
        let column = ast::Expr::CompoundIdentifier(vec![SHOWN_SERIES.into(), SERIES.into()]);
        match &mut items[*place] {
            ast::SelectItem::UnnamedExpr(expr) | ast::SelectItem::ExprWithAlias { expr, .. } => {
                *under_casts(expr) = column;
            }
            _ => return unsupported("this series"),
        }
        Ok((inner(source, series), Some(items)))
    }

    fn series(&mut self, args: Vec<Typed>) -> Result<Source> {
        if !(2..=3).contains(&args.len()) {
            return unsupported("generate_series() with this many arguments");
        }
        let known = || args.iter().map(|arg| arg.1).filter(|ty| *ty != Type::Unknown);
        let large = known().any(|ty| matches!(ty, Type::Int(int) if int.bytes > 4));
        if known().next().is_none() || !known().all(|ty| matches!(ty, Type::Int(_))) {
            return unsupported("generate_series() of something other than whole numbers");
        }
        if known().all(|ty| ty == Type::INT2) {
            return unsupported("generate_series() of SMALLINT");
        }
        let ty = if large { Type::INT8 } else { Type::INT4 };
        let mut bound = Vec::new();
        for (arg, own) in args {
            let arg = if own == Type::Unknown { self.resolve(arg, ty)? } else { arg };
            bound.push(self.fold(arg));
        }
        if bound.iter().any(has_own_values) {
            return unsupported("generate_series() of server-generated values");
        }
        Ok(Source::Series { args: bound, ty })
    }

    /// The table that a statement changes is not to the left of anything.
    pub(super) fn refuse_lateral(&mut self) -> Result<()> {
        let changed = |relation: &Relation| relation.columns.iter().any(|one| one.name.is_empty());
        if self.scope()?.relations.iter().any(changed) {
            return unsupported("LATERAL or a function next to a table that is changed");
        }
        Ok(())
    }
}

/// What a function in FROM turns out to be.
enum Found {
    Rows(TableFunction),
    /// A series of numbers, with its arguments.
    Series(Vec<Typed>),
}

/// Functions that give several rows and may stand in the list of what is shown.
const SHOWN: [&str; 8] = [
    SERIES,
    "unnest",
    "jsonb_array_elements",
    "jsonb_array_elements_text",
    "jsonb_object_keys",
    "regexp_matches",
    "regexp_split_to_table",
    "string_to_table",
];

/// The call of a function that gives several rows that an item of a list is.
fn series_in(item: &ast::SelectItem) -> Option<&ast::Function> {
    let mut expr = match item {
        ast::SelectItem::UnnamedExpr(expr) | ast::SelectItem::ExprWithAlias { expr, .. } => expr,
        _ => return None,
    };
    while let ast::Expr::Cast { expr: inner, .. } = expr {
        expr = inner;
    }
    let ast::Expr::Function(call) = expr else { return None };
    let name = call.name.to_string().to_lowercase();
    SHOWN.contains(&name.as_str()).then_some(call)
}

/// What is converted, at last.
fn under_casts(expr: &mut ast::Expr) -> &mut ast::Expr {
    match expr {
        ast::Expr::Cast { expr, .. } => under_casts(expr),
        other => other,
    }
}
