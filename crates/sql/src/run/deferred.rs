//! Keys that may be violated for a while.
//!
//! PostgreSQL looks at a DEFERRABLE key at the end of a statement, or of the transaction, whatever the definition and
//! SET CONSTRAINTS say. So if two rows share such a key at the end of a statement, it may be an error or not. What
//! COMMIT then says is not judged, as with foreign keys.
//!
//! Layer `run`; knows the constraints of tables.

use std::sync::Arc;

use crate::catalog::Table;
use crate::error::Result;
use crate::rows::RowId;

use super::constraints::duplicate;
use super::state::Run;

impl Run<'_> {
    /// Looks at the keys of the rows that the statement has written.
    pub(super) fn check_deferred(&mut self) -> Result<()> {
        let mut written: Vec<(Arc<Table>, RowId)> = Vec::new();
        for place in 0..self.now.len() {
            let Some((table, id)) = self.now.effect(place).and_then(|effect| effect.written())
            else {
                continue;
            };
            let Some(table) = self.catalog.by_id(table) else { continue };
            if table.keys().iter().any(|key| key.deferrable) {
                written.push((Arc::clone(table), id));
            }
        }
        for (table, id) in written {
            let Some(Some(row)) = self.now.changed(table.id(), id) else { continue };
            let row = row.clone();
            for key in table.keys().iter().filter(|key| key.deferrable) {
                let shared =
                    self.conflicts(&table, key, &row)?.iter().any(|(other, _)| *other != id);
                if shared && self.choices.choose(2) == 1 {
                    return Err(duplicate(key));
                }
            }
        }
        Ok(())
    }
}
