//! A statement that was called and is not answered yet, and what is known of its answer.

use std::sync::Arc;

use crate::keyvalue::Plan;
use crate::line::{Line, write_values};
use crate::sql::Control;
use crate::value::{Value, write_text};

/// Rows of one statement that take more bytes than this are not written down.
const MOST_BYTES: usize = 32 << 20;

/// A column of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    /// What it is called.
    pub(crate) name: String,
    /// The name of its type.
    pub(crate) type_name: String,
    /// How the protocol names the type.
    pub(crate) type_code: u32,
}

/// The columns of a result.
pub(crate) type Columns = Arc<[Column]>;

/// A statement that was called.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) call: u64,
    /// The transaction that it was called in.
    pub(crate) txn: u64,
    pub(crate) control: Control,
    pub(crate) result: ResultSet,
    /// Results that came before, as JSON.
    more: Vec<u8>,
    /// What it is in the trace of keys and values.
    pub(crate) plan: Plan,
}

/// What a statement returned so far.
#[derive(Debug, Default)]
pub(crate) struct ResultSet {
    pub(crate) columns: Option<Columns>,
    /// Rows as JSON, with commas between them.
    json: Vec<u8>,
    pub(crate) rows: u64,
    /// How many of them are not written down.
    pub(crate) cut: u64,
    /// Rows, if somebody has to look at them.
    pub(crate) kept: Vec<Vec<Value>>,
}

/// An error that a server reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServerError {
    pub(crate) code: String,
    pub(crate) message: String,
    /// Whether the server ends the connection.
    pub(crate) fatal: bool,
}

impl ServerError {
    /// What to tell about it.
    pub(crate) fn text(&self) -> String {
        format!("{}: {}", self.code, self.message)
    }

    /// Whether a commit that ended with it may have taken effect.
    pub(crate) fn leaves_doubt(&self) -> bool {
        // PostgreSQL: connection exceptions, shutdowns, "statement completion unknown".
        let postgres = ["08", "57P", "40003"];
        match self.code.len() {
            5 => self.fatal || postgres.iter().any(|class| self.code.starts_with(class)),
            // MySQL says so only of deadlocks and conflicts with other transactions.
            _ => !self.ends_transaction(),
        }
    }

    /// Whether MySQL has rolled back the whole transaction.
    pub(crate) fn ends_transaction(&self) -> bool {
        matches!(self.code.as_str(), "1213" | "1020" | "1614")
    }
}

/// How a statement ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It was carried out.
    Done {
        /// What the server calls it.
        tag: Option<String>,
        /// How many rows it changed or found.
        affected: Option<u64>,
    },
    /// There may be more rows, which nobody wanted yet.
    Suspended,
    /// It failed.
    Failed(ServerError),
    /// It was not carried out, because one before it failed.
    Skipped,
    /// The connection was lost before the answer came.
    Lost,
}

impl Statement {
    pub(crate) fn new(call: u64, txn: u64, control: Control, plan: Plan) -> Self {
        Self { call, txn, control, result: ResultSet::default(), more: Vec::new(), plan }
    }

    /// Whether the next row will be looked at.
    pub(crate) fn wants_row(&self, most: u64) -> bool {
        self.result.rows < most && self.result.json.len() < MOST_BYTES
    }

    /// A row came.
    pub(crate) fn row(&mut self, values: Vec<Value>) {
        let result = &mut self.result;
        result.rows += 1;
        if !result.json.is_empty() {
            result.json.push(b',');
        }
        write_values(&mut result.json, &values);
        if self.plan.wants_rows() {
            result.kept.push(values);
        }
    }

    /// A row came that is not written down.
    pub(crate) fn uncounted_row(&mut self) {
        self.result.rows += 1;
        self.result.cut += 1;
    }

    /// A result is complete, and another one follows.
    pub(crate) fn another_result(&mut self, affected: Option<u64>) {
        let result = std::mem::take(&mut self.result);
        if !self.more.is_empty() {
            self.more.push(b',');
        }
        let mut line = Line::new(&mut self.more);
        result.write(&mut line);
        if let Some(affected) = affected {
            line.number("affected", affected);
        }
        line.close();
    }

    /// Adds what it returned.
    pub(crate) fn write(&self, line: &mut Line<'_>) {
        self.result.write(line);
        if !self.more.is_empty() {
            line.with("before", |out| {
                out.push(b'[');
                out.extend_from_slice(&self.more);
                out.push(b']');
            });
        }
    }
}

impl ResultSet {
    fn write(&self, line: &mut Line<'_>) {
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
