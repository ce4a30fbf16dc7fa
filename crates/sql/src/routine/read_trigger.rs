//! CREATE TRIGGER and DROP TRIGGER.
//!
//! ```text
//!   CREATE TRIGGER name BEFORE UPDATE OF price ON t FOR EACH ROW WHEN (…) EXECUTE FUNCTION f()     PostgreSQL
//!   CREATE TRIGGER name BEFORE UPDATE ON t FOR EACH ROW SET NEW.price = …                          MySQL
//! ```
//!
//! Layer `routine`, the half that reads.

use std::sync::Arc;

use sqlparser::tokenizer::Token;

use crate::catalog::{Event, Routine, Timing, Trigger, TriggerAction};
use crate::dialect::Dialect;
use crate::error::{Error, shorten};
use crate::parse::parse_expr;

use super::body::BodyReader;
use super::tokens::{Parsed, Tokens, capitals};

/// A definition of a trigger.
#[derive(Debug, Clone)]
pub(crate) struct TriggerDefinition {
    pub(crate) trigger: Trigger,
    pub(crate) table: String,
    /// Whether a trigger of this name may be there, and is replaced.
    pub(crate) replaces: bool,
    /// Whether a trigger of this name may be there, and stays.
    pub(crate) if_missing: bool,
    /// Names of columns of the new row that the body mentions.
    pub(crate) mentions: Vec<String>,
}

/// A trigger that goes away.
#[derive(Debug, Clone)]
pub(crate) struct DroppedTrigger {
    pub(crate) name: String,
    /// The table that it belongs to, if the statement says so.
    pub(crate) table: Option<String>,
    pub(crate) if_exists: bool,
}

/// Reads the definition of a trigger; `None` if the statement is something else.
pub(crate) fn read_trigger(
    dialect: Dialect,
    text: &str,
    found: &[Token],
) -> Result<Option<TriggerDefinition>, Error> {
    let mut input = Tokens::new(found.to_vec());
    if !input.take_words(&["CREATE"]) {
        return Ok(None);
    }
    let replaces = input.take_words(&["OR", "REPLACE"]);
    if dialect != Dialect::PostgreSql {
        skip_definer(&mut input);
    }
    if !input.take_words(&["TRIGGER"]) {
        return Ok(None);
    }
    let read = definition(dialect, input, replaces);
    read.map(Some).map_err(|feature| Error::Unsupported {
        feature: format!("this trigger ({feature})"),
        statement: shorten(text),
    })
}

/// Reads `DROP TRIGGER`; `None` if the statement is something else.
pub(crate) fn read_drop_trigger(found: &[Token]) -> Option<DroppedTrigger> {
    let mut input = Tokens::new(found.to_vec());
    if !input.take_words(&["DROP", "TRIGGER"]) {
        return None;
    }
    let if_exists = input.take_words(&["IF", "EXISTS"]);
    let name = last_part(&input.dotted_name().ok()?);
    let table = match input.take_words(&["ON"]) {
        true => Some(input.dotted_name().ok()?),
        false => None,
    };
    Some(DroppedTrigger { name, table, if_exists })
}

/// `DEFINER = user@host`, which says who a trigger acts for.
fn skip_definer(input: &mut Tokens) {
    if input.word_at(0) == "DEFINER" {
        while !input.is_done() && input.word_at(0) != "TRIGGER" {
            input.next();
        }
    }
}

fn last_part(name: &str) -> String {
    name.rsplit('.').next().unwrap_or(name).to_owned()
}

fn definition(dialect: Dialect, mut input: Tokens, replaces: bool) -> Parsed<TriggerDefinition> {
    let postgres = dialect == Dialect::PostgreSql;
    let if_missing = input.take_words(&["IF", "NOT", "EXISTS"]);
    let name = last_part(&input.dotted_name()?);
    let timing = timing(&mut input)?;
    let (events, columns) = events(&mut input)?;
    input.expect_words(&["ON"])?;
    let table = input.dotted_name()?;
    let transitions = transitions(&mut input)?;
    let mut per_row = false;
    if input.take_words(&["FOR"]) {
        input.take_words(&["EACH"]);
        per_row = input.take_words(&["ROW"]);
        if !per_row {
            input.expect_words(&["STATEMENT"])?;
        }
    }
    if per_row && transitions.iter().any(Option::is_some) {
        return Err("a transition table for each row".to_owned());
    }
    let when = match input.take_words(&["WHEN"]) {
        true => Some(parse_expr(dialect, input.parenthesised()?)?),
        false => None,
    };
    let mut mentions = Vec::new();
    let action = match postgres {
        true => function(&mut input)?,
        false => steps(dialect, input, &mut mentions)?,
    };
    let trigger = Trigger {
        name,
        timing,
        events,
        columns,
        per_row,
        when,
        transitions,
        action,
        enabled: true,
    };
    Ok(TriggerDefinition { trigger, table, replaces, if_missing, mentions })
}

fn timing(input: &mut Tokens) -> Parsed<Timing> {
    let known: [(&[&str], Timing); 3] = [
        (&["BEFORE"], Timing::Before),
        (&["AFTER"], Timing::After),
        (&["INSTEAD", "OF"], Timing::Instead),
    ];
    let found = known.into_iter().find(|(words, _)| input.take_words(words));
    found.map(|(_, timing)| timing).ok_or_else(|| "when it fires".to_owned())
}

/// `INSERT OR UPDATE OF a, b`.
fn events(input: &mut Tokens) -> Parsed<(Vec<Event>, Vec<String>)> {
    let (mut events, mut columns) = (Vec::new(), Vec::new());
    loop {
        let event = match input.word_at(0).as_str() {
            "INSERT" => Event::Insert,
            "UPDATE" => Event::Update,
            "DELETE" => Event::Delete,
            other => return Err(format!("the event {other}")),
        };
        input.next();
        events.push(event);
        if event == Event::Update && input.take_words(&["OF"]) {
            columns.push(input.name()?);
            while input.take(&Token::Comma) {
                columns.push(input.name()?);
            }
        }
        if !input.take_words(&["OR"]) {
            return Ok((events, columns));
        }
    }
}

/// `REFERENCING OLD TABLE AS a NEW TABLE AS b`.
fn transitions(input: &mut Tokens) -> Parsed<[Option<String>; 2]> {
    let mut names = [None, None];
    if !input.take_words(&["REFERENCING"]) {
        return Ok(names);
    }
    loop {
        let place = match input.word_at(0).as_str() {
            "OLD" => 0,
            "NEW" => 1,
            _ => return Ok(names),
        };
        input.next();
        input.expect_words(&["TABLE"])?;
        input.take_words(&["AS"]);
        names[place] = Some(input.name()?);
    }
}

/// `EXECUTE FUNCTION f()`.
fn function(input: &mut Tokens) -> Parsed<TriggerAction> {
    input.expect_words(&["EXECUTE"])?;
    if !input.take_words(&["FUNCTION"]) {
        input.expect_words(&["PROCEDURE"])?;
    }
    let name = last_part(&input.dotted_name()?);
    if !input.parenthesised()?.is_empty() {
        return Err("arguments of its function".to_owned());
    }
    while input.take(&Token::SemiColon) {}
    match input.is_done() {
        true => Ok(TriggerAction::Function(name)),
        false => Err("unexpected text after the function".to_owned()),
    }
}

/// The body of a trigger of MySQL.
fn steps(dialect: Dialect, mut input: Tokens, mentions: &mut Vec<String>) -> Parsed<TriggerAction> {
    if matches!(input.word_at(0).as_str(), "FOLLOWS" | "PRECEDES") {
        return Err("its place among others".to_owned());
    }
    let mut tokens = Vec::new();
    while let Some(token) = input.next() {
        tokens.push(token);
    }
    for part in tokens.windows(3) {
        if let [record, Token::Period, Token::Word(column)] = part
            && capitals(record) == "NEW"
        {
            mentions.push(column.value.clone());
        }
    }
    let body = BodyReader::new(dialect, Tokens::new(tokens)).whole_body()?;
    Ok(TriggerAction::Steps(Arc::new(Routine::block(body))))
}
