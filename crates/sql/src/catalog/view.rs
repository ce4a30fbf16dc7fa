//! Views: queries with names.
//!
//! Layer `catalog`. A view is bound again wherever it is used, so it is kept as it was read. The server bound it
//! once, when it was made: `*` stands for the columns that there were then. So a view also keeps what its names
//! meant, and is only used while they mean the same.

use std::collections::BTreeSet;
use std::sync::Arc;

use sqlparser::ast;

use super::{Catalog, Names, Table, Trigger, short_name};
use crate::rows::TableId;

/// A query with a name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct View {
    pub(crate) name: String,
    /// The names of its columns, if the definition says them.
    pub(crate) columns: Vec<String>,
    pub(crate) query: ast::Query,
    /// The tables and views that the query names, as they were.
    pub(crate) tables: Vec<Arc<Table>>,
    pub(crate) views: Vec<Arc<View>>,
    /// What is done instead of changing its rows.
    pub(crate) triggers: Vec<Trigger>,
    /// The table that is changed through it, if it is that simple.
    pub(crate) target: Option<Box<ViewTarget>>,
}

/// How the rows of a view are those of one table, so that statements can change them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ViewTarget {
    /// The table, with the names that its columns have in the view; those that it does not show have none.
    pub(crate) table: Table,
    /// Its columns in the order of the view.
    pub(crate) order: Vec<usize>,
    /// What rows of the table have to meet.
    pub(crate) filters: Vec<ViewFilter>,
}

/// A condition of a view.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ViewFilter {
    /// The table with the names that the condition uses for it and its columns.
    pub(crate) table: Table,
    pub(crate) shown: String,
    pub(crate) condition: ast::Expr,
    /// Whether rows have to meet it that are written through the view.
    pub(crate) checked: bool,
    /// Whether it is the condition of a partition, which is checked like the other conditions of a table.
    pub(crate) divides: bool,
}

impl Names {
    /// Tables that mean something else in a later catalog: as they were, and as they are. The tables behind a view
    /// that is another one now are among them, because a statement that uses the view touches these.
    pub fn altered(&self, later: &Catalog) -> Vec<(Arc<Table>, Arc<Table>)> {
        let mut altered = Vec::new();
        let known: BTreeSet<TableId> = later.tables().map(|table| table.id()).collect();
        // INSERT IGNORE leaves out rows that refer to nothing.
        let all = later.dialect().ignores_orphans();
        let same = |old: &Arc<Table>| {
            later.tables().any(|new| Arc::ptr_eq(old, new) || old.behaves_like(new, all))
        };
        // What has no table with its number or name any more was dropped, and nothing is altered.
        for old in self.tables.values().filter(|old| !same(old)) {
            let by_number = later.tables().find(|new| new.id == old.id);
            let by_name = || later.own_table(&old.name).filter(|_| !known.contains(&old.id));
            if let Some(new) = by_number.or_else(by_name) {
                altered.push((Arc::clone(old), Arc::clone(new)));
            }
        }
        for (name, old) in &self.views {
            if later.views.get(name).is_none_or(|new| new != old) {
                let current = old.tables.iter().filter_map(|table| later.by_id(table.id));
                altered.extend(current.map(|table| (Arc::clone(table), Arc::clone(table))));
            }
        }
        altered
    }
}

impl Catalog {
    /// Whether there is a view with this name, in whatever schema.
    pub fn has_view(&self, name: &str) -> bool {
        self.views.values().any(|view| short_name(&view.name).eq_ignore_ascii_case(name))
    }

    /// The tables whose names are wanted, and those behind views with such names.
    pub fn tables_behind(&self, wanted: impl Fn(&str) -> bool) -> Vec<TableId> {
        let tables =
            self.tables().filter(|table| wanted(table.short_name())).map(|table| table.id());
        let views = self.views.values().filter(|view| wanted(short_name(&view.name)));
        let behind = views.flat_map(|view| &view.tables).map(|table| table.id());
        tables.chain(behind).collect()
    }

    /// Whether there are views.
    pub fn has_views(&self) -> bool {
        !self.views.is_empty()
    }

    pub(crate) fn view(&self, name: &str) -> Option<&Arc<View>> {
        self.views.get(&self.key(name))
    }

    /// The view that is kept under a name.
    fn own_view(&self, name: &str) -> Option<&Arc<View>> {
        self.views.get(&self.own_key(name))
    }

    pub(crate) fn remove_own_view(&mut self, name: &str) {
        self.views.remove(&self.own_key(name));
    }

    pub(crate) fn add_view(&mut self, view: View) {
        self.views.insert(self.own_key(&view.name), Arc::new(view));
    }

    pub(crate) fn remove_view(&mut self, name: &str) -> bool {
        self.views.remove(&self.key(name)).is_some()
    }

    /// Whether everything that a view names still means what it meant when the view was made.
    pub(crate) fn is_current(&self, view: &View) -> bool {
        let same = |table: &Arc<Table>| {
            self.own_table(&table.name)
                .is_some_and(|now| now.id == table.id && now.columns == table.columns)
        };
        let known = |inner: &Arc<View>| self.own_view(&inner.name).is_some_and(|now| now == inner);
        view.tables.iter().all(same) && view.views.iter().all(known)
    }

    /// Removes all views that depend on a table, or on one of its columns.
    pub(crate) fn remove_views_over(&mut self, table: &Table) {
        loop {
            let broken = self.views.values().find(|view| {
                view.tables.iter().any(|used| used.id == table.id)
                    || view.views.iter().any(|used| self.own_view(&used.name).is_none())
            });
            let Some(name) = broken.map(|view| view.name.clone()) else { return };
            self.remove_own_view(&name);
        }
    }
}
