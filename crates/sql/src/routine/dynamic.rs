//! PL/pgSQL's EXECUTE: statements whose text is computed, and exceptions that are caught.
//!
//! A computed statement does not see the variables of the routine; `$1` in it is the first value of USING. A block with
//! EXCEPTION takes back what it did before its handler runs; variables keep their values.
//!
//! Layer `routine`, the half that runs.

use sqlparser::ast;
use sqlparser::tokenizer::Token;

use crate::catalog::{Step, Target};
use crate::error::{ExecutionError, Result, unsupported};
use crate::parse::{parse_tokens, tokens};
use crate::run::Frame;
use crate::types::Type;
use crate::value::Value;

use super::interpret::{Flow, Interpreter};

/// What the names of values of USING begin with, which no variable does.
const VALUE: char = '\u{3}';

impl Interpreter<'_, '_> {
    pub(super) fn execute(
        &mut self,
        text: &ast::Expr,
        target: &Target,
        using: &[ast::Expr],
    ) -> Result<Flow> {
        let Value::Text(text) = self.value(text, Some(Type::TEXT))? else {
            return unsupported("EXECUTE of NULL");
        };
        let mut values = Vec::new();
        for expr in using {
            let (bound, ty) = self.bind(|binder| binder.lone_expr(expr, None))?;
            values.push((ty, self.run.eval(&bound, &Frame::EMPTY)?));
        }
        let statement = self.computed(&text)?;
        let hidden = self.names.iter().map(|(_, ty)| (String::new(), *ty)).collect();
        let names = std::mem::replace(&mut self.names, hidden);
        for (place, (ty, value)) in values.into_iter().enumerate() {
            self.add(&format!("{VALUE}{}", place + 1), ty, value);
        }
        let answer = self.bind(|binder| binder.statement(&statement)).and_then(|plan| {
            let Some(mut plan) = plan else {
                return unsupported("this computed statement");
            };
            self.run.watch(&mut plan);
            self.run.statement(&plan)
        });
        self.run.locals.truncate(names.len());
        self.names = names;
        let rows = answer?.rows;
        let found = self.run.locals.first().cloned();
        let flow = match (target, rows) {
            (Target::Variables { names, strict }, Some(rows)) => {
                self.first_row(names, *strict, rows)
            }
            _ => Ok(Flow::Next),
        };
        // EXECUTE leaves FOUND as it is.
        if let (Some(first), Some(found)) = (self.run.locals.first_mut(), found) {
            *first = found;
        }
        flow
    }

    /// The statement that a text is, with names in the place of `$1`.
    fn computed(&self, text: &str) -> Result<ast::Statement> {
        let unreadable = |_| ExecutionError::Unsupported("this computed statement".to_owned());
        let mut found = tokens(self.run.dialect, text).map_err(|_| {
            ExecutionError::Unsupported("a computed statement that cannot be read".to_owned())
        })?;
        for token in &mut found {
            if let Token::Placeholder(name) = token {
                let name = name.replace('$', &VALUE.to_string());
                *token = Token::make_word(&name, Some('"'));
            }
        }
        parse_tokens(self.run.dialect, found).map_err(unreadable)
    }

    /// A block with handlers.
    pub(super) fn attempt(
        &mut self,
        body: &[Step],
        handlers: &[(Vec<String>, Vec<Step>)],
    ) -> Result<Flow> {
        if self.run.catalog.has_foreign_keys() {
            return unsupported("EXCEPTION where foreign keys may fail");
        }
        let (names, cursors) = (self.names.len(), self.cursors.len());
        let before = self.run.mark();
        let error = match self.all(body) {
            Err(ExecutionError::Server(error)) => error,
            done => return done,
        };
        let state = error.class.sqlstate().to_owned();
        let Some((_, handler)) = handlers.iter().find(|(states, _)| states.contains(&state)) else {
            return Err(ExecutionError::Server(error));
        };
        if self.cursors.len() != cursors {
            return unsupported("a cursor in a block with EXCEPTION");
        }
        self.run.go_back(before);
        self.names.truncate(names);
        self.run.locals.truncate(names);
        self.add("sqlstate", Type::TEXT, Value::text(&state));
        let flow = self.all(handler);
        self.names.truncate(names);
        self.run.locals.truncate(names);
        flow
    }
}
