//! Functions of numbers.
//!
//! Layer `eval`; knows values.

use crate::error::{Result, unsupported};
use crate::plan::LooseNumber;
use crate::value::{Decimal, Value};

use super::logarithms::{exact, rounded};

/// Whole numbers up to it are exact as floating point numbers.
const EXACT: f64 = 9_007_199_254_740_992.0;

pub(super) fn number_call(function: LooseNumber, args: &[Value]) -> Result<Value> {
    use LooseNumber as N;
    Ok(match (function, args) {
        (N::Power, [Value::Double(base), Value::Double(exponent)]) => power(*base, *exponent)?,
        (N::Sqrt, [Value::Double(number)]) if *number < 0.0 => Value::Null,
        (N::Sqrt, [Value::Double(number)]) => Value::Double(number.sqrt()),
        (N::Pi, []) => Value::Double(std::f64::consts::PI),
        (N::Format, [number, digits]) => format(number, digits)?,
        (N::Conv, [Value::Text(digits), from, to]) => conv(digits, from, to)?,
        (N::InBase(base), [number]) => Value::text(&in_base(bits(number)?, base)),
        (N::BitCount, [number]) => Value::Int(i64::from(bits(number)?.count_ones())),
        (N::InetNtoa, [number]) => match number.as_integer().map(u32::try_from) {
            Some(Ok(number)) => {
                let [a, b, c, d] = number.to_be_bytes();
                Value::text(&format!("{a}.{b}.{c}.{d}"))
            }
            Some(Err(_)) => Value::Null,
            None => return unsupported("INET_NTOA of something that is not an integer"),
        },
        (N::Logarithm(kind), args) => exact(kind, args)?,
        (N::RoundedLogarithm(kind), args) => rounded(kind, args)?,
        _ => return unsupported("this function of these numbers"),
    })
}

/// Only where the result is one that every C library computes exactly: a whole number, or a power of two.
fn power(base: f64, exponent: f64) -> Result<Value> {
    if base.abs() == 2.0 && exponent.fract() == 0.0 && (-64.0..0.0).contains(&exponent) {
        let Value::Double(power) = power(base, -exponent)? else { return Ok(Value::Null) };
        return Ok(Value::Double(1.0 / power));
    }
    let sane = base.fract() == 0.0 && exponent.fract() == 0.0 && (0.0..=64.0).contains(&exponent);
    if !sane {
        return unsupported("a power that is not a whole number");
    }
    let mut product = 1.0;
    let mut left = exponent;
    while left >= 1.0 {
        product *= base;
        left -= 1.0;
        if product.abs() > EXACT {
            return unsupported("a power this large");
        }
    }
    Ok(Value::Double(product))
}

/// The bits of a whole number, as one without a sign.
fn bits(number: &Value) -> Result<u64> {
    match number.as_integer() {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bits are kept")]
        Some(whole) => Ok(whole as u64),
        None => unsupported("the bits of something that is not an integer"),
    }
}

fn in_base(mut number: u64, base: u32) -> String {
    let mut digits = Vec::new();
    loop {
        let digit = u32::try_from(number % u64::from(base)).unwrap_or(0);
        digits.push(char::from_digit(digit, base).unwrap_or('0').to_ascii_uppercase());
        number /= u64::from(base);
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}

/// Plain digits in a base as digits in another one.
fn conv(digits: &str, from: &Value, to: &Value) -> Result<Value> {
    let base = |value: &Value| match value.as_integer() {
        Some(base @ 2..=36) => u32::try_from(base).ok(),
        _ => None,
    };
    let (Some(from), Some(to)) = (base(from), base(to)) else {
        return unsupported("CONV with these bases");
    };
    match u64::from_str_radix(digits, from) {
        Ok(number) if !digits.starts_with(['+', '-']) => Ok(Value::text(&in_base(number, to))),
        _ => unsupported("CONV of something that is not all digits"),
    }
}

/// `1,234,567.89`.
fn format(number: &Value, digits: &Value) -> Result<Value> {
    let Some(number) = number.as_decimal() else {
        return unsupported("FORMAT of a number that is not exact");
    };
    let digits = match digits.as_integer() {
        Some(..=0) => 0,
        Some(digits @ 1..=38) => u32::try_from(digits).unwrap_or(38),
        _ => return unsupported("FORMAT with this number of digits"),
    };
    Ok(Value::text(&grouped(&number.round(digits))))
}

fn grouped(number: &Decimal) -> String {
    let text = number.abs().to_string();
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, format!(".{fraction}")),
        None => (text.as_str(), String::new()),
    };
    let mut groups = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place) % 3 == 0 {
            groups.push(',');
        }
        groups.push(digit);
    }
    let sign = if number.sign() < 0 { "-" } else { "" };
    format!("{sign}{groups}{fraction}")
}
