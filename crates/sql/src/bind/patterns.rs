//! Regular expressions of PostgreSQL.
//!
//! Layer `bind`; knows types and plans.

use sqlparser::ast;

use crate::error::{ErrorClass, Result, arguments, fail, unsupported};
use crate::plan::{Expr, Function, PatternFunction};
use crate::types::{Element, Type};

use super::binder::{Binder, Typed};
use super::chars::as_shown;

impl Binder<'_> {
    pub(super) fn pattern_function(&self, name: &str, args: Vec<Typed>) -> Result<Typed> {
        use PatternFunction as P;
        const TEXT: Type = Type::TEXT;
        const INT: Type = Type::INT4;
        let call = |function, params: &[Type], result, args| {
            self.called(Function::Pattern(function), params, result, args)
        };
        match (name, args.len()) {
            ("substring", 2) => call(P::Substring, &[TEXT, TEXT], TEXT, args),
            ("regexp_replace", 3) => call(P::Replace, &[TEXT, TEXT, TEXT], TEXT, args),
            ("regexp_replace", 4) if !matches!(args[3].1, Type::Int(_)) => {
                call(P::Replace, &[TEXT, TEXT, TEXT, TEXT], TEXT, args)
            }
            ("regexp_like", 2 | 3) => call(P::Like, &[TEXT, TEXT, TEXT], Type::Bool, args),
            ("regexp_substr", 2..=4) => call(P::Match, &[TEXT, TEXT, INT, INT], TEXT, args),
            ("regexp_count", 2 | 3) => call(P::Count, &[TEXT, TEXT, INT], INT, args),
            ("regexp_match", 2 | 3) => {
                call(P::Groups, &[TEXT, TEXT, TEXT], Type::Array(Element::Text), args)
            }
            ("regexp_split_to_array", 2 | 3) => {
                call(P::Split, &[TEXT, TEXT, TEXT], Type::Array(Element::Text), args)
            }
            _ => unsupported(format!("the function {name} with {}", arguments(args.len()))),
        }
    }

    /// `text ~ pattern` and its kin.
    pub(super) fn matches(
        &self,
        text: Typed,
        pattern: Typed,
        negated: bool,
        folds: bool,
    ) -> Result<Typed> {
        if !self.dialect.is_strictly_typed() {
            return fail(ErrorClass::Syntax, "~ between two values");
        }
        self.matching(PatternFunction::Matches { negated, folds }, text, pattern)
    }

    pub(super) fn similar_to(
        &mut self,
        negated: bool,
        text: &ast::Expr,
        pattern: &ast::Expr,
    ) -> Result<Typed> {
        if !self.dialect.is_strictly_typed() {
            return fail(ErrorClass::Syntax, "SIMILAR TO");
        }
        let (text, pattern) = (self.expr(text)?, self.expr(pattern)?);
        self.matching(PatternFunction::Similar { negated }, text, pattern)
    }

    /// A pattern sees the padding of a CHAR.
    fn matching(&self, function: PatternFunction, text: Typed, pattern: Typed) -> Result<Typed> {
        let text = match text.1 {
            Type::Char(_) => as_shown(text),
            _ => self.argument(text, Type::TEXT)?,
        };
        let args = vec![text, self.argument(pattern, Type::TEXT)?];
        let function = Function::Pattern(function);
        Ok((Expr::Call { function, result: Type::Bool, args }, Type::Bool))
    }
}
