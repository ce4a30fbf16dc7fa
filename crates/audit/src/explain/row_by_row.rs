//! A statement that locks one row after the other and reads each as it is by then, as in MariaDB and MySQL.
//!
//! There is no snapshot for such a statement. A row that it finds is locked from then on, so it is as it is when the
//! transaction ends. A row that it passes over is not locked, or not by every version of every server: it may
//! have been different at any moment of the statement. So of the rows that would be found now,
//!
//! ```text
//!   those that would have been found at every moment of the statement   are found
//!   the others                                                          are found or not, each for itself
//! ```
//!
//! All combinations are tried. That is complete if what happens to a row depends on nothing but the row.

use tristan_sql::Rows;

use super::attempt::Attempt;
use super::untried::Untried;
use crate::statement::{Path, Statement, UnsupportedError};
use crate::world::{At, Key, Position, Row, RowId, TableId, Value, has_values, pick};

/// With more rows that may have been passed over, not all combinations are tried.
const MOST_OPEN: usize = 8;

impl Attempt<'_, '_> {
    /// What a statement may see that finds less than everything, and has looked at its rows between two states.
    pub(super) fn finding_less(
        &mut self,
        statement: &Statement,
        path: &Path,
        all: &At,
        times: (Position, Position),
    ) -> Result<Vec<At>, UnsupportedError> {
        let mut open = self.passed_over(statement, path, all, times)?;
        if open.len() > MOST_OPEN {
            self.leave(Untried::RowByRow);
            open.truncate(MOST_OPEN);
        }
        let some = |picks: u32| {
            let picked = open.iter().enumerate().filter(|(place, _)| picks & (1 << place) != 0);
            let rows = picked.map(|(_, row)| *row).collect();
            At::Rows { state: times.0, rows, newest: all.again() }
        };
        Ok((1..1 << open.len()).map(some).collect())
    }

    /// The rows that are found now and were not at some moment of the statement, each with a state of such a moment.
    fn passed_over(
        &self,
        statement: &Statement,
        path: &Path,
        all: &At,
        (top, low): (Position, Position),
    ) -> Result<Vec<(Key, Position)>, UnsupportedError> {
        let mut open = Vec::new();
        for key in self.written_between(low, all.newest()) {
            if path.own.get(key).is_some() || !self.finds(statement, path, key, all.newest())? {
                continue;
            }
            for state in low..top {
                if !self.finds(statement, path, key, state)? {
                    open.push((key, state));
                    break;
                }
            }
        }
        Ok(open)
    }

    /// Whether rows got other primary keys between two states. A server that goes through a table in the order of its
    /// primary key may meet such a row twice, or never.
    pub(super) fn has_moved_keys(
        &self,
        statement: &Statement,
        (top, low): (Position, Position),
    ) -> bool {
        let commits = (low..top).filter_map(|at| self.context.store.commit_of(self.world, at));
        commits.flat_map(|commit| &commit.writes).any(|write| {
            let (Some(before), Some(row)) = (&write.before, &write.row) else { return false };
            let table = statement.plan.catalog.by_id(write.key.0);
            let mut keys = table.into_iter().flat_map(|table| table.keys());
            keys.any(|key| {
                key.orders_rows() && pick(before, key.columns()) != pick(row, key.columns())
            })
        })
    }

    /// Whether a statement finds a row in a state.
    pub(super) fn finds(
        &self,
        statement: &Statement,
        path: &Path,
        key: Key,
        state: Position,
    ) -> Result<bool, UnsupportedError> {
        let row = self.context.store.row_of(self.world, key, state);
        let mut alone = Alone { key, row };
        let Ok(answer) = self.context.sql.answer(statement, &mut alone, path)?.answer else {
            return Ok(true);
        };
        Ok(match (answer.rows, answer.count) {
            (_, Some(count)) => count.found > 0,
            (Some(table), None) => !table.rows.is_empty(),
            (None, None) => false,
        })
    }
}

/// One row, and no others.
struct Alone<'a> {
    key: Key,
    row: Option<&'a Row>,
}

impl Rows for Alone<'_> {
    fn scan(&mut self, table: TableId, into: &mut Vec<(RowId, Row)>) {
        let row = self.row.filter(|_| table == self.key.0);
        into.extend(row.map(|row| (self.key.1, row.clone())));
    }

    fn lookup(
        &mut self,
        table: TableId,
        columns: &[usize],
        values: &[Value],
        into: &mut Vec<(RowId, Row)>,
    ) {
        if self.row.is_some_and(|row| has_values(row, columns, values)) {
            self.scan(table, into);
        }
    }
}
