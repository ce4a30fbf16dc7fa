//! Views whose rows are those of one table: statements may change the table through them.
//!
//! Layer `bind`; knows the syntax tree and the catalog. Servers also let statements write through views that show
//! more than columns, or join tables. Here such a view can only be read.

use sqlparser::ast;

use crate::catalog::{Catalog, Table, ViewFilter, ViewTarget, short_name, table_name};
use crate::dialect::Dialect;
use crate::parse::last_name;

/// Which rows may be written through a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CheckOption {
    Nothing,
    /// Those that meet the conditions of the view itself.
    Local,
    /// Those that also meet the conditions of the views below it.
    Cascaded,
}

/// The option that a definition asks for; `None` if it is not known what it says.
pub(super) fn check_option(create: &ast::CreateView) -> Option<CheckOption> {
    let ast::CreateTableOptions::With(options) = &create.options else {
        return Some(CheckOption::Nothing);
    };
    for option in options {
        let ast::SqlOption::KeyValue { key, value } = option else { continue };
        if key.value.eq_ignore_ascii_case("check_option") {
            return match value.to_string().to_lowercase().trim_matches('\'') {
                "local" => Some(CheckOption::Local),
                "cascaded" => Some(CheckOption::Cascaded),
                _ => None,
            };
        }
    }
    Some(CheckOption::Nothing)
}

/// The table that is changed through a view. Returns `None` if the view is only read.
pub(super) fn view_target(
    catalog: &Catalog,
    create: &ast::CreateView,
    name: &str,
    check: CheckOption,
) -> Option<ViewTarget> {
    let temporary = |params: &ast::CreateViewParams| {
        params.algorithm == Some(ast::CreateViewAlgorithm::TempTable)
    };
    if create.params.as_ref().is_some_and(temporary) {
        return None;
    }
    let select = plain_select(&create.query)?;
    let (base, shown) = base(catalog, &select.from)?;
    let columns = shown_columns(&base, &shown, &select.projection)?;
    let order: Vec<usize> = columns.iter().map(|(column, _)| *column).collect();
    let twice = (0..order.len()).any(|place| order[..place].contains(&order[place]));
    if twice || create.columns.len() > order.len() {
        return None;
    }
    let mut table = base.table.clone();
    name.clone_into(&mut table.name);
    table.columns.iter_mut().for_each(|column| column.name.clear());
    for (place, (column, own)) in columns.iter().enumerate() {
        let given = create.columns.get(place).map(|given| &given.name.value);
        table.columns[*column].name.clone_from(given.unwrap_or(own));
    }
    let cascades = check == CheckOption::Cascaded;
    let mut filters = base.filters;
    // MariaDB forgets the options of the views below, unless they are cascaded.
    let forgets = catalog.dialect() == Dialect::MariaDb;
    filters.iter_mut().for_each(|filter| filter.checked = cascades || filter.checked && !forgets);
    if let Some(condition) = &select.selection {
        let checked = check != CheckOption::Nothing;
        filters.push(ViewFilter {
            table: base.table,
            shown,
            condition: condition.clone(),
            checked,
            divides: false,
        });
    }
    Some(ViewTarget { table, order, filters })
}

/// A query that shows some rows of what is in FROM, each as it is.
fn plain_select(query: &ast::Query) -> Option<&ast::Select> {
    let ast::SetExpr::Select(select) = &*query.body else { return None };
    let grouped = match &select.group_by {
        ast::GroupByExpr::All(_) => true,
        ast::GroupByExpr::Expressions(keys, _) => !keys.is_empty(),
    };
    let plain = query.with.is_none()
        && query.limit_clause.is_none()
        && query.fetch.is_none()
        && query.locks.is_empty()
        && select.distinct.is_none()
        && select.into.is_none()
        && select.having.is_none()
        && !grouped;
    plain.then_some(select)
}

/// What a view is over: a table, or what is changed through another view; and its name there.
fn base(catalog: &Catalog, from: &[ast::TableWithJoins]) -> Option<(ViewTarget, String)> {
    let [item] = from else { return None };
    let ast::TableFactor::Table { name, alias, args: None, sample: None, version: None, .. } =
        &item.relation
    else {
        return None;
    };
    if !item.joins.is_empty() || alias.as_ref().is_some_and(|alias| !alias.columns.is_empty()) {
        return None;
    }
    let written = table_name(name).ok()?;
    let shown = |own: &str| alias.as_ref().map_or(own, |alias| &alias.name.value).to_owned();
    if let Some(view) = catalog.view(&written) {
        let plain = view.triggers.is_empty() && catalog.is_current(view);
        let target = view.target.as_deref().filter(|_| plain)?;
        return Some((target.clone(), shown(short_name(&view.name))));
    }
    let table: &Table = catalog.named(&written).ok()??;
    if table.nature.materialized || table.nature.partitions.is_some() {
        return None;
    }
    let order = (0..table.columns().len()).collect();
    let shown = shown(table.short_name());
    Some((ViewTarget { table: table.clone(), order, filters: Vec::new() }, shown))
}

/// The columns that are shown, with their names.
fn shown_columns(
    base: &ViewTarget,
    shown: &str,
    items: &[ast::SelectItem],
) -> Option<Vec<(usize, String)>> {
    let named = |column: usize| base.table.columns()[column].name().to_owned();
    let mut columns = Vec::new();
    for item in items {
        match item {
            ast::SelectItem::Wildcard(_) => {
                columns.extend(base.order.iter().map(|column| (*column, named(*column))));
            }
            ast::SelectItem::QualifiedWildcard(
                ast::SelectItemQualifiedWildcardKind::ObjectName(name),
                _,
            ) if last_name(name).is_ok_and(|name| name.eq_ignore_ascii_case(shown)) => {
                columns.extend(base.order.iter().map(|column| (*column, named(*column))));
            }
            ast::SelectItem::UnnamedExpr(expr) => {
                let column = plain_column(base, shown, expr)?;
                columns.push((column, named(column)));
            }
            ast::SelectItem::ExprWithAlias { expr, alias } => {
                columns.push((plain_column(base, shown, expr)?, alias.value.clone()));
            }
            _ => return None,
        }
    }
    Some(columns)
}

fn plain_column(base: &ViewTarget, shown: &str, expr: &ast::Expr) -> Option<usize> {
    let name = match expr {
        ast::Expr::Identifier(ident) => &ident.value,
        ast::Expr::CompoundIdentifier(parts) => match parts.as_slice() {
            [owner, name] if owner.value.eq_ignore_ascii_case(shown) => &name.value,
            _ => return None,
        },
        _ => return None,
    };
    base.table.column(name)
}
