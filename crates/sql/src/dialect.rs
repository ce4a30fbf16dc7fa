//! Whose SQL it is, as questions about what differs.
//!
//! Nothing else in this crate asks which server it is; it asks what the server does.
//!
//! Ground: knows values and collations.

use crate::value::{Collation, Letters, Value};

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

    /// Does an INSERT IGNORE exist, which leaves out rows whose foreign keys refer to nothing?
    pub fn ignores_orphans(self) -> bool {
        self != Self::PostgreSql
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

    /// How texts are compared if nothing is said about it. PostgreSQL takes the locale that a cluster was
    /// made with, which may be any; MySQL and MariaDB have defaults.
    pub fn collation(self) -> Collation {
        match self {
            Self::PostgreSql => Collation::Language { letters: Letters::Unknown },
            Self::MySql => Collation::Folded { padded: false },
            Self::MariaDb => Collation::Folded { padded: true },
        }
    }

    /// The collation that has a name.
    pub fn collation_named(self, name: &str) -> Collation {
        let name = name.trim_matches('"').to_lowercase();
        match self {
            Self::PostgreSql => of_locale(&name),
            Self::MySql | Self::MariaDb => of_family(&name),
        }
    }

    /// The collation that a column has by name; `None` if it is that of the database.
    pub(crate) fn column_collation(self, name: &str) -> Option<Collation> {
        let name = name.trim_matches('"').to_lowercase();
        match self {
            Self::PostgreSql if name == "default" => None,
            Self::PostgreSql => Some(of_column(&name)),
            Self::MySql | Self::MariaDb => Some(of_family(&name)),
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

/// Languages in which the letters of ASCII have the order that they have in English, and no two of them
/// make a letter of their own. `und` is no language at all.
const LATIN: [&str; 8] = ["de", "en", "es", "fr", "it", "nl", "pt", "und"];

/// A locale of the operating system (`en_US.UTF-8`) or of ICU (`en-US`).
fn of_locale(name: &str) -> Collation {
    let (locale, encoding) = name.split_once('.').unwrap_or((name, ""));
    let is_unicode = matches!(encoding, "" | "utf8" | "utf-8");
    if matches!(locale, "c" | "posix" | "ucs_basic" | "pg_c_utf8") && is_unicode {
        return Collation::Bytes;
    }
    let mut parts = locale.split(['_', '-']);
    let known = parts.next().is_some_and(|language| LATIN.contains(&language));
    // Whatever else is there, as in `en-u-kn-true` or `es_ES@traditional`, changes the order.
    let plain = parts.all(|part| part.len() == 2 && part.chars().all(char::is_alphabetic));
    let letters = match known && plain && is_unicode {
        true if locale.contains('_') || !encoding.is_empty() => Letters::DictionaryOrBytes,
        true => Letters::Dictionary,
        false => Letters::Unknown,
    };
    Collation::Language { letters }
}

/// The collation of a PostgreSQL column, by its name. Nothing is known about a user-defined collation: it may have
/// any name, and may treat different texts as equal.
fn of_column(name: &str) -> Collation {
    let is_locale = |name: &str| {
        let locale = name.split('.').next().unwrap_or_default();
        matches!(locale, "c" | "posix" | "ucs_basic" | "pg_c_utf8")
            || matches!(locale.split_once('_'), Some((a, b)) if a.len() == 2 && b.len() == 2)
    };
    match name.strip_suffix("-x-icu") {
        Some(locale) => of_locale(locale),
        None if is_locale(name) => of_locale(name),
        None => Collation::Unknown,
    }
}

/// A collation of MySQL or MariaDB, by the parts of its name.
fn of_family(name: &str) -> Collation {
    let padded = !name.contains("nopad") && !name.contains("0900");
    let family = name.split_once('_').map_or("", |(_, family)| family);
    match family {
        _ if name == "binary" => Collation::Bytes,
        "bin" => Collation::PaddedBytes,
        "0900_bin" | "nopad_bin" => Collation::Bytes,
        "general_ci" | "general_nopad_ci" if name.starts_with("utf8") => {
            Collation::General { padded }
        }
        "unicode_ci"
        | "unicode_520_ci"
        | "0900_ai_ci"
        | "uca1400_ai_ci"
        | "unicode_nopad_ci"
        | "unicode_520_nopad_ci"
        | "uca1400_nopad_ai_ci"
        | "general_ci" => Collation::Folded { padded },
        "swedish_ci" if name.starts_with("latin1") => Collation::Folded { padded },
        _ => Collation::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_collations_by_name() {
        let language = |letters| Collation::Language { letters };
        for (name, collation) in [
            ("C", Collation::Bytes),
            ("C.UTF-8", Collation::Bytes),
            ("en_US.UTF-8", language(Letters::DictionaryOrBytes)),
            ("de-DE", language(Letters::Dictionary)),
            ("und", language(Letters::Dictionary)),
            ("cs_CZ.UTF-8", language(Letters::Unknown)),
            ("en-u-kn-true", language(Letters::Unknown)),
            ("es_ES@traditional", language(Letters::Unknown)),
            ("en_US.ISO-8859-1", language(Letters::Unknown)),
        ] {
            assert_eq!(Dialect::PostgreSql.collation_named(name), collation, "{name}");
        }
        for (name, collation) in [
            ("en-x-icu", Some(language(Letters::Dictionary))),
            ("\"en_US\"", Some(language(Letters::DictionaryOrBytes))),
            ("\"C\"", Some(Collation::Bytes)),
            ("case_insensitive", Some(Collation::Unknown)),
            ("en-ci", Some(Collation::Unknown)),
            ("default", None),
        ] {
            assert_eq!(Dialect::PostgreSql.column_collation(name), collation, "{name}");
        }
        for (name, collation) in [
            ("utf8mb4_general_ci", Collation::General { padded: true }),
            ("utf8mb3_general_nopad_ci", Collation::General { padded: false }),
            ("utf8mb4_0900_ai_ci", Collation::Folded { padded: false }),
            ("latin1_swedish_ci", Collation::Folded { padded: true }),
            ("utf8mb4_swedish_ci", Collation::Unknown),
            ("utf8mb4_bin", Collation::PaddedBytes),
            ("utf8mb4_0900_bin", Collation::Bytes),
            ("binary", Collation::Bytes),
            ("utf8mb4_0900_as_cs", Collation::Unknown),
        ] {
            assert_eq!(Dialect::MariaDb.collation_named(name), collation, "{name}");
        }
    }
}
