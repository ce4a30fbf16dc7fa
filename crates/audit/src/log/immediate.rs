//! `EXECUTE name USING @x` and `EXECUTE IMMEDIATE 'text' USING …` of MySQL and MariaDB are the statements that they
//! name, with parameters.
//!
//! ```text
//!   PREPARE find FROM 'SELECT … WHERE id = ?'   SET @wanted = 2   EXECUTE find USING @wanted
//!                                                                 └── SELECT … WHERE id = ?   with 2
//! ```
//!
//! Routines and triggers can change variables unseen, so a variable is only known while its session does nothing but
//! set variables to literals and prepare statements. Where one is not known, EXECUTE stays as it is and is not
//! judged.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde_json::Value as Json;
use tristan_sqltext::{Dialect, Token, TokenKind, tokens};

use crate::model::{Call, Control, Observed, Txn};

/// What sessions have prepared and set.
#[derive(Debug, Default)]
pub(super) struct Immediate {
    /// Texts, by the session and the name.
    prepared: FxHashMap<(u64, String), String>,
    /// Values of variables, by the session and the name.
    variables: FxHashMap<(u64, String), Json>,
}

impl Immediate {
    /// Puts the statements that a transaction executes in the place of EXECUTE.
    pub(super) fn expand(&mut self, txn: &mut Txn, dialect: Dialect) {
        for call in &mut txn.calls {
            self.step(txn.session, call, dialect);
        }
    }

    fn step(&mut self, session: u64, call: &mut Call, dialect: Dialect) {
        let start = call.sql.trim_start();
        let first: String = start.chars().take_while(char::is_ascii_alphabetic).collect();
        let first = first.to_ascii_uppercase();
        let works = !matches!(call.observed, Observed::Error(_) | Observed::Skipped);
        match first.as_str() {
            // A block of statements begins with `BEGIN NOT ATOMIC`.
            "BEGIN" | "COMMIT" | "ROLLBACK" | "START"
                if !call.sql.to_ascii_uppercase().contains("ATOMIC") => {}
            "SET" | "PREPARE" | "EXECUTE" | "DEALLOCATE" | "DROP" => {
                let sql = Arc::clone(&call.sql);
                let mut found = tokens(&sql, dialect);
                while found.last().is_some_and(|token| token.kind == TokenKind::Symbol(";")) {
                    found.pop();
                }
                match first.as_str() {
                    "SET" if works => self.set(session, &found[1..]),
                    "PREPARE" if works => self.prepare(session, &found[1..]),
                    "EXECUTE" => {
                        if works && call.params.is_empty() {
                            self.execute(session, call, &found[1..]);
                        }
                        self.forget_variables(session);
                    }
                    "SET" | "PREPARE" => self.forget(session),
                    _ => self.drop_prepared(session, &found),
                }
            }
            _ => self.forget_variables(session),
        }
    }

    fn forget(&mut self, session: u64) {
        self.prepared.retain(|(other, _), _| *other != session);
        self.forget_variables(session);
    }

    fn forget_variables(&mut self, session: u64) {
        if !self.variables.is_empty() {
            self.variables.retain(|(other, _), _| *other != session);
        }
    }

    /// `SET @a = 1, @b := 'x'`; whatever else is set, nothing is known.
    fn set(&mut self, session: u64, found: &[Token<'_>]) {
        let mut values = Vec::new();
        for part in found.split(|token| token.kind == TokenKind::Symbol(",")) {
            let (sign, value) = match part {
                [_, sign, value @ ..] if sign.kind == TokenKind::Symbol(":=") => (sign, value),
                [_, sign, value @ ..] if sign.kind == TokenKind::Symbol("=") => (sign, value),
                [_, colon, sign, value @ ..] if colon.kind == TokenKind::Symbol(":") => {
                    (sign, value)
                }
                _ => return self.forget_variables(session),
            };
            let known = matches!(sign.kind, TokenKind::Symbol("=" | ":="));
            match (part.first().and_then(variable), literal(value)) {
                (Some(name), Some(value)) if known => values.push((name, value)),
                _ => return self.forget_variables(session),
            }
        }
        self.variables.extend(values.into_iter().map(|(name, value)| ((session, name), value)));
    }

    /// `PREPARE name FROM 'text'`.
    fn prepare(&mut self, session: u64, found: &[Token<'_>]) {
        let Some(name) = found.first().and_then(name) else { return self.forget(session) };
        match found {
            [_, from, text]
                if is_word(from, "from")
                    && let TokenKind::Text(text) = &text.kind =>
            {
                self.prepared.insert((session, name), text.clone());
            }
            _ => drop(self.prepared.remove(&(session, name))),
        }
    }

    /// `DEALLOCATE PREPARE name`, `DROP PREPARE name`.
    fn drop_prepared(&mut self, session: u64, found: &[Token<'_>]) {
        match found {
            [_, prepare, name] if is_word(prepare, "prepare") => {
                let name = self::name(name).unwrap_or_default();
                self.prepared.remove(&(session, name));
            }
            _ => self.forget_variables(session),
        }
    }

    /// What stands behind EXECUTE.
    fn execute(&self, session: u64, call: &mut Call, found: &[Token<'_>]) {
        let (text, rest) = match found {
            [word, text, rest @ ..]
                if is_word(word, "immediate")
                    && let TokenKind::Text(text) = &text.kind =>
            {
                (Some(text), rest)
            }
            [word, rest @ ..] => {
                let name = name(word).unwrap_or_default();
                (self.prepared.get(&(session, name)), rest)
            }
            [] => (None, found),
        };
        let params = match rest {
            [] => Some(Vec::new()),
            [using, values @ ..] if is_word(using, "using") => values
                .split(|token| token.kind == TokenKind::Symbol(","))
                .map(|value| self.argument(session, value))
                .collect(),
            _ => None,
        };
        // Others could end the transaction, and where that is has been settled by now.
        let first = text.and_then(|text| text.split_whitespace().next()).unwrap_or_default();
        let known = ["SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"];
        if !known.iter().any(|one| one.eq_ignore_ascii_case(first)) {
            return;
        }
        if let (Some(text), Some(params)) = (text, params) {
            call.sql = Arc::from(text.as_str());
            call.params = params;
            call.control = Control::Statement;
        }
    }

    /// A literal, or a variable that is known.
    fn argument(&self, session: u64, value: &[Token<'_>]) -> Option<Json> {
        match value {
            [token] if let Some(name) = variable(token) => {
                self.variables.get(&(session, name)).cloned()
            }
            _ => literal(value),
        }
    }
}

/// A whole number, a text or NULL.
fn literal(value: &[Token<'_>]) -> Option<Json> {
    match value {
        [token] => match &token.kind {
            TokenKind::Text(text) => Some(Json::from(text.as_str())),
            TokenKind::Number(number) => number.parse::<i64>().ok().map(Json::from),
            TokenKind::Word(word) if word.eq_ignore_ascii_case("null") => Some(Json::Null),
            _ => None,
        },
        [minus, number] if minus.kind == TokenKind::Symbol("-") => match &number.kind {
            TokenKind::Number(number) => number.parse::<i64>().ok()?.checked_neg().map(Json::from),
            _ => None,
        },
        _ => None,
    }
}

/// The name of a variable of the session.
fn variable(token: &Token<'_>) -> Option<String> {
    match token.kind {
        TokenKind::Word(word) if word.starts_with('@') && !word.starts_with("@@") => {
            Some(word.to_lowercase())
        }
        _ => None,
    }
}

fn name(token: &Token<'_>) -> Option<String> {
    match &token.kind {
        TokenKind::Word(word) => Some(word.to_lowercase()),
        TokenKind::Quoted(name) => Some(name.to_lowercase()),
        _ => None,
    }
}

fn is_word(token: &Token<'_>, wanted: &str) -> bool {
    matches!(token.kind, TokenKind::Word(word) if word.eq_ignore_ascii_case(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(sql: &str, observed: Observed) -> Call {
        Call {
            sql: Arc::from(sql),
            params: Vec::new(),
            types: crate::model::Types::default(),
            control: Control::Statement,
            observed,
            begin: 0,
            end: 0,
            line: 1,
        }
    }

    /// What is executed by the last of these statements.
    fn executed(statements: &[&str]) -> String {
        let mut immediate = Immediate::default();
        let mut last = call("", Observed::Done);
        for sql in statements {
            last = call(sql, Observed::Done);
            immediate.step(1, &mut last, Dialect::MariaDb);
        }
        let params: Vec<String> = last.params.iter().map(ToString::to_string).collect();
        format!("{} [{}]", last.sql, params.join(", "))
    }

    #[test]
    fn statements_with_names_are_executed() {
        let prepare = "PREPARE find FROM 'SELECT ?, ?'";
        for (statements, expected) in [
            (vec!["EXECUTE IMMEDIATE 'SELECT 1'"], "SELECT 1 []"),
            (vec!["EXECUTE IMMEDIATE 'SELECT ?' USING -5;"], "SELECT ? [-5]"),
            (vec!["EXECUTE IMMEDIATE 'COMMIT'"], "EXECUTE IMMEDIATE 'COMMIT' []"),
            (
                vec![prepare, "SET @a = 2, @B := 'x'", "EXECUTE find USING @a, @b"],
                "SELECT ?, ? [2, \"x\"]",
            ),
            (
                vec![prepare, "SET @a = 2", "CALL p()", "EXECUTE find USING @a, @a"],
                "EXECUTE find USING @a, @a []",
            ),
            (
                vec![prepare, "SET @a = 1 + 1", "EXECUTE find USING @a, 1"],
                "EXECUTE find USING @a, 1 []",
            ),
            (
                vec![prepare, "DEALLOCATE PREPARE find", "EXECUTE find USING 1, 2"],
                "EXECUTE find USING 1, 2 []",
            ),
        ] {
            assert_eq!(executed(&statements), expected);
        }
    }
}
