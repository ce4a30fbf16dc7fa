//! Declarations of variables, cursors and handlers.
//!
//! Layer `routine`, the half that reads.

use sqlparser::tokenizer::Token;

use crate::catalog::Step;
use crate::parse::parse_tokens;

use super::body::BodyReader;
use super::read::written_type;
use super::tokens::{Parsed, capitals};

impl BodyReader {
    /// One line of PostgreSQL's DECLARE.
    pub(super) fn declaration(&mut self) -> Parsed<Step> {
        let name = self.tokens.name()?;
        let line = self.tokens.until_semicolon();
        let words: Vec<String> = line.iter().map(capitals).collect();
        match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["CURSOR", "FOR", ..] => {
                return Ok(Step::Cursor {
                    name,
                    query: Box::new(parse_tokens(self.dialect, line[2..].to_vec())?),
                });
            }
            ["RECORD"] => return Ok(Step::Nothing),
            _ => {}
        }
        if line.contains(&Token::Mod) {
            return Err("%TYPE and %ROWTYPE".to_owned());
        }
        let begins_value = |token: &Token| {
            *token == Token::Assignment || *token == Token::Eq || capitals(token) == "DEFAULT"
        };
        let (ty, value) = match line.iter().position(begins_value) {
            Some(at) => (&line[..at], Some(self.expr(line[at + 1..].to_vec())?)),
            None => (&line[..], None),
        };
        let ty: Vec<Token> =
            ty.iter().filter(|token| capitals(token) != "CONSTANT").cloned().collect();
        Ok(Step::Declare { names: vec![name], ty: written_type(self.dialect, ty)?, value })
    }

    /// One DECLARE of MySQL.
    pub(super) fn declare(&mut self) -> Parsed<Step> {
        self.tokens.expect_words(&["DECLARE"])?;
        match (self.tokens.word_at(0).as_str(), self.tokens.word_at(1).as_str()) {
            ("CONTINUE" | "EXIT", "HANDLER") => return self.handler(),
            (_, "CURSOR") => {
                let name = self.tokens.name()?;
                self.tokens.expect_words(&["CURSOR", "FOR"])?;
                let query = Box::new(parse_tokens(self.dialect, self.tokens.until_semicolon())?);
                return Ok(Step::Cursor { name, query });
            }
            (_, "CONDITION") => return Err("DECLARE … CONDITION".to_owned()),
            _ => {}
        }
        let mut names = vec![self.tokens.name()?];
        while self.tokens.take(&Token::Comma) {
            names.push(self.tokens.name()?);
        }
        let line = self.tokens.until_semicolon();
        let (ty, value) = match line.iter().position(|token| capitals(token) == "DEFAULT") {
            Some(at) => (line[..at].to_vec(), Some(self.expr(line[at + 1..].to_vec())?)),
            None => (line, None),
        };
        Ok(Step::Declare { names, ty: written_type(self.dialect, ty)?, value })
    }

    fn handler(&mut self) -> Parsed<Step> {
        let exits = self.tokens.word_at(0) == "EXIT";
        self.tokens.next();
        self.tokens.expect_words(&["HANDLER", "FOR"])?;
        if !self.tokens.take_words(&["NOT", "FOUND"]) {
            return Err("a HANDLER for something other than NOT FOUND".to_owned());
        }
        Ok(Step::NotFound { exits, body: vec![self.step()?] })
    }
}
