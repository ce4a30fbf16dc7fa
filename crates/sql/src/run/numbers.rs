//! What statements ask of sequences, and tell them.
//!
//! Layer `run`; the catalog says how a sequence counts, and the choices say how far it has come.

use crate::catalog::DefaultValue;
use crate::error::{ExecutionError, Result, unsupported};
use crate::plan::NumberCall;
use crate::rows::TableId;
use crate::sequence::{Numbering, Sequence, SequenceId};
use crate::value::Value;

use super::state::Run;

impl<'a> Run<'a> {
    /// The value of `nextval` and the like. What has a NULL among its operands is NULL and does nothing.
    pub(super) fn number(&mut self, call: NumberCall, args: &[Value]) -> Result<Value> {
        let asked = match call {
            _ if args.iter().any(Value::is_null) && call != NumberCall::Remember => {
                return Ok(Value::Null);
            }
            NumberCall::Next(id) => {
                let sequence = self.sequence(id)?;
                Numbering::Next { sequence, column: None, by_zero: false }
            }
            NumberCall::Current(id) => Numbering::Current { sequence: self.sequence(id)? },
            NumberCall::Last => Numbering::Last,
            NumberCall::Set(id) => {
                let (Some(Value::Int(value)), used) = (args.first(), args.get(1)) else {
                    return unsupported("a number of a sequence that is no integer");
                };
                let sequence = self.sequence(id)?;
                let used = !matches!(used, Some(Value::Bool(false) | Value::Int(0)));
                Numbering::Set { sequence, value: *value, used }
            }
            NumberCall::Remember => match args.first() {
                Some(Value::Int(value)) if *value >= 0 => Numbering::Remember { value: *value },
                _ => return unsupported("LAST_INSERT_ID of NULL or of a number below zero"),
            },
        };
        self.ask(asked)
    }

    /// The next number for a column; `by_zero` if the statement asks for it with a 0.
    pub(super) fn next_number(
        &mut self,
        id: SequenceId,
        table: TableId,
        column: usize,
        by_zero: bool,
    ) -> Result<Value> {
        let sequence = self.sequence(id)?;
        self.ask(Numbering::Next { sequence, column: Some((table, column)), by_zero })
    }

    /// A row brings its own number for a column with AUTO_INCREMENT.
    pub(super) fn given_number(&mut self, id: SequenceId, value: i64) -> Result<()> {
        let sequence = self.sequence(id)?;
        self.ask(Numbering::Given { sequence, value }).map(drop)
    }

    /// The sequences of a table begin again.
    pub(super) fn restart_numbers(&mut self, table: TableId) -> Result<()> {
        let catalog = self.catalog;
        let columns = catalog.by_id(table).map(|table| table.columns()).unwrap_or_default();
        for column in columns {
            if let DefaultValue::Sequence { sequence, .. } = column.default {
                let sequence = self.sequence(sequence)?;
                self.ask(Numbering::Restart { sequence })?;
            }
        }
        Ok(())
    }

    fn ask(&mut self, asked: Numbering<'_>) -> Result<Value> {
        self.choices.number(asked).map_err(ExecutionError::Server)
    }

    fn sequence(&self, id: SequenceId) -> Result<&'a Sequence> {
        match self.catalog.sequence(id) {
            Some(sequence) => Ok(sequence),
            None => unsupported("a sequence that was dropped"),
        }
    }
}
