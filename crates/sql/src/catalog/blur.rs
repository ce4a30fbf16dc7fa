//! Blurred columns: nothing is known of their values.
//!
//! ```text
//!   CREATE TABLE t (id serial PRIMARY KEY, name text UNIQUE)
//!
//!   t with id blurred:   id NULL, name text UNIQUE      no key over id, no sequence; no statement can name id
//! ```
//!
//! The server fills some columns with values that no log shows. A catalog in which such a column is blurred carries out
//! the statements that do not use it as the real one does: what they read and write of the other columns is the same
//! whatever the column holds. The values of the column are not computed at all. A statement that uses it is refused
//! when it is bound ([`crate::Error::Blurred`]).
//!
//! What cannot be told any more:
//!
//! - Whether a write fails because of the column: its keys, its type and NOT NULL are gone. So only writes that worked
//!   can be carried out.
//! - Whether a write changed a row that is the same in all other columns ([`crate::Count::unsure`]).
//!
//! Layer `catalog`.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::plan::{Expr, walk_columns};

use super::{Catalog, Column, DefaultValue, ForeignKey, Table};

impl Catalog {
    /// The same tables with blurred columns, which are named by their table and their own name in lower case. Returns
    /// the names of the tables as well in which a column cannot be blurred.
    pub fn blurred(&self, wanted: &BTreeSet<(String, String)>) -> (Self, BTreeSet<String>) {
        let mut blurred = self.clone();
        let mut impossible = BTreeSet::new();
        for table in self.tables() {
            let name = table.short_name().to_lowercase();
            let is_wanted = |column: &str| wanted.contains(&(name.clone(), column.to_lowercase()));
            let columns = table.columns.iter().enumerate();
            let columns: Vec<usize> = columns
                .filter(|(_, column)| is_wanted(&column.name))
                .map(|(place, _)| place)
                .collect();
            if columns.is_empty() {
                continue;
            }
            if columns.iter().all(|column| self.can_blur(table, *column)) {
                blurred.put_in_place(blur(table, &columns));
            } else {
                impossible.insert(name);
            }
        }
        (blurred, impossible)
    }

    /// Another shape of a table that is there.
    fn put_in_place(&mut self, table: Table) {
        let table = Arc::new(table);
        self.by_id[table.id.0 as usize] = Arc::clone(&table);
        let mut all = self.tables.values_mut();
        if let Some(one) = all.find(|one| one.id == table.id) {
            *one = table;
        }
    }

    /// Whether nothing but statements that name a column depends on it.
    fn can_blur(&self, table: &Table, column: usize) -> bool {
        let computed = table.columns.iter().filter_map(|one| match &one.default {
            DefaultValue::Generated(expr) | DefaultValue::Virtual(expr) => Some(expr),
            _ => None,
        });
        let mut conditions = table.checks.iter().map(|check| &check.expr).chain(computed);
        let refers = |key: &ForeignKey| key.columns.contains(&column) && self.follows(key);
        let is_referred = |key: &ForeignKey| key.referred.contains(&column) && self.follows(key);
        !table.columns[column].is_computed()
            && !conditions.any(|expr| uses(expr, column))
            && table.triggers.is_empty()
            && !table.calls_routines()
            && table.nature.partitions.is_none()
            && !table.nature.materialized
            // Every update of a row moves it in the order of the table.
            && !(table.columns[column].renewed && table.orders_rows_by(column))
            && !table.foreign.iter().any(refers)
            && !self.referrers(table.id).any(|(_, key)| is_referred(key))
            // A view keeps the table that it writes to, as it was.
            && !self.has_views()
    }

    /// Whether a foreign key changes rows, or keeps `INSERT IGNORE` from adding them.
    fn follows(&self, key: &ForeignKey) -> bool {
        key.acts() || !self.dialect.is_strictly_typed()
    }
}

impl Table {
    /// Whether it has a blurred column.
    pub fn is_blurred(&self) -> bool {
        self.columns.iter().any(|column| column.blurred)
    }

    /// Whether one of these columns is blurred.
    pub(crate) fn has_blurred(&self, columns: &[usize]) -> bool {
        columns.iter().any(|column| self.columns[*column].blurred)
    }

    /// Those of these columns that are blurred, with the name of the table.
    pub(crate) fn blurred_names(&self, columns: &[usize]) -> Vec<String> {
        columns.iter().filter_map(|column| self.blurred_name(&self.columns[*column])).collect()
    }

    /// A column with the name of the table, if it is blurred.
    pub(crate) fn blurred_name(&self, column: &Column) -> Option<String> {
        column.blurred.then(|| format!("{}.{}", self.short_name(), column.name()))
    }

    /// A blurred column of a key that no two rows may share.
    pub(crate) fn blurred_key_column(&self) -> Option<usize> {
        let mut blurred = (0..self.columns.len()).filter(|column| self.columns[*column].blurred);
        blurred.find(|column| self.keys.iter().any(|key| key.depends_on(&[*column])))
    }

    /// Whether its rows are stored in an order that depends on a column.
    pub(crate) fn orders_rows_by(&self, column: usize) -> bool {
        self.keys.iter().any(|key| key.orders_rows() && key.columns.contains(&column))
    }
}

/// The table without anything that depends on these columns. Unique keys over them are kept for
/// [`Table::blurred_key_column`] and [`Key::orders_rows`], but no longer enforced.
fn blur(table: &Table, columns: &[usize]) -> Table {
    let mut table = table.clone();
    for place in columns {
        let column = &mut table.columns[*place];
        column.blurred = true;
        column.not_null = false;
        column.default = DefaultValue::Nothing;
        column.renewed = false;
        column.domain = None;
    }
    table.keys.retain(|key| key.is_exclusive() || !key.depends_on(columns));
    for key in table.keys.iter_mut().filter(|key| key.depends_on(columns)) {
        key.blurred_primary = key.primary;
        (key.unique, key.primary, key.deferrable) = (false, false, false);
    }
    table
}

fn uses(expr: &Expr, column: usize) -> bool {
    let mut found = false;
    walk_columns(&mut expr.clone(), &mut |_, one| found |= one == column);
    found
}
