//! Blurred columns: the server chose their values, and the log does not show them.
//!
//! ```text
//!   INSERT INTO t (name) VALUES ('a')     the number in t.id is not shown
//!   SELECT name FROM t                    does not use t.id           judged
//!   SELECT id, name FROM t                only shows it               judged without the first column
//!   SELECT max(id) FROM t                 uses it                     not judged
//!   UPDATE t SET name = 'b' WHERE id = 7  uses it, and writes         t is excluded from the audit
//! ```
//!
//! Numbers of sequences and times are predicted at first. If nothing explains the log with these values, the columns
//! that hold them are *blurred* ([`tristan_sql::Catalog::blurred`]): statements are bound to tables in which they are
//! NULL and cannot be used. Only if that does not lead to a verdict either, the whole tables are excluded from the audit
//! (`unfollowed.rs`).
//!
//! # Why a rejection is certain
//!
//! Let `E` be an execution that explains the log at a level, with the values that the server chose. Take the blurred
//! columns out of all rows of `E`, those of the start included, and leave out the statements that are not judged. What
//! remains explains the statements that are left:
//!
//! 1. A statement that uses a blurred column is refused when it is bound. So what a statement that is left reads,
//!    answers and writes in the other columns does not depend on blurred columns. It may return one as it is; this part
//!    of its answer is not compared. How many rows MySQL and MariaDB count as changed depends on a blurred column only
//!    if the statement assigns it, or replaces rows; then each number is accepted that some values lead to
//!    ([`tristan_sql::Count::unsure`]). It is never larger than the number of rows that the statement writes, so a
//!    statement that changed rows still needs a state in which it finds some.
//! 2. A statement that is refused and writes excludes the tables that it writes. The argument in `unfollowed.rs`
//!    applies to these.
//! 3. Whether a write fails may depend on a blurred column, by its keys, its type or NOT NULL. A write that failed
//!    left nothing behind and is left out, one whose answer is lost excludes the table, and one that worked met no such
//!    error. So no error has to be expected because of a blurred column.
//! 4. Nothing else carries a value from a blurred column elsewhere: tables with triggers, with conditions or computed
//!    columns over it, with partitions, with foreign keys that act on it, or next to views are excluded instead. So are
//!    tables that the log alters, and nothing is judged if routines run. Variables of a session may hold such a value
//!    only if a statement set them that was refused; then nothing is judged either.
//! 5. A level restricts which states statements read and which transactions write the same row. Fewer statements meet
//!    fewer restrictions, except where a restriction compares rows, or their keys, which may be the same without the
//!    blurred columns and differ with them:
//!    - With `--conflict value`, writes conflict if they change a row. Rows that differ without the blurred columns
//!      differ with them, so there are fewer conflicts than in `E`.
//!    - InnoDB shows a transaction a row that it wrote only if that changed the row. At `mariadb-rr`, no rejection
//!      depends on what is shown of a row that is the same without the blurred columns (`shown.rs`).
//!    - At `rc` and `strong-rc`, InnoDB may miss a row that moves in the order of the primary key, which is noticed by
//!      comparing keys. A statement that assigns a blurred column of the primary key is refused, and a column that
//!      every update renews is not blurred there, so a key that differs differs in the other columns.
//!
//! So if nothing explains what is left, nothing explains the log. The blurred columns are not computed, hence not
//! guessed. If a pass that explains nothing has guessed any other value, the log is not rejected (`engine.rs`).

use std::collections::BTreeSet;
use std::rc::Rc;

use tristan_sql::{Catalog, Region};

use super::machine::{GuessedColumns, Sql};
use super::refused::{RefusedError, listed, unseen};
use super::told::{NOT_COMPARED, value_text};
use crate::model::{Call, Observed};
use crate::statement::{Expected, Plan, Statement, UnsupportedError};
use crate::world::{Key, Row, TableId, Value};

/// The reason for an answer that is judged in part.
fn unseen_part(columns: &BTreeSet<String>) -> String {
    format!("only {}, because {}", listed(columns), unseen(columns))
}

impl Sql {
    /// The tables that statements are bound to. Those in which a column cannot be blurred are lost.
    pub(super) fn bound_to(&mut self, call: &Call) -> Rc<Catalog> {
        if self.blurred.is_empty() {
            return Rc::clone(&self.catalog);
        }
        if let Some((known, blurred)) = &self.blurred_catalog
            && Rc::ptr_eq(known, &self.catalog)
        {
            return Rc::clone(blurred);
        }
        let followed = |(table, _): &&(String, String)| !self.unfollowed.contains_key(table);
        let wanted = self.blurred.iter().filter(followed).cloned().collect();
        let (blurred, impossible) = self.catalog.blurred(&wanted);
        let blurred = Rc::new(blurred);
        self.blurred_catalog = Some((Rc::clone(&self.catalog), Rc::clone(&blurred)));
        let names: Vec<String> = impossible.into_iter().collect();
        self.lose_unseen(&names, call);
        blurred
    }

    /// Loses tables with blurred columns.
    pub(super) fn lose_unseen(&mut self, names: &[String], call: &Call) {
        for name in names {
            let columns = self.blurred_of(name);
            if !columns.is_empty() {
                let because = unseen(&columns);
                let error = UnsupportedError(format!("{because}: {}", call.sql));
                self.lose(std::slice::from_ref(name), &because, &error);
            }
        }
    }

    /// Whether a table has a blurred column.
    pub(super) fn is_blurred(&self, name: &str) -> bool {
        self.blurred.iter().any(|(table, _)| table == name)
    }

    /// Takes the values of blurred columns out of rows of the start.
    pub(super) fn blur_rows(&self, rows: &mut [(Key, Row)]) {
        if self.blurred.is_empty() {
            return;
        }
        for ((table, _), row) in rows {
            let blurred = self.blurred_places(*table);
            if !blurred.is_empty() {
                let values = row.iter().enumerate();
                let hidden = |(place, value): (usize, &Value)| match blurred.contains(&place) {
                    true => Value::Null,
                    false => value.clone(),
                };
                *row = values.map(hidden).collect();
            }
        }
    }

    /// A row as people read it.
    pub(crate) fn row_text(&self, (table, _): Key, row: &[Value]) -> String {
        let blurred = self.blurred_places(table);
        let values = row.iter().enumerate();
        let values = values.map(|(place, value)| match blurred.contains(&place) {
            true => NOT_COMPARED.to_owned(),
            false => value_text(value),
        });
        format!("({})", values.collect::<Vec<String>>().join(", "))
    }

    /// The columns of a table that are blurred, by their places.
    pub(super) fn blurred_places(&self, table: TableId) -> Vec<usize> {
        let Some(table) = self.catalog.by_id(table) else { return Vec::new() };
        let name = table.short_name().to_lowercase();
        let is_blurred = |place: &usize| {
            self.blurred.contains(&(name.clone(), table.columns()[*place].name().to_lowercase()))
        };
        (0..table.columns().len()).filter(is_blurred).collect()
    }

    /// Why a failed statement is not judged: the values of blurred columns may be the reason.
    pub(super) fn unseen_failure(
        &self,
        call: &Call,
        reach: &tristan_sql::Reach,
    ) -> Option<RefusedError> {
        let columns = self.blurred_in(&reach.writes)?;
        let failed = matches!(Expected::of(&call.observed), Expected::Error(_));
        (failed && !reach.anything).then(|| RefusedError::because(unseen(&columns)))
    }

    /// What is compared of the answer of a statement that may touch tables with blurred columns. Returns `None` if it
    /// is not judged; it is left out then.
    pub(super) fn judged_part(
        &mut self,
        call: &Call,
        plan: &Plan,
        reach: &tristan_sql::Reach,
        expected: Expected,
    ) -> Result<Option<Expected>, UnsupportedError> {
        if self.blurred.is_empty() {
            return Ok(Some(expected));
        }
        if reach.anything {
            let reason = "routines are not supported while columns are excluded";
            return Err(UnsupportedError(format!("{reason}: {}", call.sql)));
        }
        if let Some(columns) = self.unsure_write(call, plan, reach) {
            let refused = RefusedError::because(unseen(&columns));
            return self.leave_unjudged(call, refused).map(|()| None);
        }
        let columns = plan.prepared.blurred_columns(&plan.catalog);
        if !columns.is_empty() {
            self.count_unjudged(unseen_part(&columns));
        }
        Ok(Some(expected.without_masked(&plan.prepared)))
    }

    /// The blurred columns because of which it is not known what a statement wrote: it was bound to tables without
    /// blurred columns, as definitions are that copy or check rows, or its answer is lost.
    fn unsure_write(
        &self,
        call: &Call,
        plan: &Plan,
        reach: &tristan_sql::Reach,
    ) -> Option<BTreeSet<String>> {
        let bound = self.is_bound_to_blurred(plan, reach);
        let touched = || self.blurred_in(&reach.reads).or_else(|| self.blurred_in(&reach.writes));
        match call.observed {
            _ if !bound => touched(),
            Observed::Nothing => self.blurred_in(&reach.writes),
            _ => None,
        }
    }

    /// The blurred columns of these tables; `None` if there are none.
    fn blurred_in(&self, regions: &[Region]) -> Option<BTreeSet<String>> {
        let tables = regions.iter().filter_map(|region| self.catalog.by_id(region.table));
        let columns: BTreeSet<String> =
            tables.flat_map(|table| self.blurred_of(&table.short_name().to_lowercase())).collect();
        (!columns.is_empty()).then_some(columns)
    }

    /// The blurred columns of a table, with its name.
    fn blurred_of(&self, name: &str) -> BTreeSet<String> {
        let own = self.blurred.iter().filter(|(table, _)| table == name);
        own.map(|(table, column)| format!("{table}.{column}")).collect()
    }

    /// Whether the tables that a statement touches were blurred when it was bound.
    fn is_bound_to_blurred(&self, plan: &Plan, reach: &tristan_sql::Reach) -> bool {
        let mut tables = reach.reads.iter().chain(&reach.writes).map(|region| region.table);
        tables.all(|table| {
            plan.catalog.by_id(table).is_some_and(|table| {
                table.is_blurred() || !self.is_blurred(&table.short_name().to_lowercase())
            })
        })
    }

    /// The columns that hold values that only the server knows, by their tables.
    pub(crate) fn guessed_columns(&self) -> GuessedColumns {
        self.guessed_columns.borrow().clone()
    }

    /// A statement stored a value that only the server knows.
    pub(super) fn note_guessed_columns(&self, statement: &Statement) {
        let filled = statement.plan.filled();
        let mut guessed = self.guessed_columns.borrow_mut();
        for id in statement.reach.written() {
            let Some(table) = statement.plan.catalog.by_id(id) else { continue };
            let own = |(other, column): &(TableId, usize)| {
                (*other == id).then(|| table.columns()[*column].name().to_lowercase())
            };
            let columns: BTreeSet<String> = filled.into_iter().flatten().filter_map(own).collect();
            let known = guessed
                .entry(table.short_name().to_lowercase())
                .or_insert_with(|| Some(BTreeSet::new()));
            match known {
                Some(known) if !columns.is_empty() => known.extend(columns),
                _ => *known = None,
            }
        }
    }
}
