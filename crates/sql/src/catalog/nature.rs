//! What a table is besides its columns and keys.
//!
//! Layer `catalog`; knows views.

use std::sync::Arc;

use super::{Catalog, Table, View};

/// What a table is besides its columns and keys.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Nature {
    /// Whether it belongs to one session.
    pub(crate) temporary: bool,
    /// Whether it goes away when the transaction that made it commits.
    pub(crate) drops_at_commit: bool,
    /// The query that its rows come from, if it is a materialized view.
    pub(crate) materialized: Option<Arc<Materialized>>,
}

/// A query whose rows are kept.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Materialized {
    pub(crate) view: View,
    /// Whether it may be read: it has been filled.
    pub(crate) filled: bool,
}

impl Catalog {
    /// The temporary tables of a session go away: all of them, or those that do so at a commit.
    pub fn drop_temporary(&mut self, schema: &str, all: bool) {
        let prefix = format!("{schema}.");
        self.tables.retain(|name, table| {
            let goes = all || table.nature.drops_at_commit;
            !(goes && table.nature.temporary && name.starts_with(&prefix))
        });
        if all {
            self.views.retain(|name, _| !name.starts_with(&prefix));
        }
    }

    /// Whether all tables would be the same if their definitions were carried out again by another session, and
    /// then given their rows.
    pub fn can_be_made_again(&self) -> bool {
        let usual =
            |table: &Arc<Table>| !table.nature.temporary && table.nature.materialized.is_none();
        self.tables.values().all(usual)
    }
}
