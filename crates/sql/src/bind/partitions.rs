//! Tables with partitions: PARTITION BY, PARTITION OF, and DROP TABLE of a partition.
//!
//! Layer `bind`; changes the catalog. One column decides where a row belongs, and bounds are plain values, so that
//! they mean the same in a condition as to the server.

use std::sync::Arc;

use sqlparser::ast::{self, ForValues, PartitionBoundValue};

use crate::catalog::{
    Catalog, Partition, Partitions, Strategy, Table, View, ViewFilter, ViewTarget, table_name,
};
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::parse::{last_name, parse_statement};
use crate::plan::{NodeIds, Plan, number_expr};
use crate::types::Type;

use super::binder::Binder;
use super::functions::plain_args;
use super::writes::column_of;

/// The condition of a partition by hash.
const HASHED: &str = "\u{1}hash";

/// Whether only the server knows which rows a partition has.
pub(super) fn is_hashed(view: &View) -> bool {
    let ast::SetExpr::Select(select) = &*view.query.body else { return false };
    matches!(&select.selection, Some(ast::Expr::Identifier(ident)) if ident.value == HASHED)
}

/// Notes that a new table is divided.
pub(super) fn divide(catalog: &Catalog, table: &mut Table, by: &ast::Expr) -> Result<()> {
    let ast::Expr::Function(function) = by else { return unsupported("PARTITION BY this") };
    let strategy = match last_name(&function.name)?.to_lowercase().as_str() {
        "range" => Strategy::Range,
        "list" => Strategy::List,
        "hash" => Strategy::Hash,
        _ => return unsupported("PARTITION BY this"),
    };
    let args = plain_args(function)?;
    let column = match args.as_slice() {
        [ast::Expr::Identifier(ident)] => column_of(table, &ident.value)?,
        _ => return unsupported("PARTITION BY several columns or expressions"),
    };
    let ty = table.columns()[column].ty();
    let suits = match strategy {
        Strategy::Range => {
            matches!(ty, Type::Int(_) | Type::Decimal(_) | Type::Date | Type::Timestamp(_))
        }
        Strategy::List => matches!(ty, Type::Int(_) | Type::Text { .. } | Type::Bool | Type::Date),
        Strategy::Hash => true,
    };
    if !suits || !catalog.dialect().is_strictly_typed() {
        return unsupported("partitions by a column of this type");
    }
    table.nature.partitions = Some(Arc::new(with_parts(catalog, table, strategy, column, vec![])?));
    Ok(())
}

/// `CREATE TABLE p PARTITION OF t …`.
pub(super) fn create_partition(
    catalog: &mut Catalog,
    create: &ast::CreateTable,
    name: String,
    parent: &ast::ObjectName,
) -> Result<Option<Plan>> {
    let more = !create.columns.is_empty()
        || !create.constraints.is_empty()
        || create.partition_by.is_some()
        || create.temporary;
    let Some(bound) = create.for_values.as_ref().filter(|_| !more) else {
        return unsupported("a partition with columns, constraints or partitions of its own");
    };
    let (before, old) = divided(catalog, parent)?;
    let mut parts = old.parts.clone();
    parts.push(Partition { name, bound: bound.clone() });
    change_parts(catalog, &before, &old, parts)?;
    Ok(None)
}

/// Drops a partition with its rows. Returns `None` if it is none.
pub(super) fn drop_partition(catalog: &mut Catalog, written: &str) -> Result<Option<Plan>> {
    let Some(view) = catalog.view(written).cloned() else { return Ok(None) };
    let is_it = |table: &&Arc<Table>| {
        let parts = table.nature.partitions.as_ref();
        parts.is_some_and(|all| all.parts.iter().any(|one| catalog.is_same(&one.name, &view.name)))
    };
    let Some(before) = catalog.tables().find(is_it).cloned() else { return Ok(None) };
    if catalog.referrers(before.id()).next().is_some() {
        return unsupported("DROP TABLE of a partition that foreign keys may refer to");
    }
    let dialect = catalog.dialect();
    let quoted: Vec<String> =
        view.name.split('.').map(|part| format!("\"{}\"", part.replace('"', "\"\""))).collect();
    let delete = parse_statement(dialect, &format!("DELETE FROM {}", quoted.join(".")));
    let Ok(delete) = delete else { return unsupported("DROP TABLE of this partition") };
    let plan = Binder::new(catalog, &[], &[]).statement(&delete)?;
    let Some(old) = before.nature.partitions.clone() else { return Ok(None) };
    let mut parts = old.parts.clone();
    parts.retain(|one| !catalog.is_same(&one.name, &view.name));
    catalog.remove_own_view(&view.name);
    change_parts(catalog, &before, &old, parts)?;
    Ok(plan)
}

fn divided(catalog: &Catalog, parent: &ast::ObjectName) -> Result<(Arc<Table>, Arc<Partitions>)> {
    let written = table_name(parent)?;
    let Some(table) = catalog.named(&written)?.cloned() else {
        return fail(ErrorClass::UndefinedTable, format!("{written} does not exist"));
    };
    match table.nature.partitions.clone() {
        Some(partitions) => Ok((table, partitions)),
        None => unsupported(format!("a partition of {written}, which has none")),
    }
}

/// A table is divided in another way from now on. The default partition has what the others leave.
fn change_parts(
    catalog: &mut Catalog,
    before: &Arc<Table>,
    old: &Partitions,
    parts: Vec<Partition>,
) -> Result<()> {
    let mut table = (**before).clone();
    let partitions = with_parts(catalog, &table, old.strategy, old.column, parts)?;
    let views = partitions.parts.iter().map(|part| part_view(&table, &partitions, part));
    let views = views.collect::<Result<Vec<_>>>()?;
    table.nature.partitions = Some(Arc::new(partitions));
    catalog.change(before, table);
    views.into_iter().for_each(|view| catalog.add_view(view));
    Ok(())
}

fn with_parts(
    catalog: &Catalog,
    table: &Table,
    strategy: Strategy,
    column: usize,
    parts: Vec<Partition>,
) -> Result<Partitions> {
    let mut all = Partitions { strategy, column, parts, belongs: None };
    if strategy != Strategy::Hash && !all.parts.iter().any(|one| one.bound == ForValues::Default) {
        let conditions = all.parts.iter().map(|one| condition(table, &all, &one.bound));
        let any = any_of(conditions.collect::<Result<Vec<_>>>()?);
        let mut bound = Binder::new(catalog, &[], &[]).table_condition(table, &any)?;
        number_expr(&mut NodeIds::of_table(table.id()), &mut bound);
        all.belongs = Some(bound);
    }
    Ok(all)
}

/// A partition as a view of the whole table.
fn part_view(table: &Table, all: &Partitions, part: &Partition) -> Result<View> {
    let shown = "\u{1}whole".to_owned();
    let whole = Arc::new(table.clone());
    let name = part.name.clone();
    let unreadable = ast::Expr::Identifier(ast::Ident::with_quote('"', HASHED));
    let hashed = all.strategy == Strategy::Hash;
    let selection = if hashed { unreadable } else { condition(table, all, &part.bound)? };
    let query = rows_of(table, &shown, selection.clone())?;
    let mut target = ViewTarget {
        table: table.clone(),
        order: (0..table.columns().len()).collect(),
        filters: vec![ViewFilter {
            table: table.clone(),
            shown,
            condition: selection,
            checked: true,
            divides: true,
        }],
    };
    target.table.name.clone_from(&name);
    let target = (!hashed).then(|| Box::new(target));
    Ok(View {
        name,
        columns: Vec::new(),
        query,
        tables: vec![whole],
        views: Vec::new(),
        target,
        triggers: Vec::new(),
    })
}

/// `SELECT * FROM t AS shown WHERE selection`.
fn rows_of(table: &Table, shown: &str, selection: ast::Expr) -> Result<ast::Query> {
    let quoted: Vec<String> =
        table.name().split('.').map(|part| format!("\"{}\"", part.replace('"', "\"\""))).collect();
    let text = format!("SELECT * FROM {} AS \"{shown}\" WHERE true", quoted.join("."));
    let parsed = parse_statement(crate::dialect::Dialect::PostgreSql, &text);
    let Ok(ast::Statement::Query(mut query)) = parsed else {
        return unsupported(format!("partitions of {}", table.name()));
    };
    if let ast::SetExpr::Select(select) = &mut *query.body {
        select.selection = Some(selection);
    }
    Ok(*query)
}

/// What the rows of a partition meet.
fn condition(table: &Table, all: &Partitions, bound: &ForValues) -> Result<ast::Expr> {
    let name = table.columns()[all.column].name();
    let column = ast::Expr::Identifier(ast::Ident::with_quote('"', name));
    let compare = |op: ast::BinaryOperator, value: &ast::Expr| ast::Expr::BinaryOp {
        left: Box::new(column.clone()),
        op,
        right: Box::new(value.clone()),
    };
    let is_null = || ast::Expr::IsNull(Box::new(column.clone()));
    match (bound, all.strategy) {
        (ForValues::In(values), Strategy::List) => {
            let one = |value: &ast::Expr| match value {
                ast::Expr::Value(null) if null.value == ast::Value::Null => Ok(is_null()),
                value => plain(table, all, value).map(|()| compare(ast::BinaryOperator::Eq, value)),
            };
            Ok(any_of(values.iter().map(one).collect::<Result<Vec<_>>>()?))
        }
        (ForValues::From { from, to }, Strategy::Range) => {
            let ([from], [to]) = (from.as_slice(), to.as_slice()) else {
                return unsupported("partitions by several columns");
            };
            let mut both = ast::Expr::IsNotNull(Box::new(column.clone()));
            let bounds = [(from, ast::BinaryOperator::GtEq), (to, ast::BinaryOperator::Lt)];
            for (bound, op) in bounds {
                if let PartitionBoundValue::Expr(value) = bound {
                    plain(table, all, value)?;
                    both = join(both, ast::BinaryOperator::And, compare(op, value));
                }
            }
            let empty = matches!(from, PartitionBoundValue::MaxValue)
                || matches!(to, PartitionBoundValue::MinValue);
            if empty { unsupported("a partition for no row") } else { Ok(both) }
        }
        (ForValues::Default, Strategy::List | Strategy::Range) => {
            let others = all.parts.iter().filter(|one| one.bound != ForValues::Default);
            let others = others.map(|one| condition(table, all, &one.bound));
            let any = any_of(others.collect::<Result<Vec<_>>>()?);
            Ok(ast::Expr::IsNotTrue(Box::new(ast::Expr::Nested(Box::new(any)))))
        }
        (ForValues::With { .. }, Strategy::Hash) => Ok(any_of(Vec::new())),
        _ => unsupported("a partition of another kind than its table has"),
    }
}

/// Refuses bounds that the server might convert to something else than a comparison does.
fn plain(table: &Table, all: &Partitions, value: &ast::Expr) -> Result<()> {
    let whole = matches!(table.columns()[all.column].ty(), Type::Int(_));
    let is_plain = |value: &ast::Value| match value {
        ast::Value::Number(digits, _) => !whole || digits.bytes().all(|one| one.is_ascii_digit()),
        ast::Value::SingleQuotedString(_) | ast::Value::Boolean(_) => true,
        _ => false,
    };
    let plain = match value {
        ast::Expr::Value(value) => is_plain(&value.value),
        ast::Expr::UnaryOp { op: ast::UnaryOperator::Minus, expr } => {
            matches!(&**expr, ast::Expr::Value(value) if is_plain(&value.value))
        }
        _ => false,
    };
    if plain { Ok(()) } else { unsupported(format!("a partition with the bound {value}")) }
}

fn any_of(conditions: Vec<ast::Expr>) -> ast::Expr {
    let nested = |one: ast::Expr| ast::Expr::Nested(Box::new(one));
    let conditions = conditions.into_iter().map(nested);
    let any = conditions.reduce(|one, other| join(one, ast::BinaryOperator::Or, other));
    any.unwrap_or_else(|| ast::Expr::Value(ast::Value::Boolean(false).into()))
}

fn join(left: ast::Expr, op: ast::BinaryOperator, right: ast::Expr) -> ast::Expr {
    ast::Expr::BinaryOp { left: Box::new(left), op, right: Box::new(right) }
}
