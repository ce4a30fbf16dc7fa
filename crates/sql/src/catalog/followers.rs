//! Which tables refer to a table, and which change with it.
//!
//! Layer `catalog`; knows tables and their foreign keys.

use crate::rows::TableId;

use super::foreign::ForeignKey;
use super::{Catalog, Table};

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
