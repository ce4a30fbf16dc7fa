//! The part of an answer that is wrong, if it is not all of it.
//!
//! ```text
//!   SELECT id, qty FROM item     answered (1, 93) (2, 103) (3, 8)      of item with id = 3: (3, 8) instead of (3, 11)
//! ```
//!
//! Where a log is rejected because of what it says of the rows with one key ([`Focus`]), nothing is known of other rows.

use tristan_sql::{Catalog, ObservedValue, Type};
use tristan_verdict::audit::Told;

use crate::passes::Pass;
use crate::search::Unexplained;
use crate::sql::{observed_text, told_rows};
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
        let focus = statement.only.as_ref().filter(|_| statement.is_part)?;
        let (observed, columns) = match &statement.expected {
            Expected::Rows(rows) => (told_rows(rows), None),
            Expected::Shows(shows) => {
                let places = shows.columns.iter().map(|(place, ..)| *place);
                (told_rows(&shows.rows), Some(places.collect()))
            }
            _ => return None,
        };
        let places = focus.places(statement)?;
        let texts = match &observed {
            Told::Rows(rows) if !rows.is_empty() => shown(&rows[0], &places, columns.as_deref())?,
            _ => given(focus, pass.search.sql.catalog()),
        };
        let title = title(focus, &texts, pass.search.sql.catalog());
        let key = places.iter().map(|(_, place)| *place).zip(texts).collect();
        Some(Self { title, observed, key, columns })
    }

    /// The same part of another answer to the same statement.
    pub(super) fn in_answer(&self, told: &Told) -> Told {
        let Told::Rows(rows) = told else { return told.clone() };
        let has =
            |row: &&Vec<String>| self.key.iter().all(|(place, text)| row.get(*place) == Some(text));
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

/// The values of the key, as a part of an answer shows them.
fn shown(
    row: &[String],
    places: &[(usize, usize)],
    columns: Option<&[usize]>,
) -> Option<Vec<String>> {
    let value = |(_, place): &(usize, usize)| {
        let own = match columns {
            Some(columns) => columns.iter().position(|column| column == place)?,
            None => *place,
        };
        row.get(own).cloned()
    };
    places.iter().map(value).collect()
}

/// The values of the key, in the form that equal values share.
fn given(focus: &Focus, catalog: &Catalog) -> Vec<String> {
    let columns = catalog.by_id(focus.table()).map_or(&[][..], |table| table.columns());
    let key = focus.columns().zip(focus.values());
    let values = key.filter_map(|(column, value)| {
        let ty = columns.get(column)?.ty();
        Some(observed_text(&ObservedValue::of(value, ty), ty).trim_matches('\'').to_owned())
    });
    values.collect()
}

/// The rows, in words.
fn title(focus: &Focus, texts: &[String], catalog: &Catalog) -> String {
    let Some(table) = catalog.by_id(focus.table()) else { return "these rows".to_owned() };
    let named = focus.columns().zip(texts).filter_map(|(column, text)| {
        let column = table.columns().get(column)?;
        let quote = if matches!(column.ty(), Type::Text { .. }) { "'" } else { "" };
        Some(format!("{} = {quote}{text}{quote}", column.name()))
    });
    format!("{} with {}", table.short_name(), named.collect::<Vec<String>>().join(" and "))
}
