//! MERGE.
//!
//! Layer `run`; knows sources and the constraints of tables. A row of the table must not be changed twice.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::catalog::Table;
use crate::error::{ErrorClass, ExecutionError, Result, fail, unsupported};
use crate::outcome::{Answer, Count, Effect};
use crate::plan::{Merge, MergeAction, MergeClause};
use crate::rows::RowId;
use crate::value::Value;

use super::frame::Frame;
use super::overlay::Overlay;
use super::passed_by::Conditions;
use super::source::to_row;
use super::state::Run;

/// What is done for one row of the source.
type Turn<'m> = (Vec<Value>, Option<RowId>, &'m MergeAction);

impl Run<'_> {
    pub(super) fn merge(&mut self, merge: &Merge) -> Result<Answer> {
        let Some(table) = self.catalog.by_id(merge.table).map(Arc::clone) else {
            return fail(ErrorClass::UndefinedTable, "the table is gone");
        };
        if self.has_triggers(&table) {
            return unsupported("MERGE into a table with triggers");
        }
        let turns = self.turns(merge, &table)?;
        let found = turns.len() as u64;
        let done = self.take_turns(merge, &table, &turns);
        let has_domains = || table.columns().iter().any(|column| column.domain.is_some());
        if matches!(done, Err(ExecutionError::Server(_))) && has_domains() {
            return unsupported("an error of MERGE beside domains, which are checked on the way");
        }
        if let Err(ExecutionError::Server(error)) = &done
            && turns.len() > 1
        {
            let class = error.class.clone();
            self.refuse_other_errors(merge, &table, &turns, &class)?;
        }
        done?;
        self.refuse_freed_keys(&table)?;
        Ok(Answer::of_count(Count { found, changed: found, unsure: 0 }, None))
    }

    /// The server comes to rows in any order: two turns of one row may come first, or one with another error.
    fn refuse_other_errors(
        &mut self,
        merge: &Merge,
        table: &Table,
        turns: &[Turn<'_>],
        class: &ErrorClass,
    ) -> Result<()> {
        const MOST: usize = 100;
        let mut other = turns.len() > MOST || turns.len() > 2 && has_twins(turns);
        for first in 0..turns.len().min(MOST) {
            let mut order: Vec<Turn<'_>> = turns.iter().rev().cloned().collect();
            order[..=first].rotate_right(1);
            self.now = Overlay::default();
            other |= match self.take_turns(merge, table, &order) {
                Err(ExecutionError::Server(error)) => error.class != *class,
                _ => true,
            };
        }
        match other {
            true => unsupported("an error of MERGE that depends on the order of rows"),
            false => Ok(()),
        }
    }

    /// If one row takes the key of another that goes away or gets another key, it must not come first.
    fn refuse_freed_keys(&mut self, table: &Table) -> Result<()> {
        for key in table.keys().iter().filter(|key| key.is_unique()) {
            let (mut freed, mut taken) = (FxHashSet::default(), Vec::new());
            for place in 0..self.now.len() {
                let (old, new) = match self.now.effect(place).cloned() {
                    Some(Effect::Insert { row, .. }) => (None, Some(row)),
                    Some(Effect::Update { old, new, .. }) => (Some(old), Some(new)),
                    Some(Effect::Delete { old, .. }) => (Some(old), None),
                    _ => (None, None),
                };
                let old = old.map(|row| self.key_values(table, key, &row)).transpose()?;
                let new = new.map(|row| self.key_values(table, key, &row)).transpose()?;
                if old != new {
                    freed.extend(old.flatten());
                    taken.extend(new.flatten());
                }
            }
            if taken.iter().any(|key| freed.contains(key)) {
                return unsupported("MERGE that gives the key of one row to another");
            }
        }
        Ok(())
    }

    /// The rows of the source for which something is to be done, and what.
    fn turns<'m>(&mut self, merge: &'m Merge, table: &Table) -> Result<Vec<Turn<'m>>> {
        let number_at = merge.at + table.columns().len();
        let mut turns = Vec::new();
        for wide in self.changed_join(&Conditions::of_source(&merge.source))? {
            let id = match wide.get(number_at) {
                #[allow(clippy::cast_sign_loss, reason = "the bits of the number of a row")]
                Some(Value::Int(number)) => Some(RowId(*number as u64)),
                _ => None,
            };
            let Some(clause) = self.clause(merge, &wide, id.is_some())? else { continue };
            if clause.action == MergeAction::Nothing {
                continue;
            }
            if let Some(id) = id
                && self.rows.locked(table.id(), id).is_some()
            {
                return unsupported(
                    "MERGE of a row that another transaction has changed meanwhile",
                );
            }
            turns.push((wide, id, &clause.action));
        }
        Ok(turns)
    }

    /// The first clause that fits.
    fn clause<'m>(
        &mut self,
        merge: &'m Merge,
        wide: &[Value],
        matched: bool,
    ) -> Result<Option<&'m MergeClause>> {
        for clause in merge.clauses.iter().filter(|clause| clause.matched == matched) {
            let holds = match &clause.condition {
                Some(condition) => {
                    self.truth(condition, &Frame { row: wide, outer: None })? == Some(true)
                }
                None => true,
            };
            if holds {
                return Ok(Some(clause));
            }
        }
        Ok(None)
    }

    fn take_turns(&mut self, merge: &Merge, table: &Table, turns: &[Turn<'_>]) -> Result<()> {
        let width = table.columns().len();
        for (wide, id, action) in turns {
            let old = to_row(wide[merge.at..merge.at + width].to_vec());
            if let Some(id) = id
                && self.now.changed(table.id(), *id).is_some()
            {
                return fail(ErrorClass::ChangedTwice, "a row would be changed twice");
            }
            match (action, id) {
                (MergeAction::Delete, Some(id)) => {
                    self.now.record(Effect::Delete { table: table.id(), id: *id, old });
                }
                (MergeAction::Update(assignments), Some(id)) => {
                    let mut wide = wide.clone();
                    let new = self.assigned(table, assignments, &mut wide, merge.at, false)?;
                    self.check_row(table, &new)?;
                    self.check_changed_keys(table, *id, &old, &new)?;
                    let new = to_row(new);
                    self.now.record(Effect::Update { table: table.id(), id: *id, old, new });
                }
                (MergeAction::Insert { fills, values }, _) => {
                    let frame = Frame { row: wide, outer: None };
                    let given = values.iter().map(|value| {
                        value.as_ref().map(|value| self.eval(value, &frame)).transpose()
                    });
                    let given = given.collect::<Result<Vec<_>>>()?;
                    let Some(row) = self.fill(table, fills, given)? else { continue };
                    self.check_keys(table, &row)?;
                    self.put(table, row);
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Whether two turns are about the same row of the table.
fn has_twins(turns: &[Turn<'_>]) -> bool {
    let mut ids: Vec<RowId> = turns.iter().filter_map(|(_, id, _)| *id).collect();
    ids.sort_unstable();
    ids.windows(2).any(|pair| pair[0] == pair[1])
}
