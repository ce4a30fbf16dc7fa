//! Values that a statement may store, whatever rows there are.
//!
//! ```text
//!   UPDATE t SET state = 'done', tries = tries + 1 WHERE id = 7       state: 'done'      tries: any value
//! ```
//!
//! Layer `run`; reads plans and the defaults of tables. It evaluates constants and parameters, and nothing that needs
//! rows.

use std::collections::BTreeMap;

use crate::catalog::{Catalog, DefaultValue, Table};
use crate::plan::{Assignment, Expr, Fill, Insert, InsertSource, OnConflict, Plan};
use crate::rows::{NoRows, TableId};
use crate::value::Value;

use super::frame::Frame;
use super::region::is_constant;
use super::state::{NoRoutines, Run};
use super::untold::Untold;

/// A value that a statement may store in a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    /// The table that the column belongs to.
    pub table: TableId,
    /// The place of the column in the table.
    pub column: usize,
    /// The value; `None` if it may be any.
    pub value: Option<Value>,
}

/// The values that a plan may store itself, not by way of triggers and foreign keys. Returns `None` if that may be
/// anything.
pub(crate) fn stored(catalog: &Catalog, plan: &Plan, params: &[Value]) -> Option<Vec<Stored>> {
    let mut storing = Storing { catalog, params, stored: Vec::new() };
    storing.plan(plan)?;
    Some(storing.stored)
}

struct Storing<'a> {
    catalog: &'a Catalog,
    params: &'a [Value],
    stored: Vec<Stored>,
}

impl Storing<'_> {
    fn plan(&mut self, plan: &Plan) -> Option<()> {
        match plan {
            Plan::Query(_) | Plan::Delete(_) | Plan::Truncate(..) => Some(()),
            Plan::Insert(insert) => self.insert(insert),
            Plan::Update(update) => {
                let locate = &update.locate;
                self.assignments(locate.table, &update.assignments, &[locate.at])
            }
            Plan::Doubtful(_, plan) => self.plan(plan),
            Plan::Merge(_) | Plan::Rebuild(_) | Plan::Call { .. } | Plan::With { .. } => None,
        }
    }

    fn insert(&mut self, insert: &Insert) -> Option<()> {
        let table = self.catalog.by_id(insert.table)?.clone();
        for column in 0..table.columns().len() {
            // INSERT IGNORE bends values until they fit.
            match insert.fills.get(column) {
                _ if insert.conflict == OnConflict::Ignore => self.any(&table, column),
                Some(Fill::Given(place)) => match &insert.source {
                    InsertSource::Values(rows) => {
                        for row in rows {
                            self.given(&table, column, row.get(*place).and_then(Option::as_ref));
                        }
                    }
                    InsertSource::Query(_) => self.any(&table, column),
                },
                Some(Fill::Default) | None => self.given(&table, column, None),
            }
        }
        // Assignments see the row that is there, followed by the one that was to be inserted.
        let rows = [0, table.columns().len()];
        match insert.instead {
            Some(_) => None,
            None => self.assignments(insert.table, insert.assignments(), &rows),
        }
    }

    /// What is assigned to columns of a table. Rows of it begin at these places of the row that assignments see, and
    /// hold values that are stored anyway.
    fn assignments(
        &mut self,
        table: TableId,
        assignments: &[Assignment],
        rows: &[usize],
    ) -> Option<()> {
        let table = self.catalog.by_id(table)?.clone();
        for Assignment { column, value } in assignments {
            let keeps = |value: &Expr| {
                rows.iter().any(|at| *value == Expr::Column { depth: 0, index: at + column })
            };
            if !value.as_ref().is_some_and(keeps) {
                self.given(&table, *column, value.as_ref());
            }
        }
        table.generated().chain(table.renewed()).for_each(|column| self.any(&table, column));
        Some(())
    }

    /// A column is given what an expression says, or its default.
    fn given(&mut self, table: &Table, column: usize, value: Option<&Expr>) {
        let default = &table.columns()[column].default;
        let value = match (value, default) {
            // MySQL and MariaDB count instead of storing NULL or 0.
            (_, DefaultValue::Sequence { .. }) if !self.catalog.dialect().is_strictly_typed() => {
                None
            }
            (Some(value), _) => Some(value),
            (None, DefaultValue::Expr(value)) => Some(value),
            (None, DefaultValue::Nothing) => Some(&Expr::Const(Value::Null)),
            (None, _) => None,
        };
        let value = value.and_then(|value| self.value(table, column, value));
        self.stored.push(Stored { table: table.id(), column, value });
    }

    /// The value that an expression stores, if it needs no rows and leaves the server nothing to decide: not even how
    /// texts compare.
    fn value(&self, table: &Table, column: usize, value: &Expr) -> Option<Value> {
        let (mut rows, mut choices, mut session) = (NoRows, Untold::default(), BTreeMap::new());
        let (catalog, params) = (self.catalog, self.params);
        let mut run = Run::new(catalog, &mut rows, &mut choices, &NoRoutines, params, &mut session);
        let value = is_constant(value).then(|| run.eval(value, &Frame::EMPTY).ok())??;
        let value = run.given_value(table, column, value).ok()?;
        (!choices.asked).then_some(value)
    }

    fn any(&mut self, table: &Table, column: usize) {
        self.stored.push(Stored { table: table.id(), column, value: None });
    }
}
