//! Loops.
//!
//! Layer `routine`, the half that runs.

use sqlparser::ast;

use crate::catalog::Step;
use crate::error::{ErrorClass, Result, fail};
use crate::types::Type;
use crate::value::Value;

use super::interpret::{Flow, Interpreter};

impl Interpreter<'_, '_> {
    /// What a loop does with what its body says; `None` if it goes on.
    fn after_round(label: Option<&str>, flow: Flow) -> Option<Flow> {
        let mine = |name: &Option<String>| match name {
            None => true,
            Some(name) => label.is_some_and(|label| label.eq_ignore_ascii_case(name)),
        };
        match flow {
            Flow::Next => None,
            Flow::Again(name) if mine(&name) => None,
            Flow::Leave(name) if mine(&name) => Some(Flow::Next),
            other => Some(other),
        }
    }

    pub(super) fn repeat(
        &mut self,
        label: Option<&str>,
        before: Option<&ast::Expr>,
        body: &[Step],
        until: Option<&ast::Expr>,
    ) -> Result<Flow> {
        loop {
            if let Some(before) = before
                && !self.holds(before)?
            {
                return Ok(Flow::Next);
            }
            self.count_step()?;
            let flow = self.all(body)?;
            if let Some(flow) = Self::after_round(label, flow) {
                return Ok(flow);
            }
            if let Some(until) = until
                && self.holds(until)?
            {
                return Ok(Flow::Next);
            }
        }
    }

    pub(super) fn count(&mut self, step: &Step) -> Result<Flow> {
        let Step::Count { label, name, from, to, by, down, body } = step else {
            return Ok(Flow::Next);
        };
        let number = |value: Value| match value {
            Value::Int(number) => Ok(number),
            _ => fail(ErrorClass::NotNull, "a bound of FOR is NULL"),
        };
        let mut at = number(self.value(from, Some(Type::INT4))?)?;
        let end = number(self.value(to, Some(Type::INT4))?)?;
        let by = match by {
            Some(by) => number(self.value(by, Some(Type::INT4))?)?,
            None => 1,
        };
        if by <= 0 {
            return fail(ErrorClass::InvalidArgument, "FOR … BY requires a number above zero");
        }
        let names = self.names.len();
        self.add(name, Type::INT4, Value::Int(at));
        let mut left = None;
        while left.is_none() && if *down { at >= end } else { at <= end } {
            self.run.locals[names] = Value::Int(at);
            let flow = self.all(body)?;
            left = Self::after_round(label.as_deref(), flow);
            at = if *down { at - by } else { at + by };
        }
        self.names.truncate(names);
        self.run.locals.truncate(names);
        Ok(left.unwrap_or(Flow::Next))
    }

    pub(super) fn each_row(
        &mut self,
        label: Option<&str>,
        name: &str,
        query: &ast::Statement,
        body: &[Step],
    ) -> Result<Flow> {
        let query = self.query(query)?;
        let rows = self.ordered(&query)?;
        let names = self.names.len();
        for column in &query.output {
            self.add(&format!("{name}.{}", column.name), column.ty, Value::Null);
        }
        let some = !rows.is_empty();
        let mut left = None;
        for row in rows {
            self.run.locals[names..names + row.len()].clone_from_slice(&row);
            // A single column can also go into a variable.
            if let (Some(place), [value]) = (self.place(name), row.as_slice()) {
                self.run.locals[place] = value.clone();
            }
            let flow = self.all(body)?;
            left = Self::after_round(label, flow);
            if left.is_some() {
                break;
            }
        }
        self.names.truncate(names);
        self.run.locals.truncate(names);
        self.set_found(some);
        Ok(left.unwrap_or(Flow::Next))
    }
}
