//! Where the answer of a statement shows a value that the server chose, just as it is.
//!
//! Layer `run`; reads plans and the defaults of tables. What an answer shows need not be guessed.

use crate::catalog::{Catalog, DefaultValue};
use crate::choices::Open;
use crate::plan::{Body, Expr, Fill, InsertSource, NumberCall, OnConflict, Plan, Source};
use crate::sequence::SequenceId;

/// The columns of a single row in which `nextval` of a sequence is shown, in the order of the calls.
pub(crate) fn shown_numbers(plan: &Plan, sequence: SequenceId) -> Vec<usize> {
    let Plan::Query(query) = plan else { return Vec::new() };
    let Body::Select(select) = &query.body else { return Vec::new() };
    let single = matches!(select.source, Source::Nothing) && select.filter.is_empty();
    let is_next = |item: &Expr| matches!(item, Expr::Number { call: NumberCall::Next(id), .. } if *id == sequence);
    let items = select.items.iter().take(query.output.len()).enumerate();
    items.filter(|(_, item)| single && is_next(item)).map(|(place, _)| place).collect()
}

/// A column of the answer in which every row shows a value that is the same in the whole statement, such as the time.
pub(crate) fn shown_value(catalog: &Catalog, plan: &Plan, what: &Open) -> Option<usize> {
    let is_it = |expr: &Expr| matches!(expr, Expr::Open { what: other } if other == what);
    match plan {
        Plan::Query(query) => match &query.body {
            Body::Select(select) if select.grouping.is_none() => {
                select.items.iter().take(query.output.len()).position(is_it)
            }
            _ => None,
        },
        // Where rows are updated instead, they keep what they had.
        Plan::Insert(insert) if insert.conflict != OnConflict::Fail => None,
        Plan::Insert(insert) => {
            let columns = catalog.by_id(insert.table)?.columns();
            let defaults = |column: usize| matches!(&columns[column].default, DefaultValue::Expr(expr) if is_it(expr));
            let given = |place: usize| match &insert.source {
                InsertSource::Values(rows) => rows
                    .iter()
                    .all(|row| row.get(place).and_then(Option::as_ref).is_some_and(is_it)),
                InsertSource::Query(_) => false,
            };
            let holds = |column: usize| match insert.fills.get(column) {
                Some(Fill::Default) => defaults(column),
                Some(Fill::Given(place)) => given(*place),
                None => false,
            };
            let (shown, _) = insert.returning.as_ref()?;
            shown
                .iter()
                .position(|item| matches!(item, Expr::Column { depth: 0, index } if holds(*index)))
        }
        Plan::Update(update) => {
            let assigned = |column: usize| {
                update
                    .assignments
                    .iter()
                    .any(|one| one.column == column && one.value.as_ref().is_some_and(is_it))
            };
            let (shown, _) = update.returning.as_ref()?;
            shown.iter().position(
                |item| matches!(item, Expr::Column { depth: 0, index } if assigned(*index)),
            )
        }
        Plan::Doubtful(_, plan) => shown_value(catalog, plan, what),
        _ => None,
    }
}
