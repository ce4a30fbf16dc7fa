//! Reading statements: our parser's dialects, and what they leave out.
//!
//! Beside the layers: knows dialects and errors only, and gives the syntax tree that `bind` and
//! `routine` read.

mod calls;
mod definition_forms;
mod forms;
mod literals;
mod mysql;
mod mysql_forms;
mod numbers;
mod template;

use sqlparser::ast;
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, Tokenizer};
use tristan_sqltext::plain;

use crate::dialect::Dialect;
use crate::error::{self, Error, shorten, unsupported};

use definition_forms::{known_definitions, known_views};
use forms::known_forms;

pub(crate) use calls::call;
pub(crate) use definition_forms::{is_unfilled, like_element, target_condition, target_expression};
pub(crate) use forms::{excluded, symmetric_bound};
pub(crate) use mysql_forms::{converts_to, unless_there};
pub(crate) use numbers::{Overriding, overriding};
pub(crate) use template::parse_like;

/// Expressions nested deeper than this are refused.
const NESTING: usize = 50;

/// Parses a text that is exactly one statement.
pub(crate) fn parse_statement(dialect: Dialect, text: &str) -> Result<ast::Statement, Error> {
    let mut tokens = tokens(dialect, text)?;
    while tokens.last() == Some(&Token::SemiColon) {
        tokens.pop();
    }
    parse_tokens(dialect, tokens)
        .map_err(|reason| Error::Unreadable { reason, statement: shorten(text) })
}

/// Parses tokens that are exactly one expression.
pub(crate) fn parse_expr(dialect: Dialect, tokens: Vec<Token>) -> Result<ast::Expr, String> {
    whole(dialect, tokens, "expression", |parser| parser.parse_expr())
}

/// Parses tokens that are exactly one type.
pub(crate) fn parse_type(dialect: Dialect, tokens: Vec<Token>) -> Result<ast::DataType, String> {
    whole(dialect, tokens, "type", |parser| parser.parse_data_type())
}

/// Parses tokens that are exactly one statement.
pub(crate) fn parse_tokens(dialect: Dialect, tokens: Vec<Token>) -> Result<ast::Statement, String> {
    let tokens = known_views(known_locks(tokens));
    let tokens = match dialect {
        Dialect::PostgreSql => known_definitions(known_forms(tokens)),
        Dialect::MySql | Dialect::MariaDb => mysql_forms::known_forms(tokens),
    };
    whole(dialect, tokens, "statement", |parser| parser.parse_statement())
}

/// Parses tokens of which none may be left.
fn whole<T>(
    dialect: Dialect,
    tokens: Vec<Token>,
    what: &str,
    parse: impl FnOnce(&mut Parser<'_>) -> Result<T, ParserError>,
) -> Result<T, String> {
    let dialect = parser_dialect(dialect);
    let mut parser = Parser::new(&*dialect).with_recursion_limit(NESTING).with_tokens(tokens);
    let parsed = parse(&mut parser).map_err(|error| error.to_string())?;
    match parser.peek_token().token {
        Token::EOF => Ok(parsed),
        other => Err(format!("unexpected text after the {what}: {other}")),
    }
}

/// The tokens of a text, without white space; parameters written `?` are numbered.
pub(crate) fn tokens(dialect: Dialect, text: &str) -> Result<Vec<Token>, Error> {
    let unreadable = |reason| Error::Unreadable { reason, statement: shorten(text) };
    // Our parser knows less about comments than servers do, so it does not see them.
    let plain = plain(text, dialect.text()).map_err(|unclear| unreadable(unclear.to_string()))?;
    let parser_dialect = parser_dialect(dialect);
    let tokens = Tokenizer::new(&*parser_dialect, &plain).tokenize();
    let tokens = tokens.map_err(|error| unreadable(error.to_string()))?;
    let mut number = 0;
    let numbered =
        tokens.into_iter().filter(|token| !matches!(token, Token::Whitespace(_))).map(|token| {
            match token {
                Token::Placeholder(name) if name == "?" => {
                    number += 1;
                    Token::Placeholder(format!("?{number}"))
                }
                other => other,
            }
        });
    let tokens = known_locks(numbered.collect());
    let is_text = |token: &Token| {
        matches!(token, Token::SingleQuotedString(_) | Token::EscapedStringLiteral(_))
    };
    if dialect == Dialect::PostgreSql
        && tokens
            .windows(2)
            .any(|pair| is_text(&pair[0]) && matches!(pair[1], Token::SingleQuotedString(_)))
    {
        return Err(unreadable("a string literal in several parts".to_owned()));
    }
    Ok(match dialect {
        Dialect::PostgreSql => tokens,
        Dialect::MySql | Dialect::MariaDb => mysql::with_operators(numbers::values_for(tokens)),
    })
}

fn parser_dialect(dialect: Dialect) -> Box<dyn sqlparser::dialect::Dialect> {
    match dialect {
        Dialect::PostgreSql => Box::new(PostgreSqlDialect {}),
        Dialect::MySql | Dialect::MariaDb => Box::new(mysql::MySql),
    }
}

/// Writes the locks that the parser does not know as ones that it does: `FOR NO KEY UPDATE` waits for the same
/// rows as `FOR UPDATE` unless they are only referenced, and `LOCK IN SHARE MODE` is an old name. `FOR KEY SHARE`
/// does not wait for most changes, so it is left out: it changes nothing in a single statement.
fn known_locks(tokens: Vec<Token>) -> Vec<Token> {
    use Keyword::{FOR, IN, KEY, LOCK, MODE, NO, SHARE, UPDATE};
    let locks: [(&[Keyword], &[&str]); 3] = [
        (&[LOCK, IN, SHARE, MODE], &["FOR", "SHARE"]),
        (&[FOR, NO, KEY, UPDATE], &["FOR", "UPDATE"]),
        (&[FOR, KEY, SHARE], &[]),
    ];
    let words: Vec<Keyword> = tokens.iter().map(keyword).collect();
    let mut known = Vec::with_capacity(tokens.len());
    let mut rest = tokens.into_iter();
    let mut place = 0;
    while place < words.len() {
        match locks.iter().find(|(lock, _)| words[place..].starts_with(lock)) {
            Some((lock, name)) => {
                known.extend(name.iter().map(|word| Token::make_keyword(word)));
                rest.by_ref().take(lock.len()).for_each(drop);
                place += lock.len();
            }
            None => {
                known.extend(rest.next());
                place += 1;
            }
        }
    }
    known
}

pub(crate) fn keyword(token: &Token) -> Keyword {
    match token {
        Token::Word(word) if word.quote_style.is_none() => word.keyword,
        _ => Keyword::NoKeyword,
    }
}

/// The last part of a name of something that is not a table: what stands in front of it does not matter.
pub(crate) fn last_name(name: &ast::ObjectName) -> error::Result<String> {
    match name.0.last() {
        Some(ast::ObjectNamePart::Identifier(ident)) => Ok(ident.value.clone()),
        _ => unsupported(format!("the name {name}")),
    }
}
