//! Statements that cannot be carried out.

use std::collections::BTreeSet;

use crate::statement::UnsupportedError;

/// Why a statement cannot be carried out.
pub(super) struct RefusedError {
    /// What of it is not supported, without its text.
    pub(super) feature: String,
    pub(super) error: UnsupportedError,
    /// Whether it names something that is not known.
    pub(super) undefined: bool,
    /// Whether it can do nothing but read, whatever its words look like.
    pub(super) only_reads: bool,
}

impl RefusedError {
    pub(super) fn because(reason: String) -> Self {
        Self {
            feature: reason.clone(),
            error: UnsupportedError(reason),
            undefined: false,
            only_reads: false,
        }
    }
}

impl From<tristan_sql::Error> for RefusedError {
    fn from(error: tristan_sql::Error) -> Self {
        let feature = match &error {
            tristan_sql::Error::Unsupported { feature, .. } => {
                format!("{feature} is not supported")
            }
            tristan_sql::Error::Blurred { column, .. } => {
                unseen(&BTreeSet::from([column.to_lowercase()]))
            }
            _ => "the SQL cannot be parsed".to_owned(),
        };
        Self {
            feature,
            error: UnsupportedError(error.to_string()),
            undefined: false,
            only_reads: false,
        }
    }
}

/// Why statements are not judged that depend on blurred columns.
pub(super) fn unseen(columns: &BTreeSet<String>) -> String {
    format!("the server chose values of {} that the log does not show", listed(columns))
}

/// Columns in a sentence.
pub(super) fn listed(columns: &BTreeSet<String>) -> String {
    let names: Vec<&str> = columns.iter().map(String::as_str).collect();
    match names.as_slice() {
        [one] => format!("the column {one}"),
        several => format!("the columns {}", several.join(", ")),
    }
}
