//! What the rows that a query showed say about rows of its tables, whatever rows there are.
//!
//! ```text
//!   SELECT id, name FROM t WHERE id BETWEEN 3 AND 9        showed (10, 'a')
//!                                                          no row with id = 10 meets the condition
//! ```
//!
//! This is about queries that show rows of their tables side by side: no groups, no set operations. Each row of the answer
//! was made from one row of each table, and these rows together met every condition of the query. A column that is shown
//! as it is tells the value that the conditions met. On the right side of a LEFT JOIN there may be no row: its columns
//! are then NULL in the conditions of WHERE as well as in the answer, and nothing else is said of them.
//!
//! UPDATE and DELETE show rows with RETURNING that met their conditions, too. UPDATE shows what it made of them: the
//! columns that it assigns are not those that the conditions met.
//!
//! Layer `run`; reads plans, and evaluates conditions over the values that were shown.

use std::collections::BTreeMap;

use crate::catalog::Catalog;
use crate::observed::ObservedValue;
use crate::plan::{Body, Expr, JoinKind, Locate, Output, Plan, Source, rewrite};
use crate::rows::{NoRows, TableId};
use crate::types::Type;
use crate::value::{Decimal, Value};

use super::frame::Frame;
use super::state::{NoRoutines, Run};
use super::untold::Untold;

/// A column of a table that an answer shows as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Displayed {
    /// The table.
    pub table: TableId,
    /// The place of the column in the table.
    pub column: usize,
    /// Which of the tables in FROM it is, as a table may be there more than once: the place of its first column.
    pub source: usize,
    /// Whether there may be no row to show, on the right side of a LEFT JOIN. The answer has NULL then.
    pub optional: bool,
}

/// For each column of an answer, the column of a table that it shows as it is, if it does. Returns `None` if the plan is
/// another kind of statement.
pub(crate) fn displayed(plan: &Plan) -> Option<Vec<Option<Displayed>>> {
    let display = Display::of(plan)?;
    let mut columns = Vec::new();
    columns_of(display.source, false, &mut columns)?;
    let items = display.items.iter().take(display.output.len());
    Some(items.map(|item| columns.get(place_of(item)?).copied().flatten()).collect())
}

/// The columns of an answer because of which no rows meet the conditions of its statement together. Returns `None` if
/// some may. No trigger may change the rows in between.
pub(crate) fn ruled_out(
    catalog: &Catalog,
    plan: &Plan,
    params: &[Value],
    seen: &[ObservedValue],
) -> Option<Vec<usize>> {
    let Display { source, filter, items, output } = Display::of(plan)?;
    let changed = changed(catalog, plan)?;
    let mut conditions: Vec<&Expr> = filter.iter().collect();
    conditions_of(source, &mut conditions)?;
    let mut known: Vec<Option<(Value, usize)>> = vec![None; source.width()];
    for (answer, ((item, seen), output)) in items.iter().zip(seen).zip(output).enumerate() {
        let place = place_of(item).filter(|place| !changed.contains(place));
        if let Some(place) = place.and_then(|place| known.get_mut(place)) {
            *place = value_of(seen, output.ty).map(|value| (value, answer));
        }
    }
    let row: Vec<Value> = known
        .iter()
        .map(|known| known.as_ref().map_or(Value::Null, |(value, _)| value.clone()))
        .collect();
    let frame = Frame { row: &row, outer: None };
    conditions.into_iter().find_map(|condition| {
        let answers: Vec<usize> = columns_in(condition)?
            .into_iter()
            .map(|place| known.get(place)?.as_ref().map(|(_, answer)| *answer))
            .collect::<Option<_>>()?;
        let (mut rows, mut choices, mut session) = (NoRows, Untold::default(), BTreeMap::new());
        let mut run = Run::new(catalog, &mut rows, &mut choices, &NoRoutines, params, &mut session);
        let truth = run.truth(condition, &frame);
        let fails = truth.is_ok_and(|truth| truth != Some(true));
        (fails && !choices.asked && !answers.is_empty()).then_some(answers)
    })
}

/// How a statement makes the rows of its answer, each of at most one row of each of its tables.
struct Display<'a> {
    source: &'a Source,
    filter: &'a [Expr],
    items: &'a [Expr],
    output: &'a [Output],
}

impl<'a> Display<'a> {
    fn of(plan: &'a Plan) -> Option<Self> {
        match plan {
            Plan::Query(query) => {
                let Body::Select(select) = &query.body else { return None };
                let (source, filter, items) = (&select.source, &select.filter, &select.items);
                let alone = select.grouping.is_none()
                    && select.having.is_none()
                    && select.windows.is_none();
                alone.then_some(Self { source, filter, items, output: &query.output })
            }
            Plan::Update(update) => Self::returned(&update.locate, update.returning.as_ref()),
            Plan::Delete(delete) => Self::returned(&delete.locate, delete.returning.as_ref()),
            _ => None,
        }
    }

    fn returned(
        locate: &'a Locate,
        returning: Option<&'a (Vec<Expr>, Vec<Output>)>,
    ) -> Option<Self> {
        let (items, output) = returning?;
        Some(Self { source: &locate.source, filter: &locate.filter, items, output })
    }
}

/// The columns of the rows of its source that a statement shows in another state than its conditions met. Returns `None`
/// if its table is not known.
fn changed(catalog: &Catalog, plan: &Plan) -> Option<Vec<usize>> {
    let Plan::Update(update) = plan else { return Some(Vec::new()) };
    let table = catalog.by_id(update.locate.table)?;
    let columns = update.columns().into_iter().chain(table.generated()).chain(table.renewed());
    Some(columns.map(|column| update.locate.at + column).collect())
}

/// The columns of the rows of a source; `None` for columns that are not of a table.
fn columns_of(source: &Source, optional: bool, columns: &mut Vec<Option<Displayed>>) -> Option<()> {
    match source {
        Source::Table { table, width, numbered, .. } => {
            let source = columns.len();
            let shown = |column| Some(Displayed { table: *table, column, source, optional });
            columns.extend((0..*width).map(shown));
            columns.extend(numbered.then_some(None));
        }
        Source::Join(join) if join.kind == JoinKind::Inner => {
            columns_of(&join.left, optional, columns)?;
            columns_of(&join.right, optional, columns)?;
        }
        Source::Join(join) if join.kind == JoinKind::Left => {
            columns_of(&join.left, optional, columns)?;
            let start = columns.len();
            // A right side with other sources than tables is left out as a whole.
            if columns_of(&join.right, true, columns).is_none() {
                columns.truncate(start);
                columns.resize(start + join.right.width(), None);
            }
        }
        _ => return None,
    }
    Some(())
}

/// The conditions that all rows of a source meet. Like those of the query, they are about the columns of all tables.
fn conditions_of<'a>(source: &'a Source, conditions: &mut Vec<&'a Expr>) -> Option<()> {
    match source {
        Source::Table { filter, .. } => conditions.extend(filter),
        Source::Join(join) if join.kind == JoinKind::Inner => {
            conditions_of(&join.left, conditions)?;
            conditions_of(&join.right, conditions)?;
            conditions.extend(&join.on);
        }
        Source::Join(join) if join.kind == JoinKind::Left => conditions_of(&join.left, conditions)?,
        _ => return None,
    }
    Some(())
}

/// The column that an expression is, if it is one.
fn place_of(item: &Expr) -> Option<usize> {
    match item {
        Expr::Column { depth: 0, index } => Some(*index),
        _ => None,
    }
}

/// The columns in a condition. Returns `None` if it depends on anything else than these and the parameters.
fn columns_in(condition: &Expr) -> Option<Vec<usize>> {
    let (mut columns, mut clear) = (Vec::new(), true);
    rewrite(&mut condition.clone(), 0, &mut |part: &mut Expr, _: usize| {
        match part {
            Expr::Column { depth: 0, index } => columns.push(*index),
            Expr::Column { .. }
            | Expr::Local(_)
            | Expr::Session(_)
            | Expr::Routine { .. }
            | Expr::Open { .. }
            | Expr::Number { .. }
            | Expr::Exists { .. }
            | Expr::Scalar { .. }
            | Expr::Quantified { .. }
            | Expr::Aggregate(_)
            | Expr::Grouping(_)
            | Expr::Window(_) => clear = false,
            _ => {}
        }
        clear
    });
    clear.then_some(columns)
}

/// The value of a column that is shown so. Returns `None` for types whose values a client may see in several forms.
pub(super) fn value_of(seen: &ObservedValue, ty: Type) -> Option<Value> {
    let value = match (seen, ty) {
        (ObservedValue::Null, Type::Int(_) | Type::Decimal(_)) => Value::Null,
        (ObservedValue::Int(whole), Type::Int(_)) => Value::Int(i64::try_from(*whole).ok()?),
        (ObservedValue::Text(text), Type::Int(_)) => Value::Int(text.parse().ok()?),
        (ObservedValue::Text(text), Type::Decimal(_)) => Value::Decimal(Decimal::parse(text)?),
        _ => return None,
    };
    seen.is(&value, ty).then_some(value)
}
