//! Columns whose values the server chose and the log does not show.
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
//! that hold them are *blurred* ([`tristan_sql::Catalog::blurred`]): statements are bound to tables in which nothing is
//! known of these columns. Only if that does not lead to a verdict either, the whole tables are excluded from the audit
//! (`unfollowed.rs`).
//!
//! # Why a rejection is certain
//!
//! Let `E` be an execution that explains the log at a level, with the values that the server chose. Take the blurred
//! columns out of all rows of `E`, and leave out the statements that are not judged. What remains explains the
//! statements that are left:
//!
//! 1. A statement that uses a blurred column is refused when it is bound. So what a statement that is left reads,
//!    answers and writes in the other columns does not depend on blurred columns. It may return one as it is; this part
//!    of its answer is not compared. The number of rows that MySQL and MariaDB have changed depends on what was stored
//!    before; it is not compared if a statement may update rows of such a table.
//! 2. A statement that is refused and writes excludes the tables that it writes. The argument in `unfollowed.rs` goes
//!    for these.
//! 3. Whether a write fails may depend on a blurred column, by its keys, its type or NOT NULL. A write that failed
//!    left nothing behind and is left out, one whose answer is lost excludes the table, and one that worked met no such
//!    error. So no error has to be expected because of a blurred column.
//! 4. Nothing else carries a value from a blurred column elsewhere: tables with triggers, with conditions or computed
//!    columns over it, with partitions, with foreign keys that act on it, or next to views are excluded instead. So are
//!    tables that the log alters, and nothing is judged if routines run. Variables of a session may hold such a value
//!    only if a statement set them that was refused; then nothing is judged either.
//! 5. A level forbids things, and what remains does fewer of them: the same rows are read and written by fewer
//!    statements.
//!
//! So if nothing explains what is left, nothing explains the log. The blurred columns are not computed, hence not
//! guessed. If a pass that explains nothing has guessed any other value, the log is not rejected (`engine.rs`).

use std::collections::BTreeSet;
use std::rc::Rc;

use tristan_sql::{Catalog, Region};

use super::machine::{GuessedColumns, Sql};
use super::refused::{RefusedError, unseen};
use crate::model::{Call, Observed};
use crate::statement::{Expected, Plan, Statement, UnsupportedError};
use crate::world::TableId;

/// What becomes of a statement next to blurred columns.
pub(super) enum Beside {
    /// It is judged, at least in part.
    Judged(Expected),
    /// It is not, and was left out.
    LeftOut,
}

/// What is said of statements of which the rest of the answer is judged.
fn partly_unseen(column: &str) -> String {
    format!("{}; the rest of the answer is judged", unseen(column))
}

impl Sql {
    /// The tables that statements are bound to. Those that cannot do without a blurred column are lost.
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
            let mut columns = self.blurred.iter().filter(|(table, _)| table == name);
            let Some((table, column)) = columns.next() else { continue };
            let because = unseen(&format!("{table}.{column}"));
            let error = UnsupportedError(format!("{because}: {}", call.sql));
            self.lose(std::slice::from_ref(name), &because, &error);
        }
    }

    /// Whether a table has a blurred column.
    pub(super) fn is_blurred(&self, name: &str) -> bool {
        self.blurred.iter().any(|(table, _)| table == name)
    }

    /// What is compared of the answer of a statement, if it is judged next to blurred columns.
    pub(super) fn beside_blurred(
        &mut self,
        call: &Call,
        plan: &Plan,
        reach: &tristan_sql::Reach,
        expected: Expected,
    ) -> Result<Beside, UnsupportedError> {
        if self.blurred.is_empty() {
            return Ok(Beside::Judged(expected));
        }
        if reach.anything {
            let reason = "what a routine does with values that the log does not show is not known";
            return Err(UnsupportedError(format!("{reason}: {}", call.sql)));
        }
        if let Some(column) = self.blurred_in(&reach.reads).or(self.blurred_in(&reach.writes))
            && !self.is_bound_to_blurred(plan, reach)
        {
            // A definition that copies or checks rows.
            return self.leave_unseen(call, &column);
        }
        let masks = plan.prepared.masks();
        if let Some(column) = self.blurred_in(&reach.reads).or(self.blurred_in(&reach.writes))
            && !masks.is_empty()
        {
            self.count_unjudged(partly_unseen(&column));
        }
        let expected = expected.without(masks);
        let Some(column) = self.blurred_in(&reach.writes) else {
            return Ok(Beside::Judged(expected));
        };
        match &call.observed {
            Observed::Error(_) if !matches!(expected, Expected::Refused) => {
                self.count_unjudged(unseen(&column));
                return Ok(Beside::LeftOut);
            }
            Observed::Nothing => return self.leave_unseen(call, &column),
            _ => {}
        }
        let counts = self.catalog.dialect().counts_changed_rows() && plan.prepared.may_update();
        Ok(Beside::Judged(match expected {
            Expected::Affected(_) if counts => Expected::Works,
            other => other,
        }))
    }

    fn leave_unseen(&mut self, call: &Call, column: &str) -> Result<Beside, UnsupportedError> {
        let refused = RefusedError::because(unseen(column));
        self.leave_unjudged(call, refused).map(|()| Beside::LeftOut)
    }

    /// A blurred column of one of these tables.
    fn blurred_in(&self, regions: &[Region]) -> Option<String> {
        let tables = regions.iter().filter_map(|region| self.catalog.by_id(region.table));
        let names: Vec<String> = tables.map(|table| table.short_name().to_lowercase()).collect();
        let (table, column) = self.blurred.iter().find(|(table, _)| names.contains(table))?;
        Some(format!("{table}.{column}"))
    }

    /// Whether a statement is bound to the tables in which columns are blurred, as far as it touches them.
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
