//! The names of tables: `t`, `schema.t`.
//!
//! A table without a schema in front of its name is in the *home*: the schema or database in which the
//! server looks such names up. In PostgreSQL that is `public` unless a session chooses another one. In MySQL
//! it is the database of the session, whose name is known only if a statement chooses it.

use sqlparser::ast::{ObjectName, ObjectNamePart};

use super::table::short_name;
use super::{Catalog, Table};
use crate::dialect::Dialect;
use crate::error::{Result, unsupported};

/// What is between a schema and a name.
const DOT: char = '.';

/// The name of a table as a statement writes it, without the database in front of a schema.
pub(crate) fn table_name(name: &ObjectName) -> Result<String> {
    let part = |part: &ObjectNamePart| match part {
        ObjectNamePart::Identifier(ident) if !ident.value.contains(DOT) => Ok(ident.value.clone()),
        _ => unsupported(format!("the name {name}")),
    };
    match name.0.as_slice() {
        [only] => part(only),
        [schema, last] | [_, schema, last] => Ok(format!("{}{DOT}{}", part(schema)?, part(last)?)),
        _ => unsupported(format!("the name {name}")),
    }
}

/// Whether the server itself keeps a table with this name: its catalog, or what it knows of its sessions.
pub(crate) fn is_of_the_system(dialect: Dialect, name: &str) -> bool {
    let (schema, name) = match name.split_once(DOT) {
        Some((schema, name)) => (Some(schema), name),
        None => (None, name),
    };
    tristan_sqltext::is_of_the_system(dialect.text(), schema, name)
}

impl Catalog {
    /// Names without a schema are looked up here from now on.
    pub fn set_home(&mut self, schema: &str) {
        self.home = Some(self.dialect.fold_name(schema));
        let tables = std::mem::take(&mut self.tables);
        self.tables = tables.into_iter().map(|(name, table)| (self.key(&name), table)).collect();
        let views = std::mem::take(&mut self.views);
        self.views = views.into_iter().map(|(name, view)| (self.key(&name), view)).collect();
    }

    /// The name that a table is kept under: without its schema if that is the home.
    pub(super) fn key(&self, name: &str) -> String {
        let name = self.dialect.fold_name(name);
        match (name.split_once(DOT), &self.home) {
            (Some((schema, last)), Some(home)) if schema == home => last.to_owned(),
            _ => name,
        }
    }

    /// Whether two names mean the same table.
    pub(crate) fn is_same(&self, one: &str, other: &str) -> bool {
        self.key(one) == self.key(other)
    }

    /// The table with a name that a statement writes, if it exists.
    pub(crate) fn named(&self, name: &str) -> Result<Option<&std::sync::Arc<Table>>> {
        let found = self.table(name);
        let like_named = |table: &std::sync::Arc<Table>| {
            table.name().contains(DOT) != name.contains(DOT)
                && short_name(table.name()).eq_ignore_ascii_case(short_name(name))
        };
        if self.home.is_none() && self.tables().any(like_named) {
            return unsupported(format!("the name {name} while the database in use is not known"));
        }
        Ok(found)
    }
}
