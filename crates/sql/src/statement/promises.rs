//! What is certain of a statement whatever rows there are.
//!
//! ```text
//!   SELECT id, name FROM t WHERE id > 7 ORDER BY id        shows t.id and t.name as they are, looks at t for certain,
//!                                                          never shows an id of 3, nor 9 before 8
//!   UPDATE t SET name = 'a'                                stores 'a' in t.name, and nothing else anywhere
//! ```
//!
//! An answer that breaks such a promise is wrong in every state, so nobody has to know the state to reject it. In go the
//! plan of a statement and what it showed; out comes a promise, or `None` where anything is possible: for blocks, for
//! statements that fire triggers, and where columns of the answer are masked.

use super::{Prepared, Work};
use crate::catalog::Catalog;
use crate::observed::ObservedValue;
use crate::run::{
    Displayed, Misshapen, Stored, displayed, misshapen, ruled_out, stored, surely_looks,
};
use crate::value::Value;

impl Prepared {
    /// For each column of the answer of a statement that shows rows of its tables side by side, the column of a table
    /// that it shows as it is, if it does. Returns `None` for other statements.
    pub fn displayed(&self) -> Option<Vec<Option<Displayed>>> {
        let mut columns = match &self.work {
            Ok(Work::Plan(plan)) => displayed(plan)?,
            _ => return None,
        };
        for (place, column) in columns.iter_mut().enumerate() {
            *column = column.filter(|_| !self.is_masked(place));
        }
        Some(columns)
    }

    /// Whether what it does to a row of its table, and what it shows of it, depends on nothing but the row. Only the order
    /// of an answer may depend on others.
    pub fn treats_rows_alone(&self) -> bool {
        match &self.work {
            Ok(Work::Plan(plan)) => {
                !self.fires && self.masks.is_empty() && self.outline.treats_rows_alone(plan)
            }
            _ => false,
        }
    }

    /// Whether the digits of its answer may depend on the order in which a server goes through rows, because it adds
    /// floating point numbers.
    pub fn rounds(&self) -> bool {
        self.outline.rounds()
    }

    /// Whether it is a query that looks at rows of a table in whatever way it is carried out: a server cannot see
    /// without them that no row meets its conditions.
    pub fn surely_looks(&self, catalog: &Catalog, params: &[Value]) -> bool {
        matches!(&self.work, Ok(Work::Plan(plan)) if surely_looks(catalog, plan, params))
    }

    /// The columns of a row of its answer whose values together meet the conditions of the statement in no row, whatever
    /// rows there are. Returns `None` if such rows are possible.
    pub fn ruled_out(
        &self,
        catalog: &Catalog,
        params: &[Value],
        row: &[ObservedValue],
    ) -> Option<Vec<usize>> {
        match &self.work {
            Ok(Work::Plan(plan)) if self.masks.is_empty() && !self.fires => {
                ruled_out(catalog, plan, params, row)
            }
            _ => None,
        }
    }

    /// What is wrong with the rows of its answer whatever is in the tables, if it is a query that locks no rows.
    pub fn misshapen(&self, params: &[Value], rows: &[Vec<ObservedValue>]) -> Option<Misshapen> {
        match &self.work {
            Ok(Work::Plan(plan)) if self.masks.is_empty() => misshapen(plan, params, rows),
            _ => None,
        }
    }

    /// The values that it may store with these parameters, whatever rows there are. Returns `None` if they may be any.
    pub fn stored(&self, catalog: &Catalog, params: &[Value]) -> Option<Vec<Stored>> {
        match &self.work {
            Ok(Work::Plan(plan)) if !self.fires && !self.outline.is_anything() => {
                stored(catalog, plan, params)
            }
            Ok(Work::Nothing) | Err(_) => Some(Vec::new()),
            _ => None,
        }
    }
}
