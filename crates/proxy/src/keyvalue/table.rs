//! Tables that hold keys and values: `accounts:id:balance`.

use std::str::FromStr;

use thiserror::Error;
use tristan_history::Datum;

/// A table in which one column is the key and another one the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What it is called, without its schema.
    pub name: String,
    /// The column with the key.
    pub key: String,
    /// The column with the value.
    pub value: String,
}

/// A table that was not declared as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("found \"{0}\", expected TABLE:KEY:VALUE, for example accounts:id:balance")]
pub struct TableError(String);

impl FromStr for Table {
    type Err = TableError;

    fn from_str(text: &str) -> Result<Self, TableError> {
        let parts: Vec<&str> = text.split(':').collect();
        match parts[..] {
            [name, key, value] if ![name, key, value].contains(&"") && key != value => {
                let name = name.rsplit('.').next().unwrap_or(name);
                Ok(Self { name: name.into(), key: key.into(), value: value.into() })
            }
            _ => Err(TableError(text.to_owned())),
        }
    }
}

impl Table {
    /// The key of a trace that a key of this table is; with `several` tables, it names the table.
    pub(super) fn key(&self, key: &Datum, several: bool) -> Datum {
        match (several, key) {
            (false, key) => key.clone(),
            (true, Datum::Int(number)) => Datum::from(format!("{}/{number}", self.name).as_str()),
            (true, Datum::Text(text) | Datum::Json(text)) => {
                Datum::from(format!("{}/{text}", self.name).as_str())
            }
            (true, Datum::Bytes(bytes)) => {
                Datum::Bytes([self.name.as_bytes(), b"/", bytes].concat().into())
            }
        }
    }

    /// The range of all keys of this table.
    pub(super) fn all(&self, several: bool) -> (Option<Datum>, Option<Datum>) {
        // '0' is the letter behind '/'.
        let bound =
            |end: &str| several.then(|| Datum::from(format!("{}{end}", self.name).as_str()));
        (bound("/"), bound("0"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_a_key_and_a_value() {
        let table: Table = "public.accounts:id:balance".parse().expect("a table");
        assert_eq!((table.name.as_str(), table.key.as_str()), ("accounts", "id"));
        assert_eq!(table.key(&Datum::Int(7), true), Datum::from("accounts/7"));
        assert_eq!(table.key(&Datum::Int(7), false), Datum::Int(7));
        for text in ["accounts", "a:b", "a:b:", "a:b:b", "a:b:c:d", ""] {
            assert!(text.parse::<Table>().is_err(), "{text}");
        }
    }
}
