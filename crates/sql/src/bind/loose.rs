//! Types as MySQL and MariaDB settle them: everything can be made a number.
//!
//! Layer `bind`; knows types and plans.

use crate::error::{Result, unsupported};
use crate::plan::{Arith, CastMode, Expr, Function};
use crate::types::{Digits, IntType, Type};
use crate::value::{Collation, Value, parse_timestamp};

use super::binder::{Binder, Typed};
use super::operators::is_null_literal;
use super::specials::refuse_special;

const UNSIGNED: Type = Type::Int(IntType { bytes: 8, unsigned: true });

impl Binder<'_> {
    pub(super) fn loosely_comparable(
        &self,
        left: Typed,
        right: Typed,
    ) -> Result<(Expr, Expr, Collation)> {
        let (left, right) = (refuse_special(left)?, refuse_special(right)?);
        let collation = self.collation_of(left.1, right.1)?;
        let as_double = |expr: Expr| number_from(expr).cast(Type::Double, CastMode::Implicit);
        let as_moment = |expr: Expr| expr.cast(Type::TIMESTAMP, CastMode::Implicit);
        let (a, b) = (left.1, right.1);
        self.refuse_inexact(&left.0, b)?;
        self.refuse_inexact(&right.0, a)?;
        let (left, right) = (rounded(left), rounded(right));
        let as_uuid = |expr: Expr| expr.cast(Type::Uuid, CastMode::Implicit);
        Ok(match (a, b) {
            (Type::Uuid, Type::Uuid | Type::Unknown) | (Type::Unknown, Type::Uuid) => {
                (left, right, collation)
            }
            (Type::Uuid, _) if b.is_text() => (left, as_uuid(right), collation),
            (_, Type::Uuid) if a.is_text() => (as_uuid(left), right, collation),
            (Type::Uuid, _) | (_, Type::Uuid) => {
                return unsupported("a comparison of a UUID and something else");
            }
            (Type::Time(_), Type::Time(_) | Type::Unknown) | (Type::Unknown, Type::Time(_)) => {
                (left, right, collation)
            }
            (Type::Time(_), _) | (_, Type::Time(_)) => {
                return unsupported("a comparison of a time of day and something else");
            }
            _ if a.is_text() && b.is_text() => (left, right, collation),
            _ if a.is_text() && b.is_number() => (as_double(left), right, collation),
            _ if a.is_number() && b.is_text() => (left, as_double(right), collation),
            _ if a.is_time() && b.is_text() => (left, as_moment(right), collation),
            _ if a.is_text() && b.is_time() => (as_moment(left), right, collation),
            _ if a.is_time() && is_number_or_truth(b) => (left, moment_in(&right)?, collation),
            _ if is_number_or_truth(a) && b.is_time() => (moment_in(&left)?, right, collation),
            _ => (left, right, collation),
        })
    }

    pub(super) fn loose_arith(&self, op: Arith, left: Typed, right: Typed) -> Result<Typed> {
        self.refuse_unsure(&left.0)?;
        self.refuse_unsure(&right.0)?;
        let bits = matches!(
            op,
            Arith::BitAnd | Arith::BitOr | Arith::BitXor | Arith::ShiftLeft | Arith::ShiftRight
        );
        let number = |side: &Typed| match op {
            Arith::IntDiv => number_of(side.1),
            _ => number_in(side),
        };
        let (a, b) = (number(&left), number(&right));
        let result = match op {
            _ if bits => UNSIGNED,
            Arith::IntDiv if matches!(a, Type::Double) || matches!(b, Type::Double) => {
                return unsupported("DIV of numbers that are not exact");
            }
            Arith::IntDiv => {
                Type::Int(IntType { bytes: 8, unsigned: a.is_unsigned() || b.is_unsigned() })
            }
            _ if matches!(a, Type::Double) || matches!(b, Type::Double) => Type::Double,
            Arith::Div => quotient(a.digits(), b.digits()),
            _ if matches!((a, b), (Type::Int(_), Type::Int(_))) => {
                let unsigned = match op {
                    Arith::Mod => a.is_unsigned(),
                    _ => a.is_unsigned() || b.is_unsigned(),
                };
                Type::Int(IntType { bytes: 8, unsigned })
            }
            _ => exact(op, a.digits(), b.digits()),
        };
        if matches!(result, Type::Decimal(_)) && (loses_digit(&left.0) || loses_digit(&right.0)) {
            return unsupported(
                "arithmetic with one of several constants, which has too few digits",
            );
        }
        let meets = match (result, op) {
            (Type::Double, _) => Type::Double,
            (Type::Decimal(_), _) | (_, Arith::IntDiv) => Type::NUMERIC,
            _ if bits => UNSIGNED,
            _ => Type::INT8,
        };
        let side = |(expr, ty): Typed, number: Type| match (number, meets) {
            (Type::Int(_), Type::Int(_)) if ty == number && !bits => expr,
            (Type::Decimal(_), Type::Decimal(_)) if ty == number => expr,
            (Type::Double, Type::Double) if ty == number => expr,
            _ => {
                let expr = if ty == number || ty.is_text() {
                    number_from(expr)
                } else {
                    expr.cast(number, CastMode::Implicit)
                };
                if matches!((number, meets), (Type::Int(_), Type::Int(_))) && !bits {
                    expr
                } else {
                    expr.cast(meets, CastMode::Implicit)
                }
            }
        };
        let (left, right) = (side(left, a), side(right, b));
        Ok((Expr::Arith { op, result, left: Box::new(left), right: Box::new(right) }, result))
    }

    /// The one type of several expressions, as in CASE, COALESCE, UNION and VALUES.
    pub(super) fn loose_common(&self, types: &[Type]) -> Type {
        let mut common = Type::Unknown;
        for ty in types.iter().copied().filter(|ty| *ty != Type::Unknown) {
            common = match (common, ty) {
                (Type::Unknown, ty) => ty,
                (a, b) if a == b => a,
                (Type::Int(a), Type::Int(b)) => common_int(a, b),
                (a, b) if a.is_number() && b.is_number() => {
                    let inexact = |ty| matches!(ty, Type::Real | Type::Double);
                    if inexact(a) || inexact(b) {
                        Type::Double
                    } else {
                        widest(a.digits(), b.digits())
                    }
                }
                (Type::Time(a), Type::Time(b)) => Type::Time(a.max(b)),
                (a, b) if a.is_time() && b.is_time() => {
                    Type::Timestamp(second_digits(a).max(second_digits(b)))
                }
                (a, b) if a.is_text() && b.is_text() => common_text(a, b),
                (a, _) if a.is_text() => common_text(a, Type::TEXT),
                (_, b) if b.is_text() => common_text(b, Type::TEXT),
                _ => Type::TEXT,
            };
        }
        common
    }
}

fn is_number_or_truth(ty: Type) -> bool {
    ty.is_number() || ty == Type::Bool
}

/// The moment that a number such as 20240131 or 20240131123000 is beside a date. Others are dates as well, such as
/// 40131, or lie before all others because they are none.
fn moment_in(expr: &Expr) -> Result<Expr> {
    let Expr::Const(Value::Int(number)) = expr else {
        return unsupported("a comparison of a date and a number");
    };
    let (day, time) = match *number {
        day @ 10_000_101..=99_991_231 => (day, 0),
        moment @ 10_000_101_000_000..=99_991_231_235_959 => {
            (moment / 1_000_000, moment % 1_000_000)
        }
        _ => return unsupported("a comparison of a date and a number that may be none"),
    };
    let date = format!("{}-{:02}-{:02}", day / 10_000, day / 100 % 100, day % 100);
    let time = format!("{:02}:{:02}:{:02}", time / 10_000, time / 100 % 100, time % 100);
    match parse_timestamp(&format!("{date} {time}")) {
        Some(moment) => Ok(Expr::Const(Value::Timestamp(moment))),
        None => unsupported("a comparison of a date and a number that is none"),
    }
}

/// Whether it is one of several whole numbers that are written down. MariaDB takes it to have a digit less than the
/// longest of them: where it keeps `7.0 * CASE WHEN … THEN 7 ELSE 8 END`, it keeps 9.9.
fn loses_digit(expr: &Expr) -> bool {
    match expr {
        Expr::Cast { mode: CastMode::Implicit, expr, .. } => loses_digit(expr),
        Expr::Case { branches, otherwise } => {
            branches.iter().all(|(_, result)| is_written(result)) && is_written(otherwise)
        }
        Expr::Coalesce(args) => args.iter().all(is_written),
        Expr::Call {
            function: Function::Greatest | Function::Least | Function::Abs | Function::Round,
            args,
            ..
        } => args.iter().all(is_written),
        Expr::Arith { left, right, .. } => {
            let written = is_written(left) && is_written(right);
            written && (loses_digit(left) || loses_digit(right))
        }
        _ => false,
    }
}

/// Whether it is a whole number that is written down, or made of such.
fn is_written(expr: &Expr) -> bool {
    match expr {
        Expr::Const(value) => matches!(value, Value::Int(_) | Value::Bool(_) | Value::Null),
        Expr::Cast { mode: CastMode::Implicit, expr, .. } => is_written(expr),
        Expr::Arith { left, right, .. } => is_written(left) && is_written(right),
        other => loses_digit(other),
    }
}

/// A quotient has more digits than are shown; before it is compared, they are dropped.
fn rounded((expr, ty): Typed) -> Expr {
    match (&expr, ty) {
        (Expr::Column { .. } | Expr::Const(_), _) => expr,
        (_, Type::Decimal(Some(_))) => expr.cast(ty, CastMode::Implicit),
        _ => expr,
    }
}

/// Where a number is wanted, the greatest of several texts is the greatest of their numbers.
fn number_from(expr: Expr) -> Expr {
    match expr {
        Expr::Call {
            function: function @ (Function::Greatest | Function::Least),
            result,
            args,
        } if result.is_text() => {
            let numbers = args.into_iter().map(|arg| arg.cast(Type::Double, CastMode::Implicit));
            Expr::Call { function, result: Type::Double, args: numbers.collect() }
        }
        other => other,
    }
}

/// A text that is one of two, or made of them. What says how it compares is kept; byte by byte wins.
fn common_text(a: Type, b: Type) -> Type {
    let stated = |ty: Type| match ty {
        Type::Text { collation, .. } => collation,
        _ => None,
    };
    let collation = match (stated(a), stated(b)) {
        (Some(a), Some(b)) if a == b => Some(a),
        (Some(a), Some(b)) => {
            let wins = |wanted| a == wanted || b == wanted;
            let bytes = [Collation::Bytes, Collation::PaddedBytes];
            Some(bytes.into_iter().find(|wanted| wins(*wanted)).unwrap_or(Collation::Unknown))
        }
        (a, b) => a.or(b),
    };
    Type::Text { limit: None, collation, trims: false }
}

fn common_int(a: IntType, b: IntType) -> Type {
    if a.unsigned == b.unsigned {
        return Type::Int(if a.bytes >= b.bytes { a } else { b });
    }
    let (unsigned, signed) = if a.unsigned { (a, b) } else { (b, a) };
    if unsigned.bytes >= 8 {
        return Type::decimal(20, 0);
    }
    Type::Int(IntType { bytes: signed.bytes.max(8), unsigned: false })
}

fn widest(a: Digits, b: Digits) -> Type {
    let scale = a.scale.max(b.scale);
    let whole = (a.precision - a.scale).max(b.precision - b.scale);
    Type::decimal(whole + scale, scale)
}

/// How many digits of a second a moment of this type has.
fn second_digits(ty: Type) -> u8 {
    if let Type::Timestamp(digits) = ty { digits } else { 0 }
}

/// Whether an expression has no type because it is NULL, such as `NULLIF(NULL, 1)`.
pub(super) fn is_null(expr: &Expr, ty: Type) -> bool {
    is_null_literal(expr) || ty == Type::Unknown && !matches!(expr, Expr::Param { .. })
}

/// The number that an expression becomes in arithmetic. NULL as it is written is one with a point.
pub(super) fn number_in((expr, ty): &Typed) -> Type {
    if is_null(expr, *ty) { Type::Double } else { number_of(*ty) }
}

/// The number that a value of a type becomes in arithmetic.
pub(super) fn number_of(ty: Type) -> Type {
    match ty {
        Type::Int(_) | Type::Decimal(_) | Type::Double => ty,
        Type::Bool | Type::Unknown | Type::Date | Type::Timestamp(0) => Type::INT8,
        Type::Timestamp(digits) => Type::decimal(14 + u32::from(digits), u32::from(digits)),
        Type::Real | Type::Text { .. } | Type::Char(_) => Type::Double,
        // A conversion refuses it.
        Type::Time(_) => Type::INT8,
        // MySQL has no such types.
        _ => Type::Double,
    }
}

fn exact(op: Arith, a: Digits, b: Digits) -> Type {
    let scale = a.scale.max(b.scale);
    match op {
        Arith::Mul => Type::decimal(a.precision + b.precision, a.scale + b.scale),
        Arith::Mod => Type::decimal(a.precision.max(b.precision), scale),
        _ => {
            let whole = (a.precision - a.scale).max(b.precision - b.scale) + 1;
            Type::decimal(whole + scale, scale)
        }
    }
}

/// Four more digits than the dividend has.
fn quotient(a: Digits, b: Digits) -> Type {
    let scale = a.scale + 4;
    Type::decimal(a.precision + 4 + b.scale, scale)
}
