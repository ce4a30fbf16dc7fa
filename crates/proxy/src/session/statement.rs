//! A statement that was called and is not answered yet, and what is known of its answer.

use tristan_sqltext::Control;

use crate::keyvalue::Plan;
use crate::line::Line;
use crate::result::ResultSet;
use crate::value::Value;

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

impl Statement {
    pub(crate) fn new(call: u64, txn: u64, control: Control, plan: Plan) -> Self {
        Self { call, txn, control, result: ResultSet::default(), more: Vec::new(), plan }
    }

    /// Whether the next row will be looked at.
    pub(crate) fn wants_row(&self, most: u64) -> bool {
        self.result.has_room(most)
    }

    /// Adds a row of the result.
    pub(crate) fn row(&mut self, values: Vec<Value>) {
        self.result.add(values, self.plan.wants_rows());
    }

    /// A row came that is not written down.
    pub(crate) fn uncounted_row(&mut self) {
        self.result.cut_row();
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
