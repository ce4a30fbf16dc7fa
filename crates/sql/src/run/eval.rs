//! Expressions over a row.
//!
//! Layer `run`; an environment for `eval` in which columns are those of a row.

use std::cmp::Ordering;

use crate::dialect::Dialect;
use crate::error::{Result, unsupported};
use crate::eval::{Environment, cast, compare, convert, eval, truth_of};
use crate::plan::{CastMode, Expr};
use crate::types::Type;
use crate::value::{Asked, Collation, Value};

use super::frame::Frame;
use super::state::Run;

/// A run, and the row that is looked at.
struct AtRow<'s, 'r> {
    run: &'s mut Run<'r>,
    frame: &'s Frame<'s>,
}

impl Environment for AtRow<'_, '_> {
    fn dialect(&self) -> Dialect {
        self.run.dialect
    }

    fn collation(&self) -> Collation {
        self.run.catalog.collation()
    }

    fn doubt(&mut self, a: &str, b: &str) {
        self.run.choices.collate(a, b);
    }

    fn writes(&self) -> bool {
        self.run.writes
    }

    fn warning_fails(&mut self) -> bool {
        self.run.warning_fails()
    }

    fn look_up(&mut self, expr: &Expr) -> Result<Value> {
        let Self { run, frame } = self;
        match expr {
            Expr::Column { depth, index } => column(frame, *depth, *index),
            Expr::Param { index, to } => run.param(*index, *to),
            Expr::Local(index) => Ok(run.locals.get(*index).cloned().unwrap_or(Value::Null)),
            Expr::Session(name) => match run.session.get(name) {
                Some(value) => Ok(value.clone()),
                // It may have been set before anything was recorded.
                None => unsupported(format!("the variable @{name}, which was not set here")),
            },
            Expr::Routine { name, args } => {
                let args =
                    args.iter().map(|arg| run.eval(arg, frame)).collect::<Result<Vec<_>>>()?;
                run.call_function(name, args)
            }
            Expr::Open { what } => Ok(run.open(what)),
            Expr::Number { call, args } => {
                let args =
                    args.iter().map(|arg| run.eval(arg, frame)).collect::<Result<Vec<_>>>()?;
                run.number(*call, &args)
            }
            other => run.subquery(other, frame),
        }
    }
}

impl Run<'_> {
    /// The value of an expression.
    pub(crate) fn eval(&mut self, expr: &Expr, frame: &Frame<'_>) -> Result<Value> {
        eval(&mut AtRow { run: self, frame }, expr)
    }

    /// The truth of an expression.
    pub(crate) fn truth(&mut self, expr: &Expr, frame: &Frame<'_>) -> Result<Option<bool>> {
        truth_of(&mut AtRow { run: self, frame }, expr)
    }

    /// A value of another type.
    pub(super) fn cast(&mut self, value: &Value, to: Type, mode: CastMode) -> Result<Value> {
        cast(&mut AtRow { run: self, frame: &Frame::EMPTY }, value, to, mode)
    }

    /// Which of two values comes first, or whether they are equal; `None` if one is NULL.
    pub(super) fn compare(
        &mut self,
        asked: Asked,
        left: &Value,
        right: &Value,
        collation: Collation,
    ) -> Result<Option<Ordering>> {
        let env = &mut AtRow { run: self, frame: &Frame::EMPTY };
        compare(env, asked, left, right, collation)
    }

    /// The form of a value that all equal ones share.
    pub(super) fn canonical(&mut self, value: &Value, collation: Collation) -> Value {
        self.doubt_text(value, collation);
        value.canonical(collation)
    }

    /// Says so if it is not certain which texts equal this one.
    pub(super) fn doubt_text(&mut self, value: &Value, collation: Collation) {
        if let Value::Text(text) = value
            && !collation.is_certain_of(text)
        {
            self.choices.collate(text, text);
        }
    }

    fn param(&self, index: usize, to: Type) -> Result<Value> {
        match self.params.get(index) {
            Some(value) => convert(self.dialect, value, Type::Unknown, to, CastMode::Assign),
            None => unsupported(format!("a statement whose parameter {} is missing", index + 1)),
        }
    }
}

fn column(frame: &Frame<'_>, depth: usize, index: usize) -> Result<Value> {
    let mut frame = frame;
    for _ in 0..depth {
        match frame.outer {
            Some(outer) => frame = outer,
            None => return unsupported("a column that the query does not have"),
        }
    }
    match frame.row.get(index) {
        Some(value) => Ok(value.clone()),
        None => unsupported("a column that does not exist"),
    }
}
