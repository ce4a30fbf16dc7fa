//! The collation that a table gives to its columns.
//!
//! Layer `bind`; knows dialects and collations.

use sqlparser::ast::{CreateTableOptions, SqlOption};

use crate::dialect::Dialect;
use crate::value::Collation;

/// What the options behind the columns say: `COLLATE utf8mb4_bin`, or only `CHARSET utf8mb4`. Returns `None` if
/// they say nothing.
pub(super) fn table_collation(dialect: Dialect, options: &CreateTableOptions) -> Option<Collation> {
    let CreateTableOptions::Plain(options) = options else { return None };
    let option = |wanted: &[&str]| {
        options.iter().find_map(|option| match option {
            SqlOption::KeyValue { key, value } => {
                let name = key.value.to_uppercase();
                wanted.iter().any(|word| name.ends_with(word)).then(|| value.to_string())
            }
            _ => None,
        })
    };
    let named = option(&["COLLATE"]).map(|name| dialect.collation_named(&unquoted(&name)));
    named.or_else(|| Some(of_charset(dialect, &unquoted(&option(&["CHARSET", "CHARACTER SET"])?))))
}

/// The collation of texts in a character set, if nothing else is said.
pub(super) fn of_charset(dialect: Dialect, name: &str) -> Collation {
    match name.to_lowercase().as_str() {
        "binary" => Collation::Bytes,
        "utf8mb4" => dialect.collation(),
        "ascii" | "latin1" | "utf8" | "utf8mb3" => Collation::Folded { padded: true },
        _ => Collation::Unknown,
    }
}

fn unquoted(name: &str) -> String {
    name.trim_matches(['\'', '"', '`']).to_owned()
}
