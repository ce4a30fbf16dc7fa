//! Reads a level file into its tree.
//!
//! ```text
//!   file   := { let | def | block }
//!   let    := "let" name "=" expr
//!   def    := "def" name "(" [ name { "," name } ] ")" "=" ( expr | check )
//!   block  := ("framework" | "level") name [ ":" name ] "{" { clause [","] } "}"
//! ```
//!
//! Clauses need nothing between them, because no expression can go on with a name. An index or
//! the arguments of a macro therefore follow their name without a blank: `wr[x]` is one thing,
//! `ar [W]` the end of one clause and the start of another.

mod block;
mod check;
mod expr;

use super::error::{IsoErrorKind, SpannedError};
use super::syntax::{Body, Def, File, Item, Let, Span, Word};
use super::token::{self, Token, TokenKind, Tokens};
use crate::names;

/// How many things may be inside each other.
pub(super) const MAX_DEPTH: u32 = 200;

/// Words that cannot be names.
pub(super) const RESERVED: [&str; 20] = [
    "let",
    "def",
    "framework",
    "level",
    "witness",
    "title",
    "also",
    "strength",
    "reads",
    "rejects",
    "in",
    "acyclic",
    "irreflexive",
    "empty",
    "total",
    "not",
    "and",
    "or",
    "forall",
    "U",
];

/// Reads the tree of a file whose tokens are known.
pub(super) fn file(text: &str, tokens: &Tokens) -> Result<File, SpannedError> {
    let mut parser = Parser::new(text, tokens);
    let mut items = Vec::new();
    while parser.peek().kind != TokenKind::End {
        items.push(parser.item()?);
    }
    match items.is_empty() {
        true => Err(SpannedError::new(parser.peek().span, IsoErrorKind::Empty)),
        false => Ok(File { items }),
    }
}

struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    /// How many brackets and binders are open.
    depth: u32,
    /// Inside parentheses a `*` before an operand is a product; elsewhere it is a closure.
    in_parens: bool,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, tokens: &'a Tokens) -> Self {
        Self { text, tokens: &tokens.tokens, at: 0, depth: 0, in_parens: false }
    }

    fn item(&mut self) -> Result<Item, SpannedError> {
        let start = self.peek().span;
        let doc = self.doc();
        match self.word() {
            "let" => Ok(Item::Let(self.definition(doc, start)?)),
            "def" => Ok(Item::Def(self.macro_definition(doc, start)?)),
            "framework" | "level" => Ok(Item::Block(self.block(doc, start)?)),
            word => {
                let expected = "`let`, `def`, `framework` or `level`";
                Err(self.expected_near(expected, word, &["let", "def", "framework", "level"]))
            }
        }
    }

    fn definition(&mut self, doc: String, start: Span) -> Result<Let, SpannedError> {
        self.advance();
        let name = self.name("a name for the definition")?;
        self.sign("=")?;
        let body = self.expr()?;
        Ok(Let { doc, name, body, span: start.to(self.last()) })
    }

    fn macro_definition(&mut self, doc: String, start: Span) -> Result<Def, SpannedError> {
        self.advance();
        let name = self.name("a name for the macro")?;
        self.sign("(")?;
        let mut params = Vec::new();
        while !self.eat(")") {
            params.push(self.name("a parameter or `)`")?);
            if !self.at_sign(")") {
                self.sign(",")?;
            }
        }
        self.sign("=")?;
        let body = self.body()?;
        Ok(Def { doc, name, params, body, span: start.to(self.last()) })
    }

    /// A check, or a relation or set, or a macro that may be either.
    fn body(&mut self) -> Result<Body, SpannedError> {
        if self.at_check() {
            return Ok(Body::Check(self.check()?));
        }
        let expr = self.expr()?;
        if self.word() != "in" {
            return Ok(Body::Expr(expr));
        }
        Ok(Body::Check(self.containment(expr)?))
    }

    /// The doc lines that stand here, as one text.
    fn doc(&mut self) -> String {
        let mut lines = Vec::new();
        while self.peek().kind == TokenKind::Doc {
            let line = token::slice(self.text, self.peek().span);
            let line = line.strip_prefix("///").unwrap_or(line);
            lines.push(line.strip_prefix(' ').unwrap_or(line).trim_end());
            self.advance();
        }
        lines.join("\n")
    }

    fn peek(&self) -> Token {
        self.tokens.get(self.at).copied().unwrap_or_else(|| self.end())
    }

    fn end(&self) -> Token {
        let at = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        Token { kind: TokenKind::End, span: Span { start: at, end: at } }
    }

    /// Where the last token that was read stands.
    fn last(&self) -> Span {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.map_or_else(Span::default, |token| token.span)
    }

    fn advance(&mut self) {
        self.at += 1;
    }

    /// The name or keyword that stands here; empty if something else does.
    fn word(&self) -> &'a str {
        let token = self.peek();
        if token.kind == TokenKind::Name { token::slice(self.text, token.span) } else { "" }
    }

    /// A name that is no keyword.
    fn name(&mut self, expected: &str) -> Result<Word, SpannedError> {
        let text = self.word();
        if text.is_empty() || RESERVED.contains(&text) {
            return Err(self.expected(expected));
        }
        let span = self.peek().span;
        self.advance();
        Ok(Word { text: text.to_owned(), span })
    }

    fn at_sign(&self, sign: &str) -> bool {
        matches!(self.peek().kind, TokenKind::Sign(found) if found == sign)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.at_sign(sign);
        self.at += usize::from(found);
        found
    }

    fn sign(&mut self, sign: &str) -> Result<(), SpannedError> {
        if self.eat(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    /// Whether this sign follows the last token without a blank.
    fn adjoins(&self, sign: &str) -> bool {
        self.at_sign(sign) && self.peek().span.start == self.last().end
    }

    fn expected(&self, expected: &str) -> SpannedError {
        self.expected_near(expected, "", &[])
    }

    /// The same, where `word` may be one of some keywords, misspelt.
    fn expected_near(&self, expected: &str, word: &str, keywords: &[&str]) -> SpannedError {
        let token = self.peek();
        let found = match token.kind {
            TokenKind::Name if RESERVED.contains(&self.word()) => {
                format!("the keyword `{}`", self.word())
            }
            TokenKind::Name => format!("`{}`", self.word()),
            TokenKind::Text | TokenKind::Lines => "a string in quotes".to_owned(),
            TokenKind::Doc => "a doc line".to_owned(),
            TokenKind::Sign(sign) => format!("`{sign}`"),
            TokenKind::End => "the end of the file".to_owned(),
        };
        let nearest = names::nearest(word, keywords.iter().copied()).map(str::to_owned);
        let expected = expected.to_owned();
        SpannedError::new(token.span, IsoErrorKind::Expected { found, expected, nearest })
    }

    /// Reads what is inside brackets or behind a binder, unless that is too deep.
    fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, SpannedError>,
    ) -> Result<T, SpannedError> {
        if self.depth >= MAX_DEPTH {
            return Err(SpannedError::new(self.peek().span, IsoErrorKind::TooDeep(MAX_DEPTH)));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// The same, inside parentheses.
    fn in_parens<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, SpannedError>,
    ) -> Result<T, SpannedError> {
        let outside = std::mem::replace(&mut self.in_parens, true);
        let result = self.nested(read);
        self.in_parens = outside;
        result
    }

    fn not_too_high(&self, height: u32, span: Span) -> Result<(), SpannedError> {
        match height > MAX_DEPTH {
            true => Err(SpannedError::new(span, IsoErrorKind::TooDeep(MAX_DEPTH))),
            false => Ok(()),
        }
    }
}
