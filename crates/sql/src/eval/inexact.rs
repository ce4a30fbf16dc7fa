//! Functions that C libraries compute with different last digits, rounded.
//!
//! The result is taken a little smaller and a little larger than it is. If both round to the same number, so does what
//! any library computes.
//!
//! Layer `eval`; knows values and the names of functions.

use crate::error::{Result, unsupported};
use crate::plan::Inexact;
use crate::value::{Decimal, Value, round_to_even};

use super::convert::double_to_decimal;

/// Libraries agree on more digits than this.
const MARGIN: f64 = 1e-14;

pub(super) fn rounded(of: Inexact, exact: bool, args: &[Value]) -> Result<Value> {
    let places = match args.last() {
        Some(Value::Int(places)) if exact => u32::try_from(*places).unwrap_or(0),
        _ => 0,
    };
    let number = match args {
        [Value::Double(number), ..] if number.is_finite() && number.abs() < 1e6 => *number,
        _ => return unsupported("this function of a number this large"),
    };
    let other = match args.get(1) {
        Some(Value::Double(other)) if other.is_finite() => *other,
        _ => 1.0,
    };
    let result = computed(of, number, other);
    if !result.is_finite() || result.abs() > 1e12 {
        return unsupported("a result that is not a number, or one this large");
    }
    let (low, high) = (result * (1.0 - MARGIN), result * (1.0 + MARGIN));
    if !exact {
        let rounded = round_to_even(low);
        return match rounded == round_to_even(high) && rounded != 0.0 {
            true => Ok(Value::Double(rounded)),
            false => unsupported("a result whose last digit depends on the C library"),
        };
    }
    let at = |number: f64| -> Result<Decimal> { Ok(double_to_decimal(number)?.round(places)) };
    let (low, high) = (at(low)?, at(high)?);
    match low.compare(&high).is_eq() {
        true => Ok(Value::Decimal(low)),
        false => unsupported("a result whose last digit depends on the C library"),
    }
}

fn computed(of: Inexact, number: f64, other: f64) -> f64 {
    match of {
        Inexact::Sin => number.sin(),
        Inexact::Cos => number.cos(),
        Inexact::Tan => number.tan(),
        Inexact::Asin => number.asin(),
        Inexact::Acos => number.acos(),
        Inexact::Atan => number.atan(),
        Inexact::Atan2 => number.atan2(other),
        Inexact::Sinh => number.sinh(),
        Inexact::Cosh => number.cosh(),
        Inexact::Tanh => number.tanh(),
        Inexact::Cbrt => number.cbrt(),
        Inexact::Exp => number.exp(),
        Inexact::Ln => number.ln(),
        Inexact::Log10 => number.log10(),
    }
}
