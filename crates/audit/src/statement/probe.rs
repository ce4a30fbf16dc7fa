//! What the rows with one key were whenever a query can have read them.
//!
//! A probe takes the place of a query in a projection ([`Focus`]). Nothing explains it, so a search that tries everything
//! tries it wherever the query can have read, and it notes what it meets there.

use std::cell::RefCell;

use tristan_sql::Rows;

use super::focus::Focus;
use crate::world::{Row, RowId, Value};

/// The rows with one key at some moment: one row, or none.
pub(crate) type Version = Vec<(RowId, Row)>;

/// Notes which rows with a key a query meets.
#[derive(Debug)]
pub(crate) struct Probe {
    focus: Focus,
    met: RefCell<Vec<Version>>,
}

impl Probe {
    pub(crate) fn new(focus: Focus) -> Self {
        Self { focus, met: RefCell::default() }
    }

    /// Notes what is there.
    pub(crate) fn look(&self, rows: &mut dyn Rows) {
        let version = self.focus.rows_in(rows);
        let mut met = self.met.borrow_mut();
        if !met.contains(&version) {
            met.push(version);
        }
    }

    /// All that was met, each version once.
    pub(crate) fn met(&self) -> Vec<Version> {
        self.met.borrow().clone()
    }
}

impl Focus {
    /// The rows that may have the key.
    pub(crate) fn rows_in(&self, rows: &mut dyn Rows) -> Version {
        let columns: Vec<usize> = self.columns().collect();
        let values: Vec<Value> = self.values().cloned().collect();
        let mut found = Vec::new();
        rows.lookup(self.table(), &columns, &values, &mut found);
        found.retain(|(id, row)| self.has((self.table(), *id), row));
        found
    }
}
