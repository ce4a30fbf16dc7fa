//! Literals and parameters, and what becomes of those without a type.
//!
//! Layer `bind`; converts literals with `eval`.

use sqlparser::ast;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::eval::convert;
use crate::plan::{CastMode, Expr};
use crate::types::{IntType, Type};
use crate::value::{Decimal, Value};

use super::binder::{Binder, Typed};
use super::specials::bytes_literal;

impl Binder<'_> {
    pub(super) fn literal(&self, value: &ast::Value) -> Result<Typed> {
        match value {
            ast::Value::Null => Ok((Expr::null(), Type::Unknown)),
            ast::Value::Boolean(truth) if self.dialect.is_strictly_typed() => {
                Ok((Expr::Const(Value::Bool(*truth)), Type::Bool))
            }
            ast::Value::Boolean(truth) => {
                Ok((Expr::Const(Value::Int(i64::from(*truth))), Type::INT4))
            }
            ast::Value::Number(text, _) => self.number(text),
            ast::Value::SingleQuotedString(text) | ast::Value::EscapedStringLiteral(text) => {
                Ok(self.text(text))
            }
            ast::Value::DollarQuotedString(quoted) => Ok(self.text(&quoted.value)),
            ast::Value::DoubleQuotedString(text) if !self.dialect.is_strictly_typed() => {
                Ok(self.text(text))
            }
            ast::Value::HexStringLiteral(digits)
            | ast::Value::SingleQuotedByteStringLiteral(digits)
                if !self.dialect.is_strictly_typed() =>
            {
                let binary = matches!(value, ast::Value::SingleQuotedByteStringLiteral(_));
                bytes_literal(digits, binary)
                    .map_or_else(|| unsupported(format!("the literal {value}")), Ok)
            }
            ast::Value::Placeholder(name) => self.placeholder(name),
            other => unsupported(format!("the literal {other}")),
        }
    }

    fn text(&self, text: &str) -> Typed {
        let ty = if self.dialect.is_strictly_typed() { Type::Unknown } else { Type::TEXT };
        (Expr::Const(Value::text(text)), ty)
    }

    fn number(&self, text: &str) -> Result<Typed> {
        if let Ok(small) = text.parse::<i64>() {
            let narrow = i32::try_from(small).is_ok() && self.dialect.is_strictly_typed();
            let ty = if narrow { Type::INT4 } else { Type::INT8 };
            return Ok((Expr::Const(Value::Int(small)), ty));
        }
        let strict = self.dialect.is_strictly_typed();
        if !strict && let Ok(large) = text.parse::<u64>() {
            let ty = Type::Int(IntType { bytes: 8, unsigned: true });
            return Ok((Expr::Const(Value::Large(large)), ty));
        }
        if !strict && text.contains(['e', 'E']) {
            return match text.parse() {
                Ok(number) => Ok((Expr::Const(Value::Double(number)), Type::Double)),
                Err(_) => fail(ErrorClass::Syntax, format!("{text} is not a number")),
            };
        }
        let Some(decimal) = Decimal::parse(text) else {
            return fail(ErrorClass::Syntax, format!("{text} is not a number"));
        };
        let scale = decimal.scale();
        let ty = match strict {
            true => Type::NUMERIC,
            false => Type::decimal(decimal.whole_digits() + scale, scale),
        };
        Ok((Expr::Const(Value::Decimal(decimal)), ty))
    }

    /// `$1`, counted from one, or `?`, numbered by the parser in the same way.
    fn placeholder(&self, name: &str) -> Result<Typed> {
        let Some(number) =
            name.get(1..).and_then(|digits| digits.parse::<usize>().ok()).filter(|one| *one > 0)
        else {
            return unsupported(format!("the parameter {name}"));
        };
        let ty = self.params.get(number - 1).copied().unwrap_or(Type::Unknown);
        Ok((Expr::Param { index: number - 1, to: ty }, ty))
    }

    /// Gives an expression without a type the type that is wanted.
    pub(super) fn resolve(&self, expr: Expr, to: Type) -> Result<Expr> {
        match expr {
            Expr::Const(Value::Null) => Ok(expr),
            Expr::Const(value) => Ok(Expr::Const(convert(
                self.dialect,
                &value,
                Type::Unknown,
                to,
                CastMode::Implicit,
            )?)),
            Expr::Param { index, .. } => Ok(Expr::Param { index, to }),
            other => Ok(other.cast(to, CastMode::Implicit)),
        }
    }

    /// What an expression is if nothing around it says what it should be: a text.
    pub(super) fn settle(&self, (expr, ty): Typed) -> Typed {
        if ty != Type::Unknown || !self.dialect.is_strictly_typed() {
            return (expr, ty);
        }
        match expr {
            Expr::Param { index, .. } => (Expr::Param { index, to: Type::TEXT }, Type::TEXT),
            other => (other, Type::TEXT),
        }
    }
}
