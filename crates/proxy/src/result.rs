//! What a statement returns: columns and rows.

use std::sync::Arc;

use crate::line::{Line, write_values};
use crate::value::{Value, write_text};

/// Rows of one statement that take more bytes than this are not written down.
const MOST_BYTES: usize = 32 << 20;

/// A column of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    /// The name of the column.
    pub(crate) name: String,
    pub(crate) type_name: String,
    /// How the protocol names the type.
    pub(crate) type_code: u32,
}

/// The columns of a result.
pub(crate) type Columns = Arc<[Column]>;

/// What a statement returned so far.
#[derive(Debug, Default)]
pub(crate) struct ResultSet {
    pub(crate) columns: Option<Columns>,
    /// Rows as JSON, with commas between them.
    json: Vec<u8>,
    pub(crate) rows: u64,
    /// How many of them are not written down.
    pub(crate) cut: u64,
    /// Rows, if they are looked at later.
    pub(crate) kept: Vec<Vec<Value>>,
}

impl ResultSet {
    /// Whether another row would be written down, if `most` rows may be.
    pub(crate) fn has_room(&self, most: u64) -> bool {
        self.rows < most && self.json.len() < MOST_BYTES
    }

    /// Adds a row, and keeps its values if they are looked at later.
    pub(crate) fn add(&mut self, values: Vec<Value>, keep: bool) {
        self.rows += 1;
        if !self.json.is_empty() {
            self.json.push(b',');
        }
        write_values(&mut self.json, &values);
        if keep {
            self.kept.push(values);
        }
    }

    /// Counts a row that is not written down.
    pub(crate) fn cut_row(&mut self) {
        self.rows += 1;
        self.cut += 1;
    }

    /// Writes columns and rows.
    pub(crate) fn write(&self, line: &mut Line<'_>) {
        if let Some(columns) = &self.columns {
            line.with("columns", |out| write_columns(out, columns));
        }
        if self.columns.is_some() || self.rows > 0 {
            line.with("rows", |out| {
                out.push(b'[');
                out.extend_from_slice(&self.json);
                out.push(b']');
            });
        }
        if self.cut > 0 {
            line.number("cut", self.cut);
        }
    }
}

fn write_columns(out: &mut Vec<u8>, columns: &[Column]) {
    out.push(b'[');
    for (place, column) in columns.iter().enumerate() {
        out.extend_from_slice(if place > 0 { b",[" } else { b"[" });
        write_text(out, &column.name);
        out.push(b',');
        write_text(out, &column.type_name);
        out.push(b']');
    }
    out.push(b']');
}
