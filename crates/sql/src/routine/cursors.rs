//! Cursors.
//!
//! Layer `routine`, the half that runs.

use std::collections::VecDeque;

use sqlparser::ast;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::{Plan, Query};
use crate::value::Value;

use super::interpret::{Flow, Interpreter, Opened};

impl Interpreter<'_, '_> {
    pub(super) fn query(&mut self, statement: &ast::Statement) -> Result<Query> {
        let mut plan = self.bind(|binder| binder.statement(statement))?;
        plan.iter_mut().for_each(|plan| self.run.watch(plan));
        match plan {
            Some(Plan::Query(query)) => Ok(query),
            _ => unsupported("a cursor over something that is not a query"),
        }
    }

    /// The rows of a query in an order that the server may choose.
    pub(super) fn ordered(&mut self, query: &Query) -> Result<VecDeque<Vec<Value>>> {
        let answer = self.run.statement(&Plan::Query(query.clone()))?;
        let Some(table) = answer.rows else { return Ok(VecDeque::new()) };
        Ok(self.run.in_some_order(table).into())
    }

    pub(super) fn cursor(&mut self, name: &str) -> Result<&mut Opened> {
        match self.cursors.get_mut(&name.to_lowercase()) {
            Some(cursor) => Ok(cursor),
            None => fail(ErrorClass::UndefinedCursor, format!("cursor {name} does not exist")),
        }
    }

    pub(super) fn open(&mut self, name: &str) -> Result<()> {
        let cursor = self.cursor(name)?;
        if cursor.rows.is_some() {
            return fail(ErrorClass::CursorState, "the cursor is open");
        }
        let statement = cursor.query.clone();
        let query = self.query(&statement)?;
        let rows = self.ordered(&query)?;
        self.cursor(name)?.rows = Some(rows);
        Ok(())
    }

    pub(super) fn fetch(&mut self, name: &str, into: &[String]) -> Result<Flow> {
        let Some(rows) = &mut self.cursor(name)?.rows else {
            return fail(ErrorClass::CursorState, "the cursor is not open");
        };
        match rows.pop_front() {
            Some(row) => {
                self.set_found(true);
                self.assign_row(into, row).map(|()| Flow::Next)
            }
            None => self.not_found(into),
        }
    }

    /// PostgreSQL says so in FOUND; MySQL has a handler.
    pub(super) fn not_found(&mut self, into: &[String]) -> Result<Flow> {
        self.set_found(false);
        if self.run.dialect.is_strictly_typed() {
            for name in into {
                self.assign(name, Value::Null)?;
            }
            return Ok(Flow::Next);
        }
        let Some((exits, body)) = self.handlers.last().cloned() else {
            return fail(ErrorClass::NoData, "no more rows");
        };
        match self.all(&body)? {
            Flow::Next if exits => Ok(Flow::LeaveBlock),
            other => Ok(other),
        }
    }
}
