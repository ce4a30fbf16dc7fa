//! Reads a formula from text. The grammar stands in [`crate::formula`].

use std::str::FromStr;

use crate::{Constraint, Expr, Formula, Rel, Set};

/// Formulas nested deeper than this are refused: whatever walks through one later does so recursively.
const NESTING: usize = 200;
const TOO_DEEP: &str = "a formula with at most 200 levels of nesting";

/// A formula that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: found {found}, expected {expected}")]
pub struct FormulaError {
    /// Position in the text, from 1.
    pub column: usize,
    /// What stands there.
    pub found: String,
    /// What would have been right.
    pub expected: &'static str,
}

impl FromStr for Formula {
    type Err = FormulaError;

    fn from_str(text: &str) -> Result<Self, FormulaError> {
        let mut parser = Parser { text, at: 0, depth: 0 };
        let mut constraints = vec![parser.constraint()?];
        while parser.eat(",") {
            constraints.push(parser.constraint()?);
        }
        match parser.rest().is_empty() {
            true => Ok(Self { constraints }),
            false => Err(parser.error("',' or the end of the formula")),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// How many parentheses are open.
    depth: usize,
}

impl<'a> Parser<'a> {
    fn rest(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        &rest[..end]
    }

    fn error(&mut self, expected: &'static str) -> FormulaError {
        let rest = self.rest();
        let found = match rest.chars().next() {
            None => "the end".to_owned(),
            Some(first) if first.is_ascii_alphanumeric() => format!("'{}'", self.word()),
            Some(first) => format!("'{first}'"),
        };
        FormulaError { column: self.at + 1, found, expected }
    }

    fn require(&mut self, sign: &'static str, expected: &'static str) -> Result<(), FormulaError> {
        if self.eat(sign) { Ok(()) } else { Err(self.error(expected)) }
    }

    fn constraint(&mut self) -> Result<Constraint, FormulaError> {
        let make = match self.word() {
            "acyclic" => Constraint::Acyclic,
            "irreflexive" => Constraint::Irreflexive,
            _ => return Err(self.error("'acyclic' or 'irreflexive'")),
        };
        self.at += self.word().len();
        self.require("(", "'('")?;
        let expr = self.alternatives()?;
        self.require(")", "an operator or ')'")?;
        Ok(make(expr))
    }

    fn alternatives(&mut self) -> Result<Expr, FormulaError> {
        let mut parts = vec![self.sequence()?];
        while self.eat("|") {
            parts.push(self.sequence()?);
        }
        Ok(single_or(parts, Expr::Alt))
    }

    fn sequence(&mut self) -> Result<Expr, FormulaError> {
        let mut parts = vec![self.postfix()?];
        while self.eat(";") {
            parts.push(self.postfix()?);
        }
        Ok(single_or(parts, Expr::Seq))
    }

    fn postfix(&mut self) -> Result<Expr, FormulaError> {
        let mut expr = self.atom()?;
        for _ in 0..NESTING {
            expr = if self.eat("?") {
                Expr::Opt(Box::new(expr))
            } else if self.eat("+") {
                Expr::Plus(Box::new(expr))
            } else if self.eat("*") {
                Expr::Star(Box::new(expr))
            } else {
                return Ok(expr);
            };
        }
        Err(self.error(TOO_DEEP))
    }

    fn atom(&mut self) -> Result<Expr, FormulaError> {
        if self.depth == NESTING {
            return Err(self.error(TOO_DEEP));
        }
        if self.eat("(") {
            self.depth += 1;
            let expr = self.alternatives()?;
            self.depth -= 1;
            self.require(")", "an operator or ')'")?;
            return Ok(expr);
        }
        if self.eat("[") {
            let word = self.word();
            let Some((set, _)) = Set::ALL.into_iter().find(|(_, name)| *name == word) else {
                return Err(self.error("one of the sets R W C I S"));
            };
            self.at += word.len();
            self.require("]", "']'")?;
            return Ok(Expr::Test(set));
        }
        let word = self.word();
        if word == "none" {
            self.at += word.len();
            return Ok(Expr::Alt(Vec::new()));
        }
        let Some((rel, _)) = Rel::ALL.into_iter().find(|(_, name)| *name == word) else {
            return Err(self.error("a relation (wr ww rw so rt cc bc otv cursor o b), '[' or '('"));
        };
        self.at += word.len();
        Ok(Expr::Rel(rel))
    }
}

fn single_or(mut parts: Vec<Expr>, many: fn(Vec<Expr>) -> Expr) -> Expr {
    match parts.len() {
        1 => parts.remove(0),
        _ => many(parts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printing_and_reading_again_gives_the_same_formula() {
        for text in [
            "acyclic((b | ww) ; rw?)",
            "acyclic(ww | b ; rw?)",
            "acyclic(b | ww), irreflexive((b | ww)+ ; rw)",
            "irreflexive((b | ww | rw) ; ([W] ; (b | ww | rw))*)",
            "acyclic(o | ww | wr ; [C] | [I] ; rwi | [S] ; rw)",
        ] {
            let formula: Formula = text.parse().expect(text);
            assert_eq!(formula.to_string(), text);
            assert_eq!(formula.to_string().parse(), Ok(formula));
        }
    }

    #[test]
    fn errors_point_at_the_column() {
        let error = "acyclic(wr | wx)".parse::<Formula>().expect_err("wx is no relation");
        assert_eq!((error.column, error.found.as_str()), (14, "'wx'"));
        assert!("acyclic(wr".parse::<Formula>().is_err());
        assert!("acyclic([X] ; wr)".parse::<Formula>().is_err());
        assert!("cyclic(wr)".parse::<Formula>().is_err());
        assert!("acyclic(wr) x".parse::<Formula>().is_err());
    }

    #[test]
    fn deep_formulas_are_refused() {
        let nested = |depth| format!("acyclic({}so{})", "(".repeat(depth), ")".repeat(depth));
        let starred = |depth| format!("acyclic(so{})", "?".repeat(depth));
        for text in [nested(100), starred(100)] {
            assert!(text.parse::<Formula>().is_ok());
        }
        for text in [nested(20_000), starred(200_000)] {
            let error = text.parse::<Formula>().expect_err("it is too deep");
            assert_eq!(error.expected, TOO_DEEP);
        }
    }
}
