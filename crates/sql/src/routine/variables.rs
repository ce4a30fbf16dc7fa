//! Variables of the session, as MySQL sets them.
//!
//! Layer `routine`, the half that reads; knows tokens and the parser.

use sqlparser::ast;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

use crate::dialect::Dialect;
use crate::parse::{keyword, parse_expr};

use super::tokens::split;

/// `SET @a = 1, @b := 2`; `None` if it is another statement.
#[allow(clippy::type_complexity, reason = "names and expressions, or why not")]
pub(crate) fn read_variables(
    dialect: Dialect,
    tokens: &[Token],
) -> Option<Result<Vec<(String, ast::Expr)>, String>> {
    if keyword(tokens.first()?) != Keyword::SET || variable(tokens.get(1)?).is_none() {
        return None;
    }
    let end = tokens.iter().position(|token| *token == Token::SemiColon).unwrap_or(tokens.len());
    let parts = split(&tokens[1..end], &Token::Comma);
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
fn variable(token: &Token) -> Option<String> {
    match token {
        Token::Word(word) => word.value.strip_prefix('@').map(str::to_lowercase),
        Token::Placeholder(name) => name.strip_prefix('@').map(str::to_lowercase),
        _ => None,
    }
}
