//! What is known from a log besides tables and rows, in a form that can be written to a file.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use tristan_sql::{Column, Dialect, ObservedValue, Type};

use super::choices::Guess;
use super::machine::Sql;
use crate::world::{Key, Value};

/// What is known from a log besides tables and rows.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Remembered {
    unjudged: BTreeMap<String, u64>,
    unfollowed: BTreeMap<String, String>,
    unsupported: BTreeMap<String, String>,
    others: BTreeSet<String>,
    guesses: BTreeMap<String, String>,
    guessed: Option<String>,
}

impl Sql {
    /// What is known besides tables and rows. Returns `None` if a session has chosen where it looks up names, or has
    /// tables of its own, or there are materialized views, which is not written down.
    pub(crate) fn remembered(&self) -> Option<Remembered> {
        let usual = self.paths.are_usual() && self.zones.are_usual();
        let again = usual && self.catalog.can_be_made_again();
        again.then(|| Remembered {
            unjudged: self.unjudged.clone(),
            unfollowed: self.unfollowed.clone(),
            unsupported: self.unsupported.clone(),
            others: self.others.clone(),
            guesses: self.guesses(),
            guessed: self.guessed().map(|guess| guess.to_string()),
        })
    }

    /// Knows all of this again.
    pub(crate) fn remember(&mut self, all: Remembered) {
        self.unjudged = all.unjudged;
        self.unfollowed.extend(all.unfollowed);
        self.unsupported.extend(all.unsupported);
        self.others.extend(all.others);
        self.note_guesses(all.guesses, all.guessed.map(Guess::Comparison));
    }

    /// The name of the table of a row, and the row as a log writes it. A blurred column has any value that it can hold,
    /// which is another one for each number.
    pub(crate) fn start_row(
        &self,
        key: Key,
        row: &[Value],
        number: usize,
    ) -> Option<(String, Vec<Json>)> {
        let table = self.catalog.by_id(key.0)?;
        let blurred = self.blurred_places(key.0);
        let values = row.iter().zip(table.columns()).enumerate().map(|(place, (value, column))| {
            match ObservedValue::of(value, column.ty()) {
                _ if blurred.contains(&place) => any_value(column, number, self.catalog.dialect()),
                ObservedValue::Null => Json::Null,
                ObservedValue::Bool(truth) => json!(truth),
                ObservedValue::Int(number) => {
                    i64::try_from(number).map_or_else(|_| json!(number.to_string()), Json::from)
                }
                ObservedValue::Text(text) => json!(text),
                ObservedValue::Double(bits) => json!(f64::from_bits(bits).to_string()),
            }
        });
        Some((table.name().to_owned(), values.collect()))
    }
}

/// A value that a column can hold, another one for each number.
fn any_value(column: &Column, number: usize, dialect: Dialect) -> Json {
    let date = format!("2000-01-{:02}", number / 86_400 % 28 + 1);
    let time = format!("{:02}:{:02}:{:02}", number / 3600 % 24, number / 60 % 60, number % 60);
    match column.ty() {
        _ if !column.is_not_null() => Json::Null,
        Type::Int(_) | Type::Decimal(_) | Type::Double => json!(number + 1),
        Type::Instant(_) if dialect.is_strictly_typed() => json!(format!("{date} {time}+00")),
        Type::Timestamp(_) | Type::Instant(_) => json!(format!("{date} {time}")),
        Type::Date => json!(date),
        Type::Time(_) => json!(time),
        Type::Uuid => json!(format!("00000000-0000-4000-8000-{number:012x}")),
        _ => json!(number.to_string()),
    }
}
