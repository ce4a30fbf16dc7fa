//! The names of tables: `t`, `schema.t`.
//!
//! A table without a schema in front of its name is in the *home*: the schema or database in which the
//! server looks such names up. In PostgreSQL that is `public` unless a session chooses another one. In MySQL
//! it is the database of the session, whose name is known only if a statement chooses it.
//!
//! A session of PostgreSQL may look elsewhere ([`Catalog::look_up`]): in the schemas of its search path, one after
//! the other, and before them among its temporary tables, which are in a schema of their own. So there are two
//! kinds of names: those that a statement writes, and those that tables have, which always mean the same table.

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
        self.tables =
            tables.into_iter().map(|(name, table)| (self.own_key(&name), table)).collect();
        let views = std::mem::take(&mut self.views);
        self.views = views.into_iter().map(|(name, view)| (self.own_key(&name), view)).collect();
    }

    /// Names without a schema are looked up among the tables of a session, if it has some, and then in the schemas
    /// of its path; in the home if there is none.
    pub fn look_up(&mut self, path: Option<Vec<String>>, temporary: Option<String>) {
        self.path = path;
        self.temporary = temporary;
    }

    /// Where names are looked up.
    pub fn looked_up(&self) -> (Option<&[String]>, Option<&str>) {
        (self.path.as_deref(), self.temporary.as_deref())
    }

    /// Whether all names without a schema mean tables of the home.
    pub(crate) fn looks_at_home(&self) -> bool {
        self.path.is_none() && self.temporary.is_none()
    }

    /// Whether there are tables or views in a schema.
    pub fn has_schema(&self, schema: &str) -> bool {
        let is_in = |name: &String| self.schema_of(name) == Some(schema);
        self.tables.keys().any(is_in) || self.views.keys().any(is_in)
    }

    /// Whether there is a table without a schema in front of its name.
    pub fn has_plain_names(&self) -> bool {
        self.tables.values().any(|table| !table.name().contains(DOT))
    }

    /// The schema of a table that is kept under this name.
    pub(super) fn schema_of<'a>(&'a self, key: &'a str) -> Option<&'a str> {
        key.split_once(DOT).map(|(schema, _)| schema).or(self.home.as_deref())
    }

    /// The name that a table is kept under: without its schema if that is the home.
    pub(super) fn own_key(&self, name: &str) -> String {
        let name = self.dialect.fold_name(name);
        match (name.split_once(DOT), &self.home) {
            (Some((schema, last)), Some(home)) if schema == home => last.to_owned(),
            _ => name,
        }
    }

    /// The name that the table is kept under which a statement means.
    pub(super) fn key(&self, name: &str) -> String {
        if self.looks_at_home() {
            return self.own_key(name);
        }
        if let Some((schema, last)) = name.split_once(DOT) {
            return match &self.temporary {
                Some(own) if schema.eq_ignore_ascii_case("pg_temp") => {
                    self.own_key(&format!("{own}{DOT}{last}"))
                }
                _ => self.own_key(name),
            };
        }
        let is_known = |key: &String| self.tables.contains_key(key) || self.views.contains_key(key);
        let places = self.temporary.iter().chain(self.path.iter().flatten());
        let places = places.map(|schema| self.own_key(&format!("{schema}{DOT}{name}")));
        let home = self.path.is_none().then(|| self.own_key(name));
        let found = places.chain(home).find(is_known);
        found.unwrap_or_else(|| self.own_key(&self.new_place(name)))
    }

    /// The name of something that is made without a schema in front of its name, which is in the first schema of the
    /// path.
    fn new_place(&self, name: &str) -> String {
        match self.path.as_ref().and_then(|path| path.first()) {
            Some(first) if !name.contains(DOT) => format!("{first}{DOT}{name}"),
            _ => name.to_owned(),
        }
    }

    /// The name of a table or view that is made. The server skips schemas of the path that do not exist.
    pub(crate) fn new_name(&self, written: &str, temporary: bool) -> Result<String> {
        if temporary {
            return match &self.temporary {
                Some(own) if !written.contains(DOT) => Ok(format!("{own}{DOT}{written}")),
                Some(_) => unsupported("a schema in the name of a temporary table"),
                None => unsupported("a temporary table of a session that is not known"),
            };
        }
        if let Some((schema, _)) = written.split_once(DOT)
            && schema.to_lowercase().starts_with("pg_temp")
        {
            return unsupported("a temporary table with its schema");
        }
        if let Some([first, _, ..]) = self.path.as_deref()
            && !written.contains(DOT)
            && !self.knows_schema(first)
            && Some(first) != self.home.as_ref()
        {
            return unsupported(format!("a new table while it is not known if {first} exists"));
        }
        let name = self.new_place(written);
        Ok(match (name.split_once(DOT), &self.home) {
            (Some((schema, last)), Some(home)) if self.path.is_some() && schema == home => {
                last.to_owned()
            }
            _ => name,
        })
    }

    /// The table that is kept under a name.
    pub(crate) fn own_table(&self, name: &str) -> Option<&std::sync::Arc<Table>> {
        self.tables.get(&self.own_key(name))
    }

    /// Whether a table or view is kept under a name.
    pub(crate) fn is_taken(&self, name: &str) -> bool {
        let key = self.own_key(name);
        self.tables.contains_key(&key) || self.views.contains_key(&key)
    }

    /// Whether two names that tables have mean the same table.
    pub(crate) fn is_same(&self, one: &str, other: &str) -> bool {
        self.own_key(one) == self.own_key(other)
    }

    /// Whether a name that a statement writes means a table that has a name.
    pub(crate) fn means(&self, written: &str, own: &str) -> bool {
        self.key(written) == self.own_key(own)
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
