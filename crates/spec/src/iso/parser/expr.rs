//! Relations and sets, loosest operator first.
//!
//! ```text
//!   expr    := diff { "|" diff }
//!   diff    := inter { "\" inter }
//!   inter   := seq { "&" seq }
//!   seq     := operand { ";" operand }
//!   operand := atom { "^-1" | "?" | "+" | "*" } [ "*" operand ]      the last in parentheses only
//!   atom    := name | name"[" key "]" | name"(" [ expr { "," expr } ] ")"
//!            | "[" expr "]" | "(" expr ")" | "U" key "." expr
//! ```

use super::super::error::SpannedError;
use super::super::syntax::{Expr, ExprKind, Postfix, Span};
use super::super::token::TokenKind;
use super::{Parser, RESERVED};

const OPERAND: &str = "a relation or a set";

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Result<Expr, SpannedError> {
        self.list("|", Self::difference, ExprKind::Union)
    }

    fn difference(&mut self) -> Result<Expr, SpannedError> {
        let mut left = self.intersection()?;
        while self.eat("\\") {
            let right = self.intersection()?;
            let span = left.span.to(right.span);
            left = self.made(ExprKind::Diff(Box::new(left), Box::new(right)), span)?;
        }
        Ok(left)
    }

    fn intersection(&mut self) -> Result<Expr, SpannedError> {
        self.list("&", Self::sequence, ExprKind::Inter)
    }

    fn sequence(&mut self) -> Result<Expr, SpannedError> {
        self.list(";", Self::operand, ExprKind::Seq)
    }

    /// One operand, or several with a sign between them.
    fn list(
        &mut self,
        sign: &str,
        part: fn(&mut Self) -> Result<Expr, SpannedError>,
        many: fn(Vec<Expr>) -> ExprKind,
    ) -> Result<Expr, SpannedError> {
        let first = part(self)?;
        if !self.at_sign(sign) {
            return Ok(first);
        }
        let start = first.span;
        let mut parts = vec![first];
        while self.eat(sign) {
            parts.push(part(self)?);
        }
        self.made(many(parts), start.to(self.last()))
    }

    fn operand(&mut self) -> Result<Expr, SpannedError> {
        let mut expr = self.atom()?;
        loop {
            if self.at_product() {
                self.advance();
                let right = self.nested(Self::operand)?;
                let span = expr.span.to(right.span);
                return self.made(ExprKind::Product(Box::new(expr), Box::new(right)), span);
            }
            let Some(sign) = Postfix::ALL.into_iter().find(|sign| self.eat(sign.sign())) else {
                return Ok(expr);
            };
            let span = expr.span.to(self.last());
            expr = self.made(ExprKind::Postfix(Box::new(expr), sign), span)?;
        }
    }

    fn at_product(&self) -> bool {
        let operand = match self.tokens.get(self.at + 1) {
            Some(next) if next.kind == TokenKind::Name => {
                let word = super::token::slice(self.text, next.span);
                word == "U" || !RESERVED.contains(&word)
            }
            Some(next) => matches!(next.kind, TokenKind::Sign("(" | "[")),
            None => false,
        };
        self.in_parens && self.at_sign("*") && operand
    }

    fn atom(&mut self) -> Result<Expr, SpannedError> {
        let start = self.peek().span;
        if self.eat("(") {
            let inner = self.in_parens(Self::expr)?;
            self.close(")")?;
            return Ok(Expr { span: start.to(self.last()), ..inner });
        }
        if self.eat("[") {
            let inner = self.nested(Self::expr)?;
            self.close("]")?;
            return self.made(ExprKind::Test(Box::new(inner)), start.to(self.last()));
        }
        if self.word() == "U" {
            self.advance();
            let key = self.name("the name of a key")?;
            self.sign(".")?;
            let inner = self.nested(Self::expr)?;
            return self.made(ExprKind::OverKeys(key, Box::new(inner)), start.to(self.last()));
        }
        self.named()
    }

    /// A name, with an index or arguments if they follow without a blank.
    fn named(&mut self) -> Result<Expr, SpannedError> {
        let name = self.name(OPERAND)?;
        let start = name.span;
        if self.adjoins("[") {
            self.advance();
            let key = self.name("the name of a key")?;
            self.close("]")?;
            return self.made(ExprKind::Indexed(name, key), start.to(self.last()));
        }
        if self.adjoins("(") {
            self.advance();
            let arguments = self.in_parens(Self::arguments)?;
            return self.made(ExprKind::Call(name, arguments), start.to(self.last()));
        }
        Ok(Expr::new(ExprKind::Name(name.text), start))
    }

    fn arguments(&mut self) -> Result<Vec<Expr>, SpannedError> {
        let mut arguments = Vec::new();
        while !self.eat(")") {
            arguments.push(self.expr()?);
            if !self.at_sign(")") && !self.eat(",") {
                return Err(self.expected("an operator, `,` or `)`"));
            }
        }
        Ok(arguments)
    }

    fn close(&mut self, sign: &str) -> Result<(), SpannedError> {
        if self.eat(sign) {
            return Ok(());
        }
        Err(self.expected(&format!("an operator or `{sign}`")))
    }

    fn made(&self, kind: ExprKind, span: Span) -> Result<Expr, SpannedError> {
        let expr = Expr::new(kind, span);
        self.not_too_high(expr.height, span)?;
        Ok(expr)
    }
}
