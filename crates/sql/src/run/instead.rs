//! INSERT into a view whose triggers do something else instead.
//!
//! Layer `run`; knows triggers.

use std::sync::Arc;

use crate::catalog::{Column, Event, Timing, short_name};
use crate::error::{Result, unsupported};
use crate::outcome::{Answer, Count};
use crate::plan::{Expr, Fill, Insert, InsertSource, Output};
use crate::value::Value;

use super::firing::Firing;
use super::frame::Frame;
use super::state::Run;

impl Run<'_> {
    /// Gives the rows to the triggers of a view.
    pub(super) fn insert_instead(
        &mut self,
        insert: &Insert,
        view: &str,
        columns: &[Output],
    ) -> Result<Answer> {
        let rows: Vec<Vec<Option<Value>>> = match &insert.source {
            InsertSource::Query(query) => {
                let rows = self.chosen_rows(query, None)?.into_iter();
                rows.map(|row| row.into_iter().map(Some).collect()).collect()
            }
            InsertSource::Values(rows) => {
                let given = |run: &mut Self, value: &Option<Expr>| {
                    value.as_ref().map(|value| run.eval(value, &Frame::EMPTY)).transpose()
                };
                let row = |row: &Vec<Option<Expr>>| {
                    row.iter().map(|value| given(self, value)).collect::<Result<Vec<_>>>()
                };
                rows.iter().map(row).collect::<Result<_>>()?
            }
        };
        let fill = |row: &Vec<Option<Value>>| -> Vec<Value> {
            let value = |fill: &Fill| match fill {
                Fill::Given(place) => row.get(*place).cloned().flatten().unwrap_or(Value::Null),
                Fill::Default => Value::Null,
            };
            insert.fills.iter().map(value).collect()
        };
        let rows: Vec<Vec<Value>> = rows.iter().map(fill).collect();
        let in_order = matches!(insert.source, InsertSource::Values(_));
        let count = self.fire_instead(view, columns, rows, in_order)?;
        Ok(Answer::of_count(Count { found: count, changed: count, unsure: 0 }, None))
    }

    /// Fires the triggers of a view for new rows. Returns how many rows were not left out.
    fn fire_instead(
        &mut self,
        view: &str,
        output: &[Output],
        rows: Vec<Vec<Value>>,
        in_order: bool,
    ) -> Result<u64> {
        let Some(view) = self.catalog.view(view).map(Arc::clone) else {
            return unsupported("a view that is gone");
        };
        let columns: Vec<Column> = output.iter().map(Column::of_output).collect();
        let (several, mut count) = (rows.len() > 1, 0);
        for row in rows {
            let mut left = Some(row);
            for trigger in &view.triggers {
                let Some(new) = left.take() else { break };
                if !trigger.fires(Timing::Instead, Event::Insert, true) {
                    left = Some(new);
                    continue;
                }
                let firing = Firing {
                    trigger,
                    table: short_name(&view.name),
                    columns: &columns,
                    event: Event::Insert,
                    old: None,
                    new: Some(&new),
                    transitions: [None, None],
                };
                left = self.fire(&firing)?;
            }
            count += u64::from(left.is_some());
        }
        if several && !in_order && self.is_entangled() {
            return unsupported("INSTEAD OF triggers of several rows that see each other");
        }
        Ok(count)
    }
}
