//! CREATE FUNCTION and CREATE PROCEDURE, what is around the body; and DROP.
//!
//! Layer `routine`, the half that reads.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

use crate::catalog::{Mode, Parameter, Routine, RowType, read_type};
use crate::dialect::Dialect;
use crate::error::{Error, ExecutionError, shorten};
use crate::parse::{keyword, parse_expr, parse_type, tokens};
use crate::types::Type;

use super::body::BodyReader;
use super::plain_sql::{in_sql, unless_null};
use super::tokens::{Parsed, Tokens, capitals, split};

/// Reads the definition of a routine; `None` if the statement is something else.
pub(crate) fn read_routine(
    dialect: Dialect,
    text: &str,
    found: &[Token],
) -> Result<Option<Routine>, Error> {
    let mut input = Tokens::new(found.to_vec());
    if !input.take_words(&["CREATE"]) {
        return Ok(None);
    }
    input.take_words(&["OR", "REPLACE"]);
    let is_function = match input.word_at(0).as_str() {
        "FUNCTION" => true,
        "PROCEDURE" => false,
        _ => return Ok(None),
    };
    input.next();
    input.take_words(&["IF", "NOT", "EXISTS"]);
    let read = definition(dialect, &mut input, is_function);
    read.map(Some).map_err(|feature| Error::Unsupported {
        feature: format!("this routine ({feature})"),
        statement: shorten(text),
    })
}

/// Reads `DO $$ … $$`, a routine without a name that is carried out at once; `None` if the statement is something else.
pub(crate) fn read_block(
    dialect: Dialect,
    text: &str,
    found: &[Token],
) -> Result<Option<Routine>, Error> {
    let mut input = Tokens::new(found.to_vec());
    if dialect != Dialect::PostgreSql || !input.take_words(&["DO"]) {
        return Ok(None);
    }
    block(dialect, &mut input).map(Some).map_err(|feature| Error::Unsupported {
        feature: format!("this block ({feature})"),
        statement: shorten(text),
    })
}

fn block(dialect: Dialect, input: &mut Tokens) -> Parsed<Routine> {
    let mut body = None;
    while let Some(token) = input.next() {
        match token {
            Token::DollarQuotedString(quoted) => body = Some(quoted.value),
            Token::SingleQuotedString(quoted) => body = Some(quoted),
            Token::SemiColon => {}
            other if capitals(&other) == "LANGUAGE" => {
                let language = input.name()?.to_lowercase();
                if language != "plpgsql" {
                    return Err(format!("the language {language}"));
                }
            }
            other => return Err(format!("unexpected text: {other}")),
        }
    }
    let body = body.ok_or("no body")?.replace("..", " .. ");
    let tokens = tokens(dialect, &body).map_err(|error| error.to_string())?;
    let body = BodyReader::new(dialect, Tokens::new(tokens)).whole_body()?;
    Ok(Routine::block(body))
}

/// A routine that goes away.
#[derive(Debug, Clone)]
pub(crate) struct DroppedRoutine {
    pub(crate) name: String,
    pub(crate) schema: Option<String>,
    /// Whether it may be missing.
    pub(crate) if_exists: bool,
}

/// Reads `DROP FUNCTION name`; `None` if the statement is something else.
pub(crate) fn read_drop(tokens: &[Token]) -> Option<DroppedRoutine> {
    let (first, second) = (keyword(tokens.first()?), keyword(tokens.get(1)?));
    if first != Keyword::DROP || !matches!(second, Keyword::FUNCTION | Keyword::PROCEDURE) {
        return None;
    }
    let mut input = Tokens::new(tokens[2..].to_vec());
    let if_exists = input.take_words(&["IF", "EXISTS"]);
    let (schema, name) = apart(&input.dotted_name().ok()?);
    Some(DroppedRoutine { name, schema, if_exists })
}

/// The schema of a name, if it has one, and its last part.
fn apart(name: &str) -> (Option<String>, String) {
    match name.rsplit_once('.') {
        Some((schema, last)) => (Some(schema.to_lowercase()), last.to_owned()),
        None => (None, name.to_owned()),
    }
}

fn definition(dialect: Dialect, input: &mut Tokens, is_function: bool) -> Parsed<Routine> {
    let (schema, name) = apart(&input.dotted_name()?);
    let mut params = Vec::new();
    for part in split(&input.parenthesised()?, &Token::Comma) {
        if !part.is_empty() {
            params.push(parameter(dialect, part)?);
        }
    }
    let mut routine = Routine { name, schema, params, is_function, ..Routine::block(Vec::new()) };
    if dialect == Dialect::PostgreSql {
        quoted_body(dialect, input, &mut routine)?;
    } else {
        if input.take_words(&["RETURNS"]) {
            let words = [
                "BEGIN",
                "RETURN",
                "DETERMINISTIC",
                "NOT",
                "READS",
                "MODIFIES",
                "NO",
                "CONTAINS",
                "SQL",
            ];
            routine.returns = Some(written_type(dialect, input.until_words(&words)?)?);
        }
        skip_characteristics(input)?;
        routine.body = BodyReader::new(dialect, std::mem::replace(input, Tokens::new(Vec::new())))
            .whole_body()?;
    }
    Ok(routine)
}

/// `LANGUAGE plpgsql AS $$ … $$`, in any order.
fn quoted_body(dialect: Dialect, input: &mut Tokens, routine: &mut Routine) -> Parsed<()> {
    let mut language = String::new();
    let (mut body, mut strict, mut inline) = (None, false, None);
    while let Some(token) = input.next() {
        match capitals(&token).as_str() {
            "RETURNS" if input.take_words(&["VOID"]) => {}
            "RETURNS" if input.take_words(&["TRIGGER"]) => routine.is_trigger = true,
            "RETURNS" if input.take_words(&["TABLE"]) => {
                let mut columns = Vec::new();
                for part in split(&input.parenthesised()?, &Token::Comma) {
                    let Parameter { name, ty, .. } = parameter(dialect, part)?;
                    columns.push((name, ty));
                }
                routine.rows = Some(RowType::Columns(columns));
            }
            "RETURNS" => {
                let several = input.take_words(&["SETOF"]);
                let mut ty = Vec::new();
                let ends =
                    ["LANGUAGE", "AS", "IMMUTABLE", "STABLE", "VOLATILE", "STRICT", "RETURN", ""];
                while !ends.contains(&input.word_at(0).as_str())
                    || matches!(
                        input.peek(),
                        Some(Token::LParen | Token::RParen | Token::Comma | Token::Number(..))
                    )
                {
                    ty.extend(input.next());
                }
                match several {
                    false => routine.returns = Some(type_at_edge(dialect, ty)?),
                    true => routine.rows = Some(rows_of(dialect, ty)?),
                }
            }
            "RETURN" => {
                let mut expr = Vec::new();
                while let Some(token) = input.next().filter(|token| *token != Token::SemiColon) {
                    expr.push(token);
                }
                language = "sql".to_owned();
                inline = Some(expr);
            }
            "LANGUAGE" => language = input.name()?.to_lowercase(),
            "AS" => {
                body = match input.next() {
                    Some(Token::DollarQuotedString(quoted)) => Some(quoted.value),
                    Some(Token::SingleQuotedString(quoted)) => Some(quoted),
                    _ => return Err("a body that is not in quotes".to_owned()),
                };
            }
            "IMMUTABLE" | "STABLE" | "VOLATILE" => {}
            "STRICT" => strict = true,
            "" if token == Token::SemiColon => {}
            other => return Err(format!("the option {other}")),
        }
    }
    // `1..10` are two numbers.
    let read = match (body, inline) {
        (None, Some(expr)) => [vec![Token::make_keyword("SELECT")], expr].concat(),
        (Some(body), None) => {
            tokens(dialect, &body.replace("..", " .. ")).map_err(|error| error.to_string())?
        }
        _ => return Err("no body".to_owned()),
    };
    routine.is_plain_sql = language == "sql";
    let block = match language.as_str() {
        "plpgsql" => read,
        "sql" => in_sql(read, routine)?,
        other => return Err(format!("the language {other}")),
    };
    let block = if strict { unless_null(block, &routine.params) } else { block };
    routine.body = BodyReader::new(dialect, Tokens::new(block)).whole_body()?;
    Ok(())
}

/// What stands behind `SETOF`: a type, or else the name of a table.
fn rows_of(dialect: Dialect, tokens: Vec<Token>) -> Parsed<RowType> {
    if let Ok(ty) = type_at_edge(dialect, tokens.clone()) {
        return Ok(RowType::Single(ty));
    }
    let mut input = Tokens::new(tokens);
    let name = input.dotted_name()?;
    match input.is_done() {
        true => Ok(RowType::Table(name)),
        false => Err("the type of its rows".to_owned()),
    }
}

fn skip_characteristics(input: &mut Tokens) -> Parsed<()> {
    loop {
        let known: [&[&str]; 9] = [
            &["NOT", "DETERMINISTIC"],
            &["DETERMINISTIC"],
            &["READS", "SQL", "DATA"],
            &["MODIFIES", "SQL", "DATA"],
            &["NO", "SQL"],
            &["CONTAINS", "SQL"],
            &["LANGUAGE", "SQL"],
            &["SQL", "SECURITY", "DEFINER"],
            &["SQL", "SECURITY", "INVOKER"],
        ];
        if !known.iter().any(|words| input.take_words(words)) {
            break;
        }
    }
    if input.is_done() { Err("no body".to_owned()) } else { Ok(()) }
}

/// `IN name type`, `name OUT type`, `type` alone is not taken.
fn parameter(dialect: Dialect, tokens: Vec<Token>) -> Parsed<Parameter> {
    let mut input = Tokens::new(tokens);
    let mut mode = mode(&mut input);
    let name = input.name()?;
    if mode.is_none() {
        mode = self::mode(&mut input);
    }
    let mut rest = Vec::new();
    while let Some(token) = input.next() {
        rest.push(token);
    }
    let begins = |token: &Token| capitals(token) == "DEFAULT" || *token == Token::Eq;
    let default = match rest.iter().position(begins) {
        Some(at) => {
            let default = rest.split_off(at)[1..].to_vec();
            Some(parse_expr(dialect, default)?)
        }
        None => None,
    };
    let (ty, mode) = (type_at_edge(dialect, rest)?, mode.unwrap_or(Mode::In));
    Ok(Parameter { name, ty, mode, default })
}

fn mode(input: &mut Tokens) -> Option<Mode> {
    let mode = match input.word_at(0).as_str() {
        "IN" => Mode::In,
        "OUT" => Mode::Out,
        "INOUT" => Mode::InOut,
        _ => return None,
    };
    input.next();
    Some(mode)
}

/// The type of a parameter or a result. PostgreSQL forgets the length of a CHAR there.
fn type_at_edge(dialect: Dialect, tokens: Vec<Token>) -> Parsed<Type> {
    match written_type(dialect, tokens)? {
        Type::Char(_) => Err("a parameter or a result that is a CHAR".to_owned()),
        ty => Ok(ty),
    }
}

pub(super) fn written_type(dialect: Dialect, tokens: Vec<Token>) -> Parsed<Type> {
    let written = parse_type(dialect, tokens)?;
    match read_type(dialect, &written) {
        Ok(ty) => Ok(ty),
        Err(ExecutionError::Unsupported(feature) | ExecutionError::Blurred(feature)) => {
            Err(feature)
        }
        Err(ExecutionError::Server(error)) => Err(error.to_string()),
    }
}
