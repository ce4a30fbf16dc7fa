//! Schemas that a log makes and drops.
//!
//! Layer `catalog`. A schema is known by its tables, so one that the log does not make may be there as well.

use std::sync::Arc;

use super::{Catalog, Table};

impl Catalog {
    pub(crate) fn add_schema(&mut self, name: &str) {
        let name = self.dialect.fold_name(name);
        self.schemas.insert(name);
    }

    /// Whether a schema was made, or has tables.
    pub fn knows_schema(&self, name: &str) -> bool {
        self.schemas.contains(name) || self.has_schema(name)
    }

    /// Drops a schema with everything in it, and the views elsewhere that use that. Returns the tables.
    pub(crate) fn remove_schema(&mut self, name: &str) -> Vec<Arc<Table>> {
        let name = self.dialect.fold_name(name);
        self.schemas.remove(&name);
        let (tables, views) = self.in_schema(&name);
        let tables: Vec<Arc<Table>> =
            tables.iter().filter_map(|table| self.tables.remove(table)).collect();
        views.iter().for_each(|view| drop(self.views.remove(view)));
        tables.iter().for_each(|table| self.remove_views_over(table));
        tables
    }

    /// Whether nothing is known to be in a schema.
    pub(crate) fn is_empty_schema(&self, name: &str) -> bool {
        let (tables, views) = self.in_schema(&self.dialect.fold_name(name));
        tables.is_empty() && views.is_empty()
    }

    /// Whether there are routines.
    pub(crate) fn has_routines(&self) -> bool {
        !self.routines.is_empty()
    }

    /// The names that the tables and views of a schema are kept under.
    fn in_schema(&self, schema: &str) -> (Vec<String>, Vec<String>) {
        let is_in = |name: &&String| self.schema_of(name) == Some(schema);
        let tables = self.tables.keys().filter(is_in).cloned().collect();
        (tables, self.views.keys().filter(is_in).cloned().collect())
    }
}
