//! Calling routines, from an expression or with CALL.
//!
//! Layer `run`; settles arguments and answers. The body is carried out by [`super::state::Routines`].

use std::iter::repeat;
use std::sync::Arc;

use crate::catalog::{Mode, Routine};
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::outcome::{Answer, Rowset};
use crate::plan::Expr;
use crate::types::Type;
use crate::value::Value;

use super::frame::Frame;
use super::state::{Called, Run};

impl Run<'_> {
    /// The value of a function.
    pub(super) fn call_function(&mut self, name: &str, args: Vec<Value>) -> Result<Value> {
        self.catalog.refuse_ambiguous(name)?;
        let Some(routine) = self.catalog.routine(name).map(Arc::clone) else {
            return fail(ErrorClass::UndefinedFunction, format!("function {name} does not exist"));
        };
        if routine.is_trigger {
            return unsupported(format!("a call of the trigger function {name}"));
        }
        // The statement around the call goes on afterwards.
        let memo = std::mem::take(&mut self.memo);
        let now = std::mem::take(&mut self.now);
        let (writes, fails) = (self.writes, self.fails_on_warnings.take());
        self.writes = false;
        let done = self.call_routine(&routine, args);
        self.memo = memo;
        (self.now, self.writes, self.fails_on_warnings) = (now, writes, fails);
        match done?.returned {
            Some(Some(value)) => Ok(value),
            _ if routine.returns.is_none() => Ok(Value::Null),
            _ => fail(ErrorClass::NoReturn, format!("{name} ends without a result")),
        }
    }

    /// The rows of a function. It may be called once or several times, so it must not change anything.
    pub(super) fn call_for_rows(
        &mut self,
        name: &str,
        args: Vec<Value>,
        types: &[Type],
    ) -> Result<Vec<Vec<Value>>> {
        self.catalog.refuse_ambiguous(name)?;
        let Some(routine) = self.catalog.routine(name).map(Arc::clone) else {
            return fail(ErrorClass::UndefinedFunction, format!("function {name} does not exist"));
        };
        let memo = std::mem::take(&mut self.memo);
        let now = std::mem::take(&mut self.now);
        let (writes, fails) = (self.writes, self.fails_on_warnings.take());
        let before = self.effects_so_far();
        self.writes = false;
        let done = self.call_routine(&routine, args);
        self.memo = memo;
        (self.now, self.writes, self.fails_on_warnings) = (now, writes, fails);
        let rows = done?.rows;
        if self.effects_so_far() != before {
            return unsupported(format!("the function {name} in FROM, which changes rows"));
        }
        match rows.iter().any(|row| row.len() != types.len()) {
            true => unsupported(format!("the rows of the function {name}")),
            false => Ok(rows),
        }
    }

    fn effects_so_far(&self) -> usize {
        self.past.len() + self.below.iter().map(super::overlay::Overlay::len).sum::<usize>()
    }

    /// What a client is told about CALL.
    pub(super) fn call_procedure(
        &mut self,
        name: &str,
        args: &[Expr],
        targets: &[Option<String>],
    ) -> Result<Answer> {
        self.catalog.refuse_ambiguous(name)?;
        let Some(routine) = self.catalog.routine(name).map(Arc::clone) else {
            return fail(ErrorClass::UndefinedFunction, format!("procedure {name} does not exist"));
        };
        let modes = routine.params.iter().map(|param| Some(param.mode)).chain(repeat(None));
        let args = args.iter().zip(modes).map(|(arg, mode)| match (arg, mode) {
            // What is in a variable that is only filled does not matter.
            (Expr::Session(_), Some(Mode::Out)) => Ok(Value::Null),
            _ => self.eval(arg, &Frame::EMPTY),
        });
        let args = args.collect::<Result<Vec<_>>>()?;
        let Called { params, mut results, .. } = self.call_routine(&routine, args)?;
        let returned = routine.params.iter().zip(params).zip(targets);
        let returned: Vec<_> = returned.filter(|((param, _), _)| param.mode != Mode::In).collect();
        if self.dialect.is_strictly_typed() {
            if returned.is_empty() {
                return Ok(Answer::done());
            }
            let columns =
                returned.iter().map(|((param, _), _)| (param.name.clone(), param.ty)).collect();
            let row = returned.into_iter().map(|((_, value), _)| value).collect();
            return Ok(Answer::of_rows(Rowset {
                columns,
                rows: vec![row],
                ends: vec![1],
                offset: 0,
                limit: None,
            }));
        }
        for ((_, value), target) in returned {
            if let Some(target) = target {
                self.session.insert(target.clone(), value);
            }
        }
        let rows = results.pop();
        Ok(Answer { rows, count: None, before: results })
    }

    /// Carries out a routine in a scope of its own.
    pub(crate) fn call_routine(&mut self, routine: &Routine, args: Vec<Value>) -> Result<Called> {
        if args.len() != routine.params.len() {
            return fail(
                ErrorClass::UndefinedFunction,
                format!("{} takes {} arguments", routine.name, routine.params.len()),
            );
        }
        self.enter()?;
        let locals = std::mem::take(&mut self.locals);
        let routines = self.routines;
        let done = routines.call(self, routine, args);
        self.locals = locals;
        self.depth -= 1;
        done
    }
}
