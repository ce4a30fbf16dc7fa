//! Functions of numbers and dates.
//!
//! Layer `eval`; knows values and the names of functions.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::dialect::Dialect;
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::{CastMode, Function, IntervalFunction, NumberFunction};
use crate::types::Type;
use crate::value::{Asked, Decimal, Value, round_to_even};

use super::array_functions::array_function;
use super::arrays::{array_call, elements};
use super::bytes::bytes_call;
use super::compare::compare;
use super::convert::convert;
use super::date_functions::date_call;
use super::environment::Environment;
use super::intervals::interval_call;
use super::json::{is_json, json_call};
use super::json_functions::json_function;
use super::loose::loose_call;
use super::networks::network_call;
use super::number_functions::number_call;
use super::patterns::pattern_call;
use super::ranges::range_call;
use super::string_functions::string_call;
use super::text_functions::text_call;

pub(super) fn call(
    env: &mut impl Environment,
    function: Function,
    result: Type,
    args: &[Value],
) -> Result<Value> {
    let dialect = env.dialect();
    match function {
        Function::Greatest => extreme(env, Ordering::Greater, result, args),
        Function::Least => extreme(env, Ordering::Less, result, args),
        Function::Concat if dialect.functions_skip_nulls() => Ok(concat(args)),
        Function::ConcatWs => Ok(concat_ws(args)),
        Function::MakeArray => Ok(Value::Array(Arc::from(args))),
        Function::MakeRecord => Ok(Value::Record(Arc::from(args))),
        Function::Elements { op, quantifier, collation } => {
            elements(env, op, quantifier, collation, args)
        }
        Function::Array(function) if function.takes_nulls() => array_function(env, function, args),
        Function::Json(function) if function.takes_nulls() => json_function(function, args),
        Function::Interval(IntervalFunction::Overlaps) => {
            interval_call(IntervalFunction::Overlaps, args)
        }
        Function::Range(function) if function.takes_nulls() => range_call(function, args),
        Function::Loose(function) => loose_call(env, function, result, args),
        Function::String(function) if function.takes_nulls() => string_call(env, function, args),
        _ if args.iter().any(Value::is_null) => Ok(Value::Null),
        Function::Date(function) => date_call(function, result, args),
        Function::Interval(function) => interval_call(function, args),
        Function::Array(function) => array_function(env, function, args),
        Function::Json(function) => json_function(function, args),
        Function::Bytes(function) => bytes_call(function, args),
        Function::Range(function) => range_call(function, args),
        Function::Network(function) => network_call(function, args),
        Function::Number(NumberFunction::RealText) => {
            let from = if dialect.is_strictly_typed() { Type::Real } else { Type::Unknown };
            convert(dialect, &args[0], from, Type::TEXT, CastMode::Implicit)
        }
        Function::Number(function) => number_call(function, result, args),
        Function::Pattern(function) => pattern_call(function, args),
        Function::String(function) => string_call(env, function, args),
        Function::Abs => abs(result, &args[0]),
        Function::Sign => sign(result, &args[0]),
        Function::Round | Function::Truncate => round(dialect, function, result, args),
        Function::Floor | Function::Ceil => whole(function, result, &args[0]),
        Function::DateDiff => Ok(Value::Int(day(&args[0]) - day(&args[1]))),
        Function::BitNot => bit_not(result, &args[0]),
        Function::Subscript
        | Function::ArrayLength
        | Function::ArrayContains
        | Function::ArrayOverlaps => array_call(env, function, args),
        Function::JsonMember { .. }
        | Function::JsonPath { .. }
        | Function::JsonContains
        | Function::JsonHas
        | Function::JsonAppend
        | Function::JsonRemove
        | Function::JsonTypeOf
        | Function::JsonArrayLength => json_call(function, args),
        Function::JsonValid => is_json(&args[0]),
        Function::Lower | Function::Upper => {
            // How other letters change depends on the locale.
            if let Value::Text(text) = &args[0]
                && !text.is_ascii()
            {
                env.doubt(text, text);
            }
            text_call(dialect, function, args)
        }
        _ => text_call(dialect, function, args),
    }
}

fn extreme(
    env: &mut impl Environment,
    wanted: Ordering,
    result: Type,
    args: &[Value],
) -> Result<Value> {
    let collation = result.collation(env.collation());
    let mut best: Option<&Value> = None;
    for arg in args {
        if arg.is_null() {
            if env.dialect().functions_skip_nulls() {
                continue;
            }
            return Ok(Value::Null);
        }
        let better = match best {
            None => true,
            Some(best) => compare(env, Asked::Order, arg, best, collation)? == Some(wanted),
        };
        if better {
            best = Some(arg);
        }
    }
    Ok(best.cloned().unwrap_or(Value::Null))
}

fn round(dialect: Dialect, function: Function, result: Type, args: &[Value]) -> Result<Value> {
    let places = match args.get(1) {
        None => 0,
        Some(places) => match places.as_integer().and_then(|places| i32::try_from(places).ok()) {
            Some(places @ -100..=100) => places,
            _ => return unsupported("this number of digits"),
        },
    };
    let rounds = function == Function::Round;
    match &args[0] {
        Value::Decimal(decimal) => Ok(round_decimal(dialect, decimal, places, rounds, result)),
        Value::Double(double) => {
            if places != 0 {
                return unsupported("floating point numbers rounded to digits");
            }
            if !rounds {
                return Ok(Value::Double(double.trunc()));
            }
            Ok(Value::Double(round_to_even(*double)))
        }
        other => match other.as_integer() {
            Some(_) if places >= 0 => Ok(other.clone()),
            Some(whole) => {
                let decimal = Decimal::from_integer(whole);
                let places = u32::try_from(-places).unwrap_or(0);
                let rounded = if rounds {
                    decimal.round_whole(places)
                } else {
                    return unsupported("TRUNCATE with digits below zero");
                };
                match rounded.to_integer().and_then(Value::from_integer) {
                    Some(value) => Ok(value),
                    None => fail(ErrorClass::OutOfRange, "a number that is too large"),
                }
            }
            None => unsupported("ROUND of something that is not a number"),
        },
    }
}

fn round_decimal(
    dialect: Dialect,
    decimal: &Decimal,
    places: i32,
    rounds: bool,
    result: Type,
) -> Value {
    let Ok(places) = u32::try_from(places) else {
        let places = places.unsigned_abs();
        return Value::Decimal(if rounds {
            decimal.round_whole(places)
        } else {
            decimal.sub(&decimal.remainder(&power_of_ten(places))).truncate(0)
        });
    };
    // MySQL shows no more digits than the number had.
    let places = match (dialect.is_strictly_typed(), result) {
        (false, Type::Decimal(Some(digits))) => places.min(digits.scale),
        _ => places,
    };
    Value::Decimal(if rounds { decimal.round(places) } else { decimal.truncate(places) })
}

fn power_of_ten(exponent: u32) -> Decimal {
    let ten = Decimal::from_integer(10);
    (0..exponent).fold(Decimal::from_integer(1), |power, _| power.mul(&ten))
}

fn abs(result: Type, value: &Value) -> Result<Value> {
    match value {
        Value::Decimal(decimal) => Ok(Value::Decimal(decimal.abs())),
        Value::Double(double) => Ok(Value::Double(double.abs())),
        other => match (other.as_integer(), result) {
            (Some(whole), Type::Int(int)) => {
                let (low, high) = int.range();
                match Some(whole.abs())
                    .filter(|whole| (low..=high).contains(whole))
                    .and_then(Value::from_integer)
                {
                    Some(value) => Ok(value),
                    None => fail(ErrorClass::OutOfRange, "a number that is too large"),
                }
            }
            _ => unsupported("ABS of something that is not a number"),
        },
    }
}

fn sign(result: Type, value: &Value) -> Result<Value> {
    let sign = match value {
        Value::Decimal(decimal) => decimal.sign(),
        Value::Double(double) => i8::from(*double > 0.0) - i8::from(*double < 0.0),
        other => match other.as_integer() {
            Some(whole) => i8::from(whole > 0) - i8::from(whole < 0),
            None => return unsupported("SIGN of something that is not a number"),
        },
    };
    Ok(match result {
        Type::Decimal(_) => Value::Decimal(Decimal::from_integer(i128::from(sign))),
        Type::Double => Value::Double(f64::from(sign)),
        _ => Value::Int(i64::from(sign)),
    })
}

fn whole(function: Function, result: Type, value: &Value) -> Result<Value> {
    let up = function == Function::Ceil;
    match value {
        Value::Decimal(decimal) => {
            let whole = if up { decimal.ceil() } else { decimal.floor() };
            match result {
                Type::Int(_) => match whole.to_integer().and_then(Value::from_integer) {
                    Some(value) => Ok(value),
                    None => fail(ErrorClass::OutOfRange, "a number that is too large"),
                },
                _ => Ok(Value::Decimal(whole)),
            }
        }
        Value::Double(double) => Ok(Value::Double(if up { double.ceil() } else { double.floor() })),
        other => Ok(other.clone()),
    }
}

fn day(value: &Value) -> i64 {
    match value {
        Value::Date(days) => i64::from(*days),
        Value::Timestamp(micros) => micros.div_euclid(86_400_000_000),
        _ => 0,
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bits are kept")]
fn bit_not(result: Type, value: &Value) -> Result<Value> {
    match value.as_integer() {
        Some(whole) if result.is_unsigned() => {
            Ok(Value::from_integer(i128::from(!(whole as u64))).unwrap_or(Value::Null))
        }
        Some(whole) => Ok(Value::from_integer(!whole).unwrap_or(Value::Null)),
        None => unsupported("~ of something that is not a number"),
    }
}

fn text_of(value: &Value) -> &str {
    match value {
        Value::Text(text) => text,
        _ => "",
    }
}

/// Without NULLs.
fn concat(args: &[Value]) -> Value {
    Value::text(&args.iter().map(text_of).collect::<String>())
}

fn concat_ws(args: &[Value]) -> Value {
    let Some((Value::Text(between), rest)) = args.split_first() else { return Value::Null };
    let texts: Vec<&str> = rest.iter().filter(|value| !value.is_null()).map(text_of).collect();
    Value::text(&texts.join(between))
}
