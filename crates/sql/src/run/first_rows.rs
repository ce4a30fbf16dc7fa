//! `ORDER BY … LIMIT`: only the first rows, if they can be found without all others.
//!
//! Timelines and queues grow, but applications keep asking for their first few rows. If the rows are stored in order
//! ([`Rows::lookup_first`](crate::Rows::lookup_first)), a query over one table reads no more of them than it needs. At
//! the limit it reads all rows that tie in the first column, so the server's choice among them is the same as
//! with all rows.
//!
//! This is only done where no expression can fail: an error in a row that is not looked at would go unseen.
//!
//! Layer `run`.

use crate::error::Result;
use crate::plan::{Access, Body, Expr, Query, Select, Source, may_fail};
use crate::rows::{First, TableId};
use crate::types::Type;
use crate::value::Value;

use super::frame::Frame;
use super::source::Wide;
use super::state::Run;

/// A query that shows rows of one table, each for itself, in an order.
struct Simple<'q> {
    select: &'q Select,
    table: TableId,
    access: &'q Access,
    filter: &'q [Expr],
    /// The column of the table that comes first in the order.
    column: usize,
    descending: bool,
}

impl Run<'_> {
    /// The rows of a query up to as many as are wanted, and those that are equal to the last of them in the first
    /// column of the order. `None` if the query is of another kind, or the rows are not kept in this order.
    pub(super) fn first_rows(
        &mut self,
        query: &Query,
        outer: Option<&Frame<'_>>,
        wanted: Option<u64>,
    ) -> Result<Option<Wide>> {
        let wanted = wanted.and_then(|wanted| usize::try_from(wanted).ok());
        let (Some(wanted), Some(simple)) = (wanted, Simple::of(query)) else { return Ok(None) };
        if self.has_done_something() || !self.is_in_order(&simple) {
            return Ok(None);
        }
        let Some(values) = self.access_values(simple.table, simple.access, outer)? else {
            return Ok(None);
        };
        let mut taken = wanted.max(1);
        loop {
            let (column, descending) = (simple.column, simple.descending);
            let first = First { column, descending, wanted: taken };
            let mut found = Vec::new();
            let columns = &simple.access.columns;
            let Some(is_all) =
                self.rows.lookup_first(simple.table, columns, &values, first, &mut found)
            else {
                return Ok(None);
            };
            let mut rows = Vec::new();
            for (_, row) in &found {
                rows.extend(self.items_of(&simple, &Frame { row, outer })?);
            }
            if is_all || rows.len() >= wanted {
                return Ok(Some(rows));
            }
            taken = taken.saturating_mul(4);
        }
    }

    /// Whether the first column of the order has whole numbers only, which every server sorts in the same way.
    fn is_in_order(&self, simple: &Simple<'_>) -> bool {
        let table = self.catalog.by_id(simple.table);
        let column = table.and_then(|table| table.columns().get(simple.column));
        column.is_some_and(|column| column.is_not_null() && matches!(column.ty(), Type::Int(_)))
    }

    /// What the query shows of a row, if anything.
    fn items_of(&mut self, simple: &Simple<'_>, frame: &Frame<'_>) -> Result<Option<Vec<Value>>> {
        for condition in simple.filter.iter().chain(&simple.select.filter) {
            if self.truth(condition, frame)? != Some(true) {
                return Ok(None);
            }
        }
        let items = simple.select.items.iter();
        items.map(|item| self.eval(item, frame)).collect::<Result<Vec<_>>>().map(Some)
    }
}

impl<'q> Simple<'q> {
    fn of(query: &'q Query) -> Option<Self> {
        let Body::Select(select) = &query.body else { return None };
        let key = query.order.first().filter(|_| query.first_of.is_none())?;
        let Source::Table { table, access, numbered: false, filter, early, alone, .. } =
            &select.source
        else {
            return None;
        };
        let access = access.as_ref().filter(|access| access.between.is_none())?;
        let alone = early.is_empty()
            && alone.is_empty()
            && select.grouping.is_none()
            && select.having.is_none()
            && select.windows.is_none()
            && select.distinct.is_none();
        let mut computed = filter.iter().chain(&select.filter).chain(&select.items);
        if !alone || computed.any(may_fail) {
            return None;
        }
        let Some(Expr::Column { depth: 0, index: column }) = select.items.get(key.index) else {
            return None;
        };
        let (table, column, descending) = (*table, *column, key.descending);
        Some(Self { select, table, access, filter, column, descending })
    }
}
