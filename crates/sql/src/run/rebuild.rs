//! What ALTER TABLE does with rows.
//!
//! Layer `run`; knows the constraints of tables.

use std::sync::Arc;

use crate::catalog::{DefaultValue, Table};
use crate::error::{ErrorClass, Result, fail};
use crate::outcome::{Answer, Effect};
use crate::plan::Rebuild;
use crate::value::Value;

use super::forced::implied;
use super::frame::Frame;
use super::state::Run;

impl Run<'_> {
    /// Moves all rows to a table with another shape, or only checks them, if it is the same table.
    pub(super) fn rebuild(&mut self, rebuild: &Rebuild) -> Result<Answer> {
        let Some(table) = self.catalog.by_id(rebuild.to).map(Arc::clone) else {
            return fail(ErrorClass::UndefinedTable, "the table is gone");
        };
        let moves = rebuild.from != rebuild.to;
        for (id, old) in self.scan(rebuild.from).iter() {
            if !moves {
                self.check_old_row(&table, old)?;
                for key in table.keys().iter().filter(|key| key.is_exclusive()) {
                    if self.conflicts(&table, key, old)?.iter().any(|(other, _)| other != id) {
                        return Err(super::constraints::duplicate(key));
                    }
                }
                continue;
            }
            let mut row = Vec::with_capacity(rebuild.values.len());
            for (column, value) in rebuild.values.iter().enumerate() {
                row.push(match value {
                    Some(value) => self.eval(value, &Frame { row: old, outer: None })?,
                    None => self.new_column(&table, column)?,
                });
            }
            self.generate(&table, &mut row)?;
            self.check_old_row(&table, &row)?;
            self.check_keys(&table, &row)?;
            self.now.record(Effect::Delete { table: rebuild.from, id: *id, old: old.clone() });
            self.put(&table, row);
        }
        Ok(Answer::done())
    }

    /// What a new column holds in a row that was there before. In MySQL, a column that has to have a value has one.
    fn new_column(&mut self, table: &Table, column: usize) -> Result<Value> {
        let described = &table.columns()[column];
        let missing = described.is_not_null() && described.default == DefaultValue::Nothing;
        match missing && !self.dialect.is_strictly_typed() {
            true => implied(described.ty()),
            false => self.default_value(table, column),
        }
    }
}
