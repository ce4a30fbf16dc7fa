//! Views in FROM.
//!
//! Layer `bind`; knows queries. A view is a derived table with names of its own: it sees neither the queries
//! of the WITH around it nor the variables of a routine.

use std::sync::Arc;

use sqlparser::ast;

use crate::catalog::{Table, View};
use crate::error::{Result, unsupported};
use crate::plan::{Query, Source};

use super::binder::Binder;
use super::partitions::is_hashed;

impl Binder<'_> {
    /// The rows of a view.
    pub(super) fn view(
        &mut self,
        view: &Arc<View>,
        shown: &str,
        alias: Option<&ast::TableAlias>,
    ) -> Result<Source> {
        if self.locks.is_some() {
            return unsupported("locks on the rows of a view");
        }
        let mut query = self.deeper(|binder| binder.current_view(view))?;
        for (column, name) in query.output.iter_mut().zip(&view.columns) {
            column.name.clone_from(name);
        }
        self.used_views.push(Arc::clone(view));
        self.derived(query, shown, alias, true)
    }

    /// The query of a view, in which names mean what they meant when the view was made.
    pub(super) fn current_view(&mut self, view: &View) -> Result<Query> {
        if !self.catalog.is_current(view) {
            return unsupported(format!(
                "the view {}, whose tables were altered after it was made",
                view.name
            ));
        }
        if is_hashed(view) {
            return unsupported(format!("the rows of {}, a partition by hash", view.name));
        }
        let before = self.used.len();
        let query = self.view_query(&view.query);
        let used = self.used[before..].iter().map(|table| table.id());
        if !self.catalog.looks_at_home() && !used.eq(view.tables.iter().map(|table| table.id())) {
            return unsupported(format!(
                "the view {}, which was made where names are looked up elsewhere",
                view.name
            ));
        }
        query
    }

    /// A query that knows nothing of what is around it.
    pub(super) fn view_query(&mut self, query: &ast::Query) -> Result<Query> {
        let scopes = std::mem::take(&mut self.scopes);
        let named = std::mem::take(&mut self.named);
        let spent = std::mem::take(&mut self.spent);
        let changes = std::mem::take(&mut self.changes);
        let (aggregates, windows) = (self.aggregates.take(), self.windows.take());
        let recursing = self.recursing.take();
        let locals = std::mem::take(&mut self.locals);
        let opens = std::mem::take(&mut self.leaves_types_open);
        self.allows_changes = false;
        self.inner += 1;
        let bound = self.query(query);
        self.inner -= 1;
        (self.scopes, self.named, self.spent, self.changes) = (scopes, named, spent, changes);
        (self.aggregates, self.windows, self.recursing) = (aggregates, windows, recursing);
        (self.locals, self.leaves_types_open) = (locals, opens);
        bound
    }

    /// The tables and views that were named so far.
    pub(super) fn into_used(self) -> (Vec<Arc<Table>>, Vec<Arc<View>>) {
        (self.used, self.used_views)
    }
}
