//! The part of an answer that is wrong, if it is not all of it.
//!
//! ```text
//!   SELECT id, qty FROM item     answered (1, 93) (2, 103) (3, 8)      of item with id = 3: (3, 8) instead of (3, 11)
//! ```
//!
//! Where a log is rejected because of what it says of the rows with one key ([`Focus`]), nothing is known of other rows.

use tristan_sql::{Catalog, ObservedValue};
use tristan_verdict::audit::Told;

use crate::passes::Pass;
use crate::search::Unexplained;
use crate::sql::{observed_text, told_observed, told_rows};
use crate::statement::{Expected, Focus};

/// The part of an answer that is wrong.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The rows that it is about.
    pub(super) title: String,
    pub(super) observed: Told,
    /// Where an answer shows the key, and as what.
    key: Vec<(usize, String)>,
    /// The places of the columns that count; `None` if all do.
    columns: Option<Vec<usize>>,
}

impl Part {
    /// The part of the answer that nothing explains. Returns `None` if it is all of it.
    pub(super) fn of(pass: &Pass, unexplained: &Unexplained) -> Option<Self> {
        let step = unexplained.step()?;
        let statement = unexplained.task.statement(step)?;
        let focus = statement.only.as_ref()?;
        let (observed, columns) = match &statement.expected {
            Expected::Rows(rows) => (told_rows(rows), None),
            Expected::Shows(shows) => {
                let places = shows.columns.iter().map(|(place, ..)| *place);
                (told_rows(&shows.rows), Some(places.collect()))
            }
            _ => return None,
        };
        let call = unexplained.task.call(step)?;
        if told_observed(Some(&statement.plan.prepared), &call.observed) == observed {
            return None;
        }
        let texts = texts(focus, pass.search.sql.catalog());
        let places = focus.places(statement)?;
        let key = places.iter().map(|(_, place)| *place).zip(texts).collect();
        Some(Self { title: title(focus, pass.search.sql.catalog()), observed, key, columns })
    }

    /// The same part of another answer to the same statement.
    pub(super) fn in_answer(&self, told: &Told) -> Told {
        let Told::Rows(rows) = told else { return told.clone() };
        let has = |row: &&Vec<String>| {
            self.key.iter().all(|(place, text)| {
                row.get(*place).is_some_and(|value| value.eq_ignore_ascii_case(text))
            })
        };
        let mut part: Vec<Vec<String>> = Vec::new();
        for row in rows.iter().filter(has) {
            let Some(columns) = &self.columns else {
                part.push(row.clone());
                continue;
            };
            let row = columns.iter().filter_map(|&place| row.get(place).cloned()).collect();
            if !part.contains(&row) {
                part.push(row);
            }
        }
        Told::Rows(part)
    }
}

/// The values of the key, as an answer shows them.
fn texts(focus: &Focus, catalog: &Catalog) -> Vec<String> {
    let rows = [typed(focus, catalog).map(|(value, _)| value).collect::<Vec<_>>()];
    match told_rows(&rows) {
        Told::Rows(mut rows) => rows.pop().unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// The rows, in words.
fn title(focus: &Focus, catalog: &Catalog) -> String {
    let table = catalog.by_id(focus.table());
    let name = table.map_or("?", |table| table.short_name());
    let columns = table.map_or(&[][..], |table| table.columns());
    let named = focus.columns().zip(typed(focus, catalog)).map(|(column, (_, text))| {
        format!("{} = {text}", columns.get(column).map_or("?", |column| column.name()))
    });
    format!("{name} with {}", named.collect::<Vec<String>>().join(" and "))
}

/// The values of the key, also as texts.
fn typed<'f>(
    focus: &'f Focus,
    catalog: &'f Catalog,
) -> impl Iterator<Item = (ObservedValue, String)> + 'f {
    let columns = catalog.by_id(focus.table()).map_or(&[][..], |table| table.columns());
    focus.columns().zip(focus.values()).filter_map(|(column, value)| {
        let ty = columns.get(column)?.ty();
        let value = ObservedValue::of(value, ty);
        let text = observed_text(&value, ty);
        Some((value, text))
    })
}
