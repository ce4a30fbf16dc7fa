//! The body of a routine: blocks, declarations, and what controls the flow.
//!
//! Both languages are read by the same functions; where their words differ, both are known. Everything
//! that is SQL goes to the parser of SQL.
//!
//! Layer `routine`, the half that reads.

use sqlparser::ast;
use sqlparser::tokenizer::Token;

use crate::catalog::{Step, Target};
use crate::dialect::Dialect;
use crate::parse::{parse_expr, parse_tokens};

use super::conditions::condition;
use super::tokens::{Parsed, Tokens, capitals, split};

pub(super) struct BodyReader {
    pub(super) dialect: Dialect,
    pub(super) tokens: Tokens,
}

impl BodyReader {
    pub(super) fn new(dialect: Dialect, tokens: Tokens) -> Self {
        Self { dialect, tokens }
    }

    /// The steps of the body, up to its end.
    pub(super) fn whole_body(&mut self) -> Parsed<Vec<Step>> {
        let step = self.step()?;
        while self.tokens.take(&Token::SemiColon) {}
        match self.tokens.peek() {
            None => Ok(vec![step]),
            Some(token) => Err(format!("unexpected text after the body: {token}")),
        }
    }

    pub(super) fn is_postgres(&self) -> bool {
        self.dialect == Dialect::PostgreSql
    }

    /// Steps until one of these words.
    fn steps(&mut self, ends: &[&str]) -> Parsed<Vec<Step>> {
        let mut steps = Vec::new();
        loop {
            while self.tokens.take(&Token::SemiColon) {}
            if ends.contains(&self.tokens.word_at(0).as_str()) {
                return Ok(steps);
            }
            if self.tokens.is_done() {
                return Err(format!("{} is missing", ends.join(" or ")));
            }
            steps.push(self.step()?);
        }
    }

    pub(super) fn step(&mut self) -> Parsed<Step> {
        let label = self.label()?;
        match self.tokens.word_at(0).as_str() {
            "DECLARE" if self.is_postgres() => self.block(label),
            "BEGIN" => self.block(label),
            "DECLARE" => self.declare(),
            "IF" => self.if_step(),
            "CASE" => self.case_step(),
            "WHILE" | "LOOP" | "REPEAT" => self.loop_step(label),
            "FOR" if self.is_postgres() => self.for_step(label),
            "EXIT" | "LEAVE" | "CONTINUE" | "ITERATE" => self.jump(),
            "RETURN" => self.return_step(),
            "RAISE" if self.is_postgres() => self.raise(),
            "SIGNAL" if !self.is_postgres() => self.signal(),
            "OPEN" => {
                self.tokens.next();
                let name = self.tokens.name()?;
                self.tokens.expect(&Token::SemiColon)?;
                Ok(Step::Open(name))
            }
            "CLOSE" => {
                self.tokens.next();
                let name = self.tokens.name()?;
                self.tokens.expect(&Token::SemiColon)?;
                Ok(Step::Close(name))
            }
            "FETCH" => self.fetch(),
            "SET" if !self.is_postgres() => self.set(),
            "NULL" if self.is_postgres() => {
                self.tokens.next();
                self.tokens.expect(&Token::SemiColon)?;
                Ok(Step::Nothing)
            }
            "EXECUTE" if self.is_postgres() => self.execute(),
            word @ ("EXECUTE" | "GET" | "COMMIT" | "ROLLBACK" | "START" | "PREPARE"
            | "RESIGNAL") => Err(format!("{word} inside a routine")),
            _ if self.is_assignment() => self.assignment(),
            _ => self.sql(),
        }
    }

    /// `<<name>>` or `name:`.
    fn label(&mut self) -> Parsed<Option<String>> {
        if self.is_postgres() && self.tokens.take(&Token::ShiftLeft) {
            let name = self.tokens.name()?;
            self.tokens.expect(&Token::ShiftRight)?;
            return Ok(Some(name));
        }
        if !self.is_postgres() && self.tokens.token_at(1) == Some(&Token::Colon) {
            let name = self.tokens.name()?;
            self.tokens.next();
            return Ok(Some(name));
        }
        Ok(None)
    }

    /// A name behind END.
    fn end_label(&mut self) {
        if matches!(self.tokens.peek(), Some(Token::Word(_))) {
            self.tokens.next();
        }
        self.tokens.take(&Token::SemiColon);
    }

    fn block(&mut self, label: Option<String>) -> Parsed<Step> {
        let mut body = Vec::new();
        if self.tokens.take_words(&["DECLARE"]) {
            while self.tokens.word_at(0) != "BEGIN" {
                body.push(self.declaration()?);
            }
        }
        self.tokens.expect_words(&["BEGIN"])?;
        let steps = self.steps(&["END", "EXCEPTION"])?;
        match self.tokens.take_words(&["EXCEPTION"]) {
            true => body.push(Step::Try { body: steps, handlers: self.exception_handlers()? }),
            false => body.extend(steps),
        }
        self.tokens.expect_words(&["END"])?;
        self.end_label();
        Ok(Step::Block { label, body })
    }

    /// `WHEN unique_violation OR SQLSTATE '22012' THEN …`, up to END.
    fn exception_handlers(&mut self) -> Parsed<Vec<(Vec<String>, Vec<Step>)>> {
        let mut handlers = Vec::new();
        while self.tokens.take_words(&["WHEN"]) {
            let mut states = Vec::new();
            loop {
                if self.tokens.take_words(&["SQLSTATE"]) {
                    match self.tokens.next() {
                        Some(Token::SingleQuotedString(state)) => states.push(state),
                        _ => return Err("a handler without a state".to_owned()),
                    }
                } else {
                    let name = self.tokens.name()?;
                    let state = condition(&name);
                    states.push(state.ok_or_else(|| format!("EXCEPTION WHEN {name}"))?.to_owned());
                }
                if !self.tokens.take_words(&["OR"]) {
                    break;
                }
            }
            self.tokens.expect_words(&["THEN"])?;
            handlers.push((states, self.steps(&["WHEN", "END"])?));
        }
        Ok(handlers)
    }

    /// `EXECUTE text INTO a, b USING x, y`.
    fn execute(&mut self) -> Parsed<Step> {
        self.tokens.next();
        let line = self.tokens.until_semicolon();
        let (mut depth, mut parts) = (0_i32, vec![("TEXT".to_owned(), Vec::new())]);
        for token in line {
            match token {
                Token::LParen => depth += 1,
                Token::RParen => depth -= 1,
                _ => {}
            }
            let word = capitals(&token);
            match parts.last_mut() {
                _ if depth == 0 && matches!(word.as_str(), "INTO" | "USING") => {
                    parts.push((word, Vec::new()));
                }
                Some((_, part)) => part.push(token),
                None => {}
            }
        }
        let mut target = Target::Client;
        let (mut text, mut using) = (None, Vec::new());
        for (word, part) in parts {
            match word.as_str() {
                "INTO" => {
                    let mut input = Tokens::new(part);
                    let strict = input.take_words(&["STRICT"]);
                    let mut names = vec![input.dotted_name()?];
                    while input.take(&Token::Comma) {
                        names.push(input.dotted_name()?);
                    }
                    target = Target::Variables { names, strict };
                }
                "USING" => {
                    for value in split(&part, &Token::Comma) {
                        using.push(self.expr(value)?);
                    }
                }
                _ => text = Some(self.expr(part)?),
            }
        }
        Ok(Step::Execute { text: text.ok_or("EXECUTE without a text")?, target, using })
    }

    fn if_step(&mut self) -> Parsed<Step> {
        self.tokens.expect_words(&["IF"])?;
        let mut branches = Vec::new();
        let mut otherwise = Vec::new();
        loop {
            let tokens = self.tokens.until_words(&["THEN"])?;
            let condition = self.expr(tokens)?;
            self.tokens.expect_words(&["THEN"])?;
            branches.push((condition, self.steps(&["ELSIF", "ELSEIF", "ELSE", "END"])?));
            if self.tokens.take_words(&["ELSIF"]) || self.tokens.take_words(&["ELSEIF"]) {
                continue;
            }
            if self.tokens.take_words(&["ELSE"]) {
                otherwise = self.steps(&["END"])?;
            }
            self.tokens.expect_words(&["END", "IF"])?;
            self.tokens.take(&Token::SemiColon);
            return Ok(Step::If { branches, otherwise });
        }
    }

    /// CASE as a statement is a chain of IFs.
    fn case_step(&mut self) -> Parsed<Step> {
        self.tokens.expect_words(&["CASE"])?;
        let operand = self.tokens.until_words(&["WHEN"])?;
        let operand = if operand.is_empty() { None } else { Some(self.expr(operand)?) };
        let mut branches = Vec::new();
        while self.tokens.take_words(&["WHEN"]) {
            let tokens = self.tokens.until_words(&["THEN"])?;
            let value = self.expr(tokens)?;
            self.tokens.expect_words(&["THEN"])?;
            let condition = match &operand {
                Some(operand) => ast::Expr::BinaryOp {
                    left: Box::new(operand.clone()),
                    op: ast::BinaryOperator::Eq,
                    right: Box::new(value),
                },
                None => value,
            };
            branches.push((condition, self.steps(&["WHEN", "ELSE", "END"])?));
        }
        if !self.tokens.take_words(&["ELSE"]) {
            return Err("CASE without ELSE".to_owned());
        }
        let otherwise = self.steps(&["END"])?;
        self.tokens.expect_words(&["END", "CASE"])?;
        self.tokens.take(&Token::SemiColon);
        Ok(Step::If { branches, otherwise })
    }

    fn loop_step(&mut self, label: Option<String>) -> Parsed<Step> {
        if self.tokens.take_words(&["REPEAT"]) {
            let body = self.steps(&["UNTIL"])?;
            self.tokens.next();
            let tokens = self.tokens.until_words(&["END"])?;
            let until = Some(self.expr(tokens)?);
            self.tokens.expect_words(&["END", "REPEAT"])?;
            self.end_label();
            return Ok(Step::Loop { label, before: None, body, until });
        }
        let before = if self.tokens.take_words(&["WHILE"]) {
            let tokens = self.tokens.until_words(&["LOOP", "DO"])?;
            Some(self.expr(tokens)?)
        } else {
            None
        };
        self.tokens.next();
        let body = self.steps(&["END"])?;
        let end = if before.is_some() && !self.is_postgres() { "WHILE" } else { "LOOP" };
        self.tokens.expect_words(&["END", end])?;
        self.end_label();
        Ok(Step::Loop { label, before, body, until: None })
    }

    fn for_step(&mut self, label: Option<String>) -> Parsed<Step> {
        self.tokens.expect_words(&["FOR"])?;
        let name = self.tokens.name()?;
        self.tokens.expect_words(&["IN"])?;
        let down = self.tokens.take_words(&["REVERSE"]);
        let tokens = self.tokens.until_words(&["LOOP"])?;
        self.tokens.expect_words(&["LOOP"])?;
        let dots = tokens.windows(2).position(|pair| pair == [Token::Period, Token::Period]);
        let head = match dots {
            Some(at) => {
                let by = tokens.iter().position(|token| capitals(token) == "BY");
                let to = &tokens[at + 2..by.unwrap_or(tokens.len())];
                let by = by.map(|by| self.expr(tokens[by + 1..].to_vec())).transpose()?;
                Some((self.expr(tokens[..at].to_vec())?, self.expr(to.to_vec())?, by))
            }
            None => None,
        };
        let body = self.steps(&["END"])?;
        self.tokens.expect_words(&["END", "LOOP"])?;
        self.end_label();
        match head {
            Some((from, to, by)) => Ok(Step::Count { label, name, from, to, by, down, body }),
            None => Ok(Step::Rows {
                label,
                name,
                query: Box::new(parse_tokens(self.dialect, tokens)?),
                body,
            }),
        }
    }

    fn jump(&mut self) -> Parsed<Step> {
        let again = matches!(self.tokens.word_at(0).as_str(), "CONTINUE" | "ITERATE");
        self.tokens.next();
        let named =
            matches!(self.tokens.peek(), Some(Token::Word(_))) && self.tokens.word_at(0) != "WHEN";
        let label = if named { Some(self.tokens.name()?) } else { None };
        let when = if self.tokens.take_words(&["WHEN"]) {
            let tokens = self.tokens.until_semicolon();
            Some(self.expr(tokens)?)
        } else {
            self.tokens.expect(&Token::SemiColon)?;
            None
        };
        Ok(Step::Jump { label, again, when })
    }

    fn return_step(&mut self) -> Parsed<Step> {
        self.tokens.next();
        let tokens = self.tokens.until_semicolon();
        if tokens.is_empty() {
            return Ok(Step::Return(None));
        }
        match capitals(&tokens[0]).as_str() {
            "QUERY" if tokens.get(1).map(capitals).as_deref() == Some("EXECUTE") => {
                return Err("RETURN QUERY EXECUTE".to_owned());
            }
            "QUERY" if self.is_postgres() => {
                let query = parse_tokens(self.dialect, tokens[1..].to_vec())?;
                return Ok(Step::ReturnQuery(Box::new(query)));
            }
            "NEXT" if self.is_postgres() => {
                let value = tokens[1..].to_vec();
                let value = if value.is_empty() { None } else { Some(self.expr(value)?) };
                return Ok(Step::ReturnNext(value));
            }
            _ => {}
        }
        Ok(Step::Return(Some(self.expr(tokens)?)))
    }

    pub(super) fn expr(&self, tokens: Vec<Token>) -> Parsed<ast::Expr> {
        parse_expr(self.dialect, tokens)
    }
}
