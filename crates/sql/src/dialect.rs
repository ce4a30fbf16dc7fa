//! Whose SQL it is, as questions about what differs.
//!
//! Nothing else in this crate asks which server it is; it asks what the server does.
//!
//! Ground: knows values and collations.

use crate::value::{Collation, Value};

/// A server's SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// PostgreSQL.
    PostgreSql,
    /// MySQL 8 and later.
    MySql,
    /// MariaDB.
    MariaDb,
}

impl Dialect {
    /// How its text is read.
    pub fn text(self) -> tristan_sqltext::Dialect {
        match self {
            Self::PostgreSql => tristan_sqltext::Dialect::PostgreSql,
            Self::MySql => tristan_sqltext::Dialect::MySql,
            Self::MariaDb => tristan_sqltext::Dialect::MariaDb,
        }
    }

    /// Is every expression given one type before anything runs, with an error where types do not fit?
    /// Otherwise values are converted as they meet.
    pub fn is_strictly_typed(self) -> bool {
        self == Self::PostgreSql
    }

    /// Are expressions without columns computed before anything runs?
    pub fn folds_constants(self) -> bool {
        self == Self::PostgreSql
    }

    /// Does `7 / 2` give `3`?
    pub fn integer_division_truncates(self) -> bool {
        self == Self::PostgreSql
    }

    /// Is `1 / 0` an error in a query? Otherwise it is NULL there, and an error where rows are changed.
    pub fn division_by_zero_fails(self) -> bool {
        self == Self::PostgreSql
    }

    /// Do NULLs come first in an ascending order?
    pub fn nulls_come_first(self) -> bool {
        self != Self::PostgreSql
    }

    /// Does `SET a = b, b = a` use the new `a` for `b`?
    pub fn assigns_left_to_right(self) -> bool {
        self != Self::PostgreSql
    }

    /// Does a statement report rows that are different now, and not rows that were found?
    pub fn counts_changed_rows(self) -> bool {
        self != Self::PostgreSql
    }

    /// May a query with groups show a column that is not grouped, from any row of the group?
    pub fn shows_any_row_of_a_group(self) -> bool {
        self == Self::MariaDb
    }

    /// Do `GREATEST` and `LEAST` skip NULLs, and does `CONCAT`?
    pub fn functions_skip_nulls(self) -> bool {
        self == Self::PostgreSql
    }

    /// Does `ROUND(1.5, 3)` give `1.500`?
    pub fn rounding_adds_digits(self) -> bool {
        self != Self::MySql
    }

    /// Does `LENGTH` count bytes, and not characters?
    pub fn length_counts_bytes(self) -> bool {
        self != Self::PostgreSql
    }

    /// Do statements that fail inside a procedure leave the effects of those before them?
    pub fn statements_fail_alone(self) -> bool {
        self != Self::PostgreSql
    }

    /// How texts are compared where a statement does not say otherwise.
    pub fn collation(self) -> Collation {
        match self {
            Self::PostgreSql => Collation::Bytes,
            Self::MySql => Collation::Folded { padded: false },
            Self::MariaDb => Collation::Folded { padded: true },
        }
    }

    /// What a comparison gives.
    pub fn boolean(self, truth: bool) -> Value {
        match self {
            Self::PostgreSql => Value::Bool(truth),
            Self::MySql | Self::MariaDb => Value::Int(i64::from(truth)),
        }
    }

    /// Where names without a schema are looked up unless a session chooses another place.
    pub(crate) fn usual_home(self) -> Option<&'static str> {
        (self == Self::PostgreSql).then_some("public")
    }

    /// A name without quotes, as the catalog keeps it.
    pub(crate) fn fold_name(self, name: &str) -> String {
        name.to_lowercase()
    }
}
