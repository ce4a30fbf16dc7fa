//! Expressions of MySQL's special types (`special.rs`), where it is known what they mean.
//!
//! [`Binder::expr`] refuses them. The places below ask for them with [`Binder::raw`], and make a text or a number of
//! them: comparisons with constants, arithmetic, arguments of some functions, ORDER BY.
//!
//! Layer `bind`; knows types and plans.

use sqlparser::ast;

use crate::error::{Result, unsupported};
use crate::plan::{Arith, BytesFunction, CompareOp, Expr, Function, LooseFunction, LooseText};
use crate::special::{Labels, Special};
use crate::types::{IntType, Type};
use crate::value::{Collation, Value};

use super::binder::{Binder, Typed};

/// The most labels of a SET that is used as a number here.
const MOST_BITS: usize = 60;

/// Functions that take a text, whatever it is made of.
const OF_TEXTS: [&str; 12] = [
    "concat",
    "concat_ws",
    "upper",
    "ucase",
    "lower",
    "lcase",
    "length",
    "octet_length",
    "char_length",
    "character_length",
    "find_in_set",
    "replace",
];

impl Binder<'_> {
    /// Binds an expression, which may be of a special type.
    pub(super) fn raw(&mut self, expr: &ast::Expr) -> Result<Typed> {
        let bound = self.deeper(|binder| binder.any_expr(expr))?;
        self.refuse_digits(expr, &bound.0)?;
        Ok(bound)
    }

    /// An operand of arithmetic.
    pub(super) fn operand(&mut self, expr: &ast::Expr) -> Result<Typed> {
        let bound = self.raw(expr)?;
        as_number(bound)
    }

    /// An argument of a function.
    pub(super) fn argument_of(&mut self, function: &str, expr: &ast::Expr) -> Result<Typed> {
        let (bound, ty) = self.raw(expr)?;
        let Type::Special(special) = ty else { return Ok((bound, ty)) };
        match special {
            Special::One(..) | Special::Many(..) if OF_TEXTS.contains(&function) => {
                Ok((bound, text_of(special)))
            }
            Special::Bits(_) if matches!(function, "bin" | "oct" | "bit_count") => {
                as_number((bound, ty))
            }
            Special::Bytes { .. } if matches!(function, "hex" | "length" | "octet_length") => {
                Ok((bound, Type::Bytea))
            }
            _ => refused(special),
        }
    }

    /// A function of bytes, by its name and arguments; `None` if it is none.
    pub(super) fn function_of_bytes(&self, name: &str, args: &[Typed]) -> Result<Option<Typed>> {
        let call = |function, result, args| Expr::Call { function, result, args };
        Ok(match (name, args) {
            ("hex", [(bytes, Type::Bytea)]) => {
                let format = Expr::Const(Value::text("hex"));
                let encode = Function::Bytes(BytesFunction::Encode);
                let digits = call(encode, Type::TEXT, vec![bytes.clone(), format]);
                Some((call(Function::Upper, Type::TEXT, vec![digits]), Type::TEXT))
            }
            ("length" | "octet_length", [(bytes, Type::Bytea)]) => {
                let length = Function::Bytes(BytesFunction::Length);
                Some((call(length, Type::INT8, vec![bytes.clone()]), Type::INT8))
            }
            ("unhex", [(Expr::Const(Value::Text(digits)), _)]) => {
                let value =
                    from_digits(digits).map_or(Value::Null, |bytes| Value::Bytea(bytes.into()));
                Some((Expr::Const(value), BYTES))
            }
            _ => None,
        })
    }

    /// Two sides of `=` or `<>`, of which one may be of a special type.
    pub(super) fn equal_sides(
        &self,
        op: CompareOp,
        left: Typed,
        right: Typed,
    ) -> Result<(Typed, Typed)> {
        match (left.1, right.1) {
            (Type::Special(special), _) | (_, Type::Special(special))
                if !matches!(op, CompareOp::Eq | CompareOp::NotEq) =>
            {
                refused(special)
            }
            (Type::Special(special), _) => equal_to(left.0, special, right),
            (_, Type::Special(special)) => {
                let (right, left) = equal_to(right.0, special, left)?;
                Ok((left, right))
            }
            _ => Ok((left, right)),
        }
    }
}

const BYTES: Type = Type::Special(Special::Bytes { limit: None, padded: false });

/// The literal `x'DEADBEEF'`, `0xDEADBEEF` or `b'1010'`; `None` if the digits are none.
pub(super) fn bytes_literal(digits: &str, binary: bool) -> Option<Typed> {
    let bytes = match binary {
        false => from_digits(digits)?,
        true => {
            let number = u64::from_str_radix(digits, 2).ok()?.to_be_bytes();
            number[8 - digits.len().div_ceil(8)..].to_vec()
        }
    };
    Some((Expr::Const(Value::Bytea(bytes.into())), BYTES))
}

/// Bytes that are written in hexadecimal digits, of which a first zero may be missing.
fn from_digits(digits: &str) -> Option<Vec<u8>> {
    let digits = if digits.len() % 2 == 1 { format!("0{digits}") } else { digits.to_owned() };
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let pairs = (0..digits.len()).step_by(2);
    pairs.map(|at| u8::from_str_radix(&digits[at..at + 2], 16).ok()).collect()
}

fn refused<T>(special: Special) -> Result<T> {
    unsupported(match special {
        Special::One(..) => "an ENUM in this place",
        Special::Many(..) => "a SET in this place",
        Special::Year => "a YEAR in this place",
        Special::Bits(_) => "a BIT in this place",
        Special::Inet6 => "an INET6 in this place",
        Special::Bytes { .. } => "bytes in this place",
    })
}

/// An expression, if it is not of a special type.
pub(super) fn refuse_special((expr, ty): Typed) -> Result<Typed> {
    match ty {
        Type::Special(special) => refused(special),
        _ => Ok((expr, ty)),
    }
}

/// The type of the text of an ENUM or a SET.
fn text_of(special: Special) -> Type {
    let collation = match special {
        Special::One(_, collation) | Special::Many(_, collation) => collation,
        _ => None,
    };
    Type::Text { limit: None, collation, trims: false }
}

/// The text of an ENUM or a SET, or what is of no special type.
pub(super) fn as_text((expr, ty): Typed) -> Result<Typed> {
    match ty {
        Type::Special(special @ (Special::One(..) | Special::Many(..))) => {
            Ok((expr, text_of(special)))
        }
        other => refuse_special((expr, other)),
    }
}

/// The number that an expression of a special type is.
pub(super) fn as_number((expr, ty): Typed) -> Result<Typed> {
    let Type::Special(special) = ty else { return Ok((expr, ty)) };
    let unsigned = |bytes| Type::Int(IntType { bytes, unsigned: true });
    match special {
        Special::One(labels, _) => Ok((place_of(expr, labels), Type::INT4)),
        Special::Many(labels, _) if labels.iter().count() <= MOST_BITS => {
            Ok((bits_of(&expr, labels), Type::INT8))
        }
        Special::Year => Ok((expr, unsigned(2))),
        Special::Bits(_) => Ok((expr, unsigned(8))),
        Special::Many(..) | Special::Inet6 | Special::Bytes { .. } => refused(special),
    }
}

fn number(number: i64) -> Expr {
    Expr::Const(Value::Int(number))
}

fn texts(function: LooseText, args: Vec<Expr>) -> Expr {
    let function = Function::Loose(LooseFunction::Text(function));
    Expr::Call { function, result: Type::INT8, args }
}

/// The place of a label, from 1; NULL for NULL.
fn place_of(expr: Expr, labels: Labels) -> Expr {
    let is_null = Expr::IsNull { negated: false, expr: Box::new(expr.clone()) };
    let labels = labels.iter().map(|label| Expr::Const(Value::text(label)));
    let args = std::iter::once(expr).chain(labels).collect();
    let place = texts(LooseText::Field(Collation::Bytes), args);
    Expr::Case { branches: vec![(is_null, Expr::null())], otherwise: Box::new(place) }
}

/// A bit for each label; NULL for NULL.
fn bits_of(expr: &Expr, labels: Labels) -> Expr {
    let mut sum = number(0);
    for (place, label) in labels.iter().enumerate() {
        let label = Expr::Const(Value::text(label));
        let found = texts(LooseText::FindInSet(Collation::Bytes), vec![label, expr.clone()]);
        let sign = Expr::Case {
            branches: vec![(found, number(1 << place))],
            otherwise: Box::new(number(0)),
        };
        let (left, right) = (Box::new(sum), Box::new(sign));
        sum = Expr::Arith { op: Arith::Add, result: Type::INT8, left, right };
    }
    let is_null = Expr::IsNull { negated: false, expr: Box::new(expr.clone()) };
    Expr::Case { branches: vec![(is_null, Expr::null())], otherwise: Box::new(sum) }
}

/// A special column that is compared with a constant. With other constants, such as a number in a text or a year of
/// two digits, servers do different things, which depend on the plan.
fn equal_to(expr: Expr, special: Special, other: Typed) -> Result<(Typed, Typed)> {
    let Expr::Const(value) = &other.0 else {
        return match (special, other.1 == Type::Special(special)) {
            (Special::Year, true) => Ok((as_number((expr, other.1))?, as_number(other)?)),
            _ => refused(special),
        };
    };
    let numeric = || as_number((expr.clone(), Type::Special(special)));
    let number_like = |text: &str| !text.starts_with(|first: char| first.is_alphabetic());
    match (special, value) {
        (_, Value::Null) => Ok(((expr, Type::Unknown), other)),
        (Special::One(..), Value::Text(text)) if !number_like(text) => {
            Ok(((expr, text_of(special)), other))
        }
        (Special::Many(..), Value::Text(text)) if !number_like(text) && !text.contains(',') => {
            Ok(((expr, text_of(special)), other))
        }
        (Special::Year, Value::Int(1901..=2155)) | (Special::Bits(_), Value::Int(0..)) => {
            Ok((numeric()?, other))
        }
        (Special::Bytes { .. }, Value::Bytea(_)) => {
            Ok(((expr, Type::Bytea), (other.0, Type::Bytea)))
        }
        (Special::Bytes { .. }, Value::Text(text)) => {
            let bytes = Value::Bytea(text.as_bytes().into());
            Ok(((expr, Type::Bytea), (Expr::Const(bytes), Type::Bytea)))
        }
        _ => refused(special),
    }
}

/// Refuses values of a special type among others.
pub(super) fn refuse_mixed(types: &[Type]) -> Result<()> {
    let special = types.iter().find(|ty| matches!(ty, Type::Special(_)));
    match special {
        Some(Type::Special(one)) if types.iter().any(|ty| Some(ty) != special) => refused(*one),
        _ => Ok(()),
    }
}

/// Whether an expression of a special type can be stored in a column as it is.
pub(super) fn storable(from: Type, to: Type) -> Result<()> {
    let Type::Special(special) = from else { return Ok(()) };
    let fits = match (special, to) {
        (Special::Bytes { .. }, Type::Special(Special::Bytes { .. } | Special::Bits(_)))
        | (Special::One(..) | Special::Many(..), Type::Text { .. })
        | (Special::Year, Type::Int(_)) => true,
        _ => from == to,
    };
    if fits { Ok(()) } else { refused(special) }
}
