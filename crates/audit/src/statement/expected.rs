//! What was observed, in the form in which it is compared with what a statement gives.

use std::rc::Rc;

use serde_json::Value as Json;
use tristan_sql::{Dialect, ObservedValue, Prepared, StatementOutcome};

use super::focus::Shows;
use super::probe::Probe;
use crate::model::Observed;

/// What was observed, in the form in which it is compared.
#[derive(Clone, Debug)]
pub(crate) enum Expected {
    Rows(Vec<Vec<ObservedValue>>),
    /// Only some rows are compared, which have to be there: the statement is not carried out.
    Shows(Box<Shows>),
    /// What there is to see is noted, and nothing explains it: the statement is not carried out.
    Noted(Rc<Probe>),
    /// Only how many rows there were is compared.
    Shown(u64),
    Affected(u64),
    Works,
    Error(String),
    /// It was refused for reasons that no state explains: a deadlock, a conflict, a timeout.
    Refused,
}

impl Expected {
    pub(crate) fn of(observed: &Observed) -> Self {
        match observed {
            Observed::Rows { rows, cut: 0 } => {
                Self::Rows(rows.iter().map(|row| row.iter().map(seen).collect()).collect())
            }
            Observed::Rows { rows, cut } => Self::Shown(rows.len() as u64 + cut),
            Observed::Affected(count) => Self::Affected(*count),
            Observed::Done | Observed::Nothing | Observed::Skipped => Self::Works,
            Observed::Error(code) if is_refusal(code) => Self::Refused,
            Observed::Error(code) => Self::Error(code.clone()),
        }
    }

    /// What is compared if only how a statement was executed was answered.
    pub(crate) fn of_explanation(observed: &Observed) -> Self {
        match Self::of(observed) {
            Self::Rows(_) | Self::Shown(_) | Self::Affected(_) => Self::Works,
            other => other,
        }
    }

    /// The same with NULL in the columns that a statement masks.
    pub(crate) fn without_masked(mut self, prepared: &Prepared) -> Self {
        if let Self::Rows(rows) = &mut self {
            for row in rows {
                let values = row.iter_mut().enumerate();
                let masked = values.filter(|(place, _)| prepared.is_masked(*place));
                masked.for_each(|(_, value)| *value = ObservedValue::Null);
            }
        }
        self
    }

    /// Whether some state may contradict it.
    pub(crate) fn says_something(&self) -> bool {
        !matches!(self, Self::Works | Self::Refused)
    }

    /// Whether it says that rows were changed.
    pub(crate) fn has_changes(&self) -> bool {
        matches!(self, Self::Affected(1..))
    }

    /// Whether an outcome is what was observed.
    pub(crate) fn is_explained(&self, outcome: &StatementOutcome, dialect: Dialect) -> bool {
        match (&outcome.answer, self) {
            (Err(failure), Self::Error(code)) => failure.has_code(code),
            (Err(_), _) | (Ok(_), Self::Error(_) | Self::Noted(_)) => false,
            (Ok(answer), Self::Rows(rows)) => answer.explains(rows),
            (Ok(answer), Self::Shown(count)) => {
                answer.rows.as_ref().is_none_or(|rows| rows.shown() as u64 == *count)
            }
            (Ok(answer), Self::Affected(seen)) => match &answer.count {
                Some(count) => {
                    count.matches(*seen, true)
                        || dialect.counts_changed_rows() && count.matches(*seen, false)
                }
                None => answer.rows.as_ref().is_none_or(|rows| rows.shown() as u64 == *seen),
            },
            (Ok(_), Self::Works | Self::Refused | Self::Shows(_)) => true,
        }
    }
}

/// Whether an error says nothing about the rows: the database could or would not go on, or a
/// foreign key or a privilege forbids it.
fn is_refusal(code: &str) -> bool {
    ["40", "55", "57", "53", "58", "XX", "08", "25"]
        .iter()
        .any(|class| code.len() == 5 && code.starts_with(class))
        || matches!(code, "1205" | "1213" | "1020" | "1317" | "3572" | "6235" | "1969" | "3024")
        || matches!(code, "23503" | "23001" | "1216" | "1217" | "1451" | "1452" | "1701")
        || matches!(code, "42501" | "1142" | "1143")
}

/// Whether an error follows from the words of a statement and the definitions of tables alone: a server finds it before
/// it looks at a row.
pub(crate) fn depends_on_no_rows(code: &str) -> bool {
    let of_postgresql = code.len() == 5 && (code.starts_with("42") || code == "0A000");
    of_postgresql || code.parse().is_ok_and(of_mysql)
}

/// The numbers of MySQL and MariaDB for errors in names, places, types, collations and clauses.
fn of_mysql(number: u16) -> bool {
    matches!(
        number,
        1052 | 1054..=1056
            | 1060
            | 1064
            | 1066
            | 1093
            | 1096
            | 1109..=1111
            | 1128
            | 1136
            | 1140
            | 1149
            | 1176
            | 1221
            | 1222
            | 1235
            | 1241
            | 1247..=1250
            | 1253
            | 1267
            | 1270
            | 1271
            | 1273
            | 1288
            | 1305
            | 1327
            | 1348
            | 1349
            | 1393..=1395
            | 1442
            | 1471
            | 1582
            | 1583
            | 1630
            | 4002..=4024
            | 4078
            | 4079
    )
}

fn seen(json: &Json) -> ObservedValue {
    match json {
        Json::Null => ObservedValue::Null,
        Json::Bool(truth) => ObservedValue::Bool(*truth),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => ObservedValue::Int(i128::from(whole)),
            None => match number.as_u64() {
                Some(whole) => ObservedValue::Int(i128::from(whole)),
                None => ObservedValue::Text(number.to_string()),
            },
        },
        Json::String(text) => ObservedValue::Text(text.clone()),
        Json::Object(bytes) if let Some(Json::String(digits)) = bytes.get("hex") => {
            ObservedValue::Text(format!("\\x{digits}"))
        }
        other => ObservedValue::Text(other.to_string()),
    }
}
