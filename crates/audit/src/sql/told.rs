//! Answers, as people read them.

use serde_json::Value as Json;
use tristan_sql::{ObservedValue, Prepared, StatementOutcome, Type};
use tristan_verdict::audit::Told;

use crate::model::Observed;

/// How many rows are shown.
const MOST: usize = 50;

/// What is put in the place of a value that is not compared.
pub(super) const NOT_COMPARED: &str = "(not compared)";

/// What the database would have answered to a statement.
pub(crate) fn told(prepared: &Prepared, outcome: &StatementOutcome) -> Told {
    let answer = match &outcome.answer {
        Err(failure) => return Told::Error(failure.to_string()),
        Ok(answer) => answer,
    };
    if let Some(rows) = &answer.rows {
        let types: Vec<_> = rows.columns.iter().map(|(_, ty)| *ty).collect();
        let show = |row: &Vec<tristan_sql::Value>| {
            let values = row.iter().zip(&types);
            let values = values.map(|(value, ty)| text(&ObservedValue::of(value, *ty)));
            compared(Some(prepared), values)
        };
        let from = usize::try_from(rows.offset).unwrap_or(usize::MAX);
        return Told::Rows(
            rows.rows.iter().skip(from).take(rows.shown().min(MOST)).map(show).collect(),
        );
    }
    answer.count.map_or(Told::Done, |count| Told::Affected(count.found))
}

/// What it did answer, to a statement if it is known to which.
pub(crate) fn observed(prepared: Option<&Prepared>, observed: &Observed) -> Told {
    match observed {
        Observed::Rows { rows, .. } => {
            let show = |row: &Vec<Json>| compared(prepared, row.iter().map(json_text));
            Told::Rows(rows.iter().take(MOST).map(show).collect())
        }
        Observed::Affected(count) => Told::Affected(*count),
        Observed::Error(code) => Told::Error(code.clone()),
        Observed::Done | Observed::Nothing | Observed::Skipped => Told::Done,
    }
}

/// The values of a row of an answer, without those that are not compared.
fn compared(prepared: Option<&Prepared>, values: impl Iterator<Item = String>) -> Vec<String> {
    let is_masked = |place| prepared.is_some_and(|prepared| prepared.is_masked(place));
    let shown = |(place, value)| if is_masked(place) { NOT_COMPARED.to_owned() } else { value };
    values.enumerate().map(shown).collect()
}

/// Rows of an answer.
pub(crate) fn rows(rows: &[Vec<ObservedValue>]) -> Told {
    Told::Rows(rows.iter().take(MOST).map(|row| row.iter().map(text).collect()).collect())
}

fn text(value: &ObservedValue) -> String {
    match value {
        ObservedValue::Null => "NULL".to_owned(),
        ObservedValue::Bool(truth) => truth.to_string(),
        ObservedValue::Int(number) => number.to_string(),
        ObservedValue::Text(text) => text.clone(),
        ObservedValue::Double(bits) => f64::from_bits(*bits).to_string(),
    }
}

/// A value of a column of a type, as people read it; texts are quoted.
pub(crate) fn observed_text(value: &ObservedValue, ty: Type) -> String {
    match (value, ty) {
        (ObservedValue::Text(text), Type::Text { .. }) => format!("'{text}'"),
        _ => text(value),
    }
}

/// A value of a row, as people read it.
pub(super) fn value_text(value: &tristan_sql::Value) -> String {
    text(&ObservedValue::of(value, Type::Unknown))
}

/// A value of a log, as people read it.
pub(crate) fn json_text(json: &Json) -> String {
    match json {
        Json::Null => "NULL".to_owned(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}
