//! Tables that are not made by one definition for all sessions: temporary tables, materialized views.
//!
//! Layer `catalog`; knows tables and views.

use std::sync::Arc;

use super::{Catalog, Table, View};
use crate::rows::TableId;

impl Catalog {
    /// The query of a materialized view.
    pub(crate) fn query_of(&self, table: TableId) -> Option<&Arc<View>> {
        self.queries.get(&table)
    }

    /// Adds a materialized view.
    pub(crate) fn add_materialized(&mut self, table: Table, view: Arc<View>) {
        self.queries.insert(table.id, view);
        self.add(table);
    }

    /// A materialized view is another table from now on.
    pub(crate) fn change_materialized(&mut self, before: &Table, table: Table, view: Arc<View>) {
        self.queries.insert(table.id, view);
        self.change(before, table);
    }

    /// The temporary tables of a session go away: all of them, or those that do so at a commit.
    pub fn drop_temporary(&mut self, schema: &str, all: bool) {
        let prefix = format!("{schema}.");
        self.tables.retain(|name, table| {
            let goes = all || table.nature.drops_at_commit;
            !(goes && table.nature.temporary && name.starts_with(&prefix))
        });
    }

    /// Whether all tables would be the same if their definitions were carried out again by another session, and
    /// then given their rows.
    pub fn can_be_made_again(&self) -> bool {
        let usual = |table: &Arc<Table>| !table.nature.temporary && !table.nature.materialized;
        self.tables.values().all(usual)
    }
}
