//! Carrying out the routines that a run meets.
//!
//! Layer `routine`, the half that runs; knows the interpreter.

use crate::catalog::Routine;
use crate::error::{Result, unsupported};
use crate::run::{Called, Firing, Routines, Run};
use crate::value::Value;

use super::interpret::Interpreter;

/// Routines are interpreted, step by step.
pub(crate) struct Interpreted;

impl Routines for Interpreted {
    fn call(&self, run: &mut Run<'_>, routine: &Routine, args: Vec<Value>) -> Result<Called> {
        let mut interpreter = Interpreter::new(run);
        let returned = interpreter.whole(routine, args)?;
        let results = std::mem::take(&mut interpreter.results);
        let rows = std::mem::take(&mut interpreter.rows);
        let params = run.locals.iter().skip(1).take(routine.params.len()).cloned().collect();
        Ok(Called { returned, params, results, rows })
    }

    fn fire(&self, run: &mut Run<'_>, firing: &Firing<'_>) -> Result<Option<Vec<Value>>> {
        let mut interpreter = Interpreter::new(run);
        let row = interpreter.fire(firing)?;
        match interpreter.results.is_empty() {
            true => Ok(row),
            false => unsupported("a trigger that returns rows"),
        }
    }
}
