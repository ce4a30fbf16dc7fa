//! CHAR of PostgreSQL: when its padding counts.
//!
//! A client sees the padding, and so do LIKE, CONCAT and OCTET_LENGTH. Everything else does not: not a
//! comparison with another CHAR, and not what becomes of it as a text. A value of `CHAR(n)` is kept
//! without padding, because `n` says how much there is. Where CHARs of several lengths meet, as in
//! COALESCE, nothing says so any longer, and the value is kept as a client sees it ([`Type::Char`]
//! without a length).
//!
//! Layer `bind`; knows types and plans.

use crate::error::{Result, unsupported};
use crate::plan::{CastMode, Expr, Function, NumberFunction};
use crate::types::Type;
use crate::value::Value;

use super::binder::Typed;

/// An expression as one of another type, whatever CHARs are on the way, or numbers of single precision.
pub(super) fn converted((expr, ty): Typed, to: Type, mode: CastMode) -> Expr {
    match (ty, to) {
        (Type::Char(_), Type::Char(None)) => as_shown((expr, ty)),
        (Type::Text { .. }, Type::Char(None)) => expr,
        (Type::Char(_), _) => without_padding((expr, ty)).cast(to, mode),
        (Type::Real, _) if to.is_text() => {
            let function = Function::Number(NumberFunction::RealText);
            Expr::Call { function, result: Type::TEXT, args: vec![expr] }.cast(to, mode)
        }
        _ => expr.cast(to, mode),
    }
}

/// A text without the padding that it has if it is a CHAR.
pub(super) fn without_padding((expr, ty): Typed) -> Expr {
    match ty {
        Type::Char(None) => trimmed(expr),
        _ => expr,
    }
}

/// A text with the padding that a client sees.
pub(super) fn as_shown((expr, ty): Typed) -> Expr {
    let Type::Char(Some(length)) = ty else { return expr };
    let length = Expr::Const(Value::Int(i64::from(length)));
    let args = vec![expr, length, Expr::Const(Value::text(" "))];
    Expr::Call { function: Function::RightPad, result: Type::Char(None), args }
}

/// Two texts that are compared. Spaces at the end count only if one side is TEXT: a CHAR and a VARCHAR
/// are compared as CHARs.
pub(super) fn compared(left: Typed, right: Typed) -> (Expr, Expr) {
    match compared_as(left.1, right.1) {
        Type::Char(_) => (as_char(left), as_char(right)),
        _ => (without_padding(left), without_padding(right)),
    }
}

/// The type that an operator takes two texts for.
pub(super) fn compared_as(left: Type, right: Type) -> Type {
    let is_char = |ty| matches!(ty, Type::Char(_));
    let is_text = |ty| matches!(ty, Type::Text { limit: None, .. });
    match is_text(left) || is_text(right) || !(is_char(left) || is_char(right)) {
        true => Type::TEXT,
        false => Type::Char(None),
    }
}

/// Refuses to tell equal values apart, or to sort them, if they are CHARs of several lengths: they are
/// equal and look different.
pub(super) fn refuse_several_lengths(ty: Type) -> Result<()> {
    match ty {
        Type::Char(None) => unsupported("an order or a comparison of CHARs of several lengths"),
        Type::JsonText => unsupported("an order or a comparison of JSON"),
        Type::Record => unsupported("an order or a comparison of whole rows"),
        _ => Ok(()),
    }
}

fn as_char((expr, ty): Typed) -> Expr {
    match ty {
        Type::Char(Some(_)) => expr,
        _ => trimmed(expr),
    }
}

fn trimmed(expr: Expr) -> Expr {
    match expr {
        Expr::Const(Value::Text(text)) => Expr::Const(Value::text(text.trim_end_matches(' '))),
        other => {
            Expr::Call { function: Function::TrimRight, result: Type::TEXT, args: vec![other] }
        }
    }
}
