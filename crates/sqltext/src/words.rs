//! Walks over tokens, one step at a time.

use crate::token::{Token, TokenKind};

/// A place among tokens. Reading moves on only if what is there is what was wanted.
#[derive(Clone, Copy, Debug)]
pub struct Words<'t, 'a> {
    tokens: &'t [Token<'a>],
}

impl<'t, 'a> Words<'t, 'a> {
    /// Before the first token.
    pub fn new(tokens: &'t [Token<'a>]) -> Self {
        Self { tokens }
    }

    /// Whether no token is left.
    pub fn is_empty(self) -> bool {
        self.tokens.is_empty()
    }

    /// The tokens that are left.
    pub fn rest(self) -> &'t [Token<'a>] {
        self.tokens
    }

    /// The next token, without moving on.
    pub fn peek(self) -> Option<&'t TokenKind<'a>> {
        self.tokens.first().map(|token| &token.kind)
    }

    /// Moves over the next token and returns it.
    #[allow(
        clippy::should_implement_trait,
        reason = "`Words` is copied to look ahead, which an iterator must not be"
    )]
    pub fn next(&mut self) -> Option<&'t TokenKind<'a>> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(&first.kind)
    }

    /// Whether a keyword comes next.
    pub fn is(self, keyword: &str) -> bool {
        matches!(self.peek(), Some(TokenKind::Word(word)) if word.eq_ignore_ascii_case(keyword))
    }

    /// Moves over keywords, if all of them come next.
    pub fn eat(&mut self, keywords: &str) -> bool {
        let mut ahead = *self;
        for keyword in keywords.split(' ') {
            if !ahead.is(keyword) {
                return false;
            }
            ahead.next();
        }
        *self = ahead;
        true
    }

    /// Moves over the first of these that comes next.
    pub(crate) fn eat_any(&mut self, alternatives: &[&str]) -> bool {
        alternatives.iter().any(|keywords| self.eat(keywords))
    }

    /// Moves over a symbol, if it comes next.
    pub fn symbol(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), Some(TokenKind::Symbol(next)) if *next == symbol);
        if found {
            self.next();
        }
        found
    }

    /// A name. One without quotes is in lower case.
    pub fn name(&mut self) -> Option<String> {
        let name = match self.peek()? {
            TokenKind::Word(word) => word.to_lowercase(),
            TokenKind::Quoted(name) => name.clone(),
            _ => return None,
        };
        self.next();
        Some(name)
    }

    /// The last part of a name with dots, in lower case.
    pub fn last_name(&mut self) -> Option<String> {
        let mut name = self.name()?;
        while self.symbol(".") {
            name = self.name()?;
        }
        Some(name.to_lowercase())
    }

    /// A text, a number or a word, as one writes values of settings.
    pub fn setting(&mut self) -> Option<String> {
        match self.next()? {
            TokenKind::Word(word) | TokenKind::Number(word) => Some((*word).to_owned()),
            TokenKind::Text(text) | TokenKind::Quoted(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// Moves over an expression: to the next comma, closing bracket or one of the keywords, outside
    /// of brackets. Returns what it moved over.
    pub fn skip_expression(&mut self, stops: &[&str]) -> &'t [Token<'a>] {
        let start = self.tokens;
        let mut depth = 0usize;
        while let Some(kind) = self.peek() {
            match kind {
                TokenKind::Symbol("(") => depth += 1,
                TokenKind::Symbol(")") if depth > 0 => depth -= 1,
                TokenKind::Symbol("," | ")") if depth == 0 => break,
                TokenKind::Word(_) if depth == 0 && stops.iter().any(|stop| self.is(stop)) => break,
                _ => {}
            }
            self.next();
        }
        &start[..start.len() - self.tokens.len()]
    }
}

/// Whether a keyword is among tokens.
pub fn has_word(tokens: &[Token<'_>], keyword: &str) -> bool {
    tokens.iter().any(
        |token| matches!(token.kind, TokenKind::Word(word) if word.eq_ignore_ascii_case(keyword)),
    )
}
