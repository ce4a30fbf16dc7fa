//! `EXP` and logarithms, where every C library has the same result.
//!
//! Layer `eval`; knows values.

use crate::error::{Result, unsupported};
use crate::plan::Logarithm;
use crate::value::Value;

/// By how much the results of C libraries may differ from the true one, and more.
const DOUBT: f64 = 1e-14;
/// Whole numbers up to it have a fraction that can be told.
const MOST: f64 = 1e12;

/// A result that is exact.
pub(super) fn exact(kind: Logarithm, args: &[Value]) -> Result<Value> {
    let result = match (kind, numbers(args).as_slice()) {
        (Logarithm::Exp, [0.0]) => Some(1.0),
        (Logarithm::Natural, [1.0]) => Some(0.0),
        (Logarithm::Binary, [number]) => power_of(2.0, *number),
        (Logarithm::Decimal, [number]) => power_of(10.0, *number),
        _ => None,
    };
    match result {
        Some(result) => Ok(Value::Double(result)),
        None => unsupported("EXP or a logarithm, which depend on the C library"),
    }
}

/// The exponent of a number that is a power; those of 10 up to 22 are exact.
fn power_of(base: f64, number: f64) -> Option<f64> {
    let mut power = 1.0;
    for exponent in 0..=22 {
        if power == number {
            return Some(f64::from(exponent));
        }
        power *= base;
    }
    None
}

/// A result that is rounded to the digits of the last argument.
pub(super) fn rounded(kind: Logarithm, args: &[Value]) -> Result<Value> {
    let numbers = numbers(args);
    let Some((digits, args)) = numbers.split_last() else { return unsupported("ROUND of nothing") };
    let result = match (kind, args) {
        (Logarithm::Pi, []) => std::f64::consts::PI,
        (Logarithm::Exp, [number]) => number.exp(),
        (Logarithm::Natural, [number]) if *number > 0.0 => number.ln(),
        (Logarithm::Binary, [number]) if *number > 0.0 => number.log2(),
        (Logarithm::Decimal, [number]) if *number > 0.0 => number.log10(),
        (Logarithm::OfBase, [base, number]) if *base > 1.0 && *number > 0.0 => {
            number.ln() / base.ln()
        }
        _ => return unsupported("a logarithm of zero or less"),
    };
    let unit = 10_f64.powf(*digits).round();
    let (low, high) = (result - result.abs() * DOUBT, result + result.abs() * DOUBT);
    let (low, high) = ((low * unit).round(), (high * unit).round());
    match low == high && high.abs() < MOST {
        true => Ok(Value::Double(high / unit)),
        false => unsupported("a result that the C library decides"),
    }
}

fn numbers(args: &[Value]) -> Vec<f64> {
    args.iter().filter_map(Value::to_f64).collect()
}
