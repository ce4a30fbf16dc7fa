//! Foreign keys, and which tables refer to a table.
//!
//! Layer `catalog`. Whether a row refers to one that exists is never checked: a database refuses such rows, and
//! an error that says so is not judged. What is carried out are the actions: `ON DELETE CASCADE` and its like.

use crate::rows::TableId;

use super::{Catalog, Table};

/// Columns that refer to a row of another table, or of the same one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ForeignKey {
    pub(crate) name: String,
    pub(crate) columns: Vec<usize>,
    /// The table that is referred to.
    pub(crate) parent: TableId,
    /// Its columns, one for each of ours.
    pub(crate) referred: Vec<usize>,
    pub(crate) on_delete: Action,
    pub(crate) on_update: Action,
}

impl ForeignKey {
    /// Whether it changes rows.
    pub(crate) fn acts(&self) -> bool {
        self.on_delete.acts() || self.on_update.acts()
    }
}

/// What becomes of rows when the row that they refer to goes away or gets another key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// The change is refused.
    Refuse,
    Cascade,
    SetNull,
    SetDefault,
}

impl Action {
    pub(crate) fn acts(self) -> bool {
        self != Self::Refuse
    }
}

impl Catalog {
    /// Names of tables without their schemas, and of all tables that foreign keys change with them.
    pub fn with_followers(&self, mut names: Vec<String>) -> Vec<String> {
        let mut place = 0;
        while let Some(name) = names.get(place).cloned() {
            place += 1;
            let parents = self.tables().filter(|one| one.short_name().eq_ignore_ascii_case(&name));
            for (table, key) in parents.flat_map(|parent| self.referrers(parent.id())) {
                let follower = table.short_name().to_lowercase();
                if key.acts() && !names.contains(&follower) {
                    names.push(follower);
                }
            }
        }
        names
    }

    /// The foreign keys that refer to a table, and the tables that have them.
    pub(crate) fn referrers(&self, parent: TableId) -> impl Iterator<Item = (&Table, &ForeignKey)> {
        self.tables().flat_map(move |table| {
            let keys = table.foreign.iter().filter(move |key| key.parent == parent);
            keys.map(move |key| (&**table, key))
        })
    }
}
