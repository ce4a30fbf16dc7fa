//! `EXECUTE name(…)` is the statement that `PREPARE name AS …` has named, with its parameters.
//!
//! ```text
//!   PREPARE find (integer) AS SELECT … WHERE id = $1      EXECUTE find(2)
//!                                                         └── SELECT … WHERE id = CAST(2 AS integer)
//! ```
//!
//! Names belong to a connection, and do not go away when a transaction is rolled back. A parameter without a type
//! takes that of its place, as a literal in quotes does; so only literals become its value. A statement that failed
//! stays as it is: the error could be one of the parameters themselves.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use tristan_sqltext::{Dialect, Token, TokenKind, tokens};

use super::immediate::Immediate;
use crate::model::{Call, Control, Observed, Txn};

/// The statements that connections have prepared, by the connection and the name.
#[derive(Debug, Default)]
pub(super) struct Executions {
    known: FxHashMap<(u64, String), Named>,
    /// The same for MySQL and MariaDB.
    loose: Immediate,
}

/// A statement with a name.
#[derive(Debug)]
struct Named {
    /// The types of its parameters, as far as they are stated.
    types: Vec<String>,
    text: String,
}

impl Executions {
    /// Puts the statements that a transaction executes by their names in the place of EXECUTE.
    pub(super) fn expand(&mut self, txn: &mut Txn, dialect: Dialect) {
        if dialect != Dialect::PostgreSql {
            return self.loose.expand(txn, dialect);
        }
        for call in &mut txn.calls {
            if !matches!(call.observed, Observed::Error(_) | Observed::Skipped) {
                self.step(txn.session, call, dialect);
            }
        }
    }

    fn step(&mut self, session: u64, call: &mut Call, dialect: Dialect) {
        // Most statements are none of these, and not looked at twice.
        let first = call.sql.trim_start().get(..3).unwrap_or_default().to_ascii_uppercase();
        if !["PRE", "EXE", "DEA", "DIS"].contains(&first.as_str()) {
            return;
        }
        let sql = Arc::clone(&call.sql);
        let found = tokens(&sql, dialect);
        let (Some(first), second) = (found.first().map(word), found.get(1)) else { return };
        let name = second.and_then(name);
        match (first.as_str(), name) {
            ("PREPARE", Some(name)) => {
                if let Some(named) = prepared(&sql, &found[2..]) {
                    self.known.insert((session, name), named);
                }
            }
            ("DEALLOCATE", Some(name)) if name == "all" => self.forget(session),
            ("DEALLOCATE", Some(_)) => {
                let name = found.last().and_then(self::name).unwrap_or_default();
                self.known.remove(&(session, name));
            }
            ("DISCARD", _) => self.forget(session),
            ("EXECUTE", Some(name)) if call.params.is_empty() => {
                let named = self.known.get(&(session, name));
                let text = named.and_then(|named| {
                    let values = arguments(&sql, &found[2..])?;
                    named.with(&values, dialect)
                });
                if let Some(text) = text {
                    call.sql = Arc::from(text);
                    call.control = Control::Statement;
                }
            }
            _ => {}
        }
    }

    fn forget(&mut self, session: u64) {
        self.known.retain(|(other, _), _| *other != session);
    }
}

impl Named {
    /// The statement with values for its parameters.
    fn with(&self, values: &[Argument<'_>], dialect: Dialect) -> Option<String> {
        let mut text = self.text.clone();
        for token in tokens(&self.text, dialect).iter().rev() {
            let TokenKind::Param(place) = token.kind else { continue };
            let value = values.get(place)?.written(self.types.get(place).map(String::as_str))?;
            text.replace_range(token.start..token.end, &format!(" {value} "));
        }
        Some(text)
    }
}

/// A literal, as it is written.
struct Argument<'t> {
    literal: &'t str,
    quoted: bool,
}

impl Argument<'_> {
    fn written(&self, ty: Option<&str>) -> Option<String> {
        let literal = self.literal;
        match ty {
            Some(ty) => Some(format!("CAST({literal} AS {ty})")),
            None if self.quoted || literal.eq_ignore_ascii_case("null") => Some(literal.to_owned()),
            // Other numbers could be rounded.
            None => literal.parse::<i64>().ok().map(|number| format!("'{number}'")),
        }
    }
}

fn word(token: &Token<'_>) -> String {
    match token.kind {
        TokenKind::Word(word) => word.to_ascii_uppercase(),
        _ => String::new(),
    }
}

fn name(token: &Token<'_>) -> Option<String> {
    match &token.kind {
        TokenKind::Word(word) => Some(word.to_lowercase()),
        TokenKind::Quoted(name) => Some(name.clone()),
        _ => None,
    }
}

fn is(token: Option<&Token<'_>>, symbol: &str) -> bool {
    token.is_some_and(|token| token.kind == TokenKind::Symbol(symbol))
}

/// What is between parentheses at the beginning, from comma to comma, and how many tokens that is.
fn listed<'f, 't>(found: &'f [Token<'t>]) -> Option<(Vec<&'f [Token<'t>]>, usize)> {
    if !is(found.first(), "(") {
        return Some((Vec::new(), 0));
    }
    let (mut parts, mut start, mut depth) = (Vec::new(), 1, 0);
    for (place, token) in found.iter().enumerate().skip(1) {
        match token.kind {
            TokenKind::Symbol("(") => depth += 1,
            TokenKind::Symbol(")") if depth > 0 => depth -= 1,
            TokenKind::Symbol(end @ ("," | ")")) if depth == 0 => {
                parts.push(&found[start..place]);
                start = place + 1;
                if end == ")" {
                    return Some((parts, place + 1));
                }
            }
            _ => {}
        }
    }
    None
}

fn text_of<'t>(sql: &'t str, part: &[Token<'_>]) -> Option<&'t str> {
    sql.get(part.first()?.start..part.last()?.end)
}

/// The types and the statement behind `PREPARE name`.
fn prepared(sql: &str, found: &[Token<'_>]) -> Option<Named> {
    let (types, length) = listed(found)?;
    let types = types.into_iter().map(|part| text_of(sql, part).map(str::to_owned));
    let (mark, statement) = found.get(length..)?.split_first()?;
    let known = ["SELECT", "INSERT", "UPDATE", "DELETE", "VALUES", "WITH"];
    if word(mark) != "AS" || !known.contains(&word(statement.first()?).as_str()) {
        return None;
    }
    let end = statement.iter().rfind(|token| !is(Some(token), ";"))?.end;
    let text = sql.get(statement.first()?.start..end)?.to_owned();
    Some(Named { types: types.collect::<Option<_>>()?, text })
}

/// The literals behind `EXECUTE name`; `None` if one is something else.
fn arguments<'t>(sql: &'t str, found: &[Token<'_>]) -> Option<Vec<Argument<'t>>> {
    let (parts, length) = listed(found)?;
    let over = found.get(length..)?.iter().all(|token| is(Some(token), ";"));
    let argument = |part: &[Token<'_>]| {
        let literal = text_of(sql, part)?;
        let kinds: Vec<&TokenKind<'_>> = part.iter().map(|token| &token.kind).collect();
        let quoted = match kinds.as_slice() {
            [TokenKind::Text(_)] if literal.starts_with('\'') => true,
            [TokenKind::Number(_)] | [TokenKind::Symbol("-"), TokenKind::Number(_)] => false,
            [TokenKind::Word(word)] if word.eq_ignore_ascii_case("null") => false,
            _ => return None,
        };
        Some(Argument { literal, quoted })
    };
    let arguments = parts.into_iter().map(argument).collect::<Option<Vec<_>>>()?;
    over.then_some(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The statement that is executed.
    fn expanded(prepare: &str, execute: &str) -> Option<String> {
        let dialect = Dialect::PostgreSql;
        let named = prepared(prepare, &tokens(prepare, dialect)[2..])?;
        named.with(&arguments(execute, &tokens(execute, dialect)[2..])?, dialect)
    }

    #[test]
    fn parameters_become_literals() {
        let prepare =
            "PREPARE find (integer, varchar(3)) AS SELECT * FROM t WHERE id = $1 AND v = $2;";
        let expected = "SELECT * FROM t WHERE id =  CAST(-2 AS integer)  AND v =  CAST('it''s' AS varchar(3)) ";
        assert_eq!(expanded(prepare, "EXECUTE find(-2, 'it''s')").as_deref(), Some(expected));
        let prepare = "PREPARE put AS INSERT INTO t VALUES ($2, $1)";
        let expected = "INSERT INTO t VALUES ( null ,  '7' )";
        assert_eq!(expanded(prepare, "EXECUTE put(7, null);").as_deref(), Some(expected));
    }

    #[test]
    fn what_is_no_literal_is_left_alone() {
        let prepare = "PREPARE put AS INSERT INTO t VALUES ($1)";
        for execute in
            ["EXECUTE put(1.5)", "EXECUTE put(1 + 1)", "EXECUTE put", "EXECUTE put(E'a')"]
        {
            assert_eq!(expanded(prepare, execute), None, "{execute}");
        }
    }
}
