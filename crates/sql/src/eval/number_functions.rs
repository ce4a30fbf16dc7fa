//! Functions of numbers in PostgreSQL. No argument is NULL.
//!
//! A floating point result is computed only where every C library gives the same one: where IEEE 754 says what it
//! is, or where it is exact.
//!
//! Layer `eval`; knows values and the names of functions.

use num_bigint::BigInt;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::NumberFunction;
use crate::types::Type;
use crate::value::{Decimal, Value};

use super::inexact::rounded;
use super::number_format;

/// PostgreSQL shows at least this many digits of an inexact NUMERIC, and not more than the second number behind the
/// point.
const MIN_DIGITS: i64 = 16;
const MAX_SCALE: i64 = 1000;
/// Whole numbers below it are exact as floating point numbers.
const EXACT: f64 = 9_007_199_254_740_992.0;
const RADIANS_PER_DEGREE: f64 = 0.017_453_292_519_943_295;

pub(super) fn number_call(function: NumberFunction, result: Type, args: &[Value]) -> Result<Value> {
    use NumberFunction as N;
    use Value::{Decimal as Exact, Double, Int};
    match (function, args) {
        (N::Power, [Double(base), Double(exponent)]) => power(*base, *exponent),
        (N::Power, [Exact(base), Exact(exponent)]) => exact_power(base, exponent),
        (N::Sqrt, [Double(number)]) if *number >= 0.0 => Ok(Double(number.sqrt())),
        (N::Sqrt, [Exact(number)]) if number.sign() >= 0 => exact_sqrt(number),
        (N::Format, [number, Value::Text(format)]) => number_format::write(number, format),
        (N::Read, [Value::Text(text), Value::Text(format)]) => number_format::read(text, format),
        (N::Pi, []) => Ok(Double(std::f64::consts::PI)),
        (N::Degrees, [Double(number)]) if number.is_finite() && number.abs() < 1e300 => {
            Ok(Double(number / RADIANS_PER_DEGREE))
        }
        (N::Radians, [Double(number)]) if number.is_finite() && is_normal(*number) => {
            Ok(Double(number * RADIANS_PER_DEGREE))
        }
        (N::Quotient, [Exact(_), Exact(divisor)]) if divisor.is_zero() => {
            fail(ErrorClass::DivisionByZero, "division by zero")
        }
        (N::Quotient, [Exact(number), Exact(divisor)]) => {
            Ok(Exact(number.divide_truncated(divisor, 0)))
        }
        (N::Gcd, [Int(a), Int(b)]) => whole(gcd(i128::from(*a), i128::from(*b)), result),
        (N::Lcm, [Int(a), Int(b)]) => {
            let (a, b) = (i128::from(*a), i128::from(*b));
            whole(if a == 0 || b == 0 { 0 } else { (a / gcd(a, b) * b).abs() }, result)
        }
        (N::Factorial, [Int(number)]) => factorial(*number),
        (N::WidthBucket, [Exact(number), Exact(low), Exact(high), Int(count)]) => {
            exact_bucket(number, low, high, *count)
        }
        (N::WidthBucket, [Double(number), Double(low), Double(high), Int(count)]) => {
            bucket(*number, *low, *high, *count)
        }
        (N::Rounded { of, exact }, args) => rounded(of, exact, args),
        _ => unsupported("this function of these numbers"),
    }
}

fn is_normal(number: f64) -> bool {
    number == 0.0 || number.abs() > 1e-290
}

fn whole(number: i128, result: Type) -> Result<Value> {
    let (low, high) = match result {
        Type::Int(int) => int.range(),
        _ => return unsupported("an integer of this type"),
    };
    match Value::from_integer(number) {
        Some(value) if (low..=high).contains(&number) => Ok(value),
        _ => fail(ErrorClass::OutOfRange, "a number that is too large"),
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

fn factorial(number: i64) -> Result<Value> {
    match number {
        ..0 => fail(ErrorClass::OutOfRange, "the factorial of a negative number"),
        0..=1000 => {
            let product = (1..=number).fold(Decimal::from_integer(1), |product, factor| {
                product.mul(&Decimal::from_integer(i128::from(factor)))
            });
            Ok(Value::Decimal(product))
        }
        _ => unsupported("the factorial of a number this large"),
    }
}

/// A power of whole numbers, if it is exact.
fn power(base: f64, exponent: f64) -> Result<Value> {
    let refused = || unsupported("a power that is not a whole number");
    if base.fract() != 0.0 || !(0.0..=1100.0).contains(&exponent) || exponent.fract() != 0.0 {
        return refused();
    }
    let mut product = 1.0;
    let mut left = exponent;
    while left > 0.0 {
        if product == 0.0 || (product == 1.0 && base == 1.0) {
            return Ok(Value::Double(product));
        }
        product *= base;
        left -= 1.0;
        if product.abs() >= EXACT {
            return refused();
        }
    }
    // Minus zero.
    if product == 0.0 && base.is_sign_negative() {
        return refused();
    }
    Ok(Value::Double(product))
}

/// A power with a whole exponent, if no digit of it has to be rounded. The scale depends on the version of the
/// server, unless the result has one digit before the point.
fn exact_power(base: &Decimal, exponent: &Decimal) -> Result<Value> {
    let refused = || unsupported("a NUMERIC power of ten or more, or with many digits");
    let whole = exponent.truncate(0);
    let times = match whole.to_integer().and_then(|times| u32::try_from(times).ok()) {
        Some(times) if whole.compare(exponent).is_eq() && times <= 400 => times,
        _ => return refused(),
    };
    let magnitude = match base.is_zero() {
        true => 0.0,
        false => base.abs().to_f64().log10() * f64::from(times),
    };
    let scale = base.scale().max(16);
    if magnitude.abs() > 0.999 || exponent.scale() > scale || scale > 1000 {
        return refused();
    }
    let one = Decimal::from_integer(1);
    let product = (0..times).fold(one, |product, _| product.mul(base));
    match product.canonical().scale() <= scale {
        true => Ok(Value::Decimal(product.round(scale))),
        false => refused(),
    }
}

/// The root with PostgreSQL's number of digits, which depends on how many groups of four digits there are before
/// the point.
fn exact_sqrt(number: &Decimal) -> Result<Value> {
    let weight = if number.is_zero() { 0 } else { first_group(number) };
    let before = match weight {
        0.. => weight * 4 / 2 + 1,
        _ => 1 - (1 - weight * 4) / 2,
    };
    let scale = (MIN_DIGITS - before).max(number.scale().into()).clamp(0, MAX_SCALE);
    match u32::try_from(scale) {
        Ok(scale) => root_at_scale(number, scale),
        Err(_) => unsupported("this square root"),
    }
}

/// The root with this many digits behind the point.
pub(crate) fn root_at_scale(number: &Decimal, scale: u32) -> Result<Value> {
    // With one more digit, to round.
    let shifted = number.round((scale + 1) * 2).to_string().replace('.', "");
    let Some(unscaled) = BigInt::parse_bytes(shifted.as_bytes(), 10) else {
        return unsupported("this square root");
    };
    match Decimal::parse(&format!("{}e-{}", unscaled.sqrt(), scale + 1)) {
        Some(root) => Ok(Value::Decimal(root.round(scale))),
        None => unsupported("this square root"),
    }
}

/// Where the first group of four digits is that are not all zero: 0 just before the point.
fn first_group(number: &Decimal) -> i64 {
    let text = number.abs().to_string();
    let (before, behind) = text.split_once('.').unwrap_or((&text, ""));
    let before = before.trim_start_matches('0');
    let position = match before.is_empty() {
        false => i64::try_from(before.len()).unwrap_or(i64::MAX),
        true => {
            let zeros = behind.len() - behind.trim_start_matches('0').len();
            -i64::try_from(zeros).unwrap_or(i64::MAX)
        }
    };
    (position - 1).div_euclid(4)
}

fn exact_bucket(number: &Decimal, low: &Decimal, high: &Decimal, count: i64) -> Result<Value> {
    let order = high.compare(low);
    if count <= 0 || order.is_eq() {
        return unsupported("width_bucket() without buckets");
    }
    if low.compare(number) == order && !number.compare(low).is_eq() {
        return Ok(Value::Int(0));
    }
    if high.compare(number) != order {
        return whole(i128::from(count) + 1, Type::INT4);
    }
    let buckets = Decimal::from_integer(i128::from(count));
    let share = number.sub(low).mul(&buckets).divide_significantly(&high.sub(low));
    // What versions do differs if the share is rounded up to all buckets.
    if share.compare(&buckets).is_ge() {
        return unsupported("width_bucket() of a number this close to the end");
    }
    let place = share.add(&Decimal::from_integer(1)).floor();
    whole(place.to_integer().unwrap_or(i128::MAX), Type::INT4)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "as the server")]
fn bucket(number: f64, low: f64, high: f64, count: i64) -> Result<Value> {
    let finite = [number, low, high].into_iter().all(|one| one.abs() < 1e300);
    if count <= 0 || low == high || !finite {
        return unsupported("width_bucket() without buckets");
    }
    let (number, low, high) = if low < high { (number, low, high) } else { (-number, -low, -high) };
    if number < low {
        return Ok(Value::Int(0));
    }
    if number >= high {
        return whole(i128::from(count) + 1, Type::INT4);
    }
    let share = (count as f64 * ((number - low) / (high - low))) as i64;
    match share < count {
        true => Ok(Value::Int(share + 1)),
        false => unsupported("width_bucket() of a number this close to the end"),
    }
}
