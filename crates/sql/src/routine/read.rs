//! CREATE FUNCTION and CREATE PROCEDURE: what is around the body.

use sqlparser::tokenizer::Token;

use crate::catalog::read_type;
use crate::dialect::Dialect;
use crate::error::{Error, Stop, shorten};
use crate::parse::{parse_type, tokens};
use crate::types::Type;

use super::body::Reader;
use super::cursor::{Cursor, Read, capitals, split};
use super::{Mode, Parameter, Routine};

/// Reads the definition of a routine; nothing if the statement is something else.
pub(crate) fn read_routine(
    dialect: Dialect,
    text: &str,
    found: &[Token],
) -> Result<Option<Routine>, Error> {
    let mut cursor = Cursor::new(found.to_vec());
    if !cursor.take_words(&["CREATE"]) {
        return Ok(None);
    }
    cursor.take_words(&["OR", "REPLACE"]);
    let is_function = match cursor.word_at(0).as_str() {
        "FUNCTION" => true,
        "PROCEDURE" => false,
        _ => return Ok(None),
    };
    cursor.next();
    cursor.take_words(&["IF", "NOT", "EXISTS"]);
    let read = definition(dialect, &mut cursor, is_function);
    read.map(Some).map_err(|feature| Error::Unsupported {
        feature: format!("this routine ({feature})"),
        statement: shorten(text),
    })
}

fn definition(dialect: Dialect, cursor: &mut Cursor, is_function: bool) -> Read<Routine> {
    let name = cursor.dotted_name()?;
    let name = name.rsplit('.').next().unwrap_or(&name).to_owned();
    let mut params = Vec::new();
    for part in split(&cursor.parenthesised()?, &Token::Comma) {
        if !part.is_empty() {
            params.push(parameter(dialect, part)?);
        }
    }
    let mut routine = Routine { name, params, returns: None, is_function, body: Vec::new() };
    if dialect == Dialect::PostgreSql {
        quoted_body(dialect, cursor, &mut routine)?;
    } else {
        if cursor.take_words(&["RETURNS"]) {
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
            routine.returns = Some(written_type(dialect, cursor.until_words(&words)?)?);
        }
        skip_characteristics(cursor)?;
        routine.body = Reader::new(dialect, std::mem::replace(cursor, Cursor::new(Vec::new())))
            .whole_body()?;
    }
    Ok(routine)
}

/// `LANGUAGE plpgsql AS $$ … $$`, in any order.
fn quoted_body(dialect: Dialect, cursor: &mut Cursor, routine: &mut Routine) -> Read<()> {
    let mut language = String::new();
    let mut body = None;
    while let Some(token) = cursor.next() {
        match capitals(&token).as_str() {
            "RETURNS" if cursor.take_words(&["VOID"]) => {}
            "RETURNS" => {
                let mut ty = Vec::new();
                while !["LANGUAGE", "AS", "IMMUTABLE", "STABLE", "VOLATILE", ""]
                    .contains(&cursor.word_at(0).as_str())
                    || matches!(
                        cursor.peek(),
                        Some(Token::LParen | Token::RParen | Token::Comma | Token::Number(..))
                    )
                {
                    ty.extend(cursor.next());
                }
                routine.returns = Some(written_type(dialect, ty)?);
            }
            "LANGUAGE" => language = cursor.name()?.to_lowercase(),
            "AS" => {
                body = match cursor.next() {
                    Some(Token::DollarQuotedString(quoted)) => Some(quoted.value),
                    Some(Token::SingleQuotedString(quoted)) => Some(quoted),
                    _ => return Err("a body that is not in quotes".to_owned()),
                };
            }
            "IMMUTABLE" | "STABLE" | "VOLATILE" => {}
            "" if token == Token::SemiColon => {}
            other => return Err(format!("the option {other}")),
        }
    }
    let body = body.ok_or("no body")?;
    if language != "plpgsql" {
        return Err(format!("the language {language}"));
    }
    // `1..10` are two numbers.
    let tokens = tokens(dialect, &body.replace("..", " .. ")).map_err(|error| error.to_string())?;
    routine.body = Reader::new(dialect, Cursor::new(tokens)).whole_body()?;
    Ok(())
}

fn skip_characteristics(cursor: &mut Cursor) -> Read<()> {
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
        if !known.iter().any(|words| cursor.take_words(words)) {
            break;
        }
    }
    if cursor.is_done() { Err("no body".to_owned()) } else { Ok(()) }
}

/// `IN name type`, `name OUT type`, `type` alone is not taken.
fn parameter(dialect: Dialect, tokens: Vec<Token>) -> Read<Parameter> {
    let mut cursor = Cursor::new(tokens);
    let mut mode = mode(&mut cursor);
    let name = cursor.name()?;
    if mode.is_none() {
        mode = self::mode(&mut cursor);
    }
    let mut rest = Vec::new();
    while let Some(token) = cursor.next() {
        rest.push(token);
    }
    if rest.iter().any(|token| capitals(token) == "DEFAULT" || *token == Token::Eq) {
        return Err("a default of a parameter".to_owned());
    }
    Ok(Parameter { name, ty: written_type(dialect, rest)?, mode: mode.unwrap_or(Mode::In) })
}

fn mode(cursor: &mut Cursor) -> Option<Mode> {
    let mode = match cursor.word_at(0).as_str() {
        "IN" => Mode::In,
        "OUT" => Mode::Out,
        "INOUT" => Mode::InOut,
        _ => return None,
    };
    cursor.next();
    Some(mode)
}

/// A type as it is written.
pub(super) fn written_type(dialect: Dialect, tokens: Vec<Token>) -> Read<Type> {
    let written = parse_type(dialect, tokens)?;
    match read_type(dialect, &written) {
        Ok(ty) => Ok(ty),
        Err(Stop::Unsupported(feature)) => Err(feature),
        Err(Stop::Failure(failure)) => Err(failure.to_string()),
    }
}
