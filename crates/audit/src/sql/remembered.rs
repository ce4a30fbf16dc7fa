//! What is known from a log besides tables and rows, in a form that can be written to a file.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use tristan_sql::ObservedValue;

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

    /// The name of the table of a row, and the row as a log writes it.
    pub(crate) fn start_row(&self, key: Key, row: &[Value]) -> Option<(String, Vec<Json>)> {
        let table = self.catalog.by_id(key.0)?;
        let values =
            row.iter().zip(table.columns()).map(|(value, column)| {
                match ObservedValue::of(value, column.ty()) {
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
