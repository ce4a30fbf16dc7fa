//! Running routines, step by step.
//!
//! Names are looked up when a step runs, so a record has the columns of the query that filled it.
//!
//! Layer `routine`, the half that runs; binds what a step says and gives it to the run.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use sqlparser::ast;

use crate::bind::Binder;
use crate::catalog::{Mode, Routine, Step, Target};
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::eval::convert;
use crate::outcome::Rowset;
use crate::plan::{CastMode, Expr, Output, Plan};
use crate::run::{Called, Frame, Memo, Run};
use crate::types::Type;
use crate::value::Value;

/// A routine that takes more steps is taken for one that does not end.
const MAX_STEPS: u64 = 1_000_000;

/// Where to go on after a step.
pub(super) enum Flow {
    Next,
    /// Out of a loop or block: the innermost loop, or the one with a name.
    Leave(Option<String>),
    /// The next round of a loop.
    Again(Option<String>),
    /// Out of the block whose handler says so.
    LeaveBlock,
    Return(Option<Value>),
}

/// What a trigger function returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReturnedRow {
    Old,
    New,
    Nothing,
}

/// A cursor: its query, and the rows that are left if it is open.
pub(super) struct Opened {
    pub(super) query: Box<ast::Statement>,
    pub(super) rows: Option<VecDeque<Vec<Value>>>,
}

/// A routine that is being run.
pub(super) struct Interpreter<'r, 'a> {
    pub(super) run: &'r mut Run<'a>,
    /// Names and types of variables; their values are the locals of the run.
    pub(super) names: Vec<(String, Type)>,
    pub(super) cursors: BTreeMap<String, Opened>,
    pub(super) handlers: Vec<(bool, Vec<Step>)>,
    pub(super) results: Vec<Rowset>,
    pub(super) steps: u64,
    /// The rows that a function has returned so far, and what they are.
    pub(super) rows: Vec<Vec<Value>>,
    pub(super) row_types: Option<Vec<Type>>,
    /// Where the variables are that RETURN NEXT returns, and how many.
    pub(super) row_variables: (usize, usize),
    /// What a trigger function returns; `None` in other routines.
    pub(super) returned_row: Option<ReturnedRow>,
    /// Transition tables of a trigger: names, numbers of their rows, columns.
    pub(super) transitions: Vec<(String, usize, Vec<Output>)>,
}

impl<'r, 'a> Interpreter<'r, 'a> {
    pub(super) fn new(run: &'r mut Run<'a>) -> Self {
        Self {
            run,
            names: Vec::new(),
            cursors: BTreeMap::new(),
            handlers: Vec::new(),
            results: Vec::new(),
            steps: 0,
            rows: Vec::new(),
            row_types: None,
            row_variables: (0, 0),
            returned_row: None,
            transitions: Vec::new(),
        }
    }

    pub(super) fn whole(
        &mut self,
        routine: &Routine,
        args: Vec<Value>,
    ) -> Result<Option<Option<Value>>> {
        self.add("found", Type::Bool, Value::Bool(false));
        for (param, arg) in routine.params.iter().zip(args) {
            let value = match param.mode {
                Mode::Out => Value::Null,
                Mode::In | Mode::InOut => {
                    convert(self.run.dialect, &arg, Type::Unknown, param.ty, CastMode::Assign)?
                }
            };
            self.add(&param.name, param.ty, value);
        }
        self.expect_rows(routine)?;
        match self.all(&routine.body)? {
            Flow::Return(Some(value)) => {
                let to = routine.returns.unwrap_or(Type::Unknown);
                Ok(Some(Some(convert(
                    self.run.dialect,
                    &value,
                    Type::Unknown,
                    to,
                    CastMode::Assign,
                )?)))
            }
            Flow::Return(None) => Ok(Some(None)),
            _ => Ok(None),
        }
    }

    pub(super) fn add(&mut self, name: &str, ty: Type, value: Value) {
        self.names.push((name.to_owned(), ty));
        self.run.locals.push(value);
    }

    pub(super) fn all(&mut self, steps: &[Step]) -> Result<Flow> {
        for step in steps {
            match self.step(step)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    fn step(&mut self, step: &Step) -> Result<Flow> {
        self.count_step()?;
        match step {
            Step::Nothing => Ok(Flow::Next),
            Step::Declare { names, ty, value } => {
                let value = match value {
                    Some(value) => self.assigned(value, Some(*ty))?,
                    None => Value::Null,
                };
                names.iter().for_each(|name| self.add(name, *ty, value.clone()));
                Ok(Flow::Next)
            }
            Step::Assign { name, value } => self.assign_expr(name, value).map(|()| Flow::Next),
            Step::Sql { statement, target } => self.sql(statement, target),
            Step::If { branches, otherwise } => {
                for (test, body) in branches {
                    if self.holds(test)? {
                        return self.all(body);
                    }
                }
                self.all(otherwise)
            }
            Step::Loop { label, before, body, until } => {
                self.repeat(label.as_deref(), before.as_ref(), body, until.as_ref())
            }
            Step::Count { .. } => self.count(step),
            Step::Rows { label, name, query, body } => {
                self.each_row(label.as_deref(), name, query, body)
            }
            Step::Jump { label, again, when } => match when {
                Some(when) if !self.holds(when)? => Ok(Flow::Next),
                _ if *again => Ok(Flow::Again(label.clone())),
                _ => Ok(Flow::Leave(label.clone())),
            },
            Step::Return(value) if self.returned_row.is_some() => self.return_row(value.as_ref()),
            Step::Return(value) => {
                let value = value.as_ref().map(|value| self.assigned(value, None)).transpose()?;
                Ok(Flow::Return(value))
            }
            Step::ReturnQuery(query) => self.return_query(query).map(|()| Flow::Next),
            Step::ReturnNext(value) => self.return_next(value.as_ref()).map(|()| Flow::Next),
            Step::Raise { state, message } => {
                fail(ErrorClass::Raised(state.as_str().into()), message.clone())
            }
            Step::Cursor { name, query } => {
                self.cursors
                    .insert(name.to_lowercase(), Opened { query: query.clone(), rows: None });
                Ok(Flow::Next)
            }
            Step::Open(name) => self.open(name).map(|()| Flow::Next),
            Step::Close(name) => match self.cursor(name)?.rows.take() {
                Some(_) => Ok(Flow::Next),
                None => fail(ErrorClass::CursorState, "the cursor is not open"),
            },
            Step::Fetch { name, into } => self.fetch(name, into),
            Step::NotFound { exits, body } => {
                self.handlers.push((*exits, body.clone()));
                Ok(Flow::Next)
            }
            Step::Try { body, handlers } => self.attempt(body, handlers),
            Step::Execute { text, target, using } => self.execute(text, target, using),
            Step::Block { label, body } => self.block(label.as_deref(), body),
        }
    }

    /// Stops a routine that does not seem to end.
    pub(super) fn count_step(&mut self) -> Result<()> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return unsupported("a routine that takes more than a million steps");
        }
        Ok(())
    }

    fn block(&mut self, label: Option<&str>, body: &[Step]) -> Result<Flow> {
        let (names, handlers) = (self.names.len(), self.handlers.len());
        let flow = self.all(body)?;
        // Parameters and what was there before stay.
        self.names.truncate(names);
        self.run.locals.truncate(names);
        self.handlers.truncate(handlers);
        Ok(match flow {
            Flow::LeaveBlock => Flow::Next,
            Flow::Leave(Some(name))
                if label.is_some_and(|label| label.eq_ignore_ascii_case(&name)) =>
            {
                Flow::Next
            }
            other => other,
        })
    }

    pub(super) fn bind<T>(&mut self, bind: impl FnOnce(&mut Binder<'_>) -> Result<T>) -> Result<T> {
        let values = &self.run.locals;
        let binder = Binder::new(self.run.catalog, &[], &self.names).knowing(values);
        bind(&mut binder.with_transitions(&self.transitions))
    }

    /// Binds expressions that are evaluated next, outside of any statement. Like a statement, they see
    /// all that was done before them: what the last statement remembers of rows is over.
    fn bind_alone<T>(&mut self, bind: impl FnOnce(&mut Binder<'_>) -> Result<T>) -> Result<T> {
        self.run.memo = Memo::default();
        self.bind(bind)
    }

    pub(super) fn value(&mut self, expr: &ast::Expr, to: Option<Type>) -> Result<Value> {
        let (bound, _) = self.bind_alone(|binder| match to {
            Some(to) => binder.assign_to_variable(expr, to),
            None => binder.lone_expr(expr, None),
        })?;
        let bound = self.watched(bound);
        self.run.eval(&bound, &Frame::EMPTY)
    }

    /// A value that goes into a variable, or out of a function: like a row that is changed, MySQL takes
    /// nothing that it would have to warn of.
    pub(super) fn assigned(&mut self, expr: &ast::Expr, to: Option<Type>) -> Result<Value> {
        let before = (self.run.writes, self.run.fails_on_warnings);
        (self.run.writes, self.run.fails_on_warnings) = (true, Some(true));
        let value = self.value(expr, to);
        (self.run.writes, self.run.fails_on_warnings) = before;
        value
    }

    pub(super) fn holds(&mut self, expr: &ast::Expr) -> Result<bool> {
        let (bound, _) = self.bind_alone(|binder| binder.lone_expr(expr, None))?;
        let bound = self.watched(bound);
        Ok(self.run.truth(&bound, &Frame::EMPTY)? == Some(true))
    }

    /// An expression, after a trigger has noted what it reads.
    fn watched(&mut self, mut expr: Expr) -> Expr {
        self.run.watch_expr(&mut expr);
        expr
    }

    fn assign_expr(&mut self, name: &str, expr: &ast::Expr) -> Result<()> {
        let to = self.place(name).map(|place| self.names[place].1);
        let value = match name.starts_with('@') {
            true => self.value(expr, to)?,
            false => self.assigned(expr, to)?,
        };
        self.assign(name, value)
    }

    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().rposition(|(known, _)| known.eq_ignore_ascii_case(name))
    }

    pub(super) fn assign(&mut self, name: &str, value: Value) -> Result<()> {
        if let Some(variable) = name.strip_prefix('@') {
            self.run.note_anything();
            self.run.session.insert(variable.to_lowercase(), value);
            return Ok(());
        }
        let Some(place) = self.place(name) else {
            return unsupported(format!("an assignment to {name}"));
        };
        let to = self.names[place].1;
        self.run.locals[place] =
            convert(self.run.dialect, &value, Type::Unknown, to, CastMode::Assign)?;
        Ok(())
    }

    pub(super) fn set_found(&mut self, found: bool) {
        self.run.locals[0] = Value::Bool(found);
    }

    pub(super) fn assign_row(&mut self, into: &[String], row: Vec<Value>) -> Result<()> {
        if into.len() != row.len() {
            return unsupported("the number of variables differs from the number of columns");
        }
        for (name, value) in into.iter().zip(row) {
            self.assign(name, value)?;
        }
        Ok(())
    }

    fn sql(&mut self, statement: &ast::Statement, target: &Target) -> Result<Flow> {
        if let ast::Statement::Call(call) = statement {
            return self.nested_call(statement, call);
        }
        let Some(mut plan) = self.bind(|binder| binder.statement(statement))? else {
            return unsupported("this statement inside a routine");
        };
        self.run.watch(&mut plan);
        let answer = self.run.statement(&plan)?;
        let touched = match (&answer.count, &answer.rows) {
            (Some(count), _) => count.found > 0,
            (None, Some(rows)) => rows.shown() > 0,
            (None, None) => false,
        };
        self.set_found(touched);
        match (target, answer.rows) {
            (Target::Client, Some(rows)) => {
                self.results.push(rows);
                Ok(Flow::Next)
            }
            (Target::Variables { names, strict }, Some(rows)) => {
                self.first_row(names, *strict, rows)
            }
            _ => Ok(Flow::Next),
        }
    }

    pub(super) fn first_row(
        &mut self,
        names: &[String],
        strict: bool,
        rows: Rowset,
    ) -> Result<Flow> {
        let shown = rows.shown();
        let mysql = !self.run.dialect.is_strictly_typed();
        if shown > 1 && (strict || mysql) {
            return fail(ErrorClass::TooManyRows, "more than one row");
        }
        if shown == 0 && strict {
            return fail(ErrorClass::NoData, "no row");
        }
        if shown == 0 && mysql && self.handlers.is_empty() {
            // Only a warning: the variables stay as they are.
            return Ok(Flow::Next);
        }
        match self.run.in_some_order(rows).into_iter().next() {
            Some(row) => self.assign_row(names, row).map(|()| Flow::Next),
            None => self.not_found(names),
        }
    }

    /// CALL inside a routine: what comes out goes into variables.
    fn nested_call(&mut self, statement: &ast::Statement, call: &ast::Function) -> Result<Flow> {
        let Some(Plan::Call { name, args, .. }) =
            self.bind_alone(|binder| binder.statement(statement))?
        else {
            return unsupported("this CALL");
        };
        let values =
            args.iter().map(|arg| self.run.eval(arg, &Frame::EMPTY)).collect::<Result<Vec<_>>>()?;
        let Some(routine) = self.run.catalog.routine(&name).map(Arc::clone) else {
            return fail(ErrorClass::UndefinedFunction, format!("procedure {name} does not exist"));
        };
        let Called { params, results, .. } = self.run.call_routine(&routine, values)?;
        self.results.extend(results);
        let written: Vec<Option<String>> = match &call.args {
            ast::FunctionArguments::List(list) => list.args.iter().map(variable_name).collect(),
            _ => Vec::new(),
        };
        for ((param, value), target) in routine.params.iter().zip(params).zip(written) {
            if param.mode == Mode::In {
                continue;
            }
            match target {
                Some(target) => self.assign(&target, value)?,
                None => return unsupported("an OUT parameter that is not a variable"),
            }
        }
        Ok(Flow::Next)
    }
}

fn variable_name(arg: &ast::FunctionArg) -> Option<String> {
    match arg {
        ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(ast::Expr::Identifier(ident))) => {
            Some(ident.value.clone())
        }
        _ => None,
    }
}
