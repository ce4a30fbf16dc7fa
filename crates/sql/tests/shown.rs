//! Answers as texts, for tests to compare.

use tristan_sql::{Answer, Dialect, Memory, ObservedValue, Rowset};

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

/// Runs statements; says what the last one answers, or its error, or what is not supported.
pub(crate) fn last(dialect: Dialect, statements: &str) -> String {
    let mut database = Memory::new(dialect);
    let mut answer = String::new();
    for statement in statements.split(';').map(str::trim).filter(|one| !one.is_empty()) {
        answer = match database.run(statement) {
            Ok(outcome) => match &outcome.answer {
                Ok(answer) => shown(answer),
                Err(failure) => format!("error {}", failure.class.sqlstate()),
            },
            Err(error) => error.to_string(),
        };
    }
    answer
}

fn shown(answer: &Answer) -> String {
    let Some(table) = &answer.rows else { return "done".to_owned() };
    rows_of(table, ",").join(" ")
}

pub(crate) fn check(dialect: Dialect, cases: &[(&str, &str)]) {
    for (statements, expected) in cases {
        assert_eq!(last(dialect, statements), *expected, "{statements}");
    }
}
