//! DELETE.
//!
//! Layer `run`; finds rows as UPDATE does.

use crate::error::Result;
use crate::outcome::{Answer, Count, Effect};
use crate::plan::Delete;

use super::source::to_row;
use super::state::Run;

impl Run<'_> {
    pub(super) fn delete(&mut self, delete: &Delete) -> Result<Answer> {
        let located = self.locate(&delete.locate)?;
        let found = located.len() as u64;
        let table = delete.locate.table;
        let width = self.catalog.by_id(table).map_or(0, |table| table.columns().len());
        for (id, wide) in &located {
            let old = to_row(wide[delete.locate.at..delete.locate.at + width].to_vec());
            self.now.record(Effect::Delete { table, id: *id, old });
        }
        let rows =
            self.returned(delete.returning.as_ref(), located.into_iter().map(|(_, wide)| wide))?;
        Ok(Answer::of_count(Count { found, changed: found }, rows))
    }
}
