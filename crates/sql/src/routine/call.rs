//! Calling routines, from an expression or with CALL.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::error::{Class, Result, fail};
use crate::outcome::{Answer, Table};
use crate::plan::Expr;
use crate::run::{Frame, Run};
use crate::value::Value;

use super::interpret::Interpreter;
use super::{Mode, Routine};

impl Run<'_> {
    /// The value of a function.
    pub(crate) fn call_function(&mut self, name: &str, args: Vec<Value>) -> Result<Value> {
        let Some(routine) = self.catalog.routine(name).map(Arc::clone) else {
            return fail(Class::UndefinedFunction, format!("function {name} does not exist"));
        };
        // The statement around the call goes on afterwards.
        let scans = std::mem::take(&mut self.scans);
        let subqueries = std::mem::take(&mut self.subqueries);
        let hidden = std::mem::take(&mut self.hidden);
        let now = std::mem::take(&mut self.now);
        let (writes, fails) = (self.writes, self.fails_on_warnings.take());
        self.writes = false;
        let done = self.call_routine(&routine, args);
        (self.scans, self.subqueries, self.hidden) = (scans, subqueries, hidden);
        (self.now, self.writes, self.fails_on_warnings) = (now, writes, fails);
        let (returned, _, _) = done?;
        match returned {
            Some(Some(value)) => Ok(value),
            _ if routine.returns.is_none() => Ok(Value::Null),
            _ => fail(Class::NoReturn, format!("{name} ends without a result")),
        }
    }

    /// What a client is told about CALL.
    pub(crate) fn call_procedure(
        &mut self,
        name: &str,
        args: &[Expr],
        targets: &[Option<String>],
    ) -> Result<Answer> {
        let args =
            args.iter().map(|arg| self.eval(arg, &Frame::EMPTY)).collect::<Result<Vec<_>>>()?;
        let Some(routine) = self.catalog.routine(name).map(Arc::clone) else {
            return fail(Class::UndefinedFunction, format!("procedure {name} does not exist"));
        };
        let (_, outs, mut results) = self.call_routine(&routine, args)?;
        let returned = routine.params.iter().zip(outs).zip(targets);
        let returned: Vec<_> = returned.filter(|((param, _), _)| param.mode != Mode::In).collect();
        if self.dialect.is_strictly_typed() {
            if returned.is_empty() {
                return Ok(Answer::done());
            }
            let columns =
                returned.iter().map(|((param, _), _)| (param.name.clone(), param.ty)).collect();
            let row = returned.into_iter().map(|((_, value), _)| value).collect();
            return Ok(Answer::of_rows(Table {
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

    /// The result of a function, the parameters as they are in the end, and the results for the client.
    #[allow(clippy::type_complexity, reason = "three things that a call gives")]
    pub(super) fn call_routine(
        &mut self,
        routine: &Routine,
        args: Vec<Value>,
    ) -> Result<(Option<Option<Value>>, Vec<Value>, Vec<Table>)> {
        if args.len() != routine.params.len() {
            return fail(
                Class::UndefinedFunction,
                format!("{} takes {} arguments", routine.name, routine.params.len()),
            );
        }
        self.enter()?;
        let locals = std::mem::take(&mut self.locals);
        let mut interpreter = Interpreter {
            names: Vec::new(),
            cursors: BTreeMap::new(),
            handlers: Vec::new(),
            results: Vec::new(),
            steps: 0,
            run: self,
        };
        let done = interpreter.whole(routine, args);
        let results = std::mem::take(&mut interpreter.results);
        let outs: Vec<Value> =
            self.locals.iter().skip(1).take(routine.params.len()).cloned().collect();
        self.locals = locals;
        self.depth -= 1;
        Ok((done?, outs, results))
    }
}
