//! DELETE.
//!
//! Layer `run`; finds rows as UPDATE does.

use std::sync::Arc;

use crate::catalog::Event;
use crate::error::{ErrorClass, Result, fail};
use crate::outcome::{Answer, Count, Effect};
use crate::plan::Delete;

use super::source::to_row;
use super::state::Run;

impl Run<'_> {
    pub(super) fn delete(&mut self, delete: &Delete) -> Result<Answer> {
        let Some(table) = self.catalog.by_id(delete.locate.table).map(Arc::clone) else {
            return fail(ErrorClass::UndefinedTable, "the table is gone");
        };
        let mut located = self.locate(&delete.locate)?;
        let width = table.columns().len();
        let fires = self.has_triggers(&table);
        let mut kept = Vec::with_capacity(located.len());
        for (id, wide) in located.drain(..) {
            let old = to_row(wide[delete.locate.at..delete.locate.at + width].to_vec());
            if fires && self.fire_before(&table, Event::Delete, &[], Some(&old), None)?.is_none() {
                continue;
            }
            self.happened(&table, Event::Delete, &[], Some(&old), None);
            self.now.record(Effect::Delete { table: table.id(), id, old });
            kept.push(wide);
        }
        let found = kept.len() as u64;
        let rows = self.returned(delete.returning.as_ref(), kept.into_iter())?;
        Ok(Answer::of_count(Count { found, changed: found, unsure: 0 }, rows))
    }
}
