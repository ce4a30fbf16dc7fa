//! What every form of a verdict about a SQL log says in the same words.

use tristan_verdict::audit::{AuditAnswer, AuditVerdict, DeadEnd, Rejection, Told};

use crate::layout::{count, fold, listing};

/// Rows of an answer that are shown.
const MOST_ROWS: usize = 8;

/// The answer in one word.
pub(crate) fn word(answer: &AuditAnswer) -> &'static str {
    match answer {
        AuditAnswer::Accept { .. } => "ACCEPT",
        AuditAnswer::Reject { .. } => "REJECT",
        AuditAnswer::Unknown { .. } => "UNKNOWN",
    }
}

/// The answer in one sentence.
pub fn sentence(verdict: &AuditVerdict) -> String {
    match &verdict.answer {
        AuditAnswer::Accept { .. } => "A correct execution explains every answer.".to_owned(),
        AuditAnswer::Reject { rejection } => fold(&rejection.sentence, 600),
        AuditAnswer::Unknown { reason, .. } => {
            format!("Not decided: {}.", fold(reason, 400))
        }
    }
}

/// A number of things.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), noun)
}

/// How many questions were asked whose answers were not compared.
pub(crate) fn questions(count: u64) -> String {
    let were = if count == 1 { "was" } else { "were" };
    format!("{} about the schema or the session {were} not compared", counted(count, "question"))
}

/// What stands above the orders.
pub(crate) const NO_ORDER: &str = "no order of the transactions explains these answers:";

/// One line per order, which says where it fails. A single order gets none: the rejected statement already shows it.
pub(crate) fn orders(rejection: &Rejection) -> Vec<String> {
    match rejection.orders.as_slice() {
        [] | [_] => Vec::new(),
        orders => orders.iter().map(dead_end).collect(),
    }
}

fn dead_end(one: &DeadEnd) -> String {
    let DeadEnd { order, transaction, statement, .. } = one;
    let order: Vec<String> = order.iter().map(|txn| format!("T{txn}")).collect();
    let place = match order.is_empty() {
        true => format!("T{transaction} first"),
        false => format!("{}, then T{transaction}", order.join(", ")),
    };
    let (right, observed) = (told(&one.told), told(&one.observed));
    format!(
        "{place}: statement {statement} of T{transaction} would have returned {right}, not {observed}"
    )
}

/// An answer of a database in a few words.
pub(crate) fn told(told: &Told) -> String {
    match told {
        Told::Rows(rows) if rows.is_empty() => "no rows".to_owned(),
        Told::Rows(rows) => {
            let row = |row: &Vec<String>| format!("({})", fold(&row.join(", "), 80));
            let mut all: Vec<String> = rows.iter().take(MOST_ROWS).map(row).collect();
            if rows.len() > MOST_ROWS {
                all.push(format!("{} more", rows.len() - MOST_ROWS));
            }
            listing(&all, "and")
        }
        Told::Affected(rows) => counted(*rows, "row"),
        Told::Error(code) => format!("error {}", fold(code, 80)),
        Told::Done => "nothing".to_owned(),
    }
}
