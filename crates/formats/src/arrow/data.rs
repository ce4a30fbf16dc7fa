//! Keys, values and names as a column: integers, strings or bytes if all are alike, and otherwise
//! the JSON of the native format, which tells `7`, `"7"` and `{"hex":"37"}` apart.

use std::borrow::Borrow;

use super::ipc::array::{Array, Data};
use super::ipc::columns::{Columns, IntColumn, SliceColumn};
use super::ipc::schema::{Field, IntType, Type, Width};
use crate::content::Shown;
use crate::error::{ContentError, quote};
use tristan_history::Datum;

/// How data are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    Signed,
    Unsigned,
    Text,
    Bytes,
    Json,
}

/// The metadata of a column with JSON in it.
const MARK: (&str, &str) = ("tristan", "json");

impl Storage {
    /// The plainest way to store data.
    pub(super) fn of<D: Borrow<Datum>>(data: impl IntoIterator<Item = D>) -> Self {
        let mut fitting = [Self::Signed, Self::Unsigned, Self::Text, Self::Bytes].map(Some);
        for datum in data {
            for storage in &mut fitting {
                *storage = storage.filter(|storage| storage.fits(datum.borrow()));
            }
            if fitting == [None; 4] {
                break;
            }
        }
        fitting.into_iter().flatten().next().unwrap_or(Self::Json)
    }

    fn fits(self, datum: &Datum) -> bool {
        match datum {
            Datum::Int(number) => match self {
                Self::Signed => i64::try_from(*number).is_ok(),
                Self::Unsigned => u64::try_from(*number).is_ok(),
                _ => self == Self::Json,
            },
            Datum::Text(_) => matches!(self, Self::Text | Self::Json),
            Datum::Bytes(_) => matches!(self, Self::Bytes | Self::Json),
            Datum::Json(_) => self == Self::Json,
        }
    }

    /// A column of this kind.
    pub(super) fn field(self, name: &str) -> Field {
        let kind = match self {
            Self::Signed => Type::Int(IntType { bits: 64, signed: true }),
            Self::Unsigned => Type::Int(IntType { bits: 64, signed: false }),
            Self::Text | Self::Json => Type::Text(Width::Large),
            Self::Bytes => Type::Bytes(Width::Large),
        };
        let mut field = Field::new(name, kind);
        if self == Self::Json {
            field.metadata.push((MARK.0.to_owned(), MARK.1.to_owned()));
        }
        field
    }

    /// An empty column.
    pub(super) fn column(self) -> DataColumn {
        match self {
            Self::Signed | Self::Unsigned => DataColumn::Ints(IntColumn::new(64)),
            Self::Text | Self::Bytes => DataColumn::Slices(SliceColumn::default()),
            Self::Json => DataColumn::Json(SliceColumn::default()),
        }
    }
}

/// Data to be written.
#[derive(Debug)]
pub(super) enum DataColumn {
    Ints(IntColumn),
    Slices(SliceColumn),
    Json(SliceColumn),
}

impl DataColumn {
    /// Adds a datum that fits, or a null.
    pub(super) fn push(&mut self, datum: Option<&Datum>) {
        match self {
            Self::Ints(column) => column.push(datum.and_then(|datum| match datum {
                Datum::Int(number) => Some(*number as u64),
                Datum::Text(_) | Datum::Bytes(_) | Datum::Json(_) => None,
            })),
            Self::Slices(column) => column.push(datum.and_then(Datum::bytes)),
            Self::Json(column) => {
                let text = datum.and_then(|datum| serde_json::to_string(&Shown(datum)).ok());
                column.push(text.as_deref().map(str::as_bytes));
            }
        }
    }

    /// Puts the column behind those that are there.
    pub(super) fn write(&self, columns: &mut Columns) {
        match self {
            Self::Ints(column) => columns.ints(column),
            Self::Slices(column) | Self::Json(column) => columns.slices(column),
        }
    }
}

/// Whether the texts of a column are JSON.
pub(super) fn is_json(field: &Field) -> bool {
    field.says(MARK.0) == Some(MARK.1)
}

/// The datum in a row that is not null.
pub(super) fn datum(array: &Array<'_>, row: usize, json: bool) -> Result<Datum, ContentError> {
    match &array.data {
        Data::Ints(ints) => Ok(Datum::Int(ints.get(row))),
        Data::Bytes(slices) => Ok(Datum::Bytes(slices.get(row).into())),
        Data::Texts(slices) => {
            let text = text(slices.get(row))?;
            match json {
                true => match Datum::from_json(text) {
                    Ok(Some(datum)) => Ok(datum),
                    _ => Err(ContentError::new(quote(text), "a datum in JSON")),
                },
                false => Ok(text.into()),
            }
        }
        Data::Bools(_) | Data::List(..) | Data::Struct(_) => {
            Err(ContentError::new("a column of another type", "integers, strings or bytes"))
        }
    }
}

/// A text, if it is one.
fn text(bytes: &[u8]) -> Result<&str, ContentError> {
    std::str::from_utf8(bytes)
        .map_err(|_| ContentError::new(quote(&String::from_utf8_lossy(bytes)), "UTF-8 text"))
}
