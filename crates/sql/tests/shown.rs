//! Answers as texts, for tests to compare.

use std::collections::BTreeSet;

use tristan_sql::{Answer, Dialect, Memory, ObservedValue, Rowset, StatementOutcome};

use crate::differential::counters::Counter;
use crate::differential::odometer::Odometer;

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
            Ok(outcome) => told(&outcome),
            Err(error) => error.to_string(),
        };
    }
    answer
}

fn told(outcome: &StatementOutcome) -> String {
    match &outcome.answer {
        Ok(answer) => shown(answer),
        Err(failure) => format!("error {}", failure.class.sqlstate()),
    }
}

/// All that a statement may answer after others, in the order of the alphabet; also what is not supported.
pub(crate) fn answers(dialect: Dialect, before: &str, statement: &str) -> Vec<String> {
    let mut database = Memory::new(dialect);
    for statement in before.split(';') {
        database.run(statement).expect("a statement").answer.expect("it works");
    }
    let plan = database.prepare(statement).expect("a statement");
    let plan = plan.plan(database.catalog(), &[]).expect("it is supported");
    let mut odometer = Odometer::new(dialect == Dialect::PostgreSql, &Counter::default());
    let mut answers = BTreeSet::new();
    loop {
        let outcome = database.try_out(&plan, &[], &mut odometer);
        answers.insert(outcome.map_or_else(|error| error.to_string(), |outcome| told(&outcome)));
        if !odometer.advance() {
            return answers.into_iter().collect();
        }
    }
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
