//! Steps that do one thing: assignments, errors, statements of SQL.
//!
//! Layer `routine`, the half that reads.

use sqlparser::ast;
use sqlparser::tokenizer::Token;

use crate::catalog::{Step, Target};
use crate::parse::parse_tokens;

use super::body::BodyReader;
use super::conditions::condition;
use super::tokens::{Parsed, Tokens, capitals, split};

impl BodyReader {
    pub(super) fn raise(&mut self) -> Parsed<Step> {
        self.tokens.next();
        let line = self.tokens.until_semicolon();
        let level = line.first().map(capitals).unwrap_or_default();
        if matches!(level.as_str(), "NOTICE" | "WARNING" | "INFO" | "LOG" | "DEBUG") {
            return Ok(Step::Nothing);
        }
        let text = line.iter().find_map(|token| match token {
            Token::SingleQuotedString(text) => Some(text.clone()),
            _ => None,
        });
        let code = line.windows(3).find_map(|part| match part {
            [word, Token::Eq, Token::SingleQuotedString(code)] if capitals(word) == "ERRCODE" => {
                Some(code.clone())
            }
            _ => None,
        });
        if level == "SQLSTATE" {
            return Err("RAISE SQLSTATE".to_owned());
        }
        let Some(message) = text else { return Err("RAISE without a text".to_owned()) };
        let state = match code {
            None => "P0001".to_owned(),
            Some(code) if code.len() == 5 => code,
            Some(name) => match condition(&name) {
                Some(state) => state.to_owned(),
                None => return Err(format!("the error {name}")),
            },
        };
        Ok(Step::Raise { state, message })
    }

    pub(super) fn signal(&mut self) -> Parsed<Step> {
        self.tokens.expect_words(&["SIGNAL", "SQLSTATE"])?;
        self.tokens.take_words(&["VALUE"]);
        let line = self.tokens.until_semicolon();
        match line.first() {
            Some(Token::SingleQuotedString(state)) => {
                let message = line.last().map(ToString::to_string).unwrap_or_default();
                Ok(Step::Raise { state: state.clone(), message })
            }
            _ => Err("SIGNAL without a state".to_owned()),
        }
    }

    pub(super) fn fetch(&mut self) -> Parsed<Step> {
        self.tokens.next();
        if !self.tokens.take_words(&["NEXT", "FROM"]) {
            self.tokens.take_words(&["FROM"]);
        }
        let name = self.tokens.name()?;
        self.tokens.expect_words(&["INTO"])?;
        let into = self.names()?;
        self.tokens.expect(&Token::SemiColon)?;
        Ok(Step::Fetch { name, into })
    }

    fn names(&mut self) -> Parsed<Vec<String>> {
        let mut names = vec![self.tokens.dotted_name()?];
        while self.tokens.take(&Token::Comma) {
            names.push(self.tokens.dotted_name()?);
        }
        Ok(names)
    }

    pub(super) fn is_assignment(&self) -> bool {
        let named = matches!(self.tokens.peek(), Some(Token::Word(_)));
        let dotted = self.tokens.token_at(1) == Some(&Token::Period);
        let op = self.tokens.token_at(if dotted { 3 } else { 1 });
        self.is_postgres() && named && matches!(op, Some(Token::Assignment | Token::Eq))
    }

    pub(super) fn assignment(&mut self) -> Parsed<Step> {
        let name = self.tokens.dotted_name()?;
        self.tokens.next();
        let tokens = self.tokens.until_semicolon();
        Ok(Step::Assign { name, value: self.expr(tokens)? })
    }

    /// `SET a = 1, b = 2`.
    pub(super) fn set(&mut self) -> Parsed<Step> {
        self.tokens.next();
        let line = self.tokens.until_semicolon();
        let mut steps = Vec::new();
        for part in split(&line, &Token::Comma) {
            let mut input = Tokens::new(part.clone());
            let name = input.dotted_name()?;
            if !input.take(&Token::Eq) && !input.take(&Token::Assignment) {
                return Err("this SET".to_owned());
            }
            let mut value = Vec::new();
            while let Some(token) = input.next() {
                value.push(token);
            }
            steps.push(Step::Assign { name, value: self.expr(value)? });
        }
        Ok(Step::Block { label: None, body: steps })
    }

    /// A statement of SQL, with INTO taken out of it.
    pub(super) fn sql(&mut self) -> Parsed<Step> {
        let mut line = self.tokens.until_semicolon();
        let performs =
            self.is_postgres() && line.first().map(capitals).as_deref() == Some("PERFORM");
        if performs {
            line[0] = Token::make_keyword("SELECT");
        }
        let (line, target) = without_into(line)?;
        let statement = Box::new(parse_tokens(self.dialect, line)?);
        let is_query = matches!(*statement, ast::Statement::Query(_));
        if self.is_postgres() && is_query && target == Target::Client && !performs {
            return Err("a query whose result goes nowhere".to_owned());
        }
        let target = if performs { Target::Nowhere } else { target };
        Ok(Step::Sql { statement, target })
    }
}

/// Takes `INTO [STRICT] a, b` out of a SELECT, or out of what stands behind RETURNING.
fn without_into(line: Vec<Token>) -> Parsed<(Vec<Token>, Target)> {
    let words: Vec<String> = line.iter().map(capitals).collect();
    let from = match words.first().map(String::as_str) {
        Some("SELECT" | "WITH") => 0,
        Some("INSERT" | "UPDATE" | "DELETE") => {
            match words.iter().position(|word| word == "RETURNING") {
                Some(at) => at,
                None => return Ok((line, Target::Client)),
            }
        }
        _ => return Ok((line, Target::Client)),
    };
    let mut depth = 0_i32;
    let mut found = None;
    for (at, token) in line.iter().enumerate().skip(from) {
        match token {
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            _ if depth == 0 && words[at] == "INTO" => {
                found = Some(at);
                break;
            }
            _ => {}
        }
    }
    let Some(at) = found else { return Ok((line, Target::Client)) };
    let mut input = Tokens::new(line[at + 1..].to_vec());
    let strict = input.take_words(&["STRICT"]);
    let mut names = vec![input.dotted_name()?];
    while input.take(&Token::Comma) {
        names.push(input.dotted_name()?);
    }
    let mut rest = line[..at].to_vec();
    while let Some(token) = input.next() {
        rest.push(token);
    }
    Ok((rest, Target::Variables { names, strict }))
}
