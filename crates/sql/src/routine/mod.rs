//! Functions and procedures that somebody wrote: PL/pgSQL, and MySQL's own language.
//!
//! ```text
//!   CREATE PROCEDURE … BEGIN … END  ──read──► steps ──run──► the statements in them, one by one
//! ```

mod body;
mod call;
mod cursor;
mod cursors;
mod declare;
mod interpret;
mod loops;
mod plain;
mod read;
mod steps;

use sqlparser::ast;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

use crate::dialect::Dialect;
use crate::parse::{keyword, parse_expr};
use crate::types::Type;

pub(crate) use read::read_routine;
use steps::Step;

/// A routine.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Routine {
    pub(crate) name: String,
    pub(crate) params: Vec<Parameter>,
    /// The type of a function's result; nothing for a procedure, and for a function without one.
    pub(crate) returns: Option<Type>,
    pub(crate) is_function: bool,
    pub(crate) body: Vec<Step>,
}

/// A parameter of a routine.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) mode: Mode,
}

/// Which way a parameter goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    In,
    Out,
    InOut,
}

/// `DROP FUNCTION name`: the name, and whether it may be missing.
pub(crate) fn read_drop(tokens: &[Token]) -> Option<(String, bool)> {
    let (first, second) = (keyword(tokens.first()?), keyword(tokens.get(1)?));
    if first != Keyword::DROP || !matches!(second, Keyword::FUNCTION | Keyword::PROCEDURE) {
        return None;
    }
    let if_exists = keyword(tokens.get(2)?) == Keyword::IF;
    match tokens.get(if if_exists { 4 } else { 2 })? {
        Token::Word(word) => Some((word.value.clone(), if_exists)),
        _ => None,
    }
}

/// `SET @a = 1, @b := 2`; nothing if it is another statement.
#[allow(clippy::type_complexity, reason = "names and expressions, or why not")]
pub(crate) fn read_variables(
    dialect: Dialect,
    tokens: &[Token],
) -> Option<Result<Vec<(String, ast::Expr)>, String>> {
    if keyword(tokens.first()?) != Keyword::SET || variable(tokens.get(1)?).is_none() {
        return None;
    }
    let end = tokens.iter().position(|token| *token == Token::SemiColon).unwrap_or(tokens.len());
    let parts = cursor::split(&tokens[1..end], &Token::Comma);
    let read = |part: &Vec<Token>| match part.split_first() {
        Some((name, [Token::Eq | Token::Assignment, value @ ..])) => match variable(name) {
            Some(name) => Ok((name, parse_expr(dialect, value.to_vec())?)),
            None => Err("expected a variable".to_owned()),
        },
        _ => Err("expected an assignment".to_owned()),
    };
    Some(parts.iter().map(read).collect())
}

/// The name of a variable of the session.
pub(crate) fn variable(token: &Token) -> Option<String> {
    match token {
        Token::Word(word) => word.value.strip_prefix('@').map(str::to_lowercase),
        Token::Placeholder(name) => name.strip_prefix('@').map(str::to_lowercase),
        _ => None,
    }
}
