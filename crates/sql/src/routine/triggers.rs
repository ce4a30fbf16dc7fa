//! The bodies of triggers: OLD and NEW are records whose columns are variables.
//!
//! ```text
//!   found   tg_op   tg_name …   old.id   old.name   new.id   new.name   variables of the body …
//! ```
//!
//! Layer `routine`, the half that runs.

use std::sync::Arc;

use sqlparser::ast;

use crate::catalog::{Routine, Timing, TriggerAction};
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::Output;
use crate::run::Firing;
use crate::types::Type;
use crate::value::Value;

use super::interpret::{Flow, Interpreter, ReturnedRow};

impl Interpreter<'_, '_> {
    /// Carries out a trigger. Returns the row as it leaves it, or `None` if the row is left out.
    pub(super) fn fire(&mut self, firing: &Firing<'_>) -> Result<Option<Vec<Value>>> {
        let trigger = firing.trigger;
        self.add("found", Type::Bool, Value::Bool(false));
        let postgres = self.run.dialect.is_strictly_typed();
        if postgres {
            self.add_facts(firing);
        }
        let old = self.add_record("old", firing, firing.old);
        let new = self.add_record("new", firing, firing.new);
        self.add_transitions(firing);
        if let Some(when) = &trigger.when
            && !self.holds(when)?
        {
            let unchanged = firing.new.or(firing.old).unwrap_or_default();
            return Ok(Some(unchanged.to_vec()));
        }
        let routine = self.body(&trigger.action)?;
        self.returned_row = Some(ReturnedRow::Nothing);
        let flow = self.all(&routine.body)?;
        let width = firing.columns.len();
        let values = |at: Option<usize>| at.map(|at| self.run.locals[at..at + width].to_vec());
        if !postgres {
            return Ok(Some(values(new).or_else(|| values(old)).unwrap_or_default()));
        }
        if !matches!(flow, Flow::Return(_)) {
            return fail(ErrorClass::NoReturn, format!("{} ends without a result", trigger.name));
        }
        match self.returned_row {
            _ if trigger.timing == Timing::After || !trigger.per_row => Ok(Some(Vec::new())),
            Some(ReturnedRow::New) if new.is_some() => Ok(values(new)),
            // In an INSERT there is no old row, and in a DELETE no new one.
            Some(ReturnedRow::New) => Ok(None),
            Some(ReturnedRow::Old) if old.is_some() => Ok(values(old)),
            _ => Ok(None),
        }
    }

    fn body(&self, action: &TriggerAction) -> Result<Arc<Routine>> {
        match action {
            TriggerAction::Steps(routine) => Ok(Arc::clone(routine)),
            TriggerAction::Function(name) => {
                self.run.catalog.refuse_ambiguous(name)?;
                match self.run.catalog.routine(name) {
                    Some(routine) if routine.is_trigger => Ok(Arc::clone(routine)),
                    _ => unsupported(format!("the trigger function {name}")),
                }
            }
        }
    }

    /// What a trigger function is told besides the rows.
    fn add_facts(&mut self, firing: &Firing<'_>) {
        let trigger = firing.trigger;
        let level = if trigger.per_row { "ROW" } else { "STATEMENT" };
        let facts = [
            ("tg_op", firing.event.word()),
            ("tg_name", trigger.name.as_str()),
            ("tg_table_name", firing.table),
            ("tg_relname", firing.table),
            ("tg_when", trigger.timing.word()),
            ("tg_level", level),
        ];
        for (name, fact) in facts {
            self.add(name, Type::TEXT, Value::text(fact));
        }
        self.add("tg_nargs", Type::INT4, Value::Int(0));
    }

    /// The columns of OLD or NEW; returns the place of the first one, if there is such a row.
    fn add_record(
        &mut self,
        name: &str,
        firing: &Firing<'_>,
        row: Option<&[Value]>,
    ) -> Option<usize> {
        let row = row?;
        let at = self.names.len();
        for (column, value) in firing.columns.iter().zip(row) {
            self.add(&format!("{name}.{}", column.name()), column.ty(), value.clone());
        }
        Some(at)
    }

    fn add_transitions(&mut self, firing: &Firing<'_>) {
        let names = firing.trigger.transitions.iter().zip(firing.transitions);
        for (name, number) in names {
            let (Some(name), Some(number)) = (name, number) else { continue };
            let columns = firing.columns.iter();
            let output =
                columns.map(|column| Output { name: column.name().to_owned(), ty: column.ty() });
            self.transitions.push((name.clone(), number, output.collect()));
        }
    }

    /// RETURN of a trigger function: a record or nothing.
    pub(super) fn return_row(&mut self, value: Option<&ast::Expr>) -> Result<Flow> {
        let returned = match value {
            Some(ast::Expr::Identifier(ident)) if ident.value.eq_ignore_ascii_case("new") => {
                ReturnedRow::New
            }
            Some(ast::Expr::Identifier(ident)) if ident.value.eq_ignore_ascii_case("old") => {
                ReturnedRow::Old
            }
            Some(ast::Expr::Value(value)) if value.value == ast::Value::Null => {
                ReturnedRow::Nothing
            }
            Some(ast::Expr::Function(call)) if is_newest(call) => {
                let new = self.names.iter().any(|(name, _)| name.starts_with("new."));
                if new { ReturnedRow::New } else { ReturnedRow::Old }
            }
            _ => return unsupported("a trigger function that returns another record"),
        };
        self.returned_row = Some(returned);
        Ok(Flow::Return(None))
    }
}

/// `COALESCE(NEW, OLD)`.
fn is_newest(call: &ast::Function) -> bool {
    let text: String = call.to_string().chars().filter(|one| !one.is_whitespace()).collect();
    text.eq_ignore_ascii_case("coalesce(new,old)")
}
