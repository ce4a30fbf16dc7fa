//! Arithmetic, in the type that was settled.
//!
//! Layer `eval`; knows values and operators, and asks the environment what a division by zero is.

use crate::dialect::Dialect;
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::Arith;
use crate::types::{IntType, Type};
use crate::value::{Decimal, Value};

use super::environment::Environment;

pub(super) fn arith(
    env: &mut impl Environment,
    op: Arith,
    result: Type,
    left: &Value,
    right: &Value,
) -> Result<Value> {
    if left.is_null() || right.is_null() {
        return Ok(Value::Null);
    }
    match result {
        Type::Int(_) if op == Arith::IntDiv => integer_quotient(env, left, right, result),
        Type::Int(int) => match (left, right) {
            (Value::Date(a), Value::Date(b)) => Ok(Value::Int(i64::from(*a) - i64::from(*b))),
            _ => integers(env, op, int, left, right),
        },
        Type::Decimal(_) => decimals(env, op, left, right),
        Type::Real | Type::Double => doubles(env, op, result, left, right),
        Type::Date => days(op, left, right),
        _ => unsupported("this arithmetic"),
    }
}

/// What a division by zero gives.
fn zero_division(env: &mut impl Environment) -> Result<Value> {
    if env.dialect().division_by_zero_fails() || env.warning_fails() {
        return fail(ErrorClass::DivisionByZero, "division by zero");
    }
    Ok(Value::Null)
}

fn integers(
    env: &mut impl Environment,
    op: Arith,
    int: IntType,
    left: &Value,
    right: &Value,
) -> Result<Value> {
    let (Some(a), Some(b)) = (left.as_integer(), right.as_integer()) else {
        return unsupported("arithmetic of values that are not numbers");
    };
    let whole = match op {
        Arith::Add => a + b,
        Arith::Sub => a - b,
        Arith::Mul => match a.checked_mul(b) {
            Some(whole) => whole,
            None => return fail(ErrorClass::OutOfRange, "a product that is too large"),
        },
        Arith::Div | Arith::Mod if b == 0 => return zero_division(env),
        Arith::Div | Arith::IntDiv => a / b,
        Arith::Mod => a % b,
        _ => return bits(op, int, a, b),
    };
    let (low, high) = int.range();
    match Some(whole).filter(|whole| (low..=high).contains(whole)).and_then(Value::from_integer) {
        Some(value) => Ok(value),
        None => fail(ErrorClass::OutOfRange, "a number that is too large"),
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bits are cut off")]
fn bits(op: Arith, int: IntType, a: i128, b: i128) -> Result<Value> {
    let width = i128::from(int.bytes) * 8;
    let whole = match op {
        Arith::BitAnd => a & b,
        Arith::BitOr => a | b,
        Arith::BitXor => a ^ b,
        Arith::ShiftLeft | Arith::ShiftRight if int.unsigned && !(0..64).contains(&b) => 0,
        Arith::ShiftLeft => a << b.rem_euclid(width.max(32)),
        _ => a >> b.rem_euclid(width.max(32)),
    };
    let value = if int.unsigned {
        Value::from_integer(i128::from(whole as u64))
    } else {
        let cut = match int.bytes {
            2 => i128::from(whole as i16),
            4 => i128::from(whole as i32),
            _ => i128::from(whole as i64),
        };
        Value::from_integer(cut)
    };
    Ok(value.unwrap_or(Value::Null))
}

fn integer_quotient(
    env: &mut impl Environment,
    left: &Value,
    right: &Value,
    result: Type,
) -> Result<Value> {
    let (Some(a), Some(b)) = (left.as_decimal(), right.as_decimal()) else {
        return unsupported("DIV of values that are not numbers");
    };
    if b.is_zero() {
        return zero_division(env);
    }
    let (low, high) = match result {
        Type::Int(int) => int.range(),
        _ => return unsupported("DIV"),
    };
    let whole = a.divide_truncated(&b, 0).to_integer().filter(|whole| (low..=high).contains(whole));
    match whole.and_then(Value::from_integer) {
        Some(value) => Ok(value),
        None => fail(ErrorClass::OutOfRange, "a number that is too large"),
    }
}

fn decimals(env: &mut impl Environment, op: Arith, left: &Value, right: &Value) -> Result<Value> {
    let (Some(a), Some(b)) = (left.as_decimal(), right.as_decimal()) else {
        return unsupported("arithmetic of values that are not numbers");
    };
    Ok(Value::Decimal(match op {
        Arith::Add => a.add(&b),
        Arith::Sub => a.sub(&b),
        Arith::Mul => product(env.dialect(), &a, &b),
        Arith::Div | Arith::Mod if b.is_zero() => return zero_division(env),
        Arith::Div if env.dialect().is_strictly_typed() => a.divide_significantly(&b),
        Arith::Div => a.divide_in_groups(&b, 4),
        Arith::Mod => return remainder(env.dialect(), &a, &b),
        _ => return unsupported("this arithmetic with exact numbers"),
    }))
}

fn remainder(dialect: Dialect, a: &Decimal, b: &Decimal) -> Result<Value> {
    let rest = a.remainder(b);
    if !dialect.is_strictly_typed() && rest.is_zero() && a.sign() < 0 {
        return unsupported("minus zero, the remainder of a negative number in MySQL,");
    }
    Ok(Value::Decimal(rest))
}

fn product(dialect: Dialect, a: &Decimal, b: &Decimal) -> Decimal {
    let product = a.mul(b);
    // MySQL keeps 38 digits behind the point at most, PostgreSQL many more.
    if dialect.is_strictly_typed() || product.scale() <= 38 { product } else { product.round(38) }
}

fn doubles(
    env: &mut impl Environment,
    op: Arith,
    result: Type,
    left: &Value,
    right: &Value,
) -> Result<Value> {
    let (Some(a), Some(b)) = (left.to_f64(), right.to_f64()) else {
        return unsupported("arithmetic of values that are not numbers");
    };
    let double = match op {
        Arith::Add => a + b,
        Arith::Sub => a - b,
        Arith::Mul => a * b,
        Arith::Div | Arith::Mod if b == 0.0 => return zero_division(env),
        Arith::Div => a / b,
        Arith::Mod => a % b,
        _ => return unsupported("this arithmetic with floating point numbers"),
    };
    #[allow(clippy::cast_possible_truncation, reason = "single precision")]
    let double = if result == Type::Real { f64::from(double as f32) } else { double };
    if double.is_infinite() && a.is_finite() && b.is_finite() {
        return fail(ErrorClass::OutOfRange, "a number that is too large");
    }
    Ok(Value::Double(double))
}

pub(super) fn negative(ty: Type, value: &Value) -> Result<Value> {
    match value {
        Value::Null => Ok(Value::Null),
        Value::Decimal(decimal) => Ok(Value::Decimal(decimal.neg())),
        Value::Double(double) => Ok(Value::Double(-double)),
        other => match (other.as_integer(), ty) {
            (Some(whole), Type::Int(int)) => {
                let (low, high) = int.range();
                match Some(-whole)
                    .filter(|whole| (low..=high).contains(whole))
                    .and_then(Value::from_integer)
                {
                    Some(value) => Ok(value),
                    None => fail(ErrorClass::OutOfRange, "a number that is too large"),
                }
            }
            _ => unsupported("minus something that is not a number"),
        },
    }
}

fn days(op: Arith, left: &Value, right: &Value) -> Result<Value> {
    let (Value::Date(date), Value::Int(days)) = (left, right) else {
        return unsupported("this arithmetic with dates");
    };
    let days = if op == Arith::Sub { days.checked_neg() } else { Some(*days) };
    let moved = days
        .and_then(|days| i64::from(*date).checked_add(days))
        .and_then(|days| i32::try_from(days).ok());
    match moved.filter(|moved| (-719_162..2_932_897).contains(moved)) {
        Some(moved) => Ok(Value::Date(moved)),
        None => unsupported("a date outside the years 1 to 9999"),
    }
}
