//! Answers as texts, for tests to compare.

use tristan_sql::{ObservedValue, Rowset};

/// Rows with something between their values.
pub(crate) fn rows_of(table: &Rowset, between: &str) -> Vec<String> {
    let rows = table.rows.iter().map(|row| {
        let values = row.iter().zip(&table.columns);
        let values = values.map(|(one, (_, ty))| text_of(ObservedValue::of(one, *ty)));
        values.collect::<Vec<_>>().join(between)
    });
    rows.collect()
}

fn text_of(value: ObservedValue) -> String {
    match value {
        ObservedValue::Null => "NULL".to_owned(),
        ObservedValue::Bool(truth) => truth.to_string(),
        ObservedValue::Int(number) => number.to_string(),
        ObservedValue::Text(text) => text,
        ObservedValue::Double(bits) => f64::from_bits(bits).to_string(),
    }
}
