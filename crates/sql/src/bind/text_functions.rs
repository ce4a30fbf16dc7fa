//! Functions of texts.
//!
//! Layer `bind`; knows types and plans.

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::{CastMode, Expr, Function};
use crate::types::Type;
use crate::value::Value;

use super::aggregates::divides;
use super::binder::{Binder, Typed};
use super::chars::{as_shown, converted};

impl Binder<'_> {
    pub(super) fn text_function(&self, name: &str, args: Vec<Typed>) -> Result<Typed> {
        // Some functions of texts are functions of bytes, too.
        if let Some((_, ty)) = args.iter().find(|(_, ty)| *ty == Type::Bytea)
            && self.dialect.is_strictly_typed()
        {
            return unsupported(format!("the function {name} of {ty:?}"));
        }
        let strict = self.dialect.is_strictly_typed();
        let text = |function, args: Vec<Typed>| {
            let result = if strict { Type::TEXT } else { self.text_of(&args)? };
            self.texts(function, args, result)
        };
        let length = if strict { Type::INT4 } else { Type::INT8 };
        match (name, args.len()) {
            ("length", 1) => self.texts(Function::Length, args, length),
            ("char_length" | "character_length", 1) => {
                let characters =
                    args.into_iter().map(|arg| self.text_arg(arg)).collect::<Result<_>>()?;
                Ok((
                    Expr::Call { function: Function::CharLength, result: length, args: characters },
                    length,
                ))
            }
            ("octet_length", 1) => self.texts(Function::OctetLength, args, length),
            ("lower", 1) | ("lcase", 1) => text(Function::Lower, args),
            ("upper", 1) | ("ucase", 1) => text(Function::Upper, args),
            ("concat", 1..) => text(Function::Concat, args),
            ("concat_ws", 2..) => text(Function::ConcatWs, args),
            ("substring", 2) if strict && !matches!(args[1].1, Type::Int(_)) => {
                self.pattern_function(name, args)
            }
            ("substring", 3) if strict && !matches!(args[1].1, Type::Int(_)) => {
                unsupported("the part of a text that matches a pattern")
            }
            ("substring" | "substr", 2 | 3) => text(Function::Substring, args),
            ("mid", 3) if !strict => text(Function::Substring, args),
            ("left", 2) => text(Function::Left, args),
            ("right", 2) => text(Function::Right, args),
            ("trim", 1) | ("btrim", 1) => text(Function::TrimBoth, args),
            ("ltrim", 1) => text(Function::TrimLeft, args),
            ("rtrim", 1) => text(Function::TrimRight, args),
            ("replace", 3) => text(Function::Replace, args),
            ("repeat", 2) => text(Function::Repeat, args),
            ("reverse", 1) => text(Function::Reverse, args),
            ("lpad", 3) => text(Function::LeftPad, args),
            ("rpad", 3) => text(Function::RightPad, args),
            ("ascii", 1) => self.texts(Function::Ascii, args, length),
            _ if strict => self.strict_function(name, args),
            _ => self.loose_function(name, args),
        }
    }

    fn texts(&self, function: Function, args: Vec<Typed>, result: Type) -> Result<Typed> {
        let lenient = matches!(function, Function::Concat | Function::ConcatWs);
        let mut bound = Vec::new();
        for (place, arg) in args.into_iter().enumerate() {
            bound.push(if is_number_argument(function, place) {
                self.number_arg(arg)?
            } else if lenient && arg.1 == Type::Bool {
                letter_of(arg.0)
            } else if shows_padding(function) && matches!(arg.1, Type::Char(_)) {
                as_shown(arg)
            } else if lenient && self.dialect.is_strictly_typed() {
                self.as_text(arg)?
            } else {
                self.text_arg(arg)?
            });
        }
        Ok((Expr::Call { function, result, args: bound }, result))
    }

    fn text_arg(&self, arg: Typed) -> Result<Expr> {
        if self.dialect.is_strictly_typed() && arg.1 != Type::Unknown && !arg.1.is_text() {
            return fail(ErrorClass::UndefinedFunction, "expected a string");
        }
        match arg.1 {
            Type::Text { .. } => Ok(arg.0),
            Type::Unknown => self.resolve(arg.0, Type::TEXT),
            _ if !self.dialect.is_strictly_typed()
                && (divides(&arg.0) || self.is_longer(&arg.0)) =>
            {
                unsupported("a quotient as a text")
            }
            _ => Ok(converted(arg, Type::TEXT, CastMode::Implicit)),
        }
    }

    fn number_arg(&self, (expr, ty): Typed) -> Result<Expr> {
        match ty {
            Type::Int(int) if int.bytes > 4 && self.dialect.is_strictly_typed() => {
                fail(ErrorClass::UndefinedFunction, "a number of characters of type BIGINT")
            }
            Type::Int(_) => Ok(expr),
            Type::Unknown => self.resolve(expr, Type::INT4),
            _ if self.dialect.is_strictly_typed() => {
                fail(ErrorClass::UndefinedFunction, "expected a whole number")
            }
            _ => unsupported("a number of characters that is not an integer"),
        }
    }
}

/// PostgreSQL's CONCAT writes a boolean as `t` or `f`, unlike a conversion to a text.
pub(super) fn letter_of(truth: Expr) -> Expr {
    let letter = |letter: &str| Expr::Const(Value::text(letter));
    let branches = vec![(truth.clone(), letter("t")), (truth.not(), letter("f"))];
    Expr::Case { branches, otherwise: Box::new(Expr::null()) }
}

/// Whether a function takes a CHAR with its padding, not as a text.
fn shows_padding(function: Function) -> bool {
    matches!(function, Function::Concat | Function::ConcatWs | Function::OctetLength)
}

fn is_number_argument(function: Function, place: usize) -> bool {
    match function {
        Function::Substring => place > 0,
        Function::Left
        | Function::Right
        | Function::Repeat
        | Function::LeftPad
        | Function::RightPad => place == 1,
        _ => false,
    }
}
