//! What must hold.
//!
//! ```text
//!   check := "forall" key "." check | "not" check | atom
//!   atom  := ("acyclic" | "irreflexive" | "empty" | "total") expr
//!          | expr "in" expr
//!          | name"(" … ")"                                          a macro for a check
//!          | "(" check { "and" check } ")" | "(" check { "or" check } ")"
//! ```
//!
//! A parenthesis may start a relation or a check; the words inside tell which.

use super::super::error::{IsoErrorKind, SpannedError};
use super::super::syntax::{Check, CheckKind, Expr, ExprKind, Property, Span};
use super::super::token::{self, TokenKind};
use super::Parser;

/// Words that occur in checks and never in relations.
const CHECK_WORDS: [&str; 9] =
    ["in", "acyclic", "irreflexive", "empty", "total", "not", "and", "or", "forall"];

/// Words that a clause can start with.
const CLAUSE_WORDS: [&str; 14] = [
    "witness",
    "let",
    "def",
    "title",
    "also",
    "strength",
    "reads",
    "rejects",
    "acyclic",
    "irreflexive",
    "empty",
    "total",
    "forall",
    "not",
];

impl Parser<'_> {
    pub(super) fn check(&mut self) -> Result<Check, SpannedError> {
        let start = self.peek().span;
        match self.word() {
            "forall" => {
                self.advance();
                let key = self.name("the name of a key")?;
                self.sign(".")?;
                let inner = self.nested(Self::check)?;
                self.checked(CheckKind::ForAll(key, Box::new(inner)), start)
            }
            "not" => {
                self.advance();
                let inner = self.nested(Self::check)?;
                self.checked(CheckKind::Not(Box::new(inner)), start)
            }
            _ => self.check_atom(start),
        }
    }

    /// Whether a check starts here, rather than a relation or a set. What starts with a
    /// relation may still become a check: see [`Self::containment`].
    pub(super) fn at_check(&self) -> bool {
        let word = self.word();
        if word == "in" {
            return false;
        }
        CHECK_WORDS.contains(&word) || (self.at_sign("(") && self.is_group())
    }

    /// The rest of `expr in …`.
    pub(super) fn containment(&mut self, left: Expr) -> Result<Check, SpannedError> {
        self.advance();
        let right = self.expr()?;
        let start = left.span;
        self.checked(CheckKind::In(left, right), start)
    }

    fn check_atom(&mut self, start: Span) -> Result<Check, SpannedError> {
        let word = self.word();
        if let Some(property) = Property::ALL.into_iter().find(|known| known.keyword() == word) {
            self.advance();
            let rel = self.expr()?;
            return self.checked(CheckKind::Of(property, rel), start);
        }
        if self.at_sign("(") && self.is_group() {
            self.advance();
            return self.in_parens(|parser| parser.group(start));
        }
        let before = self.last();
        let left = self.expr()?;
        if self.word() == "in" {
            return self.containment(left);
        }
        match &left.kind {
            ExprKind::Call(..) => self.checked(CheckKind::Macro(left), start),
            _ => Err(self.no_check(&left, before)),
        }
    }

    /// Says that a relation alone is no check.
    fn no_check(&self, left: &Expr, before: Span) -> SpannedError {
        let expected = match token::slice(self.text, before) {
            "*" => "an operator, or `in` (a product `s * t` stands in parentheses)",
            _ => "an operator, or `in` and another relation",
        };
        match &left.kind {
            ExprKind::Name(word) => self.expected_near(expected, word, &CLAUSE_WORDS),
            _ => self.expected(expected),
        }
    }

    fn group(&mut self, start: Span) -> Result<Check, SpannedError> {
        let mut parts = vec![self.check()?];
        let joint = self.word();
        let many = match joint {
            "and" => CheckKind::All,
            "or" => CheckKind::Any,
            _ => {
                self.end_of_group()?;
                let inner = parts.remove(0);
                return Ok(Check { span: start.to(self.last()), ..inner });
            }
        };
        while self.word() == joint {
            self.advance();
            parts.push(self.check()?);
        }
        self.end_of_group()?;
        self.checked(many(parts), start)
    }

    fn end_of_group(&mut self) -> Result<(), SpannedError> {
        if matches!(self.word(), "and" | "or") {
            return Err(SpannedError::new(self.peek().span, IsoErrorKind::AndOr));
        }
        if self.eat(")") { Ok(()) } else { Err(self.expected("an operator, `and`, `or` or `)`")) }
    }

    /// Whether a word of checks stands between the parenthesis here and the one that closes it.
    fn is_group(&self) -> bool {
        let mut open = 0_u32;
        for token in &self.tokens[self.at..] {
            match token.kind {
                TokenKind::Sign("(") => open += 1,
                TokenKind::Sign(")") if open == 1 => return false,
                TokenKind::Sign(")") => open -= 1,
                TokenKind::Sign("{" | "}") | TokenKind::End => return false,
                TokenKind::Name if CHECK_WORDS.contains(&token::slice(self.text, token.span)) => {
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    fn checked(&self, kind: CheckKind, start: Span) -> Result<Check, SpannedError> {
        let span = start.to(self.last());
        let check = Check::new(kind, span);
        self.not_too_high(check.height, span)?;
        Ok(check)
    }
}
